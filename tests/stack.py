#!/usr/bin/env python3
"""The stack of runs: what `inlay plan` says that it needs is what runs take, or why there is no bound.  Prints TAP.

Of every example and of programs among the golden tests: a run takes no more, and just that where nothing branches.

usage: stack.py TOOL ROOT [FILTER]
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

SLOW = int(os.environ.get("INLAY_SLOW", "1"))
CASES = {}
HEAD = """\
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tir as T


@I.ir_module
class Module:
"""
# Scratch of 64 KiB for each row, in a loop that may be parallel.
SCRATCH = """\
    @T.prim_func(private=True)
    def rows(x: T.Buffer((N, 16384), "float32"), y: T.Buffer((N,), "float32")):
        for i in T.%s(N):
            with T.sblock("row"):
                v = T.axis.spatial(N, i)
                s = T.sblock_alloc_buffer((16384,), "float32")
                for j in range(16384):
                    s[j] = x[v, j] * x[v, j]
                y[v] = s[0]
                for j in range(1, 16384):
                    y[v] = y[v] + s[j]

    @R.function
    def main(x: R.Tensor((N, 16384), "float32")) -> R.Tensor((1,), "float32"):
        cls = Module
        a = R.call_tir(cls.rows, (x,), out_ty=R.Tensor((N,), "float32"))
        b = R.nn.softmax(a)
        c = R.cumsum(b, axis=0)
        return R.matmul(c, R.reshape(b, (N, 1)))
"""
DIMS = {"embedding_update": ["vocab=8", "n=8"], "gated": ["n=8"], "kv_cache": ["t=8"], "kv_cache_concat": ["n=8"]}


def case(function):
    CASES[function.__name__] = function
    return function


class Runner:
    def __init__(self, tool, root, folder):
        self.tool, self.root, self.folder = tool, pathlib.Path(root), pathlib.Path(folder)

    def call(self, *args):
        done = subprocess.run([self.tool, *map(str, args)], capture_output=True, text=True, timeout=120 * SLOW)
        return done.returncode, done.stdout, done.stderr

    def needs(self, path, *options):
        """By function: stack_bytes, or why there is no bound."""
        status, out, err = self.call("plan", path, "--format=json", *options)
        assert status == 0, err
        return {f["function"]: f["stack_why"] or f["stack_bytes"] for f in json.loads(out)["functions"]}

    def taken(self, path, *options):
        """What a run says of itself; None: it fails."""
        status, out, _ = self.call("run", path, "--stats=json", "--threads=1", *options)
        return json.loads(out.strip().splitlines()[-1]) if status == 0 else None

    def script(self, name, text):
        path = self.folder / name
        path.write_text(HEAD + text)
        return path


def check(runner, path, *options):
    """Whether `main` ran, and took what it needs."""
    stats = runner.taken(path, *options)
    if not stats:
        return False
    needs = runner.needs(path, *options)
    need = needs.get("main", 0)
    if isinstance(need, int):
        assert stats["stack_bytes"] <= need, f"{path.name}: {stats['stack_bytes']} of {need}"
        if len(needs) == 1 and " if " not in path.read_text():
            assert stats["stack_bytes"] == need, f"{path.name}: {stats['stack_bytes']} instead of {need}"
    assert stats["stack_bytes"] <= stats["arena_bytes"]
    return True


@case
def examples(runner):
    ran = 0
    for path in sorted((runner.root / "examples").glob("*.py")):
        ran += check(runner, path, *[word for dim in DIMS.get(path.stem, []) for word in ("--dim", dim)])
    assert ran >= 8, ran


@case
def goldens(runner):
    paths = sorted((runner.root / "tests/golden/run").glob("*.py"))[::7] + sorted((runner.root / "tests/golden/memory").glob("*run*.py"))
    ran = sum(check(runner, path) for path in paths)
    assert ran >= 15, ran


@case
def scratch(runner):
    """Of one thread as of several: a slice each."""
    path = runner.script("scratch.py", (SCRATCH % "serial").replace("N", "8"))
    assert runner.needs(path)["main"] >= 65536
    assert check(runner, path)
    path = runner.script("parallel.py", (SCRATCH % "parallel").replace("N", "64"))
    status, out, err = runner.call("run", path, "--stats=json", "--threads=4")
    assert status == 0, err
    stats = json.loads(out.strip().splitlines()[-1])
    assert 4 * 65536 <= stats["stack_bytes"] < 4 * 65536 + 4096, stats
    assert 65536 <= runner.needs(path)["main"] < 65536 + 4096


@case
def calls(runner):
    """What a callee needs lies on what its caller holds; one that is called twice counts once."""
    path = runner.script("calls.py", """\
    @R.function(private=True)
    def inner(x: R.Tensor(("n", "n"), "float32")) -> R.Tensor((), "float32"):
        n = T.int64()
        a = R.matmul(x, x)
        b = R.nn.softmax(a)
        c = R.matmul(b, x)
        return R.sum(R.matmul(c, b))

    @R.function
    def main(x: R.Tensor((32, 32), "float32")) -> R.Tensor((), "float32"):
        cls = Module
        y = R.matmul(x, x)
        a = cls.inner(y)
        b = cls.inner(R.nn.softmax(y))
        return R.add(a, b)
