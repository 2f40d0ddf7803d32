#!/usr/bin/env python3
"""Checks the in-place decisions of every scenario, and that they cannot be seen in the results.

For each program of inplace_scenarios.py: `inlay why`, without fusion, must give the decisions that were worked out by hand;
--inplace=strict must succeed exactly when no copy is needed; and the interpreter and compiled code must give, in every mode, for
both branches and behind passes that make memory explicit, what Python computes of the text (script_values.py).

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
from script_runs import HEAD, Script, run

CALL = re.compile(r"(\w+)!\((.*)\)@(\[[^]]*\]|\d+)$")
HELPERS = {re.search(r"def (\w+)", f)[1]: f for f in re.findall(r"    @R\.function.*?(?=\n\n|\Z)", FUNCTIONS, re.S)}
KERNEL_TEXTS = {re.search(r"def (\w+)", k)[1]: k for k in re.findall(r"    @T\.prim_func.*?(?=\n\n|\Z)", KERNELS, re.S)}
MEMORY = "LambdaLift,LegalizeOps,ResolveInplace,ToNonDataflow,CallTIRRewrite,DeadCodeElimination,KillAfterLastUse"
MODES = [["--interpret"], ["-O0"], ["-O2"], ["-O2", "--inplace=off"], ["-O0", "-p", MEMORY]]


def expand(line):
    """`r = add!(t, y)@0` as the call that it stands for."""
    match = CALL.search(line)
    if not match:
        return line
    name, args, indices = match.groups()
    places = json.loads(indices) if indices.startswith("[") else [int(indices)]
    params = re.findall(r": (T\.Buffer\(.*?\"\)|T\.int64)", KERNEL_TEXTS[name].split("\n")[1])
    fresh = iter(params[len(params) - places.count(-1):])
    types = [(params[i] if i >= 0 else next(fresh)).replace("T.Buffer", "R.Tensor").replace('"n"', "n") for i in places]
    out = f"[{', '.join(types)}]" if indices.startswith("[") else types[0]
    return line[:match.start()] + f"R.call_tir_inplace(cls.{name}, ({args},), out_ty={out}, inplace_indices={indices})"


def helpers_of(text):
    """Functions that @text calls, and those that they call."""
    names, found = re.findall(r"cls\.(\w+)\(", text), []
    while names:
        name = names.pop()
        if name in HELPERS and name not in found:
            found.append(name)
            names += re.findall(r"cls\.(\w+)\(", HELPERS[name])
    return [HELPERS[name] for name in HELPERS if name in found]


def script(params, donated, body):
    helpers = helpers_of(body)
    text = body + "".join(helpers)
    kernels = [k for name, k in KERNEL_TEXTS.items() if re.search(rf"\b{name}!", body) or f"cls.{name}," in text]
    pure = "(pure=False)" if "R.print" in body else ""
    lines = [HEAD.rstrip(), *kernels, "", *helpers, "", f"    @R.function{pure}", f"    def main({params}):"]
    if donated is not None:
        lines.append(f'        R.func_attr({{"relax.inplace_arg": {donated}}})')
    lines += ["        cls = Module", *("        " + expand(line) for line in body.split("\n"))]
    return "\n".join(lines) + "\n"


def invoke(tool, *args):
    done = subprocess.run([tool, *args], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60)
    return done.returncode, done.stdout, done.stderr


def check_decisions(tool, file, decisions):
    status, out, err = invoke(tool, "why", "-p", "debug", "--format=json", str(file))
    if status != 0:
        return f"why: exit status {status}\n{out}{err}"
    found = [record["code"] for record in json.loads(out)]
    if found != decisions:
        return f"decisions {found}, expected {decisions}\n{out}"
    copies = sum(code != "IP000" for code in decisions)
    status, out, err = invoke(tool, "check", "--inplace=strict", str(file))
    if status != (1 if copies else 0) or err.count("error[") != copies:
        return f"strict: exit status {status}, expected {copies} errors\n{err}"
    return None


def check(tool, folder, params, donated, body, decisions):
    text = script(params, donated, body)
    file = folder / "scenario.py"
    file.write_text(text)
    if decisions is not None and (why := check_decisions(tool, file, decisions)):
        return why
    for variant in range(4) if "'n'" in params else [0, 3] if "'bool'" in params else [3]:
        program = Script(text, variant)
        for options in MODES:
            if why := run(tool, program, options, folder):
                return f"run {' '.join(options)} {' '.join(program.args)}: {why}\n{text}"
    return None


def main(tool):
    failed = 0
    tool = str(pathlib.Path(tool).resolve())
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
