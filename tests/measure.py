#!/usr/bin/env python3
"""`inlay race` and `inlay bench`: what they count, who is called faster, and what they export. Prints TAP.

Times are only compared where one program does many times the work of the other.

usage: measure.py TOOL ROOT [FILTER]
"""
import csv
import json
import pathlib
import subprocess

from cases import Cases

case = Cases()
HEAD = "from tvm.script import ir as I\nfrom tvm.script import relax as R\nfrom tvm.script import tirx as T\n\n\n"
PRODUCT = HEAD + """@R.function
def main(x: R.Tensor((96, 64), "float32"), w: R.Tensor((64, 80), "float32")) -> R.Tensor((96, 80), "float32"):
    return R.matmul(x, w)
"""
# Donated, and read again by no one: each run has to start from the same.
COUNTER = HEAD + """@I.ir_module
class Module:
    @T.prim_func(private=True)
    def step(x: T.Buffer((64,), "int64")):
        for i in range(64):
            x[i] = x[i] * T.int64(3) + T.int64(1)

    @R.function
    def main(x: R.Tensor((64,), "int64")) -> R.Tensor((64,), "int64"):
        R.func_attr({"relax.inplace_arg": [0]})
        cls = Module
        y = R.call_tir_inplace(cls.step, (x,), out_ty=R.Tensor((64,), "int64"), inplace_indices=[0])
        return y
"""
# A loop of the graph: what a turn computes depends on how often it has gone round.
LOOP = HEAD + """@I.ir_module
class Module:
    @T.prim_func(private=True)
    def add(x: T.Buffer((8,), "float32"), n: T.int64, y: T.Buffer((8,), "float32")):
        for i in range(8):
            y[i] = x[i]
        for k, i in T.grid(n, 8):
            y[i] = y[i] + T.float32(1)

    @R.function(private=True)
    def turn(x: R.Tensor((8,), "float32"), n: R.Prim("int64")) -> R.Tensor((8,), "float32"):
        cls = Module
        is_done = n < 1
        if is_done:
            r = x
        else:
            y = R.call_tir(cls.add, (x, n), out_ty=R.Tensor((8,), "float32"))
            r = cls.turn(y, n - 1)
        return r

    @R.function
    def main(x: R.Tensor((8,), "float32"), n: R.Prim("int64")) -> R.Tensor((8,), "float32"):
        cls = Module
        r = cls.turn(x, n)
        return r
"""


class Tool:
    def __init__(self, path, root, folder):
        self.path, self.root, self.folder = path, pathlib.Path(root), pathlib.Path(folder)

    def run(self, command, script, *args, status=0):
        file = self.folder / "script.py"
        file.write_text(script)
        done = subprocess.run([self.path, command, str(file), *args], capture_output=True, text=True, timeout=300)
        assert done.returncode == status, f"exit status {done.returncode}\n{done.stdout}{done.stderr}"
        return done.stdout

    def rows(self, command, script, *args):
        return json.loads(self.run(command, script, "--format=json", *args))


def near(value, wanted, what):
    assert abs(value - wanted) <= 0.002 * wanted, f"{what}: {value}, not {wanted}"


def amounts(row):
    """Operations and bytes, from what they come to in a second."""
    return row["gflops"] * row["run_ms"] * 1e6, row["gb_per_s"] * row["run_ms"] * 1e6


@case
def race_tells_what_differs(tool):
    """A product without any schedule is slower, and says so; all compute the same number of operations."""
    rows = tool.rows("race", PRODUCT.replace("96", "192").replace("80", "160"), "--rounds=8", "--pipelines", "debug", "default",
                     "LegalizeOps,ResolveInplace")
    by_name = {row["pipeline"]: row for row in rows}
    slow, fast = by_name["debug"], by_name["default"]
    assert fast["slower"] == "fastest", fast
    assert slow["slower"] == "slower" and slow["probability"] < 0.05, slow
    assert slow["min_ms"] > 3 * fast["min_ms"], (slow["min_ms"], fast["min_ms"])
    for row in rows:
        assert row["min_ms"] <= row["lower_ms"] <= row["run_ms"] <= row["upper_ms"] <= row["max_ms"], row
        assert row["low_ms"] <= row["run_ms"] <= row["high_ms"] and row["rounds"] == 8, row
        near(amounts(row)[0], 2 * 192 * 64 * 160, row["pipeline"])
        assert row["roof_share"] < 1.5, row


@case
def same_module(tool):
    """Pipelines that make the same module are not told apart, whatever was measured."""
    rows = tool.rows("race", PRODUCT, "--rounds=2", "--pipelines", "default", "CanonicalizeBindings,default", "default")
    assert sorted(row["slower"] for row in rows) == ["fastest", "same module", "same module"], rows
    assert len({row["module_sha256"] for row in rows}) == 1, rows


@case
def few_rounds_tell_nothing(tool):
    rows = tool.rows("race", PRODUCT, "--rounds=5", "--pipelines", "default", "debug")
    assert {row["slower"] for row in rows} == {"fastest", "not distinguishable"}, rows


