#!/usr/bin/env python3
"""Works out what operators give, with NumPy, for tests/op_values.py.

Writes tests/op_values/<family>.py, one function that applies operators to its parameters, and <family>.npz with
the parameters and the expected results (`result.0`, ...). Formulas are NumPy's, in float64 where rounding matters;
where docs/operators.md defines what NumPy leaves open (integer division by 0, shifts, casts), it is written
out here. The files are checked in, so that tests need no NumPy.
"""
import math
import pathlib
import zipfile

import numpy as np

import op_value_advanced
from op_value_families import FAMILIES

ROOT = pathlib.Path(__file__).resolve().parent.parent / "tests/op_values"
NAN, INF = math.nan, math.inf


class Family:
    def __init__(self, name):
        self.name, self.inputs, self.types, self.lines, self.expected = name, {}, {}, [], []
        self.rng = np.random.default_rng(len(name))

    def arg(self, array, shape=None):
        """A parameter; @shape: its type's shape as text, with symbols."""
        array = np.asarray(array)
        for name, other in self.inputs.items():
            if other.dtype == array.dtype and other.shape == array.shape and self.types[name][0] == shape and \
                    other.tobytes() == array.tobytes():
                return name
        name = f"x{len(self.inputs)}"
        self.inputs[name], self.types[name] = array, (shape,)
        return name

    def case(self, text, *arrays, want, shapes=()):
        """R.<text>, with {0}, {1}.. for the arrays, gives @want."""
        names = [self.arg(a, shapes[i] if i < len(shapes) else None) for i, a in enumerate(arrays)]
        for w in want if isinstance(want, (list, tuple)) else [want]:
            self.expected.append(np.asarray(w))
        call = "R." + text.format(*names)
        index = len(self.lines)
        if isinstance(want, (list, tuple)):
            self.lines.append((f"t{index} = {call}", [f"t{index}[{i}]" for i in range(len(want))]))
        else:
            self.lines.append((f"y{index} = {call}", [f"y{index}"]))

    def write(self):
        params = []
        for name, array in self.inputs.items():
            shape = self.types[name][0] or repr(tuple(int(d) for d in array.shape))
            params.append(f'{name}: R.Tensor({shape}, dtype="{array.dtype}")')
        out = ["# Made by scripts/make-op-values.py.", "from tvm.script import ir as I",
               "from tvm.script import relax as R", "from tvm.script import tirx as T", "", "@I.ir_module",
               "class Module:", "    @R.function", "    def main("]
        out += [f"        {p}," for p in params] + ["    ):"]
        symbols = sorted({s for (t,) in self.types.values() if t for s in
                          (w.strip(' "()') for w in t.split(",")) if s.isidentifier()})
        out += [f"        {s} = T.int64()" for s in symbols]
        results = []
        for line, values in self.lines:
            out.append(f"        {line}")
            for value in values:
                if value.startswith("t"):
                    out.append(f"        r{len(results)} = {value}")
                    value = f"r{len(results)}"
                results.append(value)
        out.append(f"        return ({', '.join(results)},)")
        (ROOT / f"{self.name}.py").write_text("\n".join(out) + "\n")
        data = {**self.inputs, **{f"result.{i}": w for i, w in enumerate(self.expected)}}
        with zipfile.ZipFile(ROOT / f"{self.name}.npz", "w", zipfile.ZIP_DEFLATED) as archive:
            for name, array in data.items():
                info = zipfile.ZipInfo(f"{name}.npy", (2026, 1, 1, 0, 0, 0))
                with archive.open(info, "w") as file:
                    np.lib.format.write_array(file, np.ascontiguousarray(array).reshape(array.shape))


def f32(*values):
    return np.array(values, dtype="float32")


SPECIAL = f32(0.0, -0.0, 1, -1, 0.5, -0.5, 1.5, 2.5, -2.5, 3.7, -3.2, 100, -100, 1e-30, 3e38, INF, -INF, NAN)


def widely(function, *arrays):
    """@function in float64, rounded once to the dtype of the first array."""
    with np.errstate(all="ignore"):
        return np.asarray(function(*(np.asarray(a, dtype="float64") for a in arrays))).astype(arrays[0].dtype)


erf = np.vectorize(math.erf, otypes=["float64"])


