#!/usr/bin/env python3
"""Random programs biased towards shared storage, against what Python computes of the same text.

The folder sharing makes the programs, script_values.py runs them as the Python that they are: no part of Inlay judges itself.
Several programs are one module, whose `main` calls them with the same inputs and returns these too, so that one process runs all of
them and an overwritten input shows. Every module is run by the interpreter, and compiled: at -O0 and -O2, with
--inplace=off, with --inplace=strict (which may refuse), behind `debug` and behind random orders of passes, and twice without a new start.
A program that fails is `seed:index`; its script is printed.

usage: random_sharing.py TOOL [--count N] [--seed S] [--keep FOLDER] [--script FILE]...
"""
import argparse
import concurrent.futures
import pathlib
import random
import re
import shlex
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import orders
from script_runs import HEAD, Script, run
import script_values
from sharing.programs import Program
from sharing.types import is_exact, text_of

MODES = [["--interpret"], ["-O0"], ["-O0", "--inplace=off"], ["-O0", "-p", "LambdaLift,debug"]]
# Passes that work with storage, or that change who sees it: most of a random order.
STORAGE = ["LambdaLift", "InlinePrivateFunctions", "EliminateCommonSubexpr", "FoldConstant", "DeadCodeElimination", "CanonicalizeBindings",
           "ToNonDataflow", "ConvertToDataflow", "Normalize", "TopologicalSort", "ReorderForPeak", "ExpandTupleArguments", "RemoveUnusedOutputs",
           "RemoveUnusedParameters", "SimplifyGraph", "ResolveInplace", "LegalizeOps", "AnnotateTIROpPattern", "FuseOps", "FuseTIR"]
LATE = ["DeadCodeElimination", "EliminateCommonSubexpr", "CanonicalizeBindings", "InlinePrivateFunctions", "RemoveUnusedParameters",
        "RemoveUnusedOutputs", "ExpandTupleArguments", "FoldConstant", "SimplifyGraph", "KillAfterLastUse", "Normalize", "FuseTIR", "LambdaLift"]


def order_of(rng, passes):
    """A pipeline: anything, or passes of storage and then memory."""
    if rng.random() < 0.3:
        return passes.order(rng)
    items = [rng.choice(STORAGE) for _ in range(rng.randrange(0, 9))] + ["LambdaLift", "LegalizeOps"]
    items += [rng.choice(STORAGE) for _ in range(rng.randrange(0, 3))]
    if rng.random() < 0.5:
        items += ["ResolveInplace", "ToNonDataflow"] + rng.sample(["CallTIRRewrite", "KillAfterLastUse"], rng.choice([1, 2, 2]))
        items += [rng.choice(LATE) for _ in range(rng.randrange(0, 5))]
    if rng.random() < 0.9:
        items.append("ResolveInplace")
    return ",".join(items)


def module(programs):
    """One module of programs: its `main` gives their inputs, which are shared, and their results and the inputs behind them."""
    program = programs[0]
    if len(programs) == 1 and is_exact(program.known):
        return HEAD + "\n\n".join(program.text()).replace(f"{program.prefix}_main", "main") + "\n"
    kinds, lines = {}, []
    for program in programs:
        number = {}
        args = []
        for param in program.params:
            count = number[param.type] = number.get(param.type, -1) + 1
            args.append(kinds.setdefault((param.type, count), f"x{len(kinds)}"))
        lines.append(f"        t_{program.prefix} = cls.{program.prefix}_main({', '.join(args)})")
        lines.append(f"        r_{program.prefix} = R.match_cast(t_{program.prefix}, {text_of(program.result)})")
    params = ", ".join(f"{name}: {text_of(kind)}" for (kind, _), name in kinds.items())
    is_pure = all(program.is_pure for program in programs)
    main = [f"    @R.function{'' if is_pure else '(pure=False)'}", f"    def main({params}):", "        cls = Module", *lines,
            f"        return ({', '.join(f'r_{p.prefix}' for p in programs)}, {', '.join(kinds.values())})"]
    return HEAD + "\n\n".join(part for program in programs for part in program.text()) + "\n\n" + "\n".join(main) + "\n"


def program_at(seed, index):
    """The program that `seed:index` names: the first of its seeds that Python computes exactly."""
    for attempt in range(50):
        rng = random.Random(f"{seed}:{index}:{attempt}")
        program = Program(rng, f"p{index}")
        variant = rng.randrange(4)
        try:
            Script(module([program]), variant)
            return program
        except script_values.Inexact:
            continue
    raise AssertionError(f"{seed}:{index}: no exact program")


