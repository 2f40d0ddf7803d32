#!/usr/bin/env python3
"""Makes the tables of docs/intrinsics.md of ir/intrinsics.def, and checks them. Prints TAP.

The dtypes of a row are those that a kernel with it was compiled for; its example is run, compiled and interpreted, and
what stands there is what came out.

usage: intrinsic_docs.py TOOL ROOT [--write]
"""
import difflib
import os
import pathlib
import re
import subprocess
import sys
import tempfile

SLOW = int(os.environ.get("INLAY_SLOW", "1"))
MARK = "<!-- what follows is made from ir/intrinsics.def by tests/intrinsic_docs.py --write -->\n"
FLOATS = ["float16", "bfloat16", "float32", "float64"]
INTEGERS = [f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)]
DTYPES = ["bool", *INTEGERS, *FLOATS]
RESULTS = {"BOOL": "bool", "INT32": "int32"}
HEAD = """\
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T

@I.ir_module
class Module:
"""
# name: dtype and elements of each operand
SMALL = [("float32", "0 0.5 -1")]
EXAMPLES = {
    "abs": [("int8", "-5 0 -128")], "acos": [("float32", "1 0 2")], "acosh": [("float32", "1 2 0")], "asin": SMALL, "asinh": SMALL, "atan": SMALL,
    "atan2": [("float32", "1 0 -1"), ("float32", "1 -1 0")], "atanh": SMALL, "ceil": [("float32", "1.2 -1.2 3")], "clz": [("uint8", "1 255 0")],
    "copysign": [("float32", "1 2"), ("float32", "-0.5 3")], "cos": SMALL, "cosh": SMALL,
    "dot4": [("int32", "16909060"), ("int32", "16843009"), ("int32", "100")], "erf": SMALL, "exp": [("float32", "0 1 -1")], "exp2": SMALL,
    "exp10": [("float32", "0 2 -1")], "fabs": [("float32", "-1.5 2")], "floor": [("float32", "1.2 -1.2 3")],
    "fma": [("float32", "2"), ("float32", "3"), ("float32", "4")], "fmod": [("float32", "5 -5"), ("float32", "3 3")],
    "hypot": [("float32", "3 1e30"), ("float32", "4 1e30")], "isfinite": [("float32", "1 inf nan")], "isinf": [("float32", "1 inf nan")],
    "isnan": [("float32", "1 inf nan")], "ldexp": [("float32", "1 3"), ("int32", "4 -1")], "log": [("float32", "1 0 -1")],
    "log10": [("float32", "1 1000")], "log1p": [("float32", "0 1e-8")], "log2": [("float32", "1 8")], "nearbyint": [("float32", "0.5 1.5 2.7")],
    "nextafter": [("float32", "0"), ("float32", "1")], "popcount": [("uint8", "0 255 6")], "pow": [("float32", "2 2 -8"), ("float32", "10 -1 0.5")],
    "round": [("float32", "0.5 1.5 2.7")], "rsqrt": [("float32", "4 0.25")], "sigmoid": SMALL, "sin": SMALL, "sinh": SMALL,
    "sqrt": [("float32", "4 2 -1")], "tan": SMALL, "tanh": SMALL, "trunc": [("float32", "1.7 -1.7")],
    "bitwise_and": [("int32", "6"), ("int32", "3")], "bitwise_not": [("int32", "6 -1")], "bitwise_or": [("int32", "6"), ("int32", "3")],
    "bitwise_xor": [("int32", "6"), ("int32", "3")], "shift_left": [("int8", "1 1 1"), ("int8", "3 7 8")],
    "shift_right": [("int8", "-8 -8 8"), ("int8", "1 9 9")], "likely": [("bool", "true false")], "ignore_loop_partition": [("bool", "true false")],
    "reinterpret": [("float32", "1 -0")],
}
# What is not T.name(operands): the operands, and the dtype that the text gives.
CALLS = {"ldexp": "T.ldexp({0}, T.int32(1))", "reinterpret": 'T.reinterpret("{1}", {0})', "dot4": "T.dot4({0}, {0}, T.int32(0))"}
GIVEN = {"reinterpret": {"float32": "int32", "float64": "int64", "float16": "int16", "bfloat16": "int16"}}


