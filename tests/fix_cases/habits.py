"""Habits and slips: what is wrong stands where a name, a loop or a layout is said, or is typed as in other languages."""
from fix_cases.frames import HEAD

EXTENT = HEAD + """L = 32
HALF = {}
@T.prim_func
def k(x: T.Buffer((HALF,), "float32"), y: T.Buffer((HALF - 2,), "float32")):
    for i in range(HALF - 2):
        y[i] = x[i + 1]"""
EPSILON = HEAD + """EPS = {}
@R.function
def f(x: R.Tensor((2, 8), "float32"), w: R.Tensor((8,), "float32")):
    y = R.nn.rms_norm(x, w, axes=[-1], epsilon=EPS)
    return y"""
PARTS = HEAD + """@I.ir_module
class Module:
    @R.function(private=True)
    def predict(x: R.Tensor((8,), "float32")):
        x1 = R.exp(x)
        p1 = R.abs(x)
        return (x1, p1)

    @R.function
    def main(x: R.Tensor((8,), "float32")):
        {} = Module.predict(x)
        y = R.exp(x1)
        z = R.add(y, p1)
        return z"""
PAIR = HEAD + """@R.function
def f(x: R.Tensor((8,), "float32")):
    pair = R.split(x, 2)
    {} = pair
    z = R.add(top, mixed)
    return z"""
LAYOUT = HEAD + """@R.function
def f(x: R.Tensor((1, 1, 32), "float32"), w: R.Tensor((4, 1, 5), "float32")):
    y = R.nn.conv1d(x, w, data_layout="{}", kernel_layout="OIW")
    return y"""
CUT = HEAD + """N = 16
@T.prim_func
def k(x: T.Buffer((N,), "float32"), w: T.Buffer((3,), "float32"), y: T.Buffer((N - 2,), "float32")):
    for i, j in T.grid({}, 3):
        with T.sblock("k"):
            vi, vj = T.axis.remap("SR", [i, j])
            with T.init():
                y[vi] = T.float32(0)
            y[vi] = y[vi] + x[vi + vj] * w[vj]"""
RANGE = HEAD + """N = 10
@T.prim_func
def k(x: T.Buffer((N,), "int32"), y: T.Buffer((), "int32")):
    w: T.int32 = 0
    for i in range(1, {}):
        if x[i] > x[w]:
            w = i
    y[()] = w"""
BEST = HEAD + """@T.prim_func
def k(x: T.Buffer((8,), "int32"), y: T.Buffer((), "int32")):
    for i in range(8):
        if x[i] > x[w]:
            w = i
    y[()] = w"""
TURNS = HEAD + """@I.ir_module
class Module:
    @R.function(private=True)
    def turn(x: R.Tensor((8,), "float32"), i: T.int64) -> R.Tensor((8,), "float32"):
        {} i < 4:
            y = R.exp(x)
            z = Module.turn(y, i + 1)
        else:
            z = x
        return z

    @R.function
    def main(x: R.Tensor((8,), "float32")) -> R.Tensor((8,), "float32"):
        return Module.turn(x, 0)"""
TUPLE = HEAD + """@I.ir_module
class Module:
    @R.function(private=True)
    def both(x: R.Tensor((8,), "float32"), p: R.Tuple(R.Tensor((8,), "float32"), R.Tensor((8,), "float32"))):
        a = p[0]
        return R.add(x, a)

    @R.function
    def main(x: R.Tensor((8,), "float32")):
        params = (x, x)
        y = Module.both(x, {})
        return y"""
APART = TUPLE.replace('p: R.Tuple(R.Tensor((8,), "float32"), R.Tensor((8,), "float32"))', 'p: R.Tensor((8,), "float32"), q: R.Tensor((8,), "float32")').replace("a = p[0]", "a = R.add(p, q)")
PARAMETER = HEAD + """@R.function
def f(x: R.Tensor((8,), "float32"), {}: R.Tensor((8,), "float32")):
    y = R.subtract(x, mean)
    return y"""

CASES = [
    # a constant that is a float, alone and within more
    ("E0408", "file", EXTENT.format("L / 2"), EXTENT.format("L // 2")),
    ("E0408", "file", EXTENT.format("16."), EXTENT.format("16")),
    ("E0655", "file", EPSILON.format("1e-5,"), EPSILON.format("1e-5")),
    ("E0655", "file", EPSILON.format('"1e-5"'), EPSILON.format("1e-5")),
    ("E0260", "file", PARTS.format("x1"), PARTS.format("x1, p1")),
    ("E0115", "kernel", "b[i] =- a[i]", "b[i] -= a[i]"),
    ("E0115", "kernel", "b[i] =+ a[i]", "b[i] += a[i]"),
    ("E0610", "file", LAYOUT.format("NWC"), LAYOUT.format("NCW")),
    ("E0442", "file", CUT.format("N"), CUT.format("N - 2")),
    ("E0442", "file", RANGE.format("N + 1"), RANGE.format("N")),
    ("E0565", "file", TURNS.format("while"), TURNS.format("if")),
    ("E0134", "file", TUPLE.format("*params"), TUPLE.format("params")),
    ("E0134", "file", APART.format("*params"),
     APART.format("params[0], params[1]")),
    ("E0566", "graph", "R.exp(x)\nz = R.abs(w)", "w = R.exp(x)\nz = R.abs(w)"),
    ("E0201", "file", PARAMETER.format("man"), PARAMETER.format("mean")),
    # the C way to count
    ("E0101", "kernel", "for (int j = 0; j < 8; j++):\n    b[j] = a[j]", "for j in range(8):\n    b[j] = a[j]"),
    ("E0201", "graph", "z = R.sum(x, keepdims=Treu)", "z = R.sum(x, keepdims=True)"),
    ("E0650", "graph", 'w = R.conts(2, "float32")\nz = R.add(x, w)', 'w = R.const(2, "float32")\nz = R.add(x, w)'),
]
SHOWN = [
    ("file", BEST),
    ("file", PAIR.format("top")),
]
ALONE = [
    ("file", EXTENT.format("L / 2")),
    ("file", PARTS.format("x1")),
    ("file", CUT.format("N")),
    ("file", PAIR.format("top")),
    ("graph", "R.exp(x)\nz = R.abs(w)"),
    # one line in front of the module mends both
    ("file", HEAD + '@R.function\ndef f(x: R.Tensor((C,), "float32")):\n    return x\n\n\n@R.function\ndef g(x: R.Tensor((C,), "float32")):\n    return x'),
]
