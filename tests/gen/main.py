#!/usr/bin/env python3
"""Generated programs against NumPy: typed graphs over all operators, run in every way there is.

maker.py makes them, oracle.py works out what they mean (no part of Inlay judges itself), runner.c runs them: many in one
process. `INDEX` is run interpreted (and behind passes, held against the checker of storage); `cINDEX` is compiled too, with
and without in-place execution, with random options and orders of passes, twice on the same inputs. A failure is
`seed:index`; it is made smaller and printed as a script. Prints TAP, and at the end how many programs ran in which way.

usage: gen/main.py RUNNER [TOOL] [--interpreted N] [--compiled N] [--seed S] [--jobs J] [--minutes M] [--keep FOLDER]
       gen/main.py RUNNER --replay SEED:[c]INDEX
"""
import argparse
import collections
import concurrent.futures
import os
import pathlib
import random
import subprocess
import sys
import time
import traceback
import warnings

import numpy_first  # noqa: F401 (in front of what needs it)
from gen import check, table, ways
from gen.report import report
from gen.runner import COMPILE, INTERPRET, LOWER, Runner
from gen.script import text_of_program

CHUNK = {False: 250, True: 10}
runner = None


def begin(path):
    global runner
    warnings.simplefilter("ignore")
    runner = Runner(path)


def name_of(seed, index, is_compiled):
    return f"{seed}:{'c' * is_compiled}{index}"


def program_of(seed, index, is_compiled):
    return check.program_at(f"{seed}c" if is_compiled else seed, index)


def count(counts, some):
    counts["programs"] += 1
    for way in some:
        counts["interpreted as written" if way.how == INTERPRET else "behind passes, the checker asked" if way.how == LOWER else
               "compiled" if way.how == COMPILE else "behind passes"] += 1


def work(seed, indices, is_compiled, keeps_all):
    """(counts, texts of failures) of a few programs."""
    counts, texts = collections.Counter(), []
    for index in indices:
        name = name_of(seed, index, is_compiled)
        try:
            program = program_of(seed, index, is_compiled)
            some = check.ways_of(seed, index, is_compiled)
            found = check.faults(runner, program, some)
        except Exception:  # noqa: BLE001 (of the generator itself: the others go on)
            texts.append((name, f"# {name}\n# " + traceback.format_exc().replace("\n", "\n# ")))
            continue
        count(counts, some)
        texts += [(name, report(runner, name, program, fault)) for fault in found[:3 if keeps_all else 1]]
    if is_compiled and (words := runner.close()):
        texts.append((f"{name_of(seed, indices[0], True)}-end", f"# the runner ends with {words}"))
    return counts, texts


def chunks(options):
    """(indices, is compiled), mixed, so that both go on from the start."""
    todo = []
    for is_compiled, number in ((True, options.compiled), (False, options.interpreted)):
        step = CHUNK[is_compiled]
        todo += [(range(i, min(i + step, number)), is_compiled) for i in range(0, number, step)]
    if not options.minutes:
        random.Random(0).shuffle(todo)
        return todo
    share = max(1, round(options.interpreted / max(options.compiled, 1) * CHUNK[True] / CHUNK[False]))
    return endless(share)


def endless(share):
    compiled = interpreted = 0
    while True:
        yield range(compiled, compiled + CHUNK[True]), True
        compiled += CHUNK[True]
        for _ in range(share):
            yield range(interpreted, interpreted + CHUNK[False]), False
            interpreted += CHUNK[False]


class Session:
    def __init__(self, options):
        self.options, self.counts, self.number, self.failed = options, collections.Counter(), 0, 0
        self.start = self.told = time.monotonic()
        self.end = time.monotonic() + 60 * options.minutes if options.minutes else None

    def take(self, indices, is_compiled, counts, texts):
        self.number += 1
        self.counts += counts
        self.failed += len(texts)
        what = "compiled" if is_compiled else "interpreted"
        if texts or not self.options.minutes:
            print(f"{'not ok' if texts else 'ok'} {self.number} - {what} programs {indices[0]} to {indices[-1]} of seed {self.options.seed}", flush=True)
        if self.options.minutes and time.monotonic() > self.told + 60:
            self.told = time.monotonic()
            print(self.summary(), flush=True)
        for name, text in texts:
            print("# " + text.rstrip().replace("\n", "\n# "), flush=True)
            if self.options.keep:
                self.options.keep.mkdir(exist_ok=True, parents=True)
                (self.options.keep / f"{name.replace(':', '_')}.py").write_text(text)

    def summary(self):
        counts = ", ".join(f"{number:,} {name}" for name, number in self.counts.items())
        return f"# {time.monotonic() - self.start:.0f} s: {counts}; {self.failed} failures"

    def run(self):
        waiting = {}
        with concurrent.futures.ProcessPoolExecutor(self.options.jobs, initializer=begin, initargs=(self.options.runner,)) as pool:
            for indices, is_compiled in chunks(self.options):
                if self.end and time.monotonic() > self.end:
                    break
                waiting[pool.submit(work, self.options.seed, indices, is_compiled, bool(self.options.keep))] = (indices, is_compiled)
                while len(waiting) > 2 * self.options.jobs:
                    self.collect(waiting)
            while waiting:
                self.collect(waiting)

    def collect(self, waiting):
        done, _ = concurrent.futures.wait(waiting, return_when=concurrent.futures.FIRST_COMPLETED)
        for future in done:
            self.take(*waiting.pop(future), *future.result())


def operators_missing(tool):
    """Operators of the tool that no generated program has, and that nobody left out on purpose."""
    lines = subprocess.run([tool, "list", "ops"], capture_output=True, text=True, check=True).stdout.splitlines()
    names = [line[2:].split("(")[0] for line in lines if line.startswith("R.")]
    made = {name for _, _, some in table.ROWS for name in some}
    unknown = sorted(made - set(names))
    return [name for name in names if name not in made and not table.left_out(name)] + [f"{name} (is no operator)" for name in unknown]


def replay(path, name):
    begin(path)
    seed, index = name.split(":")
    is_compiled, index = index.startswith("c"), int(index.lstrip("c"))
    program, some = program_of(int(seed), index, is_compiled), check.ways_of(int(seed), index, is_compiled)
    found = check.faults(runner, program, some)
    print(f"# n, m = {program.envs}{', special numbers' if program.is_special else ''}\n{text_of_program(program)}")
    for way in some:
        print("# " + " ".join(ways.command(way)))
    for fault in found:
        print(report(runner, name, program, fault))
    print("# " + (f"{len(found)} ways are wrong" if found else "right in all ways"))
    return 4 if found else 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("runner")
    parser.add_argument("tool", nargs="?")
    parser.add_argument("--interpreted", type=int, default=2000)
    parser.add_argument("--compiled", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--minutes", type=float)
    parser.add_argument("--keep", type=pathlib.Path)
    parser.add_argument("--replay")
    options = parser.parse_args()
    if options.replay:
        return replay(options.runner, options.replay)
    session = Session(options)
    if options.tool:
        missing = operators_missing(options.tool)
        session.take([0], False, {}, [("operators", f"# operators that neither tests/gen makes nor table.py leaves out: {missing}")] if missing else [])
    session.run()
    print(f"1..{session.number}")
    print(session.summary())
    return 1 if session.failed else 0


if __name__ == "__main__":
    sys.exit(main())
