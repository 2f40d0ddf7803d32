"""What scripts mean, computed by Python alone: for tests that may not trust any part of Inlay.

TVMScript is Python. Here `T`, `R` and `I` are objects that compute, so a script runs as it stands: values are immutable, each kernel
gets private copies of its arguments, every element is a Python number that is kept in the range of its type. Nothing
shares storage, so nothing can go wrong with it. Known is what the tests of storage use: numbers are integers, also
in tensors of floats, and a float that is not exact is an error (`Inexact`).
"""
import base64
import itertools
import json
import math
import re
import struct
import sys
import types


class Inexact(Exception):
    """A number that float32 rounds, or that float64 may."""


BITS = {"int8": 8, "int32": 32, "int64": 64, "uint8": 8}


def fit(dtype, value):
    """@value as an element of @dtype."""
    if dtype == "bool":
        return bool(value)
    if dtype.startswith("float"):
        if isinstance(value, int) or value != int(value):
            value = float(value)
        if value != int(value) or abs(value) >= (1 << 24 if dtype == "float32" else 1 << 52):
            raise Inexact(f"{value} as {dtype}")
        return float(value) + 0.0  # no negative zero
    bits = BITS[dtype]
    value = int(value) & (1 << bits) - 1
    return value - (1 << bits) if dtype[0] == "i" and value >> (bits - 1) else value


def count(shape):
    return math.prod(shape)


def places(shape):
    return itertools.product(*map(range, shape))


class Type:
    def __init__(self, kind, shape=None, dtype=None, fields=()):
        self.kind, self.shape, self.dtype, self.fields = kind, shape, dtype, fields

    def __call__(self, *_args, **_kwargs):
        return self

    def __getitem__(self, _item):
        return self


class Tensor:
    """A value: nothing of it changes."""

    def __init__(self, shape, dtype, data):
        self.shape, self.dtype = tuple(shape), dtype
        self.data = tuple(fit(dtype, v) for v in data)
        assert len(self.data) == count(self.shape)

    def __bool__(self):
        assert self.shape == () and self.dtype == "bool"
        return self.data[0]

    def __eq__(self, other):
        return isinstance(other, Tensor) and vars(self) == vars(other)

    def __repr__(self):
        return f"{list(self.shape)} {self.dtype} {list(self.data)}"

    def at(self, place):
        offset = 0
        for size, i in zip(self.shape, place, strict=True):
            assert 0 <= i < size
            offset = offset * size + i
        return self.data[offset]


def dims(shape):
    """The dimensions of a type; symbols are what the function that runs makes of them."""
    return tuple(symbols[-1].get(d, d) if isinstance(d, str) else d for d in shape)


# Values of symbols: one dictionary for each call in work.
symbols = [{}]


def bind(annotation, value):
    """Symbols of a parameter: dimensions that are names."""
    if isinstance(annotation, Type) and annotation.kind == "tensor" and annotation.shape and isinstance(value, (Tensor, Buffer)):
        for dim, size in zip(annotation.shape, value.shape, strict=True):
            known = symbols[-1].setdefault(dim, size) if isinstance(dim, str) and dim.isidentifier() else dim
            assert known == size or isinstance(dim, str)


class Function:
    """A kernel or a function: called with the symbols that its arguments bind."""

    def __init__(self, python):
        self.python = python
        self.annotations = list(python.__annotations__.items())
        self.names = python.__code__.co_varnames[:python.__code__.co_argcount]

    def __call__(self, *args):
        symbols.append({})
        try:
            for name, arg in zip(self.names, args, strict=True):
                bind(self.python.__annotations__.get(name), arg)
            return self.python(*args)
        finally:
            symbols.pop()


def decorate(*args, **_kwargs):
    return Function(args[0]) if args else Function


# ---- kernels