def table(root):
    """[(heading, [(name, least, most, result, doc)])]"""
    out = []
    for line in (root / "ir/intrinsics.def").read_text().splitlines():
        if match := re.fullmatch(r"/\* ([^*]+) \*/", line):
            out.append((match[1], []))
        if line.startswith("INTRINSIC("):
            out[-1][1].append(re.fullmatch(r'INTRINSIC\((\w+), +(\w+), +(\w+), +(\w+), +\w+, +"(.*)"\)', line).groups())
    return out


def compiled(root):
    """The names that code is made for."""
    text = (root / "codegen/llvm/intrinsics.def").read_text()
    return set(re.findall(r"^(?:MATH|LLVM|CUSTOM)\((\w+),", text, re.MULTILINE))


def kernel(name, operands, result, count, call):
    params = [f'x{i}: T.Buffer(({count},), "{dtype}")' for i, dtype in enumerate(operands)]
    return (f"    @T.prim_func(private=True)\n    def {name}({', '.join(params)}, y: T.Buffer(({count},), \"{result}\")):\n"
            f"        for i in range({count}):\n            y[i] = {call}\n")


def graph(calls):
    """A main that calls kernels: [(name, operands, result, count)]."""
    params = [f'{name}_{i}: R.Tensor(({count},), "{dtype}")' for name, operands, _, count in calls for i, dtype in enumerate(operands)]
    lines = [f"    @R.function\n    def main({', '.join(params)}):\n        cls = Module"]
    for name, operands, result, count in calls:
        args = "".join(f"{name}_{i}, " for i in range(len(operands)))
        lines.append(f'        r_{name} = R.call_tir(cls.{name}, ({args}), out_ty=R.Tensor(({count},), "{result}"))')
    return "\n".join([*lines, f"        return ({', '.join('r_' + call[0] for call in calls)},)", ""])


def result_of(name, row, dtype):
    return GIVEN[name].get(dtype, dtype) if name in GIVEN else RESULTS.get(row[3], dtype)


def run(tool, *args):
    return subprocess.run([tool, *args], capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=60 * SLOW)


def dtypes(tool, folder, row):
    """For which dtypes of the first argument it is compiled."""
    name, left = row[0], list(DTYPES)
    call = CALLS.get(name, "T.{2}(" + ", ".join(["{0}"] * int(row[1])) + ")")
    while left:
        kernels = [kernel(f"k_{d}", [d], result_of(name, row, d), 2, call.format("x0[i]", result_of(name, row, d), name)) for d in left]
        text = HEAD + "".join(kernels) + graph([(f"k_{d}", [d], result_of(name, row, d), 2) for d in left])
        (folder / "d.py").write_text(text)
        done = run(tool, "compile", str(folder / "d.py"), "-p", "debug", "-o", str(folder / "d.o"), "--no-cache", "--diagnostics=short")
        if done.returncode == 0:
            return left
        lines = text.splitlines()
        bad = {int(n) for n in re.findall(r"^[^\s:]*d\.py:(\d+):", done.stderr, re.MULTILINE)}
        wrong = {d for d in left for n in bad if any(f"def k_{d}(" in lines[k - 1] for k in range(n - 2, n + 1))}
        assert wrong, done.stderr
        left = [d for d in left if d not in wrong]
    return left


def words(names):
    """Dtypes as a reader would say them."""
    kinds = [("all", DTYPES), ("integers, bool", INTEGERS + ["bool"]), ("integers, floats", INTEGERS + FLOATS), ("integers", INTEGERS), ("floats", FLOATS)]
    return next((word for word, kind in kinds if set(kind) == set(names)), ", ".join(f"`{name}`" for name in names))


