"""Makes a program that fails small: fewer results, values that become inputs, one branch of an `if`, smaller sizes."""
import re
import time

from gen.check import faults
from gen.graph import Block, Program, Value
from gen.kinds import Tens
from gen.oracle import inputs_of, run

SECONDS = 60


def what(fault):
    """Faults are the same if they are of one kind, and say the same."""
    return fault.kind, sorted(set(re.findall(r"error\[(E\d+)\]", fault.text)))


def is_needed(statement, wanted):
    return statement.out is None or statement.out.name in wanted


def alive(statements, wanted):
    """What is wanted of statements; @wanted: names, which grow."""
    kept = []
    for statement in reversed(statements):
        if is_needed(statement, wanted):
            if statement.blocks:
                blocks = []
                for block in statement.blocks:
                    wanted.add(block.result.name)
                    blocks.append(Block(alive(block.statements, wanted), block.result))
                statement = statement.replaced(blocks=blocks)
            wanted.update(arg.name for arg in statement.args)
            kept.append(statement)
    return kept[::-1]


def with_main(program, **changes):
    """The program with another main, without what nobody wants."""
    main = program.main.with_parts(**changes)
    wanted = {value.name for value in main.results}
    main.statements = alive(main.statements, wanted)
    other = Program(program.functions[:-1] + [main], program.envs, program.is_special, program.seed)
    # arrays of inputs hang on the number of parameters in front
    other.given = {(p.name, env): array for env in program.envs for p, array in zip(program.main.params, inputs_of(program, env))}
    other.given.update({key: array for key, array in program.given.items() if key not in other.given})
    return other


def without_params(program):
    wanted = {value.name for value in program.main.results}
    alive(program.main.statements, wanted)
    kept = [i for i, param in enumerate(program.main.params) if param.name in wanted]
    donated = [kept.index(i) for i in program.main.donated if i in kept]
    return with_main(program, params=[program.main.params[i] for i in kept], donated=donated)


def replaced(statements, old, new):
    """Statements that read @new where they read @old."""
    def value(v):
        return new if v.name == old.name else v
    return [s.replaced(args=[value(v) for v in s.args], blocks=[Block(replaced(b.statements, old, new), value(b.result)) for b in s.blocks]) for s in statements]


def as_input(program, index):
    """A statement of main whose result becomes a parameter."""
    statement = program.main.statements[index]
    value = statement.out
    if not isinstance(value.kind, Tens):
        return None
    param = Value(value.name, value.kind, value.limit, value.is_exact)
    other = with_main(program, params=program.main.params + [param], statements=program.main.statements[:index] + program.main.statements[index + 1:])
    for env in program.envs:
        other.given[param.name, env] = run(program.main, inputs_of(program, env), env)[1][value.name]
    return other


def flattened(program, index, branch):
    """An `if` that is one of its branches."""
    main, statement = program.main, program.main.statements[index]
    block = statement.blocks[branch]
    rest = replaced(main.statements[index + 1:], statement.out, block.result)
    results = [block.result if v.name == statement.out.name else v for v in main.results]
    return with_main(program, statements=main.statements[:index] + block.statements + rest, results=results)


def earlier(program, index):
    """A value that is another one of its type."""
    main, value = program.main, program.main.statements[index].out
    before = main.params + [s.out for s in main.statements[:index]]
    other = next((v for v in before if v.kind == value.kind and v.is_exact == value.is_exact and v.limit <= value.limit), None)
    if other is None:
        return None
    statements = main.statements[:index] + replaced(main.statements[index + 1:], value, other)
    return with_main(program, statements=statements, results=[other if v.name == value.name else v for v in main.results])


def attempts(program):
    """Smaller programs, the boldest first."""
    main = program.main
    for size in (len(main.results) // 2, 1):
        for at in range(0, len(main.results) if size and len(main.results) > 1 else 0, max(size, 1)):
            yield lambda at=at, size=size: with_main(program, results=main.results[:at] + main.results[at + size:])
    for index in range(len(main.statements) - 1, -1, -1):
        for branch in range(len(main.statements[index].blocks)):
            yield lambda index=index, branch=branch: flattened(program, index, branch)
        yield lambda index=index: as_input(program, index)
        yield lambda index=index: earlier(program, index)
    for i in range(len(main.donated)):
        yield lambda i=i: with_main(program, donated=main.donated[:i] + main.donated[i + 1:])
    yield lambda: without_params(program)
    for env in program.envs if len(program.envs) > 1 else ():
        yield lambda env=env: with_envs(program, [env])


def with_envs(program, envs):
    other = with_main(program)
    other.envs = envs
    return other


def is_smaller(new, old):
    def size(p):
        return (sum(1 for s in p.main.statements) + len(p.main.results) + len(p.main.donated) + len(p.envs), len(p.main.params))
    return sum(size(new)) < sum(size(old)) or size(new) < size(old)


def smaller(runner, program, fault):
    """The smallest program found that has the same fault."""
    end, is_going = time.monotonic() + SECONDS, True
    while is_going:
        is_going = False
        for attempt in attempts(program):
            if time.monotonic() > end:
                return program
            other = attempt()
            if other is None or not other.main.results or not is_smaller(other, program):
                continue
            try:
                found = faults(runner, other, [fault.way])
            except Exception:  # noqa: BLE001 (no program any more)
                continue
            if found and what(found[0]) == what(fault):
                program, is_going = other, True
                break
    return program