class Buffer:
    def __init__(self, shape, dtype, data=None):
        self.shape, self.dtype = tuple(shape), dtype
        self.data = dict(zip(places(self.shape), data)) if data is not None else {}

    def place(self, index):
        index = index if isinstance(index, tuple) else (index,)
        assert len(index) == len(self.shape) and all(0 <= i < n for i, n in zip(index, self.shape)), "index out of bounds"
        return index

    def __getitem__(self, index):
        return self.data[self.place(index)]  # (a KeyError: the script reads what was never written)

    def __setitem__(self, index, value):
        self.data[self.place(index)] = fit(self.dtype, value)

    def value(self):
        return Tensor(self.shape, self.dtype, [self.data[place] for place in places(self.shape)])


class Nothing:
    """A `with` that only groups."""

    def __init__(self, *_args, **_kwargs):
        pass

    def __enter__(self):
        return self

    def __exit__(self, *_error):
        return False


def scalar(dtype):
    """T.int32(3): a number, which is rounded where it is stored."""
    return float if dtype.startswith("float") else lambda value: fit(dtype, value)


def buffer_type(shape, dtype="float32", **_kwargs):
    return Type("tensor", shape if isinstance(shape, tuple) else (shape,), dtype)


T = types.SimpleNamespace(
    prim_func=decorate, Buffer=buffer_type, sblock=Nothing, block=Nothing, grid=lambda *sizes: places(sizes) if len(sizes) > 1 else range(*sizes),
    serial=range, parallel=range, vectorized=range, unroll=range, max=max, min=min, let=Type("any"),
    Select=lambda c, a, b: a if c else b, if_then_else=lambda c, a, b: a if c else b, Cast=fit, cast=lambda v, dtype: fit(dtype, v),
    floor=math.floor, floordiv=lambda a, b: a // b, floormod=lambda a, b: a % b, fabs=abs, abs=abs,
    axis=types.SimpleNamespace(spatial=lambda _n, v: v, reduce=lambda _n, v: v, remap=lambda _kinds, values: values),
    sblock_alloc_buffer=lambda shape, dtype="float32": Buffer(shape, dtype),
    alloc_buffer=lambda shape, dtype="float32": Buffer(shape, dtype),
    reads=lambda *_: None, writes=lambda *_: None, func_attr=lambda *_: None,
    symbol=lambda name: symbols[-1][name],
    **{dtype: scalar(dtype) for dtype in ("bool", "int8", "uint8", "int32", "int64", "float32", "float64")})


# ---- graphs


def kernel_args(args):
    return args if isinstance(args, tuple) else (args,)


def run_kernel(kernel, args, types_, indices):
    """Results by @indices: the argument's private copy behind the run, or for -1 a fresh buffer."""
    wanted = types_ if isinstance(types_, (list, tuple)) else [types_]
    copies = [Buffer(a.shape, a.dtype, a.data) if isinstance(a, Tensor) else a for a in args]
    fresh = [Buffer(dims(t.shape), t.dtype) for t, i in zip(wanted, indices, strict=True) if i < 0]
    kernel(*copies, *fresh)
    for i, (arg, copy) in enumerate(zip(args, copies)):
        assert i in indices or not isinstance(arg, Tensor) or copy.value() == arg, "a kernel writes what is no result"
    rest = iter(fresh)
    results = tuple((copies[i] if i >= 0 else next(rest)).value() for i in indices)
    for result, type_ in zip(results, wanted):
        assert result.shape == dims(type_.shape) and result.dtype == type_.dtype
    return results if isinstance(types_, (list, tuple)) and len(wanted) > 1 else results[0]


def call_tir(kernel, args, out_ty=None, out_sinfo=None):
    wanted = out_ty or out_sinfo
    return run_kernel(kernel, kernel_args(args), wanted, [-1] * (len(wanted) if isinstance(wanted, (list, tuple)) else 1))


def call_tir_inplace(kernel, args, inplace_indices=None, out_ty=None, out_sinfo=None, **_kwargs):
    indices = inplace_indices if isinstance(inplace_indices, list) else [inplace_indices]
    return run_kernel(kernel, kernel_args(args), out_ty or out_sinfo, indices)


