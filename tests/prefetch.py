#!/usr/bin/env python3
"""Annotations "prefetch" and "prefetch_bytes" of loops: hints that reach the processor, and change nothing.

usage: prefetch.py TOOL
"""
import pathlib
import re
import subprocess
import sys
import tempfile

SCRIPT = """
from tvm.script import ir as I, tirx as T, relax as R

@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def product(x: T.Buffer((3, 40), "float32"), w: T.Buffer((5, 40, 16), "float32"), y: T.Buffer((3, 5, 16), "float32")):
        for g in {kind}(5, annotations={{"prefetch": {ahead}}}):
            for i in range(3):
                for c in T.vectorized(16):
                    y[i, g, c] = T.float32(0)
                for k in T.serial(40, annotations={{"prefetch_bytes": {bytes}}}):
                    for c in T.vectorized(16):
                        y[i, g, c] = y[i, g, c] + x[i, k] * w[g, k, c]

    @R.function
    def main(x: R.Tensor((3, 40), "float32"), w: R.Tensor((5, 40, 16), "float32")) -> R.Tensor((3, 5, 16), "float32"):
        cls = Module
        y = R.call_tir(cls.product, (x, w), out_ty=R.Tensor((3, 5, 16), "float32"))
        return y
"""
# kind, elements ahead, bytes of a step, requests in the code
CASES = [
    ("T.serial", 640, 64, 1), ("T.parallel", 640, 64, 1), ("T.serial", 640, 22, 1), ("T.serial", 640, 200, 4),
    ("T.serial", 2147483647, 4096, 64),  # out of the buffer: nothing is read
    ("T.serial", 2147483648, 64, 0), ("T.serial", 640, 4097, 0), ("T.serial", 0, 64, 0), ("T.serial", -640, 64, 0),
    ("T.serial", 640, 0, 0), ("T.serial", '"w"', 64, 0), ("T.serial", 640, "[64]", 0), ("T.serial", "None", "True", 0),
]
# Bodies of which the place of what comes next is not known, or cannot be computed in front of them: no hint, and no error.
BODY = """
from tvm.script import ir as I, tirx as T, relax as R

@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def f(a: T.Buffer((64, 16), "float32"), b: T.Buffer((64,), "int32"), c: T.Buffer((64, 16), "float32")):
        for g in T.serial(64, annotations={{"prefetch": 16}}):
            for k in T.serial({range}, annotations={{"prefetch_bytes": 64}}):
{body}

    @R.function
    def main(x: R.Tensor((64, 16), "float32"), w: R.Tensor((64,), "int32")) -> R.Tensor((64, 16), "float32"):
        cls = Module
        return R.call_tir(cls.f, (x, w), out_ty=R.Tensor((64, 16), "float32"))
"""
EACH = """
for v in T.vectorized(16):
    c[g, v] = {}"""
BODIES = [
    ("divided by a loop that begins at 1", "1, 3", EACH.format("a[g // k, v]")),
    ("in a block of its own", "1, 2", 'with T.sblock("b"):\n    vg = T.axis.spatial(64, g)' + EACH.replace("g,", "vg,").replace("\n", "\n    ").format("a[vg, v]")),
    ("at a let", "1, 2", "q = g * k" + EACH.format("a[q, v]")),
    ("in a buffer that is declared inside", "1, 2", 'e = T.decl_buffer((1024,), "float32", data=a.data)' + EACH.format("e[g * 16 + v]")),
    ("in a buffer of the body", "1, 2", 'd = T.alloc_buffer((16,), "float32")\nfor v in T.vectorized(16):\n    d[v] = a[g, v]' + EACH.format("d[v]")),
    ("at an index that is read under a condition", "1, 2",
     "if g < 8:" + EACH.replace("\n", "\n    ").format("a[b[g], v]") + "\nelse:" + EACH.replace("\n", "\n    ").format("T.float32(0)")),
    ("outside but for a condition", "1, 2",
     "if g < 32:" + EACH.replace("\n", "\n    ").format("a[g * 2, v]") + "\nelse:" + EACH.replace("\n", "\n    ").format("T.float32(0)")),
    ("behind loops that begin elsewhere", "5, 6", EACH.format("a[g + k - 5, v]")),
]
INPUTS = ["--in", "x=random:1", "--in", "w=random:2"]


def run(tool, *arguments):
    return subprocess.run([tool, *map(str, arguments)], capture_output=True, text=True, check=False)


def problem_of(tool, folder, kind, ahead, size, requests):
    script = folder / "script.py"
    script.write_text(SCRIPT.format(kind=kind, ahead=ahead, bytes=size))
    for extra in ([], ["--threads=2"], ["--vectors=16"]):
        done = run(tool, "run", script, "-p", "unscheduled", "--check", *INPUTS, *extra)
        if done.returncode:
            return done.stderr.strip() or done.stdout.strip()
    for level, wanted in ((2, requests), (0, 0)):
        out = folder / "m.ll"
        done = run(tool, "compile", script, "-p", "unscheduled", f"-O{level}", "--emit=ll", "-o", out)
        if done.returncode:
            return done.stderr.strip()
        # loops of vectors may be there twice: for whole ones and for the rest
        found = len(re.findall(r"call void @llvm\.prefetch", out.read_text()))
        if (found == 0) != (wanted == 0) or (wanted and found % wanted):
            return f"-O{level}: {found} requests in the code, not {wanted}"
    return None


def problem_of_body(tool, folder, bounds, body):
    script = folder / "body.py"
    script.write_text(BODY.format(range=bounds, body="\n".join(" " * 16 + line for line in body.strip().splitlines())))
    done = run(tool, "run", script, "-p", "unscheduled", "--check", "--in", "x=random:1", "--in", "w=iota")
    return None if done.returncode == 0 else done.stderr.strip() or done.stdout.strip()


def main():
    with tempfile.TemporaryDirectory() as where:
        tool, folder = sys.argv[1], pathlib.Path(where)
        results = [(f"{case[0]}: {case[1]} elements ahead, {case[2]} bytes of a step", problem_of(tool, folder, *case)) for case in CASES]
        results += [(title, problem_of_body(tool, folder, bounds, body)) for title, bounds, body in BODIES]
    for number, (title, problem) in enumerate(results, 1):
        print(f"{'not ok' if problem else 'ok'} {number} - {title}")
        if problem:
            print("# " + problem.replace("\n", "\n# "))
    print(f"1..{len(results)}")


main()
