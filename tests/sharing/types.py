"""Types of the programs that share storage, and what a script says of them."""
import collections

Tens = collections.namedtuple("Tens", "shape dtype")
Tup = collections.namedtuple("Tup", "fields")
# known: True, None (R.Object), a text such as "R.Tensor(ndim=2)", or for a tuple a list of these
# roots: names of the values whose storage it may live in
Value = collections.namedtuple("Value", "name type known roots", defaults=(frozenset(),))
Callee = collections.namedtuple("Callee", "name params result known donated")

COUNTER = Tens((), "int32")
FLAG = Tens((), "bool")
SIZES = {1: [(1,), (), (1, 1)], 3: [(3,), (1, 3), (3, 1)], 4: [(4,), (2, 2), (1, 4)], 6: [(2, 3), (6,), (3, 2)], 8: [(8,), (2, 4), (2, 2, 2)]}


def dims(shape):
    return "(" + ", ".join(map(str, shape)) + ("," if len(shape) == 1 else "") + ")"


def text_of(kind):
    """The exact annotation of a type."""
    if isinstance(kind, Tup):
        return f"R.Tuple({', '.join(map(text_of, kind.fields))})"
    return f'R.Tensor({dims(kind.shape)}, "{kind.dtype}")'


def is_exact(known):
    return known is True or (isinstance(known, list) and all(map(is_exact, known)))


def exact(kind):
    return [exact(field) for field in kind.fields] if isinstance(kind, Tup) else True


def joined(a, b):
    """What is known of a value that is one or the other."""
    if isinstance(a, list) and isinstance(b, list):
        return [joined(x, y) for x, y in zip(a, b)]
    return a if a == b else None if None in (a, b) else "R.Tensor"


def is_enough(have, want):
    """May a value of which @have is known stand where @want is said?"""
    if isinstance(have, list) and isinstance(want, list):
        return all(map(is_enough, have, want))
    return want is None or have == want or (isinstance(want, str) and (have is True or want == "R.Tensor" and isinstance(have, str)))


def roots_of(values):
    return frozenset().union(*(value.roots for value in values))