def broadcast(*shapes):
    rank = max(map(len, shapes))
    wide = [(1,) * (rank - len(s)) + s for s in shapes]
    result = tuple(max(sizes) if min(sizes) > 0 else 0 for sizes in zip(*wide))
    assert all(n in (1, size) for s in wide for n, size in zip(s, result))
    return result


def spread(x, shape):
    return [x.at(tuple(i if n > 1 else 0 for i, n in zip(place[len(shape) - len(x.shape):], x.shape))) for place in places(shape)]


def elementwise(function, dtype=None):
    def run(*args):
        tensors = [a for a in args if isinstance(a, Tensor)]
        args = [a if isinstance(a, Tensor) else Tensor((), tensors[0].dtype, [a]) for a in args]
        shape = broadcast(*(a.shape for a in args))
        return Tensor(shape, dtype or args[-1].dtype, map(function, *(spread(a, shape) for a in args)))
    return run


def make_const(value, dtype="float32"):
    shape, flat = [], [value]
    while isinstance(flat[0], list):
        shape.append(len(flat[0]))
        flat = [v for part in flat for v in part]
    return Tensor(shape, dtype, flat)


def tensor_type(shape=None, dtype=None, **_kwargs):
    return Type("tensor", dims_of(shape), dtype)


def dims_of(shape):
    return tuple(shape) if isinstance(shape, (tuple, list)) else None


def view(x, shape):
    return Tensor(resolve(shape, x), x.dtype, x.data)


def resolve(shape, x):
    given = list(dims(shape))
    if -1 in given:
        given[given.index(-1)] = count(x.shape) // -count(given)
    return given


def axes(axis, rank):
    axis = axis if isinstance(axis, (list, tuple)) else [axis]
    return [a % rank for a in axis]


def expand_dims(x, axis):
    shape = list(x.shape)
    for a in sorted(axes(axis, len(shape) + (len(axis) if isinstance(axis, (list, tuple)) else 1))):
        shape.insert(a, 1)
    return view(x, shape)


def squeeze(x, axis=None):
    gone = [i for i, n in enumerate(x.shape) if n == 1] if axis is None else axes(axis, len(x.shape))
    return view(x, [n for i, n in enumerate(x.shape) if i not in gone])


def move(x, shape, source):
    return Tensor(shape, x.dtype, [x.at(source(place)) for place in places(shape)])


def permute_dims(x, axes=None):
    axes = axes or list(reversed(range(len(x.shape))))
    back = [axes.index(i) for i in range(len(axes))]
    return move(x, [x.shape[a] for a in axes], lambda p: [p[b] for b in back])


def flip(x, axis):
    return move(x, x.shape, lambda p: [n - 1 - i if k == axis % len(p) else i for k, (i, n) in enumerate(zip(p, x.shape))])


def concat(parts, axis=0):
    parts = list(parts)
    axis %= len(parts[0].shape)
    owner = [(part, i) for part in parts for i in range(part.shape[axis])]
    shape = [len(owner) if k == axis else n for k, n in enumerate(parts[0].shape)]

    def at(place):
        part, i = owner[place[axis]]
        return part.at([i if k == axis else v for k, v in enumerate(place)])
    return Tensor(shape, parts[0].dtype, map(at, places(shape)))


def split(x, sections, axis=0):
    size = x.shape[axis] // sections
    shape = [size if k == axis else n for k, n in enumerate(x.shape)]
    return tuple(move(x, shape, lambda p, s=s: [i + s * size if k == axis else i for k, i in enumerate(p)]) for s in range(sections))


def strided_slice(x, axes, begin, end, strides=None):
    (axis,), (low,), (high,), step = axes, begin, end, (strides or [1])[0]
    kept = range(x.shape[axis])[low:high:step]
    shape = [len(kept) if k == axis else n for k, n in enumerate(x.shape)]
    return move(x, shape, lambda p: [kept[i] if k == axis else i for k, i in enumerate(p)])