def gelu(x):
    return 0.5 * x * (1 + erf(x / np.sqrt(2)))


def unary():
    f = Family("unary")
    small = SPECIAL[:13]
    positive = f32(0.0, 1e-6, 0.3, 1, 2, 50, 1e20, INF, NAN, -1)
    unit = f32(-1, -0.7, -0.1, -0.0, 0.0, 0.2, 0.9, 1, 1.5, NAN)
    for name, x, function in [
            ("abs", SPECIAL, np.abs), ("negative", SPECIAL, np.negative), ("ceil", SPECIAL, np.ceil),
            ("floor", SPECIAL, np.floor), ("round", SPECIAL, np.rint), ("trunc", SPECIAL, np.trunc),
            ("sign", SPECIAL, np.sign), ("square", SPECIAL, np.square),
            ("exp", SPECIAL, np.exp), ("sin", small, np.sin), ("cos", small, np.cos), ("tan", small, np.tan),
            ("sinh", f32(0, -0.0, 1, -3, 20, INF, -INF, NAN), np.sinh), ("cosh", f32(0, 1, -3, 20, INF, NAN), np.cosh),
            ("tanh", SPECIAL, np.tanh), ("asinh", f32(0, -0.0, 1, -3, 20, INF, NAN), np.arcsinh), ("atan", SPECIAL, np.arctan),
            ("erf", SPECIAL, erf), ("sqrt", positive, np.sqrt), ("rsqrt", positive, lambda x: 1 / np.sqrt(x)),
            ("log", positive, np.log), ("acosh", positive, np.arccosh), ("asin", unit, np.arcsin),
            ("acos", unit, np.arccos), ("atanh", unit, np.arctanh), ("sigmoid", SPECIAL, lambda x: 1 / (1 + np.exp(-x))),
            ("nn.relu", SPECIAL, lambda x: np.maximum(x, 0)), ("nn.relu6", SPECIAL, lambda x: np.clip(x, 0, 6)),
            ("nn.gelu", small, gelu), ("nn.silu", small, lambda x: x / (1 + np.exp(-x))),
            ("nn.gelu_tanh", small,
             lambda x: 0.5 * x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3)))),
            ("nn.selu", small, lambda x: 1.0507009873554805 * np.where(x > 0, x, 1.6732632423543772 * np.expm1(x)))]:
        f.case(name + "({0})", x, want=widely(function, x))
        f.case(name + "({0})", x.reshape(-1, 1), want=widely(function, x.reshape(-1, 1)), shapes=['("n", 1)'] if x is SPECIAL else [])
        half = x[np.abs(x) < 60].astype("float16")
        f.case(name + "({0})", half, want=widely(function, half))
    for name, function in [("isnan", np.isnan), ("isinf", np.isinf), ("isfinite", np.isfinite)]:
        f.case(name + "({0})", SPECIAL, want=function(SPECIAL))
        f.case(name + "({0})", np.arange(3), want=function(np.arange(3)))
    f.case("nn.leakyrelu({0}, alpha=0.25)", SPECIAL, want=widely(lambda x: np.where(x > 0, x, x * 0.25), SPECIAL))
    f.case("nn.softplus({0})", small, want=widely(lambda x: np.where(x > 20, x, np.log1p(np.exp(x))), small))
    f.case("clip({0}, -1, 2)", SPECIAL, want=np.clip(SPECIAL, -1, 2))
    i8 = np.array([-128, -127, -1, 0, 1, 100, 127], dtype="int8")
    f.case("clip({0}, -100, 1000)", i8, want=np.clip(i8, -100, 127))
    u8 = np.array([0, 1, 128, 255], dtype="uint8")
    with np.errstate(all="ignore"):
        for name, function in [("abs", np.abs), ("negative", np.negative), ("square", np.square), ("sign", np.sign),
                               ("bitwise_not", np.invert), ("nn.relu", lambda x: np.maximum(x, 0).astype(x.dtype)),
                               ("floor", lambda x: x), ("round", lambda x: x)]:
            f.case(name + "({0})", i8, want=function(i8))
            f.case(name + "({0})", u8, want=function(u8))
    b = np.array([True, False])
    f.case("logical_not({0})", b, want=~b)
    f.case("bitwise_not({0})", b, want=~b)
    f.case("logical_not({0})", SPECIAL, want=(SPECIAL == 0).astype("float32"))
    empty, scalar = np.zeros((0, 3), "float32"), f32(2.0)[0]
    f.case("exp({0})", empty, want=empty)
    f.case("exp({0})", scalar, want=np.float32(math.exp(2)))
    f.write()