@case
def donated_inputs_are_renewed(tool):
    """A run that uses up its input is measured many times, on the same input."""
    rows = tool.rows("race", COUNTER, "--rounds=3", "--in=x=iota", "--pipelines", "default", "debug")
    assert all(row["is_close"] and row["difference"] == 0 and row["inplace"] == 1 for row in rows), rows
    row = tool.rows("bench", COUNTER, "--rounds=3")[1]
    near(amounts(row)[0], 128, "operations")
    near(amounts(row)[1], 2 * 64 * 8, "bytes")


@case
def different_results(tool):
    """Exit status 4, and `too much` where a pipeline rounds in another way than it may."""
    text = tool.run("race", PRODUCT, "--rounds=2", "--tolerance=1e-12", "--pipelines", "debug", "default", status=4)
    assert "(too much)" in text, text


@case
def export(tool):
    """All three formats tell of the same rows; JSON has the times, the machine, and hashes."""
    paths = {end: tool.folder / f"r.{end}" for end in ("json", "csv", "md")}
    for path in paths.values():
        tool.run("race", PRODUCT, "--rounds=3", "--seed=7", f"--export={path}", "--in=x=ones", "--pipelines", "default", "debug", "Nothing",
                 status=1)
    whole = json.loads(paths["json"].read_text())
    assert [row["pipeline"] for row in whole["pipelines"]] == ["default", "debug", "Nothing"]
    assert [len(whole["times_ms"][name]) for name in ("default", "debug")] == [3, 3], whole["times_ms"]
    assert whole["rounds"] == 3 and whole["seed"] == 7 and whole["entry"] == "main", whole
    assert whole["inputs"] == [{"name": "x", "spec": "ones"}, {"name": "w", "spec": "random"}], whole["inputs"]
    assert len(whole["script_sha256"]) == 64 and len(whole["machine"]["builds_sha256"]) == 64
    assert {"cores", "threads", "load_before", "load_after", "processor", "system", "inlay", "time"} <= set(whole["machine"])
    assert whole["roof"]["gflops"] > 0 and whole["roof"]["gb_per_s"], whole["roof"]
    near(sorted(whole["times_ms"]["debug"])[1], whole["pipelines"][1]["run_ms"], "the median")
    rows = list(csv.DictReader(paths["csv"].open()))
    assert [row["pipeline"] for row in rows] == ["default", "debug", "Nothing"] and rows[2]["code"] == "E0901", rows
    assert set(rows[0]) == set(whole["pipelines"][0]), "keys"
    lines = [line for line in paths["md"].read_text().splitlines() if line.startswith("|")]
    assert len(lines) == 5 and len({line.count("|") for line in lines}) == 1, lines


@case
def bench_counts(tool):
    """Kernels and what is left make the run; a product reads both operands and writes the result."""
    rows = tool.rows("bench", PRODUCT, "--rounds=3")
    assert [row["name"] for row in rows] == ["main", "matmul", "outside of kernels"], rows
    operations, moved = amounts(rows[1])
    near(operations, 2 * 96 * 64 * 80, "operations")
    near(moved, 4 * (96 * 64 + 64 * 80 + 96 * 80), "bytes")
    assert rows[1]["calls"] == 1 and rows[1]["line"] == 8, rows[1]
    assert 0 < rows[1]["run_share"] <= 1 and rows[1]["bound"] == "arithmetic", rows[1]


@case
def bench_of_constants(tool):
    """Weights that are packed when the program is compiled are read in each run."""
    weights = ", ".join("[" + ", ".join(str((3 * k + 7 * j) % 11 - 5) for j in range(96)) + "]" for k in range(64))
    script = HEAD + f"""@R.function
def main(x: R.Tensor((1, 64), "float32")) -> R.Tensor((1, 96), "float32"):
    return R.matmul(x, R.const([{weights}], "float32"))
"""
    near(amounts(tool.rows("bench", script, "--rounds=3")[1])[1], 4 * (64 + 64 * 96 + 96), "bytes")


@case
def bench_of_a_loop(tool):
    """What a turn of a loop of the graph computes is known when it runs: 8 * (20 + 19 + ... + 1) additions."""
    rows = tool.rows("bench", LOOP, "--rounds=3", "--in=n=20", "-p", "debug")
    assert rows[1]["name"] == "add" and rows[1]["calls"] == 20, rows
    near(amounts(rows[1])[0], 8 * 210, "operations")


@case
def bench_names_all(tool):
    """34 kernels, each of another shape: four are left out, and --all shows them."""
    lines = [f"    v{i} = R.concat([v{i - 1}, v0], axis=0)" for i in range(1, 35)]
    script = HEAD + "@R.function\ndef main(v0: R.Tensor((4,), \"float32\")):\n" + "\n".join(lines) + "\n    return v34\n"
    text = tool.run("bench", script, "--rounds=1", "-p", "debug")
    assert text.splitlines()[-1].startswith("4 kernels that take less are left out"), text
    assert len(tool.rows("bench", script, "--rounds=1", "-p", "debug", "--all")) == 36


if __name__ == "__main__":
    case.main(Tool)
