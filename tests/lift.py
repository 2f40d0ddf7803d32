#!/usr/bin/env python3
"""LiftTransformParams by evaluation: main_transform_params and then main give what main gave before.

Interpreted and compiled, to the last bit. Prints TAP.

usage: lift.py TOOL
"""
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import npz

HEAD = """from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T

@I.ir_module
class Module:
    @R.function
    def main({params}):
        R.func_attr({{"num_input": 1}})
        {body}
"""
# name: (parameters, of which the first is the input, with shapes; body; how many results come behind the input)
X = ("x", 'R.Tensor((2, 4), "float32")')
CASES = {
    "a weight": ([X, ("w", 'R.Tensor((4, 4), "float32")')],
                 ["t = R.permute_dims(w)", "y = R.matmul(x, t)", "return y"], ["t"]),
    "two weights and one that stays": (
        [X, ("w", 'R.Tensor((4, 4), "float32")'), ("v", 'R.Tensor((4,), "float32")')],
        ["with R.dataflow():", "    t = R.multiply(w, v)", "    u = R.matmul(x, t)", "    y = R.add(u, v)", "    R.output(y)",
         "return y"], ["v", "t"]),
    "a symbol": (
        [X, ("w", 'R.Tensor(("n", 4), "float32")')],
        ["n = T.int64()", "f = R.reshape(w, R.shape([n * 4]))", "e = R.exp(f)", "g = R.reshape(e, R.shape([n, 4]))",
         "s = R.sum(g, axis=[0])", "o = R.ones(R.shape([n]), \"float32\")", "y = R.add(x, s)", "return (y, o)"],
        ["weight_dims", "s"]),
}
WAYS = [["--interpret"], []]


def run(tool, *args):
    done = subprocess.run([tool, *map(str, args)], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120)
    if done.returncode:
        raise RuntimeError(f"{' '.join(map(str, args))}: exit status {done.returncode}\n{done.stderr}")
    return done.stdout


def problems(tool, params, body, names, way, folder):
    script, lifted = folder / "script.py", folder / "lifted.py"
    script.write_text(HEAD.format(params=", ".join(f"{n}: {t}" for n, t in params), body="\n        ".join(body)))
    lifted.write_text(run(tool, "opt", "-p", "LiftTransformParams", script))
    given = [arg for i, (name, _) in enumerate(params) for arg in ("--in", f"{name}=random:{i}")]
    weights = [arg for i, (name, _) in enumerate(params[1:]) for arg in ("--in", f"params.{i}=random:{i + 1}")]
    dims = ["--dim", "n=3"] if any('"n"' in t for _, t in params) else []
    run(tool, "run", script, *way, *given, *dims, "--out", folder / "before.npz")
    run(tool, "run", lifted, "--entry", "main_transform_params", *way, *weights, *dims, "--out", folder / "weights.npz")
    made = npz.read_npz(folder / "weights.npz")
    inputs = ["--in", "x=random:0"]
    for i, name in enumerate(names):
        key = f"result.{i}" if f"result.{i}" in made else "result"
        if name == "weight_dims":
            inputs += ["--in", "weight_dims=3"]
        else:
            inputs += ["--in", f"{name}=@{folder / 'weights.npz'}:{key}"]
    run(tool, "run", lifted, "--entry", "main", *way, *inputs, "--out", folder / "after.npz")
    return npz.differences(folder / "before.npz", folder / "after.npz", True)


def main():
    tool = str(pathlib.Path(sys.argv[1]).resolve())
    failed = number = 0
    for title, (params, body, names) in CASES.items():
        for way in WAYS:
            with tempfile.TemporaryDirectory() as folder:
                try:
                    found = problems(tool, params, body, names, way, pathlib.Path(folder))
                except RuntimeError as error:
                    found = str(error).splitlines()
            number += 1
            failed += bool(found)
            print(f"{'not ok' if found else 'ok'} {number} - {title}, {' '.join(way) or 'compiled'}")
            for line in found:
                print(f"# {line}")
    print(f"1..{number}")
    return 1 if failed else 0


sys.exit(main())
