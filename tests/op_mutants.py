"""Calls of operators broken by one edit each: what becomes of them.

Of the examples of op_examples.txt and op_bases.txt, an operand gets or loses a dim, another extent, another dtype, or sizes
that only a run knows; an attribute becomes negative, 0, large, of another kind, or a list of another length.  Each is checked; of those
that `inlay check` accepts, some are run.
"""
import ast
import json
import pathlib
import random
import re
import subprocess

import op_examples

DTYPES = ("bool", "int8", "uint8", "int32", "int64", "float16", "float32", "float64")
BASES = pathlib.Path(__file__).resolve().parent / "op_bases.txt"
AT_ONCE, RUN_AT_ONCE = 400, 16
OPERANDS = ("Expr", "Exprs", "shape", "prim")
# What a value of each kind may become.
VALUES = {
    "int": ["-9", "-1", "0", "9", "1.5", "None", "'zz'", "True", "[1]", "9223372036854775807"],
    "float": ["-9.5", "0", "9", "None", "'zz'", "[1.0]"],
    "bool": ["3", "None", "'zz'", "1.5"],
    "str": ["'zz'", "3", "None", "''"],
    "dtype": ["'zz'", "3", "None", "'bool'", "'int8'", "'float16'", "'int64'", "'float64'"],
    "ints": ["-9", "0", "9", "[]", "None", "'zz'", "[1.5]"],
    "floats": ["-9", "0", "[]", "None", "'zz'"],
    "prim": ["-9", "-1", "0", "9", "1.5", "None", "'zz'", "True", "x", "(1,)"],
    "shape": ["(2,)", "()", "(2, 2)", "(2, 2, 2)", "(-9, 2)", "(0, 2)", "(9,)", "3", "None", "x", "(1.5,)", "(-1, -1)"],
    "Exprs": ["()", "x", "(x,)", "(x, x)", "(x, x, x)", "(1,)", "None", "3", "'zz'", "(x, (x,))", "(-9,)", "(0,)", "(9,)", "(0, 0)", "(1.5,)"],
    "Expr": ["1", "(x,)", "'zz'", "R.const(1, 'int64')", "R.const(1.5, 'float32')", "R.shape([1])", "None", "R.const(True, 'bool')"],
    "any": ["3", "None", "'zz'", "[1]", "-9", "0", "[0, 0]", "[5, 2]", "[-9]", "[1.5]"],
}
# How a run of what was accepted may end with an error: an index that is outside, extents of 1 that einsum does not broadcast.
# Of sizes that only the run knows any error is right.
RUN_ERRORS = r"\[(E0803|E0804|E0820|E0717)\]|a letter stands for \d+ and 1\b|a letter stands for 1 and"


class Operand:
    def __init__(self, name, dtype, shape, elements, form="known"):
        self.name, self.dtype, self.shape, self.elements, self.form = name, dtype, list(shape), elements or ["0"], form

    def but(self, **changes):
        return Operand(**({"name": self.name, "dtype": self.dtype, "shape": self.shape, "elements": self.elements, "form": self.form} | changes))

    def param(self, suffix=""):
        name = self.name + suffix
        shape = {"known": lambda: "(" + "".join(f"{dim}, " for dim in self.shape) + "), ",
                 "symbols": lambda: "(" + "".join(f'"{name}_{axis}", ' for axis in range(len(self.shape))) + "), ",
                 "rank": lambda: f"ndim={len(self.shape)}, ",
                 "nothing": lambda: ""}[self.form]()
        return f'{name}: R.Tensor({shape}dtype="{self.dtype}")'

    def element(self, text):
        if self.dtype == "bool":
            return "false" if text in ("false", "0") else "true"
        text = {"true": "1", "false": "0"}.get(text, text)
        if "int" not in self.dtype:
            return text
        value = float(text)
        value = int(max(-100, min(100, value))) if value == value else 1
        return str(abs(value) if self.dtype[0] == "u" else value)

    def given(self, suffix=""):
        count = 1
        for dim in self.shape:
            count *= dim
        short = self.dtype.replace("float", "f").replace("uint", "u").replace("int", "i")
        elements = " ".join(self.element(self.elements[i % len(self.elements)]) for i in range(count))
        return "--in", f"{self.name}{suffix}={'x'.join([*map(str, self.shape), short])}={elements}"


