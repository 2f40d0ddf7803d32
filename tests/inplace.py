#!/usr/bin/env python3
"""Checks the in-place decisions of every scenario, and that they cannot be seen in the results.

For each program of scenarios/: `inlay why`, for the calls as they are written, must give the decisions that were worked out by hand;
--inplace=strict must succeed exactly when no copy is needed; the module that runs may have no more copies and allocations than the row
says, and must be the same each time; and the interpreter and compiled code must give, in every mode, for
both branches and behind passes that make memory explicit, what Python computes of the text (script_values.py).

usage: inplace.py TOOL [--levels] [--every N] [--only REGEX]
"""
import argparse
import concurrent.futures
import json
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from scenarios import ELSEWHERE, NUMBERS, SCENARIOS
from scenarios.functions import FUNCTIONS
from scenarios.regions import FUNCTIONS as PARTS
from scenarios.kernels import KERNELS
from script_runs import HEAD, TIMEOUT, Script, run

CALL = re.compile(r"(\w+)!\((.*)\)@(\[[^]]*\]|\d+)$")
HELPERS = {re.search(r"def (\w+)", f)[1]: f for f in re.findall(r"    @R\.function.*?(?=\n\n|\Z)", FUNCTIONS + PARTS, re.S)}
KERNEL_TEXTS = {re.search(r"def (\w+)", k)[1]: k for k in re.findall(r"    @T\.prim_func.*?(?=\n\n|\Z)", KERNELS, re.S)}
MEMORY = "LambdaLift,LegalizeOps,ResolveInplace,ToNonDataflow,CallTIRRewrite,DeadCodeElimination,KillAfterLastUse"
# Everything that `default` does to storage, and nothing that makes one kernel of several.
ALONE = "LambdaLift,LegalizeOps,DeadCodeElimination,ElideConcat,ResolveInplace,ToNonDataflow,InplaceCalls,CallTIRRewrite,KillAfterLastUse"
MODES = [["--interpret"], ["-O0"], ["-O2"]]
LEVELS = [["-O1", "-p", "debug"], ["-O3", "--threads=2"], ["-O2", "--inplace=off"], ["-O0", "-p", MEMORY], ["-O0", "--check", "--verify-each"],
          ["-O0", "--inplace=strict"], ["-O2", "--check-memory"], ["-O0", "-p", "debug", "--check-memory"]]


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


def script(row):
    helpers = helpers_of(row.body)
    text = row.body + "".join(helpers)
    kernels = [k for name, k in KERNEL_TEXTS.items() if re.search(rf"\b{name}!", row.body) or f"cls.{name}," in text]
    pure = "(pure=False)" if "R.print" in row.body else ""
    lines = [HEAD.rstrip(), *kernels, "", *helpers, "", f"    @R.function{pure}", f"    def main({row.params}):"]
    if row.donated is not None:
        room = f', "relax.capacity": {json.dumps(row.room)}' if row.room else ""
        lines.append(f'        R.func_attr({{"relax.inplace_arg": {row.donated}{room}}})')
    lines += ["        cls = Module", *("        " + expand(line) for line in row.body.split("\n"))]
    return "\n".join(lines) + "\n"


def invoke(tool, *args):
    done = subprocess.run([tool, *args], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=TIMEOUT)
    return done.returncode, done.stdout, done.stderr


def check_decisions(tool, file, decisions):
    """Of the calls that the script has: nothing is discovered, moved or fused."""
    status, out, err = invoke(tool, "why", "-p", "LegalizeOps,ResolveInplace", "--format=json", file)
    if status != 0:
        return f"why: exit status {status}\n{out}{err}"
    found = [record["code"] for record in json.loads(out)]
    if found != decisions:
        return f"decisions {found}, expected {decisions}\n{out}"
    copies = sum(code != "IP000" for code in decisions)
    status, out, err = invoke(tool, "check", "--inplace=strict", file)
    if status != (1 if copies else 0) or err.count("error[") != copies:
        return f"strict: exit status {status}, expected {copies} errors\n{err}"
    return None


MOVES = r"R\.call_tir_inplace\(cls\.(?:strided_slice|split|concat|stack|permute_dims|flip|take|broadcast_to|tir_copy|copy)(?:\d|_\d+)?,"


def cost(text):
    """Of a module that is ready to run: its copies, with calls of kernels that only move elements, and its allocations, with those of copies."""
    copies = len(re.findall(r"= R\.copy\(", text))
    taken = len(re.findall(r"= R\.(?:builtin\.alloc_tensor|memory\.alloc_storage)\(", text))
    return {"copies": copies + len(re.findall(MOVES, text)), "tensors": copies + taken}


def check_cost(tool, file, row):
    """What runs costs no more than it must, and is the same each time."""
    status, out, err = invoke(tool, "opt", "-p", "default", "--verify-each", file)
    if status != 0:
        return f"opt: exit status {status}\n{out}{err}"
    if invoke(tool, "opt", "-p", "default", file)[:2] != (0, out):
        return "opt: not the same twice"
    counts = [(what, count, out) for what, count in cost(out).items()]
    if row.alone is not None:
        status, out, err = invoke(tool, "opt", "-p", ALONE, file)
        counts.append(("alone", cost(out)["tensors"] if status == 0 else err, out))
    for what, count, out in counts:
        most = getattr(row, what)
        if most is not None and count > most:
            return f"{what}: {count}, expected at most {most}\n{out[out.rindex('    @R.function'):]}"
    return None


def check(tool, row, modes):
    """@modes: how to run it; decisions and costs do not depend on that."""
    text = script(row)
    with tempfile.TemporaryDirectory() as temp:
        folder = pathlib.Path(temp)
        file = folder / "scenario.py"
        file.write_text(text)
        if modes == MODES and row.decisions is not None and (why := check_decisions(tool, str(file), row.decisions)):
            return f"{why}\n{text}"
        if modes == MODES and (why := check_cost(tool, str(file), row)):
            return f"{why}\n{text}"
        for variant in range(4) if "'n'" in row.params else [0, 3] if "'bool'" in row.params else [3]:
            program = Script(text, variant)
            for options in modes:
                if why := run(tool, program, options, folder):
                    return f"run {' '.join(options)} {' '.join(program.args)}: {why}\n{text}"
    return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tool", type=lambda path: str(pathlib.Path(path).resolve()))
    parser.add_argument("--levels", action="store_true", help="the other modes: every level, threads, checked, verified")
    parser.add_argument("--every", type=int, default=1, help="of so many rows one: what sanitizers see, they see in few")
    parser.add_argument("--only", default="", help="rows whose name matches this")
    options = parser.parse_args()
    modes = LEVELS if options.levels else MODES
    rows = [row for row in SCENARIOS if re.search(options.only, row.name)][::options.every]
    missing = set(range(1, 122)) - NUMBERS - set(ELSEWHERE)
    failed = bool(missing)
    print(f"1..{len(rows) + 1}")
    with concurrent.futures.ProcessPoolExecutor(2) as pool:
        for number, (row, why) in enumerate(zip(rows, pool.map(check, *zip(*((options.tool, row, modes) for row in rows)))), 1):
            failed += why is not None
            print(f"{'not ok' if why else 'ok'} {number} - {row.name}", flush=True)
            if why:
                print("# " + why.rstrip().replace("\n", "\n# "), flush=True)
    print(f"{'not ok' if missing else 'ok'} {len(rows) + 1} - each scenario has a row or another test {sorted(missing) or ''}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
