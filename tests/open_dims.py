#!/usr/bin/env python3
"""Calls of all operators whose dims are open: compiled code refuses what the interpreter refuses, and gives what it gives.

The examples of operators (op_examples.txt, op_bases.txt) with one dim that is a symbol, with a symbol for each dim, and with symbols for two dims
that are equal.  They run with the sizes of the example, and with one dim longer, shorter, 1 or 0, interpreted and compiled: both
end with an error, or both give the same numbers.  Of what is refused then for its shape, the same call of literal dims is refused by `check`,
and what runs then gives the same with literal dims.  Prints TAP.

usage: open_dims.py RUNNER [--operator REGEX] [--part K/N] [--form plain|fused|donated] [--list]
"""
import argparse
import collections
import dataclasses
import itertools
import re
import sys

import numpy as np

import op_examples
import op_mutants
import open_dims_numpy
from gen import runner
from gen.runner import BROKEN, COMPILE, CRASHED, FINE, INTERPRET, Way

REFUSALS = {"E0802", "E0803", "E0804", "E0806"}  # how a run may end; the last: of a size below 0
REFUSED = "refused as code"
NO_CODE = {"E0620", "E0621", "E0622", "E0623"}  # of what has no shape before it runs
HEAD = op_examples.HEAD


@dataclasses.dataclass(frozen=True)
class Variant:
    """A call; `symbols` names those of its dims, by (operand, axis), that are open."""
    call: str
    operands: tuple
    symbols: tuple  # ((operand, axis), name)
    form: str

    def dims(self, number):
        named = dict(self.symbols)
        return [named.get((number, axis), str(dim)) for axis, dim in enumerate(self.operands[number].shape)]

    def param(self, number):
        operand = self.operands[number]
        dims = "".join(f"{dim}, " if dim.isdigit() else f'"{dim}", ' for dim in self.dims(number))
        return f'{operand.name}: R.Tensor(({dims}), "{operand.dtype}")'

    def text(self):
        params = ", ".join(map(self.param, range(len(self.operands))))
        lines = []
        if self.form == "donated":
            lines.append('R.func_attr({"relax.inplace_arg": [0]})')
        if self.form == "fused":
            lines += [f'{operand.name} = R.multiply({operand.name}, R.const(1, "{operand.dtype}"))' for operand in self.operands if operand.dtype != "bool"]
            lines += [f"r = {self.call}", "r = R.add(r, r)"]
        else:
            lines.append(f"r = {self.call}")
        return f"{HEAD}    @R.function\n    def main({params}):\n" + "".join(f"        {line}\n" for line in lines + ["return r"])

    def literal(self, shapes):
        operands = tuple(operand.but(shape=shape) for operand, shape in zip(self.operands, shapes, strict=True))
        return dataclasses.replace(self, operands=operands, symbols=())

    def arrays(self, shapes):
        mark = lambda number: 1 if self.form == "donated" and number == 0 else 0
        return [(array(operand, shape), mark(number)) for number, (operand, shape) in enumerate(zip(self.operands, shapes, strict=True))]


def array(operand, shape):
    count = int(np.prod(shape, dtype=int))
    elements = [operand.element(operand.elements[i % len(operand.elements)]) for i in range(count)]
    if operand.dtype == "bool":
        elements = [element == "true" for element in elements]
    return np.array([float(element) for element in elements]).astype(operand.dtype).reshape(shape)


def places(operands):
    return [(number, axis) for number, operand in enumerate(operands) for axis in range(len(operand.shape))]


def others(dim):
    return sorted({dim + 1, max(dim - 1, 0), 1, 0} - {dim})


def but(shapes, *changes):
    shapes = [list(shape) for shape in shapes]
    for (number, axis), dim in changes:
        shapes[number][axis] = dim
    return shapes


def variants(call, operands, form):
    """(variant, lists of shapes that it runs with); what is sent back says whether there is code for the variant."""
    shapes, every = [operand.shape for operand in operands], places(operands)
    dim = lambda place: shapes[place[0]][place[1]]
    one = lambda place: [but(shapes, (place, other)) for other in others(dim(place))]
    for place in every:
        yield Variant(call, operands, ((place, "size"),), form), [shapes, *one(place)]
    names = tuple((place, f"size{number}") for number, place in enumerate(every))
    together = [but(shapes, *((place, other) for place in every if dim(place) == same)) for same in {dim(place) for place in every} for other in others(same)]
    if len(every) < 2 or (yield Variant(call, operands, names, form), [shapes, *itertools.chain(*map(one, every)), *together]):
        return
    for first, second in itertools.combinations(every, 2):
        if first[0] != second[0] and dim(first) == dim(second):
            both = [but(shapes, (first, other), (second, other)) for other in others(dim(first))]
            yield Variant(call, operands, ((first, "size"), (second, "other")), form), [shapes, *one(first), *one(second), *both]


def examples(wanted):
    for line in (op_examples.TABLE.read_text() + op_mutants.BASES.read_text()).splitlines():
        if not line or line.startswith("#"):
            continue
        example = op_examples.Example(line)
        if not example.page and example.operands and re.search(wanted, example.name):
            yield example.name, example.call, tuple(op_mutants.Operand(*operand) for operand in example.operands)


