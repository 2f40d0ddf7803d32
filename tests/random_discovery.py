#!/usr/bin/env python3
"""Random programs of operators, which a compiler may put in place as it likes, against what Python computes of the same text.

operator_programs.py makes the programs; script_values.py runs them as the Python that they are, so no part of Inlay judges itself. Several are one
module, whose `main` returns their inputs, too: an overwritten input shows. Each module is interpreted, and compiled at
all levels, without anything in place, as `debug` has it, with every pass verified, and twice without a new start. Every other
batch is `smooth`: it has exp and softmax, and all levels must give the bits of --inplace=off.
A program that fails is `seed:index`; its script is printed.

usage: random_discovery.py TOOL [--count N] [--seed S] [--keep FOLDER] [--only INDEX]
"""
import argparse
import concurrent.futures
import pathlib
import random
import shlex
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from script_runs import HEAD, Script, inputs_of, outputs, run, without_warnings
import script_values
from operator_programs import Program, param_text

MODES = [["-O2"], ["-O0"], ["--interpret"], ["-O0", "--inplace=off"], ["-O0", "-p", "LambdaLift,debug"], ["-O1", "--verify-each"], ["-O3"]]
SMOOTH = [["-O0"], ["-O2"], ["-O3", "--verify-each"]]


def module(programs):
    """One module: its `main` gives all programs their inputs, which are shared, and returns these behind the results."""
    kinds, lines = {}, []
    for program in programs:
        number, args = {}, []
        for param in program.params:
            count = number[param.type] = number.get(param.type, -1) + 1
            args.append(kinds.setdefault((param.type, count), f"x{len(kinds)}"))
        lines.append(f"        t_{program.prefix} = cls.{program.prefix}_main({', '.join(args)})")
        lines.append(f"        r_{program.prefix} = R.match_cast(t_{program.prefix}, {program.result_text()})")
    params = ", ".join(f"{name}: {param_text(kind)}" for (kind, _), name in kinds.items())
    symbol = ["        n = T.int64()"] if any(size.many for kind, _ in kinds for size in kind.shape) else []
    main = ["    @R.function", f"    def main({params}):", *symbol, "        cls = Module", *lines,
            f"        return ({', '.join(f'r_{p.prefix}' for p in programs)}, {', '.join(kinds.values())})"]
    return HEAD + "\n\n".join(part for program in programs for part in program.text()) + "\n\n" + "\n".join(main) + "\n"


def program_at(seed, index, variant, is_smooth):
    """The program that `seed:index` names: the first of its seeds that Python computes exactly."""
    for attempt in range(200):
        program = Program(random.Random(f"{seed}:{index}:{attempt}"), f"p{index}", is_smooth)
        try:
            if not is_smooth:
                Script(module([program]), variant)
            return program
        except script_values.Inexact:
            continue
    raise AssertionError(f"{seed}:{index}: no exact program")


class Smooth:
    """A module whose numbers Python does not know: nothing in place is what the rest must equal."""

    def __init__(self, text, variant):
        self.text, self.variant = text, variant
        self.args = [option for option, _ in inputs_of(script_values.load(text).main, variant)]

    def wrong(self, tool, folder):
        (folder / "script.py").write_text(self.text)
        for options in SMOOTH:
            both = {}
            for mode in (["--inplace=off"], ["--inplace=auto"]):
                found, status, errors = outputs(tool, [*options, *mode], self.args, folder)
                if found is None:
                    return [*options, *mode], f"exit status {status}\n{without_warnings(errors)[:1500]}"
                both[mode[0]] = {name: repr(value) for name, value in found.items()}
            off, auto = both.values()
            if off != auto:
                return options, "\n".join(f"{name}: {auto[name]}, with --inplace=off {value}" for name, value in off.items() if auto[name] != value)
        return self.changed(found)

    def changed(self, found):
        """Inputs stand behind the results."""
        inputs = [value for _, value in inputs_of(script_values.load(self.text).main, self.variant)]
        last = max(int(name.split(".")[1]) for name in found)
        for place, value in enumerate(reversed(inputs)):
            if found[f"result.{last - place}"] != (value.shape, value.dtype, list(value.data)):
                return SMOOTH[-1], f"an input is changed: result.{last - place}"
        return None


def wrong(tool, programs, variant, is_smooth, folder):
    """How a module is wrong: (options, text), its script and arguments."""
    if is_smooth:
        smooth = Smooth(module(programs), variant)
        return smooth.wrong(tool, folder), smooth
    script = Script(module(programs), variant)
    return next(((options, bad) for options in MODES if (bad := run(tool, script, options, folder))), None), script


def check(options, indices):
    """Failures of a batch, as texts."""
    rng = random.Random(f"{options.seed}:{indices[0]}")
    variant, is_smooth = rng.randrange(4), rng.random() < 0.4
    programs = [program_at(options.seed, index, variant, is_smooth) for index in indices]
    texts = []
    with tempfile.TemporaryDirectory() as temp:
        bad, script = wrong(options.tool, programs, variant, is_smooth, pathlib.Path(temp))
        if not bad:
            return []
        found = [(index, *wrong(options.tool, [program], variant, is_smooth, pathlib.Path(temp))) for index, program in zip(indices, programs)]
        for index, bad, script in [each for each in found if each[1]] or [(indices[0], bad, script)]:
            mode, what = bad
            command = shlex.join(["inlay", "run", *mode, *script.args, "FILE"])
            text = f"# {options.seed}:{index}\n# {command}\n# " + what.replace("\n", "\n# ") + f"\n{script.text}"
            if options.keep:
                options.keep.mkdir(exist_ok=True)
                (options.keep / f"d{options.seed}_{index}.py").write_text(text)
            texts.append(text)
    return texts


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tool", type=lambda path: str(pathlib.Path(path).resolve()))
    parser.add_argument("--count", type=int, default=240)
    parser.add_argument("--batch", type=int, default=6)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=pathlib.Path)
    options = parser.parse_args()
    batches = [range(i, min(i + options.batch, options.count)) for i in range(0, options.count, options.batch)]
    failed = 0
    print(f"1..{len(batches)}")
    with concurrent.futures.ProcessPoolExecutor(2) as pool:
        results = [pool.submit(check, options, batch) for batch in batches]
        for number, (batch, result) in enumerate(zip(batches, results), 1):
            failures = result.result()
            failed += len(failures)
            print(f"{'not ok' if failures else 'ok'} {number} - programs {batch[0]} to {batch[-1]} of seed {options.seed}", flush=True)
            for text in failures:
                print("# " + text.rstrip().replace("\n", "\n# "), flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
