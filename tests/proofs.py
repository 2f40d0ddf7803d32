#!/usr/bin/env python3
"""Accesses that are proved inside need no check in compiled code; all others have one, and it fires.

Each case is the value that a kernel stores for i of range(n), from x of n elements and m; whether code for it asks at
run time is read off the message that the object file holds, and each that asks is run where it is outside.

usage: proofs.py TOOL
"""
import os
import subprocess
import sys
import tempfile

TEXT = '''from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T

@I.ir_module
class Module:
    @T.prim_func(private=True)
    def kernel(x: T.Buffer(("n",), "float32"), k: T.Buffer((4,), "int64"), y: T.Buffer(("n",), "float32")):
        n = T.int64()
        for i in {loop}(n):
{body}

    @R.function
    def main(x: R.Tensor(("n",), "float32"), k: R.Tensor((4,), "int64")):
        n = T.int64()
        cls = Module
        y = R.call_tir(cls.kernel, (x, k), out_ty=R.Tensor((n,), "float32"))
        return y
'''
ZERO = "T.float32(0)"
# What is stored, or the statements; is it checked?
CASES = [
    ("x[i]", False), ("x[n - 1 - i]", False), ("x[i + 1]", True), ("x[k[0]]", True),
    (f"T.if_then_else(2 <= i, x[i - 2], {ZERO})", False),
    (f"T.if_then_else(i > 1, x[i - 2], {ZERO})", False),
    (f"T.if_then_else(1 <= i, x[i - 2], {ZERO})", True),
    (f"T.if_then_else(i + 2 < n, x[i + 2], {ZERO})", False),
    (f"T.if_then_else(i + 1 < n, x[i + 2], {ZERO})", True),
    (f"T.if_then_else(i + 2 <= n, x[i + 2], {ZERO})", True),
    (f"T.if_then_else(0 <= i - 3 and i - 3 < n, x[i - 3], {ZERO})", False),
    (f"T.if_then_else(0 <= i - 3 or i < n, x[i - 3], {ZERO})", True),
    (f"T.if_then_else(2 <= i, {ZERO}, x[i - 2])", True),
    (f"T.if_then_else(2 <= i, T.if_then_else(i * 2 < n, x[i * 2] + x[i - 2], {ZERO}), {ZERO})", False),
    (f"T.if_then_else(2 <= i, T.if_then_else(i * 2 < n, x[i], x[i * 2]), {ZERO})", True),
    (f"T.if_then_else(k[0] < n and 0 <= k[0], x[k[0]], {ZERO})", True),
    ("T.Select(2 <= i, x[i - 2], x[i])", True),
    (["if 2 <= i:", "    y[i] = x[i - 2]", "else:", "    y[i] = x[i]"], False),
    (["if 2 <= i:", "    y[i] = x[i]", "else:", "    y[i] = x[i - 2]"], True),
    (["if 2 <= i:", "    y[i] = x[i]", "y[i] = x[i - 2]"], True),
    (f"T.if_then_else(i < 28, T.Cast(\"float32\", k[i // 7]), {ZERO})", False),
    (f"T.if_then_else(i < 29, T.Cast(\"float32\", k[i // 7]), {ZERO})", True),
    (f"T.if_then_else(i < 21, T.Cast(\"float32\", k[1 + i // 7]), {ZERO})", False),
    (f"T.if_then_else(i < 22, T.Cast(\"float32\", k[1 + i // 7]), {ZERO})", True),
]
ROW_TEXT = '''from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T

@I.ir_module
class Module:
    @T.prim_func(private=True)
    def kernel(x: T.Buffer((5, 160), "float32"), r: T.Buffer((5, 21, 7), "float32"), y: T.Buffer((5, 21, 7), "float32")):
        for i, p in T.grid(5, 5):
            for f in T.vectorized(32):
                {body}

    @R.function
    def main(x: R.Tensor((5, 160), "float32"), r: R.Tensor((5, 21, 7), "float32")):
        cls = Module
        y = R.call_tir(cls.kernel, (x, r), out_ty=R.Tensor((5, 21, 7), "float32"))
        return y
'''
COLUMN = "(p * 32 + f)"
# What is stored where p * 32 + f < 147; do the lanes lie in a row?
ROWS = [
    (f"y[i, {COLUMN} // 7, {COLUMN} % 7] = x[i, {COLUMN}]", True),
    (f"y[i, {COLUMN} // 7, {COLUMN} % 7] = x[i, {COLUMN}] + r[i, {COLUMN} // 7, {COLUMN} % 7]", True),
    (f"y[i, {COLUMN} % 21, {COLUMN} // 21] = x[i, {COLUMN}]", False),
    (f"y[i, {COLUMN} // 7, 6 - {COLUMN} % 7] = x[i, {COLUMN}]", False),
]
MESSAGE = b"is out of range for axis"


