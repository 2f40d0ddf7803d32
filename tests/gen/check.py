"""Runs one program in some ways and says what is wrong."""
import collections
import random
import re

from gen import ways
from gen.compare import difference, is_same
from gen.graph import parts
from gen.maker import program_at
from gen.oracle import inputs_of, run, twins_of
from gen.runner import BROKEN, CRASHED, FINE, REFUSED, STRICT, TWIN
from gen.script import text_of_program

Fault = collections.namedtuple("Fault", "kind way text")  # kind: "wrong", "refused", "crashed", "broken", "changed", "again"
NO_COPIES = {"E0301", "E0302", "E0303", "E0304", "E0309", "E0311"}  # strict mode, of a call that needs one
# What a pass may say to an order that cannot work (orders.py).
REFUSALS = {"E0905", "E0908", "E0909", "E0314", "E0910", "E0924", "E0925"}


def expected(program):
    """Results by sizes."""
    return [parts(run(program.main, inputs_of(program, env), env)[0]) for env in program.envs]


def inputs(program):
    donated, twins = program.main.donated, twins_of(program)
    marks = [1 if i in donated else TWIN + twin if twin != i else 0 for i, twin in enumerate(twins)]
    return [list(zip(inputs_of(program, env), marks)) for env in program.envs]


def is_right_to_refuse(way, why):
    codes = set(re.findall(r"error\[(E\d+)\]", why))
    if way.inplace == STRICT and codes and codes <= NO_COPIES:
        return True
    return way.pipeline not in ("default", "debug", "unscheduled") and codes and codes <= REFUSALS and "E0317" not in why


def fault_of(program, wants, way, answer):
    if answer.status == REFUSED and is_right_to_refuse(way, answer.why):
        return None
    if answer.status != FINE:
        return Fault("crashed" if answer.status == CRASHED else "broken" if answer.status == BROKEN else "refused", way, answer.why)
    for i, call in enumerate(answer.calls):
        env = program.envs[i % len(program.envs)]
        if 0 in call.kept:
            return Fault("changed", way, f"argument {list(call.kept).index(0)} is borrowed, and was written")
        if wrong := difference(program, env, wants[i % len(program.envs)], call.results):
            return Fault("wrong", way, wrong)
        first = answer.calls[i % len(program.envs)]
        if not all(map(is_same, first.results, call.results)):
            return Fault("again", way, "another run gives other results")
    return None


def faults(runner, program, some):
    """All ways that are wrong."""
    wants = expected(program)
    answers = runner.ask(text_of_program(program), inputs(program), some)
    return [fault for way, answer in zip(some, answers) if (fault := fault_of(program, wants, way, answer))]


def ways_of(seed, index, is_compiled):
    rng = random.Random(f"{seed}:{index}:ways")
    return ways.compiled(rng) if is_compiled else ways.interpreted(rng)