class Mutant:
    def __init__(self, operator, what, operands, call):
        self.operator, self.what, self.operands, self.call, self.error, self.end = operator, what, operands, call, None, None

    def __str__(self):
        return f"{self.call} | {', '.join(operand.param() for operand in self.operands)} ({self.what})"

    def is_open(self):
        return any(operand.form != "known" for operand in self.operands)

    def text(self, name, head="    @R.function\n"):
        return f"{head}    def {name}({', '.join(operand.param() for operand in self.operands)}):\n        return {self.call}\n"


def of_operands(operator, operands, call):
    """Mutants with another operand each."""
    for i, operand in enumerate(operands):
        shape = operand.shape
        changes = [("a dim in front", {"shape": [2] + shape}), ("a dim of 1 in front", {"shape": [1] + shape}), ("a dim behind", {"shape": shape + [2]}),
                   ("five dims more", {"shape": [1] * 5 + shape})]
        if shape:
            changes += [("no first dim", {"shape": shape[1:]}), ("no last dim", {"shape": shape[:-1]}), ("no dims", {"shape": []})]
        for axis, dim in enumerate(shape):
            changes += [(f"dim {axis} is {other}", {"shape": shape[:axis] + [other] + shape[axis + 1:]}) for other in sorted({0, 1, dim + 1} - {dim})]
        changes += [(f"is {dtype}", {"dtype": dtype}) for dtype in DTYPES if dtype != operand.dtype]
        for form in ("symbols", "rank", "nothing"):
            changes += [(f"of {form}", {"form": form})]
            changes += [(f"of {form}, and dim {axis} one more", {"form": form, "shape": shape[:axis] + [dim + 1] + shape[axis + 1:]})
                        for axis, dim in enumerate(shape)]
        changes += [("of nothing, and a dim less", {"form": "nothing", "shape": shape[1:]})] if shape else []
        for what, change in changes:
            yield Mutant(operator, f"{operand.name}: {what}", operands[:i] + [operand.but(**change)] + operands[i + 1:], call)
        for j in range(i):
            swapped = list(operands)
            swapped[i], swapped[j] = operands[j].but(name=operand.name), operand.but(name=operands[j].name)
            yield Mutant(operator, f"{operands[j].name} and {operand.name} changed over", swapped, call)


def values(kind, default, current):
    """Texts of other values."""
    out = list(VALUES.get(kind, VALUES["any"]))
    if kind not in ("ints", "floats"):
        return out
    if not isinstance(current, list):
        current = ast.literal_eval(default) if default and default[0] == "[" else [1]
    out += map(repr, [current + [1], current + [1] * 9, current[:-1], current + current, current[:1]])
    out += [repr(current[:i] + [other] + current[i + 1:]) for i in range(len(current)) for other in (-9, -1, 0, 2, 3, 9, 1.5)]
    return list(dict.fromkeys(out))


def signature(text):
    """{parameter: (kind, default)}"""
    out = {}
    for part in re.split(r", (?=\*?\w+: )", text):
        match = re.match(r"\*?(\w+): (\w+)\??(?: @\d+)?(?: = (.*))?$", part)
        if match:
            out[match[1]] = (match[2], match[3])
    return out


def of_arguments(operator, operands, call, params):
    """Mutants with another argument each, or one less."""
    names, source = list(params), ast.unparse(ast.parse(call, mode="eval").body)
    for name, (kind, default) in params.items():
        for value in [None, *values(kind, default, None)]:
            tree = ast.parse(call, mode="eval").body
            place = next((keyword for keyword in tree.keywords if keyword.arg == name), None)
            position = names.index(name)
            if value is None:
                if place:
                    tree.keywords.remove(place)
                elif position == len(tree.args) - 1:
                    tree.args.pop()
            else:
                if re.search(r"\bx\b", value) and not any(operand.name == "x" for operand in operands):
                    continue
                new = ast.parse(value, mode="eval").body
                if place:
                    place.value = new
                elif position < len(tree.args):
                    tree.args[position] = new
                elif kind not in OPERANDS:
                    tree.keywords.append(ast.keyword(arg=name, value=new))
                elif position == len(tree.args):
                    tree.args.append(new)
            if ast.unparse(tree) != source:
                yield Mutant(operator, f"{name} {'left out' if value is None else f'is {value}'}", operands, ast.unparse(tree))


def mutants(signatures, wanted):
    for line in (op_examples.TABLE.read_text() + BASES.read_text()).splitlines():
        if not line or line.startswith("#"):
            continue
        example = op_examples.Example(line)
        if example.page or not re.search(wanted, example.name):
            continue
        operands = [Operand(*operand) for operand in example.operands]
        yield Mutant(example.name, "as it is", operands, example.call)
        yield from of_operands(example.name, operands, example.call)
        yield from of_arguments(example.name, operands, example.call, signature(signatures[example.name]))


