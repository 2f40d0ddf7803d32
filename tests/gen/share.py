#!/usr/bin/env python3
"""Does what a kernel may share give the same bits? Each operator, operand and dtype, with extents of 0, 1, 2, 3, 5 and 8.

An operator's operand is given away (`relax.inplace_arg`), the operator lowered, as a schedule makes it too, and everything
that may is put in place (InplaceCalls; no fusion, so each operator is a kernel of its own). Whether the result lies in the
operand is read off the run, not off a decision. It must have the bits that --inplace=off gives, and be what NumPy
says. Many cases are one module. Prints TAP, and which pairs (operator, operand) shared.

usage: gen/share.py RUNNER [--part K/N] [--jobs J] [--pairs]
"""
import argparse
import collections
import concurrent.futures
import itertools
import os
import random
import re
import sys
import warnings

import numpy_first  # noqa: F401 (in front of what needs it)
from gen import check, kernels, maker, statements, stencils, table
from gen.body import Body, Tens, Unfit
from gen.compare import difference, is_same
from gen.graph import Function, Program, Value
from gen.kinds import FLOATS
from gen.runner import AUTO, COMPILE, FINE, OFF, Runner, Way
from gen.script import text_of_program

EXTENTS = (0, 1, 2, 3, 5, 8)
DTYPES = ("float32", "float64", "float16", "int32", "int64", "int8", "uint8", "bool")
TAIL = "ToNonDataflow,InplaceCalls,CallTIRRewrite,KillAfterLastUse"
PIPELINES = {"as lowered": f"LegalizeOps,ResolveInplace,{TAIL}", "scheduled": f"LegalizeOps,ResolveInplace,ScheduleCPU,LowerIntrin,{TAIL}"}
OTHERS = {statements.branch, statements.call, statements.through_object, statements.through_tuple, kernels.call_kernel, kernels.append, statements.hazard, stencils.call_stencil}
FUNCTIONS = [function for _, function, names in table.ROWS if function not in OTHERS]
BATCH, MOST_PARAMS = 60, 200


def shapes():
    one = [(n,) for n in EXTENTS]
    two = list(itertools.product(EXTENTS, EXTENTS))
    three = [(a, b, c) for a, b, c in itertools.product(EXTENTS, repeat=3) if (a + 2 * b + 3 * c) % 5 == 0]
    four = [(1, 2, 3, 5), (2, 3, 2, 2), (1, 8, 2, 2), (2, 1, 5, 3)]
    return [()] + one + two + three + four


class Cases(maker.Maker):
    """Makes single operators on parameters of their own."""

    def __init__(self):
        super().__init__(random.Random(0))
        self.is_smooth, self.is_special, self.is_symbolic, self.envs, self.number = True, False, False, [(1, 1)], 0

    def case(self, function, dtype, shape, seed):
        """(parameters, statements, results) of one operator; None: it does not fit."""
        self.rng = random.Random(f"{function.__name__}:{dtype}:{shape}:{seed}")
        self.shapes, self.dtypes, self.number = [shape, shape[1:], tuple(1 for _ in shape)], [dtype], self.number + 1
        kinds = [Tens(shape, dtype), Tens(shape, dtype), Tens(shape[-1:], dtype), Tens(shape, "bool"), Tens(shape, "int64")]
        params = [Value(f"p{self.number}_{i}", kind, 8, kind.dtype not in FLOATS or seed % 2 == 0) for i, kind in enumerate(kinds)]
        body = Body(self, params)
        try:
            value = function(body)
        except Unfit:
            return None
        wanted = {value.name}
        kept = []
        for statement in reversed(body.statements):
            if statement.out.name in wanted:
                wanted.update(arg.name for arg in statement.args)
                kept.append(statement)
        return [param for param in params if param.name in wanted], kept[::-1], value


def operator_of(statement):
    found = re.match(r"R\.([\w.]+)\(", statement.text)
    return found[1] if found else statement.text


def cases_of(cases, function, dtype, shape, seeds):
    """One for each operand that may be given away: (parameters, statements, result, the one, (operator, operand))."""
    for seed in seeds:
        first = cases.case(function, dtype, shape, seed)
        for i in range(len(first[0]) if first else 0):
            params, body, value = cases.case(function, dtype, shape, seed)
            user = next((s for s in body if params[i].name in [arg.name for arg in s.args]), None)
            if user:
                operand = [arg.name for arg in user.args].index(params[i].name)
                yield params, body, value, i, (operator_of(user), operand)