def script(case, loop):
    lines = [f"y[i] = {case}"] if isinstance(case, str) else case
    return TEXT.format(loop=loop, body="\n".join(" " * 12 + line for line in lines))


def why_wrong(tool, folder, text, is_checked):
    with open(f"{folder}/m.py", "w", encoding="utf-8") as file:
        file.write(text)
    passes = ["-p", "ResolveInplace,ToNonDataflow,CallTIRRewrite,KillAfterLastUse"]
    made = subprocess.run([tool, "compile", "m.py", "-o", "m.o", *passes], cwd=folder, capture_output=True, text=True)
    if made.returncode != 0:
        return made.stderr
    with open(f"{folder}/m.o", "rb") as file:
        if (MESSAGE in file.read()) != is_checked:
            return f"{'no' if is_checked else 'a'} check in the code"
    for level in ("-O0", "-O2"):
        ran = subprocess.run([tool, "run", "m.py", "--dim", "n=37", "--in", "x=iota", "--in", "k=4xi64=99 99 99 99", level, *passes],
                             cwd=folder, capture_output=True, text=True)
        fails = "out of range" in ran.stderr
        if fails != is_checked and not (is_checked and "k[0] <" in text):
            return f"{level}: exit {ran.returncode}\n{ran.stderr}"
    return ""


def why_no_row(tool, folder, store, is_row):
    """Why the code is not as it should be, or its result not the interpreter's."""
    with open(f"{folder}/row.py", "w", encoding="utf-8") as file:
        file.write(ROW_TEXT.format(body=f"if {COLUMN} < 147:\n                    {store}"))
    made = subprocess.run([tool, "compile", "row.py", "-o", "row.ll"], cwd=folder, capture_output=True, text=True)
    if made.returncode != 0:
        return made.stderr
    with open(f"{folder}/row.ll", encoding="utf-8") as file:
        text = file.read()
    if ("masked.scatter" in text or "masked.gather" in text) == is_row:
        return "lanes are touched one by one" if is_row else "lanes are taken for a row"
    results = []
    for options in (["-O0"], ["-O2"], ["--interpret"]):
        ran = subprocess.run([tool, "run", "row.py", "--in", "x=random:1", "--in", "r=random:2", "--out", "row.npy", *options], cwd=folder,
                             capture_output=True, text=True)
        if ran.returncode != 0:
            return ran.stderr
        with open(f"{folder}/row.npy", "rb") as file:
            results.append(file.read())
    return "" if results[0] == results[1] == results[2] else "the results differ"


def main(tool):
    cases = [(f"{case if isinstance(case, str) else '; '.join(case)} in {loop}", why_wrong, (script(case, loop), is_checked))
             for case, is_checked in CASES for loop in ("T.serial", "T.vectorized")]
    cases += [(store, why_no_row, (store, is_row)) for store, is_row in ROWS]
    print(f"1..{len(cases)}")
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for index, (title, judge, case) in enumerate(cases, 1):
            why = judge(tool, folder, *case)
            failed += bool(why)
            print(f"{'not ok' if why else 'ok'} {index} - {title}")
            for line in why.split("\n") if why else []:
                print("#", line)
    return failed > 0


sys.exit(main(os.path.abspath(sys.argv[1])))