def stack(parts, axis=0):
    return concat([expand_dims(part, [axis]) for part in parts], axis)


def cumsum(x, axis):
    axis %= len(x.shape)
    return Tensor(x.shape, x.dtype, [sum(x.at([*p[:axis], i, *p[axis + 1:]]) for i in range(p[axis] + 1)) for p in places(x.shape)])


def matmul(a, b):
    (rows, inner), (_, columns) = a.shape, b.shape
    return Tensor((rows, columns), a.dtype, [sum(a.at((i, k)) * b.at((k, j)) for k in range(inner)) for i, j in places((rows, columns))])


def reduce(function):
    def run(x, axis=None, keepdims=False):
        gone = list(range(len(x.shape))) if axis is None else axes(axis, len(x.shape))
        found = {}
        for place in places(x.shape):
            found.setdefault(tuple(i for k, i in enumerate(place) if k not in gone), []).append(x.at(place))
        shape = [n for k, n in enumerate(x.shape) if k not in gone]
        kept = [1 if k in gone else n for k, n in enumerate(x.shape)] if keepdims else shape
        return Tensor(kept, x.dtype, [function(found.get(place, [])) for place in places(shape)])
    return run


def take(x, indices, axis=0):
    shape = [*x.shape[:axis], *indices.shape, *x.shape[axis + 1:]]
    rank = len(indices.shape)
    return move(x, shape, lambda p: [*p[:axis], indices.at(p[axis:axis + rank]), *p[axis + rank:]])


def tile(x, repeats):
    return move(x, [n * k for n, k in zip(x.shape, repeats, strict=True)], lambda p: [i % n for i, n in zip(p, x.shape)])


