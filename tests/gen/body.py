"""The body of a function while it grows: what is there, what may be picked, and how a statement is added."""
import math

import numpy as np

from gen.graph import Statement, Value
from gen.kinds import EXACT, FLOATS, Tens, is_static, product, sizes

FLAG = Tens((), "bool")
SIZES = (0, 1, 2, 3, 7, 8, 9, 16, 17, 33)
INTEGERS = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")
MOST_ELEMENTS = 1500  # of one value, so that thousands of programs a minute can be worked out


def broadcast(a, b):
    """The shape of both; None: they do not fit."""
    if a == b:
        return a
    if len(a) < len(b):
        a, b = b, a
    low, result = (1,) * (len(a) - len(b)) + b, []
    for x, y in zip(a, low):
        if x != y and x != 1 and y != 1:
            return None
        result.append(y if x == 1 else x)
    return tuple(result)


def largest(dtype):
    return 1 if dtype == "bool" else EXACT[dtype] if dtype in EXACT else int(np.iinfo(dtype).max)


class Unfit(Exception):
    """An operator that nothing there fits."""


class Body:
    def __init__(self, maker, params):
        self.maker, self.rng, self.envs = maker, maker.rng, maker.envs
        self.values, self.statements, self.read, self.depth = list(params), [], set(), 0
        self.roots = {}  # names of storage that has several: the first of them

    # ---- adding

    def name(self):
        self.maker.count += 1
        return f"v{self.maker.count}"

    def add(self, kind, text, args, compute, limit=None, exact=None, **more):
        """A statement; limit None: the largest of the arguments'. `exact` False: the operator rounds."""
        if exact is None:
            exact = all(arg.is_exact for arg in args)
        if limit is None:
            limit = max((arg.limit for arg in args), default=1)
        if isinstance(kind, Tens):
            if kind.dtype not in FLOATS:
                exact, limit = True, min(limit, largest(kind.dtype))
            elif exact and limit > EXACT[kind.dtype]:
                raise Unfit
            if self.elements(kind.shape) > MOST_ELEMENTS:
                raise Unfit
        value = Value(self.name(), kind, limit, exact)
        if isinstance(kind, Tens) and not exact and not self.maker.is_smooth:
            raise Unfit
        self.statements.append(Statement(value, text, list(args), compute, more.pop("tag", "op"), **more))
        self.read.update(arg.name for arg in args)
        self.values.append(value)
        if self.statements[-1].tag in ("view", "name") and args:
            self.roots[value.name] = self.root(args[0])
        return value

    def root(self, value):
        return self.roots.get(value.name, value.name)

    def shared(self, test):
        """A value that has other names, if there is one."""
        several = set(self.roots.values())
        if self.rng.random() < 0.5:
            try:
                return self.pick(lambda v: (v.name in several or v.name in self.roots) and test(v))
            except Unfit:
                pass
        return self.pick(test)

    def read_again(self, value):
        """What is updated in place is still wanted, by this name or another one: it becomes a result."""
        if self.rng.random() < 0.55:
            root = self.root(value)
            names = [v.name for v in self.values if self.root(v) == root]
            self.read.discard(self.rng.choice(names))

    def elements(self, shape):
        return max(self.count(shape))

    def count(self, shape):
        """How many elements, for each pair of sizes."""
        if is_static(shape):
            return [math.prod(shape)]
        whole = product(shape)
        return [whole] if type(whole) is int else [sizes((whole,), env)[0] for env in self.envs]

    def field(self, tup, index):
        """A part of a tuple."""
        return self.add(tup.kind.fields[index], f"{{0}}[{index}]", [tup], lambda env, t: t[index], tup.limit, tup.is_exact, tag="name")

    # ---- picking

    def pick(self, test=None):
        """A tensor; recent ones more often."""
        fitting = [v for v in self.values if type(v.kind) is Tens and (test is None or test(v))]
        if not fitting:
            raise Unfit
        rng = self.rng
        return fitting[-1 - min(int(rng.random() * 3), len(fitting) - 1)] if rng.random() < 0.55 else rng.choice(fitting)

    def number(self, test=None):
        return self.pick(lambda v: v.kind.dtype != "bool" and (test is None or test(v)))

    def real(self, test=None):
        return self.pick(lambda v: v.kind.dtype in FLOATS and (test is None or test(v)))

    def integer(self, test=None):
        return self.pick(lambda v: v.kind.dtype in INTEGERS and (test is None or test(v)))

    def exact(self, test=None):
        return self.pick(lambda v: v.is_exact and (test is None or test(v)))

    def ranked(self, least=1, test=None):
        return self.pick(lambda v: len(v.kind.shape) >= least and (test is None or test(v)))

    def same(self, value, test=None):
        """Another of the type, or the value itself."""
        return self.pick(lambda v: v.kind == value.kind and (test is None or test(v)))

    def partner(self, value, test=None):
        """What broadcasts with it."""
        if self.rng.random() < 0.1:
            return value
        if self.rng.random() < 0.15:
            return self.scalar(value.kind.dtype)
        return self.pick(lambda v: v.kind.dtype == value.kind.dtype and broadcast(v.kind.shape, value.kind.shape) is not None and (test is None or test(v)))

    def scalar(self, dtype, low=-3, high=6):
        """A constant of rank 0."""
        number = self.rng.randint(0 if dtype[0] in "ub" else low, 1 if dtype == "bool" else high)
        array = np.array(number, dtype=dtype)
        text = str(bool(number)) if dtype == "bool" else str(number)
        return self.add(Tens((), dtype), f'R.const({text}, "{dtype}")', [], lambda env: array, abs(number))

    def axis(self, shape):
        return self.rng.randrange(len(shape))

    def static_axis(self, shape, test=lambda n: True):
        fitting = [i for i, dim in enumerate(shape) if type(dim) is int and test(dim)]
        if not fitting:
            raise Unfit
        return self.rng.choice(fitting)

    def negative(self, axis, rank):
        """The axis, or as it counts from the end."""
        return axis - rank if self.rng.random() < 0.25 else axis

    # ---- numbers that stay in bounds

    def small(self, value, most):
        """The value, or what is made of it that has no element beyond @most."""
        most = max(int(most), 1)
        if value.limit <= most:
            return value
        dtype, shape, rng = value.kind.dtype, value.kind.shape, self.rng
        if not value.is_exact:
            return self.add(value.kind, "R.tanh({0})", [value], lambda env, x: wide(np.tanh, x), 1)
        if rng.random() < 0.5 and not dtype.startswith("u"):
            by = 1 << (most.bit_length() - 1)
            text = f'R.floor_mod({{0}}, R.const({by}, "{dtype}"))'
            return self.add(value.kind, text, [value], lambda env, x: floor_mod(x, np.array(by, dtype)), by)
        low = 0 if dtype.startswith("u") else -most
        return self.add(value.kind, f"R.clip({{0}}, {low}, {most})", [value], lambda env, x: np.clip(x, np.array(low, dtype), np.array(most, dtype)), most)

    def index(self, shape, size, dtype=None):
        """Whole numbers from 0 below @size, of this shape, made of whatever is there."""
        if size < 1:
            raise Unfit
        value = self.integer(lambda v: v.kind.shape == shape and v.kind.dtype in ("int32", "int64") and (dtype is None or v.kind.dtype == dtype))
        dtype = value.kind.dtype
        return self.add(value.kind, f'R.floor_mod({{0}}, R.const({size}, "{dtype}"))', [value], lambda env, x: floor_mod(x, np.array(size, dtype)), size)

    def flag(self):
        """A bool of rank 0."""
        try:
            return self.pick(lambda v: v.kind == FLAG)
        except Unfit:
            value = self.number(lambda v: v.kind.shape == () and v.is_exact)
            return self.add(FLAG, "R.greater({0}, {1})", [value, self.scalar(value.kind.dtype)], lambda env, x, y: np.greater(x, y))


def wide(function, *arrays):
    """float16 is worked out in float32 and rounded once."""
    dtype = arrays[0].dtype
    if dtype != np.float16:
        return np.asarray(function(*arrays)).astype(dtype, copy=False)
    return np.asarray(function(*(a.astype(np.float32) for a in arrays))).astype(np.float16)


def quotient(x, y):
    """Of integers, rounded down, and what is left; 0 and 0 for a division by 0."""
    x, y = np.broadcast_arrays(x, y)
    is_zero = y == 0
    minus = np.zeros(y.shape, bool) if x.dtype.kind == "u" else y == -1
    safe = np.where(is_zero | minus, np.ones((), x.dtype), y)
    q = np.where(minus, np.negative(x), np.floor_divide(x, safe)).astype(x.dtype)
    rest = np.where(is_zero | minus, np.zeros((), x.dtype), x - q * safe).astype(x.dtype)
    return np.where(is_zero, np.zeros((), x.dtype), q).astype(x.dtype), rest


def floor_mod(x, y):
    if x.dtype.kind in "iu":
        return quotient(x, y)[1]
    return wide(lambda a, b: a - np.floor(a / b) * b, x, y)
