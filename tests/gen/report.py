"""A program that fails, as a script with the command that shows it."""
import shlex

from gen import ways
from gen.check import faults
from gen.oracle import inputs_of
from gen.reduce import smaller
from gen.script import text_of_program

SHORT = {"float": "f", "int": "i", "uint": "u"}


def spec(array):
    name = array.dtype.name
    short = "bool" if name == "bool" else name.replace("uint", "u").replace("int", "i").replace("float", "f")
    dims = "x".join(map(str, array.shape)) + "x" if array.shape else ""
    numbers = " ".join(str(int(v)) if array.dtype.kind in "biu" else repr(float(v)) for v in array.reshape(-1))
    return f"{dims}{short}={numbers}"


def command(program, way, env):
    args = [f"--in={param.name}={spec(array)}" for param, array in zip(program.main.params, inputs_of(program, env))]
    return "inlay run " + shlex.join(ways.command(way) + args)


def lines(program, fault):
    yield f"{fault.kind}, way {tuple(fault.way)}"
    for env in program.envs:
        yield command(program, fault.way, env)
    yield from fault.text.strip().splitlines()[:24]


def report(runner, name, program, fault, is_reduced=True):
    """Text of a failure: what is wrong, and the reduced script."""
    small = smaller(runner, program, fault) if is_reduced else program
    again = faults(runner, small, [fault.way])
    comment = "\n".join(f"# {line}" for line in [name, *lines(small, again[0] if again else fault)])
    return f"{comment}\n{text_of_program(small)}"
