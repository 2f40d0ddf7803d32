#!/usr/bin/env python3
"""Random orders of passes over the examples and the golden tests of `run`.

Each order, with options and fixed points, must give the interpreter's result (`run --check`) or be refused clearly:
no crash, no wrong number, no other error. New passes take part as soon as `inlay list passes` has them. Prints TAP.

usage: pass_orders.py TOOL EXAMPLES GOLDEN-RUN [--count N] [--seed S]
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

SCALARS = {"kv_cache": ["--in", "pos=40"], "generate": ["--in", "last=45", "--in", "given=5"]}
TOKENS = {"decoder", "generate"}  # examples whose results are choices: another precision makes others
DROPPED = {"--check", "--stats", "--stats=json"}


def example(script):
    """The arguments of a run with the example's inputs."""
    args = [f"--in={path.stem}=@{path}" for path in sorted(script.with_suffix("").glob("*.npy"))
            if not path.stem.startswith("expected_")]
    return [str(script), *args, *SCALARS.get(script.stem, [])]


def golden(script):
    """The same of a golden test that compiles without passes of its own; None for others."""
    match = re.match(r"# RUN: run\b(.*)", script.read_bytes().split(b"\n", 1)[0].decode())
    args = shlex.split(match[1]) if match else ["-p"]
    files = [arg.replace("=@", f"=@{script.parent}/") for arg in args if arg not in DROPPED | {"FILE"}]
    return None if {"-p", "--interpret"} & {*args} else [str(script), *files]


def check(tool, args, order, rng, folder):
    options = [option for option in ("--check-each", "--verify-each", "--roundtrip-each") if rng.random() < 0.5]
    options += [rng.choice(["-O0", "-O1", "-O2"]), f"--inplace={rng.choice(['auto', 'auto', 'off'])}"]
    command = [tool, "run", "--check", *options, *orders.tolerance(order), "-p", order, *args]
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                              cwd=folder, text=True, timeout=120)
    except subprocess.TimeoutExpired:
        return f"{shlex.join(command[1:])}: no end"
    found = orders.problem(order, done.returncode, done.stderr)
    return f"{shlex.join(command[1:])}\n{found}" if found else None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tool")
    parser.add_argument("examples", type=pathlib.Path)
    parser.add_argument("golden", type=pathlib.Path)
    parser.add_argument("--count", type=int, default=800)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    tool = str(pathlib.Path(options.tool).resolve())
    passes = orders.Passes(tool)
    runs = [example(path.resolve()) for path in sorted(options.examples.glob("*.py"))] * 3
    runs += filter(None, (golden(path.resolve()) for path in sorted(options.golden.glob("*.py"))))

    def one(seed):
        rng = random.Random(seed)
        order = passes.order(rng)
        run = rng.choice(runs)
        while "ToMixedPrecision" in order and pathlib.Path(run[0]).stem in TOKENS:
            run = rng.choice(runs)
        with tempfile.TemporaryDirectory() as folder: # for reproducers
            return check(tool, run, order, rng, folder)

    failed = 0
    print(f"1..{options.count}")
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        seeds = range(options.seed, options.seed + options.count)
        for number, (seed, why) in enumerate(zip(seeds, pool.map(one, seeds)), 1):
            failed += why is not None
            print(f"{'not ok' if why else 'ok'} {number} - seed {seed}")
            if why:
                print("# " + why.rstrip().replace("\n", "\n# "), flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