""")
    needs = runner.needs(path)
    assert isinstance(needs["inner"], str) and "n" in needs["inner"], needs
    assert needs["main"] >= 4 * 32 * 32 * 3, needs
    stats = runner.taken(path)
    assert stats["stack_bytes"] == needs["main"], (stats, needs)


@case
def recursion(runner):
    path = runner.script("recursion.py", """\
    @R.function
    def main(x: R.Tensor(("n", "n"), "float32"), c: R.Tensor((), "bool")) -> R.Tensor(("n", "n"), "float32"):
        cls = Module
        if c:
            y = R.matmul(x, x)
            z = R.nn.softmax(y)
            s = cls.main(x, c)
            r = R.matmul(R.matmul(z, s), x)
        else:
            r = R.matmul(x, x)
        return r
""")
    assert runner.needs(path)["main"] == "`main` calls itself, as often as the run says", runner.needs(path)


@case
def unknown(runner):
    """A symbol that match_cast binds."""
    path = runner.script("unknown.py", """\
    @R.function
    def main(x: R.Tensor(ndim=2, dtype="float32")) -> R.Tensor((), "float32"):
        m = T.int64()
        y = R.match_cast(x, R.Tensor((m, m), "float32"))
        a = R.matmul(y, y)
        b = R.nn.softmax(a)
        return R.sum(R.matmul(R.matmul(b, y), b))
""")
    status, out, err = runner.call("plan", path)
    assert status == 0 and "stack: no bound, it depends on `m`, which is only known when a part of it has run (line" in out, out + err


@case
def second_run(runner):
    """Of several runs each takes the same; a run that is given its memory by the host allocates nothing."""
    path = runner.root / "examples/kv_cache.py"
    stats = runner.taken(path, "--dim", "t=8")
    assert stats["allocations"] == 0, stats


def main():
    tool, root, wanted = sys.argv[1], sys.argv[2], sys.argv[3] if len(sys.argv) > 3 else ""
    chosen = [pair for pair in CASES.items() if wanted in pair[0]]
    print(f"1..{len(chosen)}")
    with tempfile.TemporaryDirectory() as folder:
        runner = Runner(tool, root, folder)
        for number, (name, function) in enumerate(chosen, 1):
            try:
                function(runner)
                print(f"ok {number} - {name}", flush=True)
            except AssertionError as error:
                print(f"not ok {number} - {name}\n# " + str(error).replace("\n", "\n# "), flush=True)


if __name__ == "__main__":
    main()