class Judge:
    def __init__(self, options):
        self.runner, self.options = runner.Runner(options.runner), options
        self.compiled = Way(COMPILE, level=0)
        self.counts = collections.Counter()

    def problems(self, name, call, operands):
        asked, has_code = variants(call, operands, self.options.form), None
        while True:
            try:
                variant, all_shapes = asked.send(has_code)
            except StopIteration:
                return
            has_code = True
            for number, shapes in enumerate(all_shapes):
                wrong = self.judge(variant, shapes, number == 0)
                if wrong == REFUSED:
                    self.counts[wrong] += 1
                    has_code = False
                    break
                if wrong:
                    yield f"{name}: {call} | {', '.join(map(variant.param, range(len(operands))))} with {shapes}: {wrong}"

    def judge(self, variant, shapes, is_first):
        self.counts["runs"] += 1
        arrays = variant.arrays(shapes)
        meant, code = self.runner.ask(variant.text(), [arrays], [Way(INTERPRET), self.compiled])
        if meant.status == CRASHED and "no tensor" in meant.why:  # its result is a shape or a number
            return REFUSED
        for what, answer in (("interpreter", meant), ("compiled code", code)):
            if answer.status in (BROKEN, CRASHED):
                return f"the {what} crashed: {answer.why[-600:]}"
        is_unfit = variant.form != "plain" and any(found.startswith("E06") for found in codes(meant))  # a tuple, or bool, beside arithmetic
        if is_first and (is_unfit or codes(code) & NO_CODE):
            return REFUSED
        if self.options.list:
            print("#", variant.call, shapes, said(meant), "|", said(code))
        if variant.call.startswith("R.grad.nll_loss_backward") and "E0803" in codes(meant) and code.status == FINE:
            self.counts["a class that there is not"] += 1  # its gradient is 0 in compiled code, which reads nothing there
            return None
        if meant.status != code.status:
            return f"the interpreter {said(meant)}, compiled code {said(code)}"
        wrong = self.judge_outside(variant, arrays, meant)
        if wrong:
            return wrong
        if meant.status == FINE:
            self.counts["gave numbers"] += 1
            wrong = difference(meant, code)
            return f"compiled code gives {wrong}" if wrong else self.judge_literal(variant, shapes, arrays, meant)
        self.counts[f"refused with {','.join(codes(meant))}, {','.join(codes(code))}"] += 1
        if codes(meant) - REFUSALS or codes(code) - REFUSALS:
            return f"the interpreter {said(meant)}, compiled code {said(code)}"
        return self.judge_literal(variant, shapes, arrays, meant)

    def judge_outside(self, variant, arrays, meant):
        if variant.form != "plain":
            return None
        try:
            wanted = open_dims_numpy.value(variant.call, [operand.name for operand in variant.operands], [array for array, _ in arrays])
        except open_dims_numpy.Misfit:
            self.counts["refused by NumPy"] += 1
            return "NumPy refuses it" if meant.status == FINE else None
        if wanted is None:
            return None
        self.counts["compared with NumPy"] += 1
        if meant.status != FINE:
            return f"NumPy gives numbers, the interpreter {said(meant)}"
        found = meant.calls[0].results[0]
        is_same = found.shape == wanted.shape and np.allclose(found.astype("float64"), wanted.astype("float64"), rtol=1e-5, equal_nan=True)
        return None if is_same else f"NumPy gives {wanted.ravel()[:12]}, the interpreter {found.ravel()[:12]}"

    def judge_literal(self, variant, shapes, arrays, meant):
        (literal,) = self.runner.ask(variant.literal(shapes).text(), [arrays], [Way(INTERPRET)])
        if literal.status in (BROKEN, CRASHED):
            return f"the interpreter crashed, with literal dims: {literal.why[-600:]}"
        if meant.status == FINE and literal.status != FINE:
            return f"runs, and with literal dims {said(literal)}"
        if meant.status == FINE:
            wrong = difference(meant, literal)
            return f"literal dims give {wrong}" if wrong else None
        if variant.call.startswith("R.squeeze"):  # an axis that is not 1 stays, and its result has another rank: a warning
            return None
        if "E0802" in codes(meant) and not any(found.startswith("E06") for found in codes(literal)):
            return f"{said(meant)}, and check says nothing where dims are literal ({said(literal)})"
        return None


def codes(answer):
    return set(re.findall(r"\berror\[(E\d+)\]", answer.why))


def said(answer):
    return "gives numbers" if answer.status == FINE else "says " + next((line for line in answer.why.split("\n") if "error" in line), answer.why)


def difference(meant, found):
    for number, (a, b) in enumerate(zip(meant.calls[0].results, found.calls[0].results, strict=True)):
        if a.shape != b.shape or a.dtype != b.dtype:
            return f"result {number} of {b.dtype}{b.shape}, not {a.dtype}{a.shape}"
        with np.errstate(all="ignore"):
            is_close = a.dtype.kind == "f" and np.allclose(b.astype("float64"), a.astype("float64"), rtol=1e-4, atol=1e-5, equal_nan=True)
        if not is_close and not np.array_equal(a, b):
            return f"{b.ravel()[:12]}, not {a.ravel()[:12]}"
    return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("runner")
    parser.add_argument("--operator", default="", help="only those whose name has this")
    parser.add_argument("--part", default="0/1", help="K/N: of N parts of the examples, one")
    parser.add_argument("--form", default="plain", choices=("plain", "fused", "donated"))
    parser.add_argument("--list", action="store_true", help="print how each run ended")
    options = parser.parse_args()
    part, parts = map(int, options.part.split("/"))
    judge, found, tested = Judge(options), [], 0
    for name, call, operands in list(examples(options.operator))[part::parts]:
        tested += 1
        for line in judge.problems(name, call, operands):
            found.append(line)
            print("#", line.replace("\n", "\n# "), flush=True)
    ended = judge.runner.close()
    if ended:
        found.append(f"the runner: {ended}")
    print("1..1")
    print(f"{'not ok' if found else 'ok'} 1 - calls whose dims are open")
    print(f"# {tested} examples: {dict(judge.counts)}")
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
