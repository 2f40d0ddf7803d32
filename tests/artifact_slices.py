#!/usr/bin/env python3
"""Loops of an artifact whose iterations have scratch, on threads, while the arena holds other values: slices of scratch lie in
what is free of it, and results that stay there (of a step of a decoder: keys, values) are what they are on one thread.  Prints TAP.

usage: artifact_slices.py TOOL
"""
import pathlib
import subprocess
import sys
import tempfile

SCRIPT = """from tvm.script import ir as I, relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1, 32, 2304), "float32"), past: R.Tensor((1, 12, 1, 64), "float32")):
        with R.dataflow():
            h = R.split(R.exp(x), 3, axis=2)
            q = R.reshape(h[0], (1, 32, 12, 64))
            v = R.reshape(h[1], (1, 32, 12, 64))
            a = R.permute_dims(v, axes=[0, 2, 1, 3])
            c = R.concat((past, a), axis=2)
            b = R.permute_dims(R.reshape(h[2], (1, 32, 12, 64)), axes=[0, 2, 1, 3])
            d = R.concat((past, b), axis=2)
            s = R.matmul(R.permute_dims(q, axes=[0, 2, 1, 3]), R.permute_dims(c, axes=[0, 1, 3, 2]))
            w = R.nn.softmax(s, axis=-1)
            y = R.permute_dims(R.matmul(w, d), axes=[0, 2, 1, 3])
            R.output(c, d, y)
        return (c, d, y)
"""


def main():
    failed = 0
    with tempfile.TemporaryDirectory() as where:
        folder = pathlib.Path(where)
        (folder / "m.py").write_text(SCRIPT)
        for i, threads in enumerate((1, 2, 3, 8), 1):
            done = None
            for command in (["compile", "m.py", "-o", "m.so", f"--threads={threads}"], ["verify", "m.so", "--against", "m.py"]):
                done = done if done and done.returncode else subprocess.run(
                    [pathlib.Path(sys.argv[1]).resolve(), *command], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
            failed += done.returncode != 0
            print(f"{'not ok' if done.returncode else 'ok'} {i} - {threads} threads")
            print("".join(f"# {line}\n" for line in done.stderr.splitlines() if done.returncode), end="")
    print("1..4")
    return failed != 0


sys.exit(main())