def first_wrong(tool, script, modes, folder):
    """The first mode in which a script is wrong, and how."""
    for options in modes:
        if wrong := run(tool, script, options, folder):
            return options, wrong
    return None


# What strict mode says to a call that needs a copy.
STRICT = {"E0301", "E0302", "E0303", "E0304", "E0309", "E0311"}


def strictly_wrong(tool, script, folder):
    """What strict mode lets pass needs no copies but those of the script, and is right."""
    command = [tool, "opt", "-p", "ResolveInplace", "--inplace=strict", "script.py"]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, cwd=folder, text=True, timeout=120)
    codes = set(re.findall(r"error\[(E\d+)\]", done.stderr))
    if done.returncode == 1 and codes and codes <= STRICT:
        return ""
    if done.returncode == 0 and (copies := done.stdout.count("= R.copy(") - script.text.count("= R.copy(")) > 0:
        return f"strict mode makes {copies} copies"
    return run(tool, script, ["-O0", "--inplace=strict"], folder)


class Batch:
    """Programs that are run as one module."""

    def __init__(self, options, passes, indices):
        self.options, self.tool, self.indices = options, options.tool, indices
        rng = random.Random(f"{options.seed}:{indices[0]}")
        self.programs = [program_at(options.seed, index) for index in indices]
        self.variant = rng.randrange(4)
        self.alone = rng.randrange(len(indices))
        self.modes = [*MODES, *(["-O0", "-p", order_of(rng, passes)] for _ in range(2))]
        if rng.random() < 0.15:
            self.modes.append(["-O2"])

    def script(self, programs):
        return Script(module(programs), self.variant)

    def check(self, folder):
        """Failures: (index, script, mode, what is wrong)."""
        script = self.script(self.programs)
        bad = first_wrong(self.tool, script, self.modes, folder)
        failures = []
        if bad: # whose fault is it?
            for index, program in zip(self.indices, self.programs):
                single = self.script([program])
                if wrong := first_wrong(self.tool, single, [bad[0], *self.modes], folder):
                    failures.append((index, single, *wrong))
            return failures or [(self.indices[0], script, *bad)]
        single = self.script([self.programs[self.alone]])
        if wrong := first_wrong(self.tool, single, [["-O0", "--check"]], folder):
            failures.append((self.indices[self.alone], single, *wrong))
        elif wrong := strictly_wrong(self.tool, single, folder):
            failures.append((self.indices[self.alone], single, ["--inplace=strict"], wrong))
        return failures

    def report(self):
        """What failed, as (index, text)."""
        with tempfile.TemporaryDirectory() as temp:
            failures = self.check(pathlib.Path(temp))
        texts = []
        for index, script, options, wrong in failures:
            command = shlex.join(["inlay", "run", *options, *script.args, "FILE"])
            text = f"# {self.options.seed}:{index}\n# {command}\n# " + wrong.replace("\n", "\n# ") + f"\n{script.text}"
            if self.options.keep:
                (self.options.keep / f"{self.options.seed}_{index}.py").write_text(text)
            texts.append(text)
        return texts


def check_file(options, path):
    """A script that was kept, or made smaller: in all modes, with all inputs."""
    with tempfile.TemporaryDirectory() as temp:
        for variant in range(4):
            script = Script(path.read_text(), variant)
            modes = [shlex.split(mode) for mode in options.mode] or MODES
            if wrong := first_wrong(options.tool, script, modes, pathlib.Path(temp)):
                return f"{shlex.join(wrong[0] + script.args)}: {wrong[1]}"
    return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tool", type=lambda path: str(pathlib.Path(path).resolve()))
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--batch", type=int, default=8)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=pathlib.Path)
    parser.add_argument("--script", type=pathlib.Path)
    parser.add_argument("--mode", action="append", default=[])
    options = parser.parse_args()
    if options.script:
        why = check_file(options, options.script)
        print(why or "right")
        return 4 if why else 0
    passes = orders.Passes(options.tool)
    if options.keep:
        options.keep.mkdir(exist_ok=True)
    batches = [range(i, min(i + options.batch, options.count)) for i in range(0, options.count, options.batch)]
    failed = 0
    print(f"1..{len(batches)}")
    with concurrent.futures.ProcessPoolExecutor(2) as pool:
        results = [pool.submit(Batch.report, Batch(options, passes, batch)) for batch in batches]
        for number, (batch, result) in enumerate(zip(batches, results), 1):
            failures = result.result()
            failed += len(failures)
            print(f"{'not ok' if failures else 'ok'} {number} - programs {batch[0]} to {batch[-1]} of seed {options.seed}", flush=True)
            for text in failures:
                print("# " + text.rstrip().replace("\n", "\n# "), flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