def repeat(x, repeats, axis):
    shape = [n * repeats if k == axis else n for k, n in enumerate(x.shape)]
    return move(x, shape, lambda p: [i // repeats if k == axis else i for k, i in enumerate(p)])


def pad(x, widths):
    """With zeros: [in front, behind] of each axis."""
    front = widths[::2]
    shape = [n + a + b for n, a, b in zip(x.shape, front, widths[1::2], strict=True)]

    def at(place):
        inside = [i - a for i, a in zip(place, front)]
        return x.at(inside) if all(0 <= i < n for i, n in zip(inside, x.shape)) else 0
    return Tensor(shape, x.dtype, map(at, places(shape)))


def memory_view(x, shape=None, dtype=None, relative_byte_offset=0):
    raw = struct.pack(f"<{len(x.data)}{CODES[x.dtype]}", *x.data)[relative_byte_offset or 0:]
    dtype, shape = dtype or x.dtype, x.shape if shape is None else shape
    return Tensor(shape, dtype, struct.unpack_from(f"<{count(shape)}{CODES[dtype]}", raw))


CODES = {"float32": "f", "float64": "d", "int32": "i", "int64": "q", "int8": "b", "uint8": "B", "bool": "?"}
ANY = Type("any")

R = types.SimpleNamespace(
    function=decorate, dataflow=Nothing, output=lambda *_: None, func_attr=lambda *_: None,
    Tensor=tensor_type, Tuple=lambda *fields: Type("tuple", fields=fields), Object=ANY, Any=ANY, Callable=ANY,
    Shape=ANY, Prim=lambda *_args, **_kwargs: Type("scalar"), const=make_const, prim_value=lambda v: v, dtype=lambda d: d,
    shape=list, shape_of=lambda x: list(x.shape), tuple=lambda *fields: fields, TupleGetItem=lambda t, i: t[i],
    match_cast=lambda x, _type: x, copy=lambda x: x, assert_inplace=lambda x: x, call_tir=call_tir, call_tir_inplace=call_tir_inplace,
    print=lambda *_args, **_kwargs: None, assert_op=lambda *_args, **_kwargs: None,
    add=elementwise(lambda a, b: a + b), subtract=elementwise(lambda a, b: a - b), multiply=elementwise(lambda a, b: a * b),
    maximum=elementwise(max), minimum=elementwise(min), negative=elementwise(lambda a: -a), abs=elementwise(abs),
    floor_mod=elementwise(lambda a, b: a % b if b else 0), nn=types.SimpleNamespace(relu=elementwise(lambda a: max(a, 0)), pad=pad),
    less=elementwise(lambda a, b: a < b, "bool"), greater=elementwise(lambda a, b: a > b, "bool"), equal=elementwise(lambda a, b: a == b, "bool"),
    greater_equal=elementwise(lambda a, b: a >= b, "bool"), less_equal=elementwise(lambda a, b: a <= b, "bool"),
    logical_not=elementwise(lambda a: not a, "bool"), where=elementwise(lambda c, a, b: a if c else b),
    astype=lambda x, dtype: Tensor(x.shape, dtype, x.data), reshape=view, flatten=lambda x: view(x, [count(x.shape)]),
    expand_dims=expand_dims, squeeze=squeeze, permute_dims=permute_dims, flip=flip, concat=concat, split=split, stack=stack, cumsum=cumsum, matmul=matmul,
    tile=tile, repeat=repeat, strided_slice=strided_slice, sum=reduce(sum), max=reduce(max), min=reduce(min), take=take,
    broadcast_to=lambda x, shape: Tensor(dims(shape), x.dtype, spread(x, dims(shape))),
    zeros=lambda shape, dtype: Tensor(shape, dtype, [0] * count(shape)), ones=lambda shape, dtype: Tensor(shape, dtype, [1] * count(shape)),
    full=lambda shape, value, dtype=None: Tensor(shape, dtype or value.dtype, value.data * count(shape)),
    zeros_like=lambda x: Tensor(x.shape, x.dtype, [0] * count(x.shape)),
    memory=types.SimpleNamespace(view=memory_view, ensure_zero_offset=lambda x: x))
I = types.SimpleNamespace(ir_module=lambda cls: cls)


# ---- scripts


def load_metadata(text):
    """Constants that the printer wrote behind the script: kind -> tensors."""
    nodes = json.loads(text)
    nodes, root = nodes["nodes"], nodes["root_index"]

    def tensor(node):
        while isinstance(node["data"], dict):
            node = nodes[node["data"].get("data", node["data"].get("value"))]
        raw = base64.b64decode(node["data"])
        rank, code, bits = struct.unpack_from("<iBB", raw, 24)
        dtype = {v: k for k, v in DLPACK.items()}[code, bits]
        shape = struct.unpack_from(f"<{rank}q", raw, 32)
        return Tensor(shape, dtype, struct.unpack_from(f"<{count(shape)}{CODES[dtype]}", raw, 40 + 8 * rank))

    kinds = nodes[root]["data"]
    return {nodes[key]["data"]: [tensor(nodes[i]) for i in nodes[value]["data"]] for key, value in zip(kinds[::2], kinds[1::2])}


DLPACK = {"int8": (0, 8), "int32": (0, 32), "int64": (0, 64), "uint8": (1, 8), "float32": (2, 32), "float64": (2, 64), "bool": (6, 8)}


def load(text):
    """The module of a script: its functions are attributes that can be called."""
    for name, parts in (("tvm", {}), ("tvm.script", {"ir": I, "relax": R, "tir": T, "tirx": T})):
        sys.modules[name] = types.ModuleType(name)
        vars(sys.modules[name]).update(parts)
    text = re.sub(r"^( *)(\w+) = T\.int64\(\)$", r'\1\2 = T.symbol("\2")', text, flags=re.M)
    text = re.sub(r"^ *T\.(reads|writes)\(.*\n", "", text, flags=re.M)
    names = {"tvm": types.SimpleNamespace(ir=types.SimpleNamespace(load_json=load_metadata)), "I": I, "R": R, "T": T}
    sys.setrecursionlimit(20000)
    exec(compile(text, "script", "exec"), names)  # pylint: disable=exec-used  (a script that this repository made)
    return names["Module"]
