"""Tensors as lists of numbers, the arithmetic of each dtype, and a call with what it must give (for random_operators.py)."""
import itertools
import math
import struct

CODES = {"float64": "d", "float32": "f", "float16": "e", "bfloat16": "H", "int8": "b", "int16": "h", "int32": "i", "int64": "q",
         "uint8": "B", "uint16": "H", "uint32": "I", "uint64": "Q", "bool": "?"}
FLOATS = ["float64", "float32", "float16", "bfloat16"]
INTEGERS = [name for name in CODES if "int" in name]
# Of one rounding, and of the sums of some thousands that these tests make.
CLOSE = {"float64": 1e-12, "float32": 2e-5, "float16": 2e-3, "bfloat16": 1.6e-2}


def bits_of(dtype):
    return int(dtype.lstrip("uintfloab"))


def is_float(dtype):
    return dtype in FLOATS


def low(dtype):
    return 0 if dtype[0] == "u" else -(1 << (bits_of(dtype) - 1))


def high(dtype):
    return (1 << (bits_of(dtype) - (dtype[0] != "u"))) - 1


def single(value):
    """Rounded to float32."""
    try:
        return struct.unpack("<f", struct.pack("<f", value))[0]
    except OverflowError:
        return math.copysign(math.inf, value)


def to_bfloat(value):
    """The upper half of a float32, rounded to even, as an integer."""
    if math.isnan(value):
        return 0x7FC0
    bits = struct.unpack("<I", struct.pack("<f", single(value)))[0]
    return (bits + 0x7FFF + (bits >> 16 & 1)) >> 16


def from_bfloat(bits):
    return struct.unpack("<f", struct.pack("<I", bits << 16))[0]


def fit(dtype, value):
    """@value as an element of @dtype: integers wrap, floats are rounded."""
    if dtype == "bool":
        return bool(value)
    if dtype == "float64":
        return float(value)
    if dtype == "float32":
        return single(value)
    if dtype == "float16":
        if math.isnan(value) or math.isinf(value):
            return float(value)
        try:
            return struct.unpack("<e", struct.pack("<e", value))[0]
        except OverflowError:
            return math.copysign(math.inf, value)
    if dtype == "bfloat16":
        return from_bfloat(to_bfloat(value))
    bits = bits_of(dtype)
    value &= (1 << bits) - 1
    return value - (1 << bits) if dtype[0] != "u" and value >> (bits - 1) else value


def saturate(dtype, value):
    """A float as an integer."""
    if math.isnan(value):
        return 0
    return max(low(dtype), min(high(dtype), int(value) if math.isfinite(value) else (high(dtype) if value > 0 else low(dtype))))


def wide(dtype):
    """The dtype that is computed in."""
    return "float32" if dtype in ("float16", "bfloat16") else dtype


def truncated(a, b):
    """a / b towards zero; 0 for a division by 0."""
    if b == 0:
        return 0
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def size_of(shape):
    return math.prod(shape)


class Tensor:
    def __init__(self, dtype, shape, items, scale=None):
        self.dtype, self.shape, self.items = dtype, tuple(shape), list(items)
        assert len(self.items) == size_of(self.shape), (self.shape, len(self.items))
        self.scale = scale  # of floats: errors are relative to this, by element; None: to the element itself

    def descr(self):
        if self.dtype == "bfloat16":
            return "<V2"
        if self.dtype == "bool":
            return "|b1"
        kind = {"f": "f", "i": "i", "u": "u"}[self.dtype[0]]
        return ("|" if bits_of(self.dtype) == 8 else "<") + f"{kind}{bits_of(self.dtype) // 8}"

    def pack(self):
        items = [to_bfloat(v) for v in self.items] if self.dtype == "bfloat16" else self.items
        return struct.pack(f"<{len(items)}{CODES[self.dtype]}", *items)

    def unpack(self, data):
        items = struct.unpack(f"<{len(self.items)}{CODES[self.dtype]}", data)
        return [from_bfloat(v) for v in items] if self.dtype == "bfloat16" else items

    def is_close(self, a, b, index):
        if not is_float(self.dtype):
            return a == b
        if math.isnan(a) or math.isnan(b):
            return math.isnan(a) and math.isnan(b)
        if math.isinf(a) or math.isinf(b):
            return a == b
        largest = max(abs(a), self.scale[index] if self.scale else 0)
        return abs(a - b) <= CLOSE[self.dtype] * largest

    def strides(self):
        strides, step = [], 1
        for dim in reversed(self.shape):
            strides.insert(0, step)
            step *= dim
        return strides

    def __getitem__(self, index):
        return self.items[sum(i * s for i, s in zip(index, self.strides(), strict=True))]

    def __setitem__(self, index, value):
        self.items[sum(i * s for i, s in zip(index, self.strides(), strict=True))] = value

    def indices(self):
        return itertools.product(*map(range, self.shape))


class Case:
    """A call, filled in by a family: `call` with {0}, {1}.. for the inputs, which gives the tensors `wanted`."""

    def __init__(self, rng):
        self.rng = rng
        self.inputs, self.wanted = [], []
        self.tables = []  # more inputs, for what is done first
        self.call = ""
        self.may_be_symbolic = True
        self.prologue = {}  # input -> form of what is done to it first: "R.add({}, R.const(1, \"int8\"))"; {0} is the first table
        self.epilogue = {}  # result -> the same

    @property
    def text(self):
        return self.call

    def tensor(self, dtype, shape, values=None):
        """A random input: small whole numbers, which all dtypes hold."""
        if dtype == "bool":
            values = values or (False, True)
        values = values or ((0, 1, 2, 3, 5, 7, 11) if dtype[0] == "u" else (-3, -2, -1, 0, 1, 2, 3, 5, 7))
        items = self.rng.choices(values, k=size_of(shape))
        self.inputs.append(Tensor(dtype, shape, [float(v) for v in items] if is_float(dtype) else items))
        return self.inputs[-1]

    def shape(self, *, least=0, most=3, dims=(1, 1, 2, 3, 4, 5, 7, 0)):
        return tuple(self.rng.choice(dims) for _ in range(self.rng.randrange(least, most + 1)))

    def lines(self, name, names):
        made, given = [], list(names)
        for i, form in self.prologue.items():
            given[i] = f"{name}_in{i}"
            made.append(f"{given[i]} = " + form.replace("{}", names[i]).format(*names[len(self.inputs):]))
        calls = [f"{name}_{i}" for i in range(len(self.wanted))]
        call = "R." + self.call.format(*given)
        if len(calls) > 1:
            made.append(f"{name} = {call}")
            made += [f"{c}{'_raw' if i in self.epilogue else ''} = {name}[{i}]" for i, c in enumerate(calls)]
        else:
            made.append(f"{calls[0]}{'_raw' if 0 in self.epilogue else ''} = {call}")
        made += [f"{calls[i]} = " + form.replace("{}", calls[i] + "_raw") for i, form in self.epilogue.items()]
        return made