def results(tool, folder, rows):
    """{name: the elements that its example gives}"""
    calls, text, args = [], HEAD, []
    for row in rows:
        name, operands = row[0], EXAMPLES[row[0]]
        types, count = [dtype for dtype, _ in operands], len(operands[0][1].split())
        values = [f"x{i}[i]" for i in range(len(operands))]
        result = result_of(name, row, types[0])
        given = f'"{result}", ' if name in GIVEN else ""
        text += kernel(f"k_{name}", types, result, count, f"T.{name}({given}{', '.join(values)})")
        calls.append((f"k_{name}", types, result, count))
        for i, (dtype, elements) in enumerate(operands):
            short = dtype.replace("float", "f").replace("uint", "u").replace("int", "i")
            args += ["--in", f"k_{name}_{i}={count}x{short}={elements}"]
    (folder / "e.py").write_text(text + graph(calls))
    done = run(tool, "run", str(folder / "e.py"), "-p", "debug", "--check", "--no-cache", *args)
    assert done.returncode == 0, done.stderr
    found = re.findall(r"^result\.\d+: .*\n\[(.*)\]$", done.stdout, re.MULTILINE)
    assert len(found) == len(rows), done.stdout
    return {row[0]: re.sub(r"(?<=\d)\.(?=\s|$)", "", " ".join(values.split())) for row, values in zip(rows, found)}


def page(tool, root):
    with tempfile.TemporaryDirectory() as temp:
        folder, names, groups = pathlib.Path(temp), compiled(root), table(root)
        rows = [row for _, group in groups for row in group if row[0] in names]
        assert {row[0] for row in rows} == set(EXAMPLES), names ^ set(EXAMPLES)
        values, out = results(tool, folder, rows), []
        for heading, group in groups:
            out.append(f"\n### {heading[0].upper() + heading[1:]}\n\n")
            run_here = [row for row in group if row[0] in names]
            if run_here:
                out.append("| call | gives | dtypes | example |\n|---|---|---|---|\n")
            for row in run_here:
                args = ", ".join((["dtype"] if row[0] in GIVEN else []) + ["x", "y", "z"][:int(row[1])])
                operands = EXAMPLES[row[0]]
                example = ", ".join(f"`{letter}` = {elements}" for letter, (_, elements) in zip("xyz", operands))
                kind = operands[0][0] if row[0] not in GIVEN else f"{operands[0][0]} as {result_of(row[0], row, operands[0][0])}"
                out.append(f"| `T.{row[0]}({args})` | {row[4].replace('|', chr(92) + '|')} | {words(dtypes(tool, folder, row))} | {kind}: {example} → {values[row[0]]} |\n")
            rest = [row for row in group if row[0] not in names]
            if rest:
                out.append(("\n" if run_here else "") + "Read and printed, but no code is made of them (E0688)"
                           + (", except of `T.assume` alone as a statement, which does nothing" if any(row[0] == "assume" for row in rest) else "") + ":\n\n")
            for name, least, most, _, doc in rest:
                count = f"{least} or more arguments" if most == "ANY" else f"{least} to {most} arguments" if least != most else f"{least} argument{'s' * (least != '1')}"
                out.append(f"- `T.{name}` ({count}): {doc}\n")
        return "".join(out)


def main(tool, root, write):
    root = pathlib.Path(root)
    path = root / "docs/intrinsics.md"
    head, _, found = path.read_text().partition(MARK)
    wanted = page(str(pathlib.Path(tool).resolve()), root)
    if write:
        path.write_text(head + MARK + wanted)
        return 0
    print(f"1..1\n{'ok' if found == wanted else 'not ok'} 1 - docs/intrinsics.md says what intrinsics are and do")
    for line in difflib.unified_diff(found.splitlines(), wanted.splitlines(), "page", "tool", lineterm="", n=0):
        print(f"# {line}")
    if found != wanted:
        print("# run tests/intrinsic_docs.py TOOL ROOT --write")
    return found != wanted


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2], "--write" in sys.argv))
