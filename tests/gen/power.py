#!/usr/bin/env python3
"""Do generated programs see mistakes about storage? Those of tests/broken/plants.def, one in each program.

RUNNER is runner.c with the pass Plant and a code generator that asks no checker, so what a program shows it shows by its
numbers, its inputs, a second run, or its end. A mistake counts where the module has a place for it. Beside that stands what
the checker of storage says of the same module: what a run shows, it must refuse; and whether a run that checks its memory sees
it. Prints TAP.

usage: gen/power.py RUNNER [--count N] [--jobs J] [--only NAME...]
"""
import argparse
import collections
import concurrent.futures
import os
import pathlib
import re
import sys
import warnings

import numpy_first  # noqa: F401 (in front of what needs it)
from gen import check
from gen.maker import program_at
from gen.runner import COMPILE, LOWER, REFUSED, Runner, Way

PLANTS = pathlib.Path(__file__).resolve().parent.parent / "broken/plants.def"
COPIES = "LambdaLift,LegalizeOps,ViewCalls,ResolveInplace(fresh=false)"
MEMORY = f"{COPIES},ToNonDataflow,CallTIRRewrite,KillAfterLastUse"
TAIL = "ToNonDataflow,CallTIRRewrite,KillAfterLastUse"
# What shows in each run of this test; others need more programs (--count 1000), and some no number can tell: what is killed twice
# or is not this function's.
FREQUENT = {"later_read", "output_dead", "borrowed_input", "operand_elsewhere", "reuse_while_live", "overlap", "block_short", "kill_early",
            "kill_ignores_names", "plan_life", "plan_step", "plan_small"}
# What a run with --check-memory sees, too; it is asked where the checker of storage has refused.
WATCHED = {"output_dead", "borrowed_input", "reuse_while_live", "overlap", "plan_life", "plan_step"}


def plants():
    return re.findall(r"^PLANT\((\w+),\s*(\w+),", PLANTS.read_text(), re.MULTILINE)


def pipeline(bug, function):
    if bug.startswith("plan_"):
        return f'{MEMORY},PlanMemory,Plant(bug="{bug}")'
    return f'{COPIES},Plant(bug="{bug}"),{TAIL}' if function == "copies" else f'{MEMORY},Plant(bug="{bug}")'


def work(path, bug, function, count):
    """How many programs change with the mistake, show it when they run, are refused by the checker; and shown but not refused."""
    warnings.simplefilter("ignore")
    runner, counts, missed = Runner(path), collections.Counter(), []
    for index in range(count):
        program = program_at("power", index)
        order = pipeline(bug, function)
        some = [Way(LOWER, order), Way(COMPILE, order, level=0, runs=2)]
        wants = check.expected(program)
        text, inputs = check.text_of_program(program), check.inputs(program)
        checked, run = runner.ask(text, inputs, some)
        is_refused = checked.status == REFUSED and "E0317" in checked.why
        fault = check.fault_of(program, wants, some[1], run)
        is_shown = fault is not None and not (fault.kind == "refused" and re.search(r"error\[E0(9|3)", fault.text))
        counts["refused"] += is_refused
        if is_refused and bug in WATCHED:
            (watched,) = runner.ask(text, inputs, [Way(COMPILE, order, level=0, checks=1)])
            counts["watched"] += watched.status == REFUSED and "E0812" in watched.why
        counts["shown"] += is_shown
        if is_shown and not is_refused:
            missed.append(f"power:{index}: {fault.kind} {fault.text[:300]}")
    runner.stop()
    return counts, missed


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("runner")
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--only", nargs="*", help="names of mistakes")
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)))
    options = parser.parse_args()
    bugs, failed = [b for b in plants() if not options.only or b[0] in options.only], 0
    print(f"1..{len(bugs)}")
    with concurrent.futures.ProcessPoolExecutor(options.jobs) as pool:
        found = [pool.submit(work, options.runner, bug, function, options.count) for bug, function in bugs]
        for i, ((bug, _), future) in enumerate(zip(bugs, found), 1):
            counts, missed = future.result()
            is_wrong = bool(missed) or not counts["shown"] and bug in FREQUENT or not counts["watched"] and bug in WATCHED
            failed += is_wrong
            print(f"{'not ok' if is_wrong else 'ok'} {i} - {bug}: of {options.count} programs {counts['shown']} show it, the checker refuses {counts['refused']}"
                  + f", --check-memory sees {counts['watched']}" * (bug in WATCHED), flush=True)
            for text in missed[:3]:
                print("# " + text.replace("\n", "\n# "))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