def trunc_div(a, b):
    a, b, low = a.astype(object), b.astype(object), np.iinfo(a.dtype).min
    one = np.vectorize(lambda x, y: 0 if y == 0 else (abs(x) // abs(y)) * (1 if (x < 0) == (y < 0) else -1), otypes=[object])
    q = one(a, b)
    return np.vectorize(lambda v: low if v == -low and low < 0 else v, otypes=[object])(q)


def binary():
    f = Family("binary")
    a, b = (x.ravel() for x in np.meshgrid(SPECIAL, f32(0.0, -0.0, 1, -1, 3, -2.5, 1e30, INF, -INF, NAN)))
    for name, function in [("add", np.add), ("subtract", np.subtract), ("multiply", np.multiply), ("divide", np.divide),
                           ("maximum", np.maximum), ("minimum", np.minimum)]:
        with np.errstate(all="ignore"):
            f.case(name + "({0}, {1})", a, b, want=function(a, b))
    for name, function in [("equal", np.equal), ("not_equal", np.not_equal), ("less", np.less),
                           ("less_equal", np.less_equal), ("greater", np.greater), ("greater_equal", np.greater_equal)]:
        f.case(name + "({0}, {1})", a, b, want=function(a, b))
    for name, function in [("logical_and", np.logical_and), ("logical_or", np.logical_or), ("logical_xor", np.logical_xor)]:
        f.case(name + "({0}, {1})", a, b, want=function(a, b).astype("float32"))
    x = f32(0.5, 1, 2, 3.5, 0, -2, -2, 7)
    y = f32(2, -1, 0.5, 3, 0, 3, 0.5, -1)
    for name, function in [("power", np.power), ("atan2", np.arctan2), ("log_add_exp", np.logaddexp),
                           ("mod", np.fmod), ("floor_divide", lambda p, q: np.floor(p / q)),
                           ("floor_mod", lambda p, q: p - np.floor(p / q) * q)]:
        f.case(name + "({0}, {1})", x, y, want=widely(function, x, y))
        f.case(name + "({0}, {1})", x.astype("float16"), y.astype("float16"),
               want=widely(function, x.astype("float16"), y.astype("float16")))
    f.case("log_add_exp({0}, {1})", f32(-INF, INF, 1000), f32(-INF, 1, 1000), want=f32(-INF, INF, 1000 + math.log(2)))
    for dtype in ["int8", "int32", "int64", "uint8"]:
        info = np.iinfo(dtype)
        values = np.array(sorted({info.min, info.min + 1, max(-7, info.min), max(-1, info.min), 0, 1, 2, 7, 31, info.max}), dtype=dtype)
        p, q = (v.ravel() for v in np.meshgrid(values, values))
        with np.errstate(all="ignore"):
            for name, function in [("add", np.add), ("subtract", np.subtract), ("multiply", np.multiply),
                                   ("maximum", np.maximum), ("minimum", np.minimum), ("bitwise_and", np.bitwise_and),
                                   ("bitwise_or", np.bitwise_or), ("bitwise_xor", np.bitwise_xor)]:
                f.case(name + "({0}, {1})", p, q, want=function(p, q))
            quotient = trunc_div(p, q)
            f.case("divide({0}, {1})", p, q, want=quotient.astype(dtype))
            rest = np.where(q == 0, 0, p.astype(object) - quotient * q.astype(object))
            overflow = (p == info.min) & (q == np.array(-1).astype(dtype)) & (info.min < 0)
            rest = np.where(overflow, 0, rest)
            f.case("mod({0}, {1})", p, q, want=rest.astype(dtype))
            down = (rest != 0) & ((rest < 0) != (q < 0))
            f.case("floor_divide({0}, {1})", p, q, want=(quotient - down).astype(dtype))
            f.case("floor_mod({0}, {1})", p, q, want=(rest + np.where(down, q.astype(object), 0)).astype(dtype))
        width, wide = info.bits, p.astype(object)
        def shift_left(v, n):
            if not 0 <= n < width:
                return 0
            return ((int(v) << int(n)) + (-info.min)) % (1 << width) + info.min
        left = np.array([shift_left(v, n) for v, n in zip(wide, q)], dtype=object).astype(dtype)
        right = np.array([(int(v) >> int(n)) if 0 <= n < width else (-1 if v < 0 else 0)
                          for v, n in zip(wide, q)], dtype=object).astype(dtype)
        f.case("left_shift({0}, {1})", p, q, want=left)
        f.case("right_shift({0}, {1})", p, q, want=right)
    t, u = np.array([True, True, False, False]), np.array([True, False, True, False])
    for name, function in [("bitwise_and", np.logical_and), ("bitwise_or", np.logical_or), ("bitwise_xor", np.logical_xor),
                           ("logical_and", np.logical_and), ("equal", np.equal), ("less", np.less)]:
        f.case(name + "({0}, {1})", t, u, want=function(t, u))
    r = f.rng.standard_normal
    for p, q, shapes in [((2, 1, 3), (4, 1), ['(2, 1, "n")', "(4, 1)"]), ((3,), (2, 3), []), ((), (2, 2), []), ((0, 3), (1, 3), []),
                         ((5, 1), (1, 4), ['("m", 1)', '(1, "k")'])]:
        p, q = r(p).astype("float32"), r(q).astype("float32")
        f.case("subtract({0}, {1})", p, q, want=p - q, shapes=shapes)
    p = r((3, 4)).astype("float32")
    f.case('add({0}, R.const(2.5, "float32"))', p, want=p + np.float32(2.5))
    c = r((3, 1)) > 0
    f.case("where({0}, {1}, {2})", c, p, r((4,)).astype("float32"), want=np.where(c, p, f.inputs[f.arg(p)]))
    f.expected[-1] = np.where(c, p, list(f.inputs.values())[-1])
    q, s = r((3, 4)).astype("float32"), r((4,)).astype("float32")
    f.case("ewise_fma({0}, {1}, {2})", p, q, s, want=p * q + s)
    f.write()


def casts():
    f = Family("casts")
    x = f32(0, -0.0, 0.9, -0.9, 1.5, 127.6, -128.7, 255.9, 300, -300, 65519, 65520, 3e9, -3e9, 1e30, INF, -INF, NAN)
    for dtype in ["int8", "uint8", "int16", "int32", "int64", "uint64"]:
        info = np.iinfo(dtype)
        want = [0 if v != v else max(info.min, min(info.max, int(v) if abs(v) != INF else (info.max if v > 0 else info.min))) for v in x.tolist()]
        f.case(f'astype({{0}}, "{dtype}")', x, want=np.array(want, dtype=dtype))
    with np.errstate(all="ignore"):
        for dtype in ["float16", "float64", "float32", "bool"]:
            f.case(f'astype({{0}}, "{dtype}")', x, want=x.astype(dtype))
        i = np.array([0, 1, -1, 127, 128, -129, 65535, 2**31, 2**53 + 1, 2**63 - 1, -2**63], dtype="int64")
        for dtype in ["int8", "uint8", "int32", "float32", "float64", "bool", "uint64"]:
            f.case(f'astype({{0}}, "{dtype}")', i, want=i.astype(dtype))
        u = np.array([0, 1, 2**63, 2**64 - 1], dtype="uint64")
        for dtype in ["int64", "float32", "float64", "int8"]:
            f.case(f'astype({{0}}, "{dtype}")', u, want=u.astype(dtype))
        b = np.array([True, False])
        for dtype in ["int8", "float32", "float16", "bool"]:
            f.case(f'astype({{0}}, "{dtype}")', b, want=b.astype(dtype))
    f.case('astype(R.astype({0}, "bfloat16"), "float32")', x, want=to_bfloat(x))
    y = f32(1.00390625, 1.0078125, 1.01171875, -3.14159, 1e-40)
    f.case('astype(R.astype({0}, "bfloat16"), "float32")', y, want=to_bfloat(y))
    f.case('astype(R.add(R.astype({0}, "bfloat16"), R.astype({0}, "bfloat16")), "float32")', y, want=to_bfloat(2 * to_bfloat(y)))
    f.write()


def to_bfloat(x):
    """Round to nearest, half to even."""
    bits = x.astype("float32").view("uint32").astype("uint64")
    rounded = ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16 << 16).astype("uint32").view("float32")
    return np.where(np.isnan(x), x, rounded).astype("float32")


def reductions():
    f = Family("reductions")
    r = f.rng.standard_normal
    x = r((2, 3, 5)).astype("float32")
    half = r((3, 40)).astype("float16")
    functions = {"sum": np.sum, "prod": np.prod, "max": np.max, "min": np.min, "mean": np.mean, "variance": np.var, "std": np.std}
    for name, function in functions.items():
        for axis, keep, shapes in [(None, False, []), (1, False, ['(2, "n", 5)']), ((0, 2), True, []), (-1, True, ['(2, "n", 5)']), ((), False, [])]:
            text = "None" if axis is None else str(list(axis) if isinstance(axis, tuple) else axis)
            f.case(f"{name}({{0}}, axis={text}, keepdims={keep})", x, shapes=shapes,
                   want=np.asarray(function(x.astype("float64"), axis=axis, keepdims=keep)).astype("float32"))
        f.case(f"{name}({{0}}, axis=1)", half, want=function(half.astype("float64"), axis=1).astype("float16"))
        f.case(f"{name}({{0}})", np.float32(3), want=np.float32(function(np.float64(3))))
        nan = f32(1, NAN, 3)
        f.case(f"{name}({{0}})", nan, want=np.float32(NAN))
    many = np.full((1, 4096), 1, "float16")
    f.case("sum({0}, axis=1)", many, want=np.array([4096], "float16"))
    for dtype in ["int8", "uint8", "int32", "int64"]:
        i = f.rng.integers(0, 100, (4, 6)).astype(dtype)
        with np.errstate(all="ignore"):
            for name in ["sum", "prod", "max", "min"]:
                want = functions[name](i, axis=1, dtype=dtype) if name in ("sum", "prod") else functions[name](i, axis=1)
                f.case(f"{name}({{0}}, axis=1)", i, want=want)
    j = np.array([[-7, -1, 2], [7, 1, 3]], dtype="int32")
    f.case("mean({0}, axis=1)", j, want=np.array([-2, 3], dtype="int32"))
    none = np.zeros((3, 0), "float32")
    for name, value in [("sum", 0), ("prod", 1), ("max", -INF), ("min", INF), ("mean", NAN), ("variance", NAN), ("std", NAN)]:
        f.case(f"{name}({{0}}, axis=1)", none, want=np.full(3, value, "float32"))
        f.case(f"{name}({{0}}, axis=1)", none, want=np.full(3, value, "float32"), shapes=['(3, "z")'])
        f.case(f"{name}({{0}}, axis=0)", none, want=np.zeros(0, "float32"))
    f.case("max({0}, axis=1)", np.zeros((2, 0), "int8"), want=np.full(2, -128, "int8"))
    f.case("min({0}, axis=1)", np.zeros((2, 0), "uint8"), want=np.full(2, 255, "uint8"))
    ties = f32([3, 1, 3, 0], [-INF, -INF, -INF, -INF], [1, NAN, 5, NAN], [0.0, -0.0, -1, -1])
    for name, function in [("argmax", np.argmax), ("argmin", np.argmin)]:
        f.case(f"{name}({{0}}, axis=1)", ties, want=function(ties, axis=1))
        f.case(f"{name}({{0}}, axis=0, keepdims=True)", ties, want=function(ties, axis=0, keepdims=True), shapes=['("p", "q")'])
        f.case(f"{name}({{0}})", x, want=np.asarray(function(x)))
        f.case(f"{name}({{0}}, axis=1)", np.array([[True, False], [False, True]]), want=function([[1, 0], [0, 1]], axis=1))
        i = np.array([[-128, -128], [127, -3]], "int8")
        f.case(f"{name}({{0}}, axis=1)", i, want=function(i, axis=1))
    f.write()


def movement():
    f = Family("movement")
    r = f.rng.standard_normal
    x = r((2, 3, 4)).astype("float32")
    dyn = ['("a", 3, "b")']
    for shapes in [[], dyn]:
        f.case("permute_dims({0})", x, want=x.transpose(), shapes=shapes)
        f.case("permute_dims({0}, axes=[1, -1, 0])", x, want=x.transpose(1, 2, 0), shapes=shapes)
        f.case("flatten({0})", x, want=x.ravel(), shapes=shapes)
        f.case("expand_dims({0}, axis=[0, -1])", x, want=x[None, ..., None], shapes=shapes)
        f.case("flip({0}, axis=1)", x, want=np.flip(x, 1), shapes=shapes)
        f.case("flip({0}, axis=-1)", x, want=np.flip(x, -1), shapes=shapes)
        f.case("repeat({0}, 3, axis=1)", x, want=np.repeat(x, 3, 1), shapes=shapes)
        f.case("repeat({0}, 2)", x, want=np.repeat(x, 2), shapes=shapes)
        f.case("repeat({0}, 0, axis=0)", x, want=np.repeat(x, 0, 0), shapes=shapes)
        f.case("tile({0}, (2, 1, 3))", x, want=np.tile(x, (2, 1, 3)), shapes=shapes)
        f.case("tile({0}, (2, 1, 1, 2))", x, want=np.tile(x, (2, 1, 1, 2)), shapes=shapes)
        f.case("tile({0}, (2,))", x, want=np.tile(x, 2), shapes=shapes)
        f.case("concat(({0}, {0}), axis=1)", x, want=np.concatenate([x, x], 1), shapes=shapes)
        f.case("concat(({0}, {0}, {0}), axis=-1)", x, want=np.concatenate([x, x, x], -1), shapes=shapes)
        f.case("concat(({0}, {0}), axis=None)", x, want=np.concatenate([x, x], None), shapes=shapes)
        f.case("stack(({0}, {0}), axis=-1)", x, want=np.stack([x, x], -1), shapes=shapes)
        f.case("stack(({0}, {0}), axis=1)", x, want=np.stack([x, x], 1), shapes=shapes)
        f.case("reshape({0}, (-1, 3))", x, want=x.reshape(-1, 3), shapes=shapes)
        f.case("reshape({0}, (0, -1))", x, want=x.reshape(2, -1), shapes=shapes)
        f.case("split({0}, 3, axis=1)", x, want=np.split(x, 3, 1), shapes=shapes)
        f.case("split({0}, [1, 2], axis=1)", x, want=np.split(x, [1, 2], 1), shapes=shapes)
        f.case("strided_slice({0}, (0, 1, 2), (0, -2, 1), (2, 3, 100), (1, 1, 2))", x, want=x[0:2, -2:3, 1:100:2], shapes=shapes)
        f.case("strided_slice({0}, (2,), (-1,), (-100,), (-1,))", x, want=x[:, :, ::-1], shapes=shapes)
        f.case("strided_slice({0}, (1,), (2,), (0,), (-2,))", x, want=x[:, 2:0:-2], shapes=shapes)
        f.case("strided_slice({0}, (1,), (3,), (9,))", x, want=x[:, 3:9], shapes=shapes)
        f.case("tril({0}, 1)", x, want=np.tril(x, 1), shapes=shapes)
        f.case("triu({0})", x, want=np.triu(x), shapes=shapes)
        f.case("triu({0}, -1)", x, want=np.triu(x, -1), shapes=shapes)
        f.case("broadcast_to({0}, (5, 2, 3, 4))" if not shapes else "broadcast_to({0}, (5, a, 3, b))", x,
               want=np.broadcast_to(x, (5, 2, 3, 4)), shapes=shapes)
    v = np.arange(10, dtype="float32")
    f.case("split({0}, [2, 6, 4])", v, want=[v[:2], v[2:6], v[6:4], v[4:]])
    f.case("split({0}, 4)", v, want=[v[:3], v[3:6], v[6:9], v[9:]])
    f.case("squeeze({0})", r((1, 3, 1)).astype("float32"), want=list(f.inputs.values())[-1])
    f.expected[-1] = list(f.inputs.values())[-1].squeeze()
    f.case("squeeze({0}, axis=[0])", r((1, 3, 1)).astype("float32"), want=v)
    f.expected[-1] = list(f.inputs.values())[-1].squeeze(0)
    c = r((3, 1)).astype("float32")
    f.case("broadcast_to({0}, (2, 3, 4))", c, want=np.broadcast_to(c, (2, 3, 4)))
    s = np.float32(3)
    f.case("broadcast_to({0}, (2, 2))", s, want=np.full((2, 2), s))
    f.case("stack(({0}, {0}))", s, want=np.stack([s, s]))
    f.case("flatten({0})", s, want=s.reshape(1))
    for dtype in ["bool", "int8", "float16", "float64", "uint64"]:
        y = f.rng.integers(0, 2, (2, 3)).astype(dtype)
        f.case("permute_dims({0})", y, want=y.T)
        f.case("concat(({0}, {0}))", y, want=np.concatenate([y, y]))
    empty = np.zeros((0, 3), "float32")
    f.case("concat(({0}, {1}))", empty, c.T, want=c.T)
    f.case("permute_dims({0})", empty, want=empty.T)
    f.case("tile({0}, (2, 2))", empty, want=np.tile(empty, (2, 2)))
    for axis, i in [(0, np.array([1, 0, 1, 1])), (1, np.array([[2, 0], [1, 1]], "int32")), (2, np.array(3))]:
        for shapes in [[], dyn]:
            f.case(f"take({{0}}, {{1}}, axis={axis})", x, i, want=np.take(x, i, axis), shapes=shapes)
    out = np.array([-9, -5, -1, 0, 3, 4, 5, 100])
    f.case('take({0}, {1}, axis=2, mode="clip")', x, out, want=np.take(x, out, 2, mode="clip"))
    f.case('take({0}, {1}, axis=2, mode="wrap")', x, out, want=np.take(x, out, 2, mode="wrap"))
    f.case("take({0}, {1})", v, np.array([[3, 1], [9, 0]]), want=v[[[3, 1], [9, 0]]])
    f.write()


def creation():
    f = Family("creation")
    x = np.zeros((2, 3), "float32")
    for shapes in [[], ['("n", "m")']]:
        for dtype in ["float32", "int64", "bool", "float16"]:
            f.case(f'zeros_like({{0}}, dtype="{dtype}")', x, want=np.zeros((2, 3), dtype), shapes=shapes)
            f.case(f'ones_like({{0}}, dtype="{dtype}")', x, want=np.ones((2, 3), dtype), shapes=shapes)
        f.case('full_like({0}, R.const(2.5, "float32"))', x, want=np.full((2, 3), 2.5, "float32"), shapes=shapes)
        f.case("eye_like({0}, 1)", x, want=np.eye(2, 3, 1, "float32"), shapes=shapes)
    n = "n"
    f.case(f'zeros(({n}, 2), dtype="float32")', want=np.zeros((2, 2), "float32"))
    f.case(f'full(({n}, 3), R.const(7, "int32"))', want=np.full((2, 3), 7, "int32"))
    f.case('full((2,), R.const(-3.9, "float32"), dtype="int8")', want=np.full(2, -3, "int8"))
    f.case("full((2, 2), {0})", np.float32(1.5), want=np.full((2, 2), 1.5, "float32"))
    f.case("full((), {0})", np.float32(1.5), want=np.float32(1.5))
    f.case('ones((0, 3), dtype="float64")', want=np.ones((0, 3)))
    f.case(f'eye({n}, 4, -1, dtype="int32")', want=np.eye(2, 4, -1, "int32"))
    f.case("eye(3)", want=np.eye(3, dtype="float32"))
    f.case("arange(10)", want=np.arange(10))
    f.case("arange(3, 11, 3)", want=np.arange(3, 11, 3))
    f.case("arange(11, 3, -3)", want=np.arange(11, 3, -3))
    f.case("arange(0, n)", want=np.arange(2))
    f.case('arange(0, 5, dtype="float16")', want=np.arange(5, dtype="float16"))
    f.case("arange(0.0, 1.0, 0.125)", want=np.arange(0, 1, 0.125, dtype="float32"))
    f.case("arange(5, 2)", want=np.arange(5, 2))
    f.write()


def neural():
    f = Family("neural")
    r = f.rng.standard_normal

    def softmax(x, axis):
        e = np.exp(x - x.max(axis, keepdims=True))
        return e / e.sum(axis, keepdims=True)

    x = (r((2, 3, 5)) * 4).astype("float32")
    for shapes in [[], ['(2, "n", "m")']]:
        for axis in [-1, 1, 0]:
            f.case(f"nn.softmax({{0}}, axis={axis})", x, want=widely(lambda v: softmax(v, axis), x), shapes=shapes)
            f.case(f"nn.log_softmax({{0}}, axis={axis})", x, want=widely(lambda v: np.log(softmax(v, axis)), x), shapes=shapes)
    big = f32([1000, 1000, -1000], [-INF, 0, 1], [3, NAN, 1], [-INF, -INF, -INF])
    with np.errstate(all="ignore"):
        f.case("nn.softmax({0})", big, want=widely(lambda v: softmax(v, -1), big))
    half = (r((4, 33)) * 3).astype("float16")
    f.case("nn.softmax({0})", half, want=widely(lambda v: softmax(v, -1), half))
    double = r((2, 7))
    f.case("nn.softmax({0})", double, want=softmax(double, -1))

    def norm(v, axes, epsilon):
        return (v - v.mean(axes, keepdims=True)) / np.sqrt(v.var(axes, keepdims=True) + epsilon)

    g, b = r((5,)).astype("float32"), r((5,)).astype("float32")
    for shapes in [[], ['(2, "n", "m")', '("m",)', '("m",)']]:
        f.case("nn.layer_norm({0}, {1}, {2}, axes=[-1])", x, g, b, shapes=shapes,
               want=widely(lambda v, p, q: norm(v, (-1,), 1e-5) * p + q, x, g, b))
        f.case("nn.layer_norm({0}, {1}, {2}, axes=[-1], epsilon=0.1, center=False)", x, g, b, shapes=shapes,
               want=widely(lambda v, p, q: norm(v, (-1,), 0.1) * p, x, g, b))
        f.case("nn.rms_norm({0}, {1}, axes=[-1])", x, g, shapes=shapes,
               want=widely(lambda v, p: v / np.sqrt((v * v).mean(-1, keepdims=True) + 1e-5) * p, x, g))
    g2, b2 = r((3, 5)).astype("float32"), r((3, 5)).astype("float32")
    f.case("nn.layer_norm({0}, {1}, {2}, axes=[1, 2])", x, g2, b2,
           want=widely(lambda v, p, q: norm(v, (1, 2), 1e-5) * p + q, x, g2, b2))
    h, hg = r((3, 8)).astype("float16"), r((8,)).astype("float16")
    f.case("nn.rms_norm({0}, {1})", h, hg, want=widely(lambda v, p: v / np.sqrt((v * v).mean(-1, keepdims=True) + 1e-5) * p, h, hg))
    for p, q, shapes in [((2, 3), (3, 4), []), ((2, 3), (3, 4), ['("a", "b")', '("b", "c")']), ((3,), (3,), []), ((3,), (3, 4), []),
                         ((2, 3), (3,), []), ((5, 1, 2, 3), (4, 3, 2), []), ((2, 2, 3), (3, 4), []), ((3,), (5, 3, 2), []),
                         ((5, 2, 3), (3,), []), ((2, 0), (0, 3), []), ((0, 3), (3, 2), []), ((2, 0), (0, 3), ['(2, "z")', '("z", 3)'])]:
        p, q = r(p).astype("float32"), r(q).astype("float32")
        f.case("matmul({0}, {1})", p, q, want=widely(np.matmul, p, q), shapes=shapes)
    p, q = r((4, 70)).astype("float16"), r((70, 3)).astype("float16")
    f.case("matmul({0}, {1})", p, q, want=widely(np.matmul, p, q))
    f.case('matmul({0}, {1}, out_dtype="float32")', p, q, want=np.matmul(p.astype("float64"), q.astype("float64")).astype("float32"))
    i, j = f.rng.integers(-100, 100, (3, 5)).astype("int8"), f.rng.integers(-100, 100, (5, 2)).astype("int8")
    f.case('matmul({0}, {1}, out_dtype="int32")', i, j, want=i.astype("int32") @ j.astype("int32"))
    with np.errstate(all="ignore"):
        f.case("matmul({0}, {1})", i, j, want=i @ j)
    f.write()


for make in [unary, binary, casts, reductions, movement, creation, neural]:
    make()
for make in FAMILIES + op_value_advanced.FAMILIES:
    make(Family)
