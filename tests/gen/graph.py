"""Generated programs as data: values, statements, functions. script.py writes them, oracle.py works out what they mean."""
import itertools

from gen.kinds import Tup


class Value:
    """A name of the script. `limit`: no element is larger; `is_exact`: whole numbers, which no operator has rounded."""
    __slots__ = ("name", "kind", "limit", "is_exact")

    def __init__(self, name, kind, limit, is_exact=True):
        self.name, self.kind, self.limit, self.is_exact = name, kind, limit, is_exact

    def __repr__(self):
        return self.name


class Statement:
    """`out = text`, with the arguments' names in `text`, and what it means: compute(env, *arrays).

    blocks: of an `if`, both with their result; callee: the function that it calls; kernel: the kernel.
    """
    __slots__ = ("out", "text", "args", "compute", "blocks", "callee", "kernel", "tag", "annotation")

    def __init__(self, out, text, args, compute, tag, **more):
        self.out, self.text, self.args, self.compute, self.tag = out, text, args, compute, tag
        self.blocks, self.callee, self.kernel = more.get("blocks", ()), more.get("callee"), more.get("kernel")
        self.annotation = more.get("annotation")

    def replaced(self, **changes):
        fields = {name: changes.get(name, getattr(self, name)) for name in self.__slots__}
        return Statement(**fields)


class Block:
    """Statements of a branch and what it yields."""
    __slots__ = ("statements", "result")

    def __init__(self, statements, result):
        self.statements, self.result = statements, result


class Function:
    def __init__(self, name, params, statements, results, donated=(), is_private=True, result_kind=None):
        self.name, self.params, self.statements, self.results = name, params, statements, results
        self.donated, self.is_private, self.result_kind = list(donated), is_private, result_kind
        self.is_tuple = True  # returns a tuple of its results, also of one

    def kind(self):
        """Of what it returns."""
        if not self.is_tuple:
            return self.results[0].kind
        return Tup(tuple(value.kind for value in self.results))

    def with_parts(self, **changes):
        other = Function.__new__(Function)
        other.__dict__.update(self.__dict__, **changes)
        return other


class Kernel:
    """text: a prim_func; compute(env, *arrays): its results, in the order of what it writes."""

    def __init__(self, name, text, compute):
        self.name, self.text, self.compute = name, text, compute


class Program:
    """`functions`: the last one is `main`. `env`: sizes of n and m that it is run with, one pair or two."""

    def __init__(self, functions, envs, is_special, seed):
        self.functions, self.envs, self.is_special, self.seed = functions, envs, is_special, seed
        self.has_contracts = seed % 4 > 0  # of packed functions
        self.has_blocks = seed // 4 % 3 == 0  # of dataflow
        self.has_bounds = seed // 60 % 2 == 0  # of symbols: upper ones
        self.has_twins = seed // 12 % 5 == 0  # one tensor for several parameters
        self.given = {}  # by names of parameters: arrays instead of random ones (reduce.py)

    @property
    def main(self):
        return self.functions[-1]


def walk(statements):
    """All statements, also those of branches, in order."""
    for statement in statements:
        yield statement
        for block in statement.blocks:
            yield from walk(block.statements)


def leaves(kind):
    if isinstance(kind, Tup):
        return list(itertools.chain.from_iterable(map(leaves, kind.fields)))
    return [kind]


def parts(value):
    """Arrays of a value that may be a tuple."""
    if isinstance(value, tuple):
        return list(itertools.chain.from_iterable(map(parts, value)))
    return [value]
