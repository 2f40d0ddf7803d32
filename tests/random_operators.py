#!/usr/bin/env python3
"""Random calls of operators, of every dtype, against plain loops in Python.

What an operator gives is worked out here, element by element, as docs/operators.md defines it: integers wrap, 16-bit
floats are computed in float32 and rounded once. Each program is a main function with some calls of one family, in front of
and behind elementwise operators that are fused with them, with shapes that are fixed or symbolic. It runs interpreted and compiled, at
different levels, with vectors of 16, 32 and 64 bytes, with and without schedules; integers and booleans must be equal, floats close.

usage: random_operators.py TOOL [--family NAME] [--count N] [--seed S] [--keep FOLDER]
"""
import argparse
import concurrent.futures
import itertools
import os
import pathlib
import random
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import npz
from operators import gathers, pools, reductions
from operators.tensor import Case, Tensor

FAMILIES = {"reductions": reductions, "pools": pools, "gathers": gathers}
PIPELINES = ["default", "default", "unscheduled", "debug"]
HEAD = ("from tvm.script import ir as I\nfrom tvm.script import relax as R\nfrom tvm.script import tirx as T\n\n"
        "@I.ir_module\nclass Module:\n    @R.function\n")
SLOW = int(os.environ.get("INLAY_SLOW", "1"))


def program(family, seed):
    """Script, inputs and expected results."""
    rng = random.Random(f"{family} {seed}")
    params, lines, symbols, inputs, expected = [], [], [], {}, []
    for number in range(FAMILIES[family].count(seed) or rng.choice([1, 2, 4])):
        case = FAMILIES[family].case(Case(rng), seed, number)
        names = []
        for i, tensor in enumerate(case.inputs + case.tables):
            name = f"x{number}_{i}"
            dims = [str(d) for d in tensor.shape]
            for axis in range(len(dims)):
                if case.may_be_symbolic and rng.random() < 0.15:
                    symbols.append(f"n{number}_{i}_{axis}")
                    dims[axis] = f'"{symbols[-1]}"'
            params.append(f'{name}: R.Tensor(({", ".join(dims)}{"," if len(dims) == 1 else ""}), "{tensor.dtype}")')
            inputs[name] = tensor
            names.append(name)
        lines += case.lines(f"y{number}", names)
        expected += [(f"y{number}_{i}", case.text, want) for i, want in enumerate(case.wanted)]
    text = HEAD + f"    def main({', '.join(params)}):\n"
    text += "".join(f"        {s} = T.int64()\n" for s in symbols) + "".join(f"        {line}\n" for line in lines)
    return text + f"        return ({', '.join(name for name, _, _ in expected)},)\n", inputs, expected


def configurations(rng):
    widths = rng.sample(["16", "32", "64"], 2)
    return [["--interpret"], [], *([f"-O{rng.choice('0123')}", f"--vectors={w}", "-p", rng.choice(PIPELINES)] for w in widths)]


def difference(path, expected):
    found = npz.read_npz(path)
    for i, (_, text, want) in enumerate(expected):
        descr, shape, data = found[f"result.{i}"]
        if tuple(shape) != want.shape or descr != want.descr():
            return f"{text} is {descr} {shape}, not {want.descr()} {want.shape}"
        for index, (a, b) in enumerate(zip(want.items, want.unpack(data), strict=True)):
            if not want.is_close(a, b, index):
                return f"{text}: element {index} is {b}, not {a}"
    return None


def check(tool, folder, family, seed):
    text, inputs, expected = program(family, seed)
    place = folder / f"{family}_{seed}"
    place.mkdir()
    (place / "module.py").write_text(text)
    npz.write_npz(place / "in.npz", {name: (t.descr(), t.shape, t.pack()) for name, t in inputs.items()})
    given = [word for name in inputs for word in ("--in", f"{name}=@{place / 'in.npz'}:{name}")]
    for config in configurations(random.Random(seed)):
        command = [tool, "run", str(place / "module.py"), *given, "--out", str(place / "out.npz"), *config]
        try:
            done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120 * SLOW, cwd=place)
        except subprocess.TimeoutExpired:
            return f"{' '.join(config)}: no end"
        if done.returncode != 0:
            return f"{' '.join(config)}: exit status {done.returncode}\n{done.stderr[:1500]}"
        wrong = difference(place / "out.npz", expected)
        if wrong:
            return f"{' '.join(config)}: {wrong}"
    return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tool")
    parser.add_argument("--family", choices=FAMILIES)
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=pathlib.Path)
    options = parser.parse_args()
    options.tool = os.path.abspath(options.tool)
    failed = 0
    jobs = list(itertools.product([options.family] if options.family else FAMILIES, range(options.seed, options.seed + options.count)))
    print(f"1..{len(jobs)}")
    with tempfile.TemporaryDirectory() as temp:
        folder = options.keep or pathlib.Path(temp)
        folder.mkdir(exist_ok=True)
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            results = pool.map(lambda job: check(options.tool, folder, *job), jobs)
            for number, ((family, seed), why) in enumerate(zip(jobs, results), 1):
                failed += why is not None
                print(f"{'not ok' if why else 'ok'} {number} - {family} {seed}")
                if why:
                    print("# " + why.rstrip().replace("\n", "\n# "), flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