def programs(function, dtypes, part):
    """Programs of at most BATCH cases, with what each case is."""
    batch, count, cases = [], 0, Cases()
    for number, (dtype, shape) in enumerate(itertools.product(dtypes, shapes())):
        if number % part[1] != part[0]:
            continue
        for case in cases_of(cases, function, dtype, shape, range(2)):
            if len(batch) == BATCH or count + len(case[0]) > MOST_PARAMS:
                yield program_of(batch)
                batch, count = [], 0
            batch.append(case)
            count += len(case[0])
    if batch:
        yield program_of(batch)


def program_of(batch):
    """All cases behind each other, with names that differ."""
    params, body, results, donated, pairs = [], [], [], [], []
    for number, (own, lines, value, which, pair) in enumerate(batch):
        names = {v.name: Value(f"c{number}_{v.name}", v.kind, v.limit, v.is_exact) for v in own + [line.out for line in lines]}
        donated.append(len(params) + which)
        params += [names[v.name] for v in own]
        body += [line.replaced(out=names[line.out.name], args=[names[arg.name] for arg in line.args]) for line in lines]
        results.append(names[value.name])
        pairs.append(pair)
    return Program([Function("main", params, body, results, donated, is_private=False)], [(1, 1)], False, 7), pairs


def judge(runner, program, pairs, shared, wanted):
    """What is wrong with one module, as texts."""
    text, inputs, wants = text_of_program(program), check.inputs(program), check.expected(program)
    wrong = []
    for name, pipeline in PIPELINES.items():
        auto, off = runner.ask(text, inputs, [Way(COMPILE, pipeline, mode) for mode in (AUTO, OFF)])
        if auto.status != FINE or off.status != FINE:
            wrong.append(f"# {name}: {auto.why or off.why}\n{text}")
            continue
        call, other = auto.calls[0], off.calls[0]
        if bad := difference(program, (1, 1), wants[0], call.results):
            wrong.append(f"# {name}: {bad}\n{text}".replace("\n  ", "\n#   ").replace("\nexpected", "\n# expected"))
        for i, pair in enumerate(pairs):
            wanted[pair] += 1
            shared[pair] += call.places[i] == program.main.donated[i]
            if 0 in call.kept or call.results[i].tobytes() != other.results[i].tobytes() and not is_same(call.results[i], other.results[i]):
                wrong.append(f"# {name}: result.{i} is {call.results[i]}, without sharing {other.results[i]}\n{text}")
    return wrong


def work(path, index, dtypes, part):
    warnings.simplefilter("ignore")
    runner, wrong, modules = Runner(path), [], 0
    shared, wanted = collections.Counter(), collections.Counter()
    for program, pairs in programs(FUNCTIONS[index], dtypes, part):
        modules += 1
        wrong += judge(runner, program, pairs, shared, wanted)
    if words := runner.close():
        wrong.append(f"# the runner ends with {words}")
    return modules, wrong, shared, wanted


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("runner")
    parser.add_argument("--part", default="0/1")
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--pairs", action="store_true")
    options = parser.parse_args()
    part = tuple(map(int, options.part.split("/")))
    shared, wanted, failed = collections.Counter(), collections.Counter(), 0
    print(f"1..{len(FUNCTIONS)}")
    with concurrent.futures.ProcessPoolExecutor(options.jobs) as pool:
        found = [pool.submit(work, options.runner, i, DTYPES, part) for i in range(len(FUNCTIONS))]
        for i, future in enumerate(found):
            modules, wrong, some, tried = future.result()
            shared += some
            wanted += tried
            failed += bool(wrong)
            print(f"{'not ok' if wrong else 'ok'} {i + 1} - {FUNCTIONS[i].__module__}.{FUNCTIONS[i].__name__}: {sum(tried.values())} cases, {sum(some.values())} in place", flush=True)
            for text in wrong[:3]:
                print("# " + text.rstrip().replace("\n", "\n# "))
    pairs = sum(1 for count in shared.values() if count)
    print(f"# {sum(wanted.values()):,} runs, {sum(shared.values()):,} in place; {pairs} of {len(wanted)} pairs (operator, operand) shared at least once")
    for pair in sorted(wanted) if options.pairs else ():
        print(f"# {pair[0]} {pair[1]}: {shared[pair]} of {wanted[pair]}")
    return 1 if failed else 0



if __name__ == "__main__":
    sys.exit(main())