def call_tool(args):
    try:
        done = subprocess.run(args, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=30 * op_examples.SLOW)
    except subprocess.TimeoutExpired:
        return "timeout", "", ""
    return done.returncode, done.stdout, done.stderr


def check(tool, path, batch):
    """Sets the error of each that is refused.  Some errors hide others, so what is left is checked again."""
    while batch:
        text, owners = op_examples.HEAD, {}
        for mutant in batch:
            first = text.count("\n") + 1
            text += mutant.text(f"f{len(owners)}")
            owners |= {line: mutant for line in range(first, text.count("\n") + 1)}
        path.write_text(text)
        code, out, errors = call_tool([tool, "check", "--diagnostics=short", str(path)])
        refused = {}
        for line, error in re.findall(r"\.py:(\d+):\d+: (error.*)", out + errors):
            refused.setdefault(owners[int(line)], error)
        if code == 0:
            return
        if code != 1 or not refused:
            if len(batch) == 1:
                batch[0].error = f"inlay check ended with {code}: {errors[:300]}"
                return
            check(tool, path, batch[:len(batch) // 2])
            check(tool, path, batch[len(batch) // 2:])
            return
        for mutant, error in refused.items():
            mutant.error = error
        batch = [mutant for mutant in batch if mutant not in refused]


def run(tool, path, batch):
    """Sets how each ends: compiled and interpreted."""
    functions, params, calls, inputs = [], [], [], []
    for number, mutant in enumerate(batch):
        functions.append(mutant.text(f"f{number}", "    @R.function(private=True)\n"))
        params += [operand.param(f"_{number}") for operand in mutant.operands]
        calls.append(f"        r{number} = cls.f{number}({', '.join(f'{operand.name}_{number}' for operand in mutant.operands)})\n")
        for operand in mutant.operands:
            inputs += operand.given(f"_{number}")
    path.write_text(op_examples.HEAD + "".join(functions) + f"    @R.function\n    def main({', '.join(params)}):\n        cls = Module\n" + "".join(calls)
                    + f"        return ({''.join(f'r{number}, ' for number in range(len(batch)))})\n")
    code, _, errors = call_tool([tool, "run", str(path), "-p", "debug", "-O0", "--check", "--no-cache", *inputs])
    if code == 0 or len(batch) == 1:
        for mutant in batch:
            mutant.end = (code, errors.strip())
        return
    run(tool, path, batch[:len(batch) // 2])
    run(tool, path, batch[len(batch) // 2:])


def is_right(mutant):
    code, errors = mutant.end
    return code == 0 or (code == 1 and (mutant.is_open() or bool(re.search(RUN_ERRORS, errors))))


def problems(options, folder):
    """What is wrong with the mutants of all operators, of which @options.count are run."""
    listed = json.loads(call_tool([options.tool, "list", "ops", "--format=json"])[1])["items"]
    every = list(mutants({item["name"]: item["signature"] for item in listed}, options.operator))
    path = folder / "mutants.py"
    for start in range(0, len(every), AT_ONCE):
        check(options.tool, path, every[start:start + AT_ONCE])
    yield from (f"{mutant}: {mutant.error}" for mutant in every if mutant.error and not mutant.error.startswith("error"))
    # What is right and as large takes as long.
    accepted = [mutant for mutant in every if not mutant.error and "9223372036854775807" not in mutant.what]
    # One of each operator at least, then whichever come.
    generator = random.Random(options.seed)
    generator.shuffle(accepted)
    first = list({mutant.operator: mutant for mutant in accepted}.values())
    chosen = (first + [mutant for mutant in accepted if mutant not in set(first)])[:max(options.count, len(first))]
    for start in range(0, len(chosen), RUN_AT_ONCE):
        run(options.tool, path, chosen[start:start + RUN_AT_ONCE])
    print(f"# {len(every)} broken calls of {len({mutant.operator for mutant in every})} operators: {len(accepted)} accepted, {len(chosen)} run")
    for mutant in chosen:
        if options.list:
            print(f"# {mutant.end[0]} {mutant} {mutant.end[1].splitlines()[0] if mutant.end[1] else ''}")
        if not is_right(mutant):
            yield f"{mutant}: ended with {mutant.end[0]}: {mutant.end[1][:300]}"
