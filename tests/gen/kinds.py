"""Types of generated programs: dimensions with two symbols, tensors, tuples, and how a script writes them.

A dimension is an int, or a `Poly`: a sum of products of the symbols `n` and `m`. A shape is a tuple of dimensions.
"""
import collections
import math

Tens = collections.namedtuple("Tens", "shape dtype")
Tup = collections.namedtuple("Tup", "fields")
SYMBOLS = ("n", "m")
FLOATS = ("float16", "float32", "float64")
# The whole numbers that a float has without gaps end here: sums and products below are exact in any order.
EXACT = {"float16": 1 << 11, "float32": 1 << 24, "float64": 1 << 53}


class Poly:
    """A dimension that only a run knows."""
    __slots__ = ("terms", "key")

    def __init__(self, terms):
        self.terms = terms  # (power of n, power of m) -> factor
        self.key = tuple(sorted(terms.items()))

    def __eq__(self, other):
        return isinstance(other, Poly) and self.key == other.key

    def __hash__(self):
        return hash(self.key)

    def __repr__(self):
        return dim_text(self)


def symbol(name):
    return Poly({(int(name == "n"), int(name == "m")): 1})


def terms_of(dim):
    return dim.terms if isinstance(dim, Poly) else {(0, 0): dim} if dim else {}


def made(terms):
    terms = {power: factor for power, factor in terms.items() if factor}
    return Poly(terms) if any(power != (0, 0) for power in terms) else terms.get((0, 0), 0)


def add(a, b):
    if type(a) is int and type(b) is int:
        return a + b
    terms = dict(terms_of(a))
    for power, factor in terms_of(b).items():
        terms[power] = terms.get(power, 0) + factor
    return made(terms)


def multiply(a, b):
    if type(a) is int and type(b) is int:
        return a * b
    terms = {}
    for (i, k), x in terms_of(a).items():
        for (j, l), y in terms_of(b).items():
            terms[i + j, k + l] = terms.get((i + j, k + l), 0) + x * y
    return made(terms)


def product(dims):
    result = 1
    for dim in dims:
        result = multiply(result, dim)
    return result


def at(dim, env):
    """The number that @dim is; @env: (n, m)."""
    if type(dim) is int:
        return dim
    return sum(factor * env[0] ** i * env[1] ** j for (i, j), factor in dim.terms.items())


def sizes(shape, env):
    return tuple(dim if type(dim) is int else at(dim, env) for dim in shape)


def count(shape, env):
    return math.prod(sizes(shape, env))


def is_static(shape):
    return all(type(dim) is int for dim in shape)


def rank(kind):
    return len(kind.shape)


def term_text(power, factor):
    parts = [name for name, times in zip(SYMBOLS, power) for _ in range(times)]
    return " * ".join(parts + [str(factor)] * (factor != 1 or not parts))


def dim_text(dim):
    return str(dim) if type(dim) is int else " + ".join(term_text(power, factor) for power, factor in reversed(dim.key))


def tuple_text(texts):
    return "(" + ", ".join(texts) + ("," if len(texts) == 1 else "") + ")"


def shape_text(shape):
    """As an argument: R.shape([..])."""
    return f"R.shape([{', '.join(map(dim_text, shape))}])"


def text_of(kind):
    """In the body of a function."""
    if isinstance(kind, Tup):
        return f"R.Tuple({', '.join(map(text_of, kind.fields))})"
    return f'R.Tensor({tuple_text(list(map(dim_text, kind.shape)))}, "{kind.dtype}")'


def head_text(kind):
    """In the head of a function, where symbols are strings."""
    if isinstance(kind, Tup):
        return f"R.Tuple({', '.join(map(head_text, kind.fields))})"
    dims = [str(dim) if type(dim) is int else f'"{dim_text(dim)}"' for dim in kind.shape]
    return f'R.Tensor({tuple_text(dims)}, "{kind.dtype}")'


def symbols_of(kind):
    """Symbols that stand alone as a dimension: what a parameter of the type binds."""
    if isinstance(kind, Tup):
        return set().union(*map(symbols_of, kind.fields))
    return {name for name in SYMBOLS for dim in kind.shape if dim == symbol(name)}


def used_symbols(kind):
    if isinstance(kind, Tup):
        return set().union(*map(used_symbols, kind.fields))
    return {name for dim in kind.shape if isinstance(dim, Poly) for power in dim.terms for name, times in zip(SYMBOLS, power) if times}
