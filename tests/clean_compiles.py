#!/usr/bin/env python3
"""What `inlay check` says nothing about compiles.

The examples of operators (op_examples.txt, op_bases.txt) with other dtypes - all operands of one, and each operand of another one -
and, of some, with dims that are symbols, or of which only the rank or nothing is known, or another argument (op_mutants.py).
Each is checked; those that are clean are compiled. Prints TAP.

usage: clean_compiles.py TOOL [--count N] [--seed N] [--operator REGEX]
"""
import argparse
import collections
import json
import pathlib
import random
import re
import sys
import tempfile

import op_examples
import op_mutants

DTYPES = (*op_mutants.DTYPES, "bfloat16", "uint32")
AT_ONCE, COMPILED_AT_ONCE = 400, 40
# What is no artifact and runs all the same: it has no form in C, or an arena that only the run could size.
ELSEWHERE = r"\[(E0743|E0744)\]"


def of_one_dtype(every):
    """All operands of the examples as one dtype."""
    for mutant in [mutant for mutant in every if mutant.what == "as it is"]:
        for dtype in DTYPES:
            operands = [operand.but(dtype=dtype) for operand in mutant.operands]
            yield op_mutants.Mutant(mutant.operator, f"all operands are {dtype}", operands, mutant.call)


def is_of_dtypes(mutant):
    return re.search(r": is \w+$", mutant.what)


def lines_of(batch, path):
    """Writes them as one script; {line: mutant}."""
    text, owners = op_examples.HEAD, {}
    for number, mutant in enumerate(batch):
        first = text.count("\n") + 1
        text += mutant.text(f"f{number}")
        owners |= {line: mutant for line in range(first, text.count("\n") + 1)}
    path.write_text(text)
    return owners


def unclean(tool, path, batch):
    """Those of which check says something, with the first line of that."""
    owners = lines_of(batch, path)
    code, out, errors = op_mutants.call_tool([tool, "check", "--diagnostics=short", str(path)])
    said = {}
    for line, text in re.findall(r"\.py:(\d+):\d+: ((?:error|warning).*)", out + errors):
        said.setdefault(owners[int(line)], text)
    assert code in (0, 1) and (said or code == 0), f"check ended with {code}: {errors[:300]}"
    return said


def clean(tool, path, batch):
    while batch:
        said = unclean(tool, path, batch)
        if not said:
            return batch
        batch = [mutant for mutant in batch if mutant not in said]
    return []


def compile_all(tool, path, batch):
    """(mutant, what is said) of those that are refused."""
    lines_of(batch, path)
    code, _, errors = op_mutants.call_tool([tool, "compile", str(path), "-o", str(path.with_suffix(".o")), "-O0", "-p", "debug", "--no-cache"])
    if code == 0:
        return
    if len(batch) == 1:
        yield batch[0], errors.strip().splitlines()[0]
        return
    yield from compile_all(tool, path, batch[:len(batch) // 2])
    yield from compile_all(tool, path, batch[len(batch) // 2:])


def problems(options, folder):
    listed = json.loads(op_mutants.call_tool([options.tool, "list", "ops", "--format=json"])[1])["items"]
    every = list(op_mutants.mutants({item["name"]: item["signature"] for item in listed}, options.operator))
    path = folder / "clean.py"
    others = [mutant for mutant in every if not is_of_dtypes(mutant) and "9223372036854775807" not in mutant.what]
    random.Random(options.seed).shuffle(others)
    chosen = [*of_one_dtype(every), *filter(is_of_dtypes, every), *others[:options.count]]
    good = [mutant for start in range(0, len(chosen), AT_ONCE) for mutant in clean(options.tool, path, chosen[start:start + AT_ONCE])]
    counts = collections.Counter()
    for start in range(0, len(good), COMPILED_AT_ONCE):
        for mutant, said in compile_all(options.tool, path, good[start:start + COMPILED_AT_ONCE]):
            if not re.search(ELSEWHERE, said):
                counts[said[:12]] += 1
                yield f"{mutant}: clean, and refused: {said}"
    print(f"# {len(chosen)} calls of {len({mutant.operator for mutant in chosen})} operators: {len(good)} clean; refused of these: {dict(counts) or 'none'}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tool")
    parser.add_argument("--count", type=int, default=300, help="how many calls besides those of other dtypes")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--operator", default="", help="only those whose name has this")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        found = list(problems(options, pathlib.Path(name)))
    print("1..1")
    print(f"{'not ok' if found else 'ok'} 1 - what is clean compiles")
    for line in found:
        print("#", line)
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
