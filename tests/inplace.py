#!/usr/bin/env python3
"""Checks the in-place decisions of every scenario, and that they cannot be seen in the results.

For each program of inplace_scenarios.py: `inlay why` must give the decisions that were worked out by hand;
--inplace=strict must succeed exactly when no copy is needed; and compiled code in every mode must give what the
interpreter gives for the module with all copies, to the last bit.

usage: inplace.py TOOL
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from inplace_scenarios import FUNCTIONS, KERNELS, SCENARIOS

HEAD = '''from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T

@I.ir_module
class Module:'''
CALL = re.compile(r"(\w+)!\((.*)\)@(\[[^]]*\]|\d+)$")
HELPERS = re.findall(r"    @R\.function.*?(?=\n\n|\Z)", FUNCTIONS, re.S)
KERNEL_TEXTS = {re.search(r"def (\w+)", k)[1]: k for k in re.findall(r"    @T\.prim_func.*?(?=\n\n|\Z)", KERNELS, re.S)}


def expand(line):
    """`r = add!(t, y)@0` as the call that it stands for."""
    match = CALL.search(line)
    if not match:
        return line
    kernel, args, indices = match.groups()
    shape = "(2, 2)" if re.search(r"22|transposed|matmul", kernel) else "(4,)"
    out = f"R.Tensor({shape}, 'float32')"
    if indices.startswith("["):
        out = "[" + ", ".join([out] * (indices.count(",") + 1)) + "]"
    call = f"R.call_tir_inplace(cls.{kernel}, ({args},), out_ty={out}, inplace_indices={indices})"
    return line[:match.start()] + call


def script(params, donated, body):
    helpers = [h for h in HELPERS if re.search(r"def (\w+)", h)[1] in re.findall(r"cls\.(\w+)", body)]
    text = body + "".join(helpers)
    kernels = [k for name, k in KERNEL_TEXTS.items() if f"{name}!" in body or f"cls.{name}," in text]
    lines = [HEAD, *kernels, "", *helpers, "", "    @R.function", f"    def main({params}):"]
    if donated is not None:
        lines.append(f'        R.func_attr({{"relax.inplace_arg": {donated}}})')
    lines += ["        cls = Module", *("        " + expand(line) for line in body.split("\n"))]
    return "\n".join(lines) + "\n"


def run(tool, *args):
    done = subprocess.run([tool, *args], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60)
    return done.returncode, done.stdout, done.stderr


def check(tool, folder, params, donated, body, decisions):
    file = folder / "scenario.py"
    file.write_text(script(params, donated, body))
    status, out, err = run(tool, "why", "--format=json", str(file))
    if status != 0:
        return f"why: exit status {status}\n{out}{err}"
    records = json.loads(out)
    found = [record["code"] for record in records]
    if found != decisions:
        return f"decisions {found}, expected {decisions}\n{out}"
    copies = sum(code != "IP000" for code in decisions)
    status, out, err = run(tool, "check", "--inplace=strict", str(file))
    if status != (1 if copies else 0) or err.count("error[") != copies:
        return f"strict: exit status {status}, expected {copies} errors\n{err}"
    _, out, err = run(tool, "opt", "-p", "default", "--inplace=off", str(file))
    copied = folder / "copied.py"
    copied.write_text(out)
    _, reference, err = run(tool, "run", "--interpret", str(copied))
    if not reference:
        return f"interpreter: {err}"
    for options in (["-O0"], ["-O2"], ["-O2", "--inplace=off"]):
        status, out, err = run(tool, "run", *options, str(file))
        if status != 0 or out != reference:
            return f"run {' '.join(options)}: exit status {status}\n{out}{err}expected\n{reference}"
    return None


def main(tool):
    failed = 0
    print(f"1..{len(SCENARIOS)}")
    with tempfile.TemporaryDirectory() as temp:
        for number, (name, *rest) in enumerate(SCENARIOS, 1):
            why = check(tool, pathlib.Path(temp), *rest)
            failed += why is not None
            print(f"{'not ok' if why else 'ok'} {number} - {name}")
            if why:
                print("# " + why.rstrip().replace("\n", "\n# "))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
