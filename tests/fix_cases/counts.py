"""Arguments, axes and turns that are one too few, and what a kernel says otherwise than it does."""
from fix_cases.frames import HEAD

MOVE = HEAD + """@I.ir_module
class Module:
    @T.prim_func(private=True)
    def move(centres: T.Buffer((5, 3), "float32"), sums: T.Buffer((5, 3), "float32"), count: T.Buffer((5,), "float32"), rate: T.float32):
        for c, d in T.grid(5, 3):
            centres[c, d] = centres[c, d] + rate * sums[c, d] / count[c]

    @R.function
    def main(sums: R.Tensor((5, 3), "float32"), rate: T.float32):
        count = R.sum(sums, axis=1)
        centres = R.exp(sums)
        new = R.call_tir_inplace(Module.move, ({}), out_ty=R.Tensor((5, 3), "float32"), inplace_indices=[0])
        return (new, count)"""
TURN = HEAD + """@I.ir_module
class Module:
    @R.function(private=True)
    def turn(x: R.Tensor((8,), "float32"), step: T.int64, last: T.int64) -> R.Tensor((8,), "float32"):
        if step < last:
            y = R.exp(x)
            z = Module.turn(y, {})
        else:
            z = x
        return z

    @R.function
    def main(x: R.Tensor((8,), "float32"), n: T.int64) -> R.Tensor((8,), "float32"):
        return Module.turn(x, 0, n)"""
AXES = HEAD + """@T.prim_func(s_tir=True)
def k(a: T.Buffer((5, 3), "float32"), n: T.Buffer((5,), "float32")):
    for c, d in T.grid(5, 3):
        with T.sblock("k"):
            vc, vd = T.axis.remap("{}", [c, d])
            if n[vc] > T.float32(0):
                a[vc, vd] = a[vc, vd] / n[vc]"""
KEPT = HEAD + """N = 4
@T.prim_func
def k(a: T.Buffer((8, N), "float32"), b: T.Buffer((8,), "int32")):
    for i in range(8):
        best: T.float32 = T.float32(0)
{}        for j in range(N):
            if a[i, j] > best:
                best = a[i, j]
                arg = j
        b[i] = arg"""
STORED = HEAD + """@I.ir_module
class Module:
    @T.prim_func(private=True)
    def rank(a: T.Buffer((8,), "float32"), b: T.Buffer((8,), "float32"), n: T.Buffer((8,), "{}")):
        for i in range(8):
            arg: T.int32 = i
            b[i] = a[i]
            n[i] = arg

    @R.function
    def main(x: R.Tensor((8,), "float32")):
        z = R.call_tir(Module.rank, (x,), out_ty=[R.Tensor((8,), "float32"), R.Tensor((8,), "int32")])
        return z"""
BEGIN = HEAD + """@T.prim_func
def k(a: T.Buffer(("n",), "float32")):
    n = T.int64()
    for i in range({}n):
        a[i] = a[i - 1] + T.float32(1)"""
TWICE = HEAD + """@R.function
def f(x: R.Tensor(("n",), "float32"), y: R.Tensor(("{}",), "float32")):
    z = R.add(R.concat((x, x)), y)
    return z"""
COUNT = """while w {} 0:
    w = w - 1
b[i] = a[i]"""

FOR = TURN.replace("if step < last:", "{}").replace("Module.turn(y, {})", "Module.turn(y, step + 1, last)")
PARTS = HEAD + """@I.ir_module
class Module:
    @R.function(private=True)
    def turn(x: R.Tensor((8,), "float32"), left: T.int64) -> R.Tuple({}):
        if left > 0:
            y = R.exp(x)
            r: R.Tuple(R.Tensor((8,), "float32"), T.int64) = Module.turn(y, left - 1)
        else:
            r = (x, left)
        return r

    @R.function
    def main(x: R.Tensor((8,), "float32"), n: T.int64):
        r = Module.turn(x, n)
        return r[0]"""
DECORATED = HEAD + """@R.function{}
def f(x: R.Tensor((8,), "float32")):
    return x"""

CASES = [
    ("E0565", "file", FOR.format("for step in range(last):"), FOR.format("if step < last:")),
    ("E0153", "file", DECORATED.format("\n@R.function"), DECORATED.format("")),
    ("E0511", "file", MOVE.format("centres, sums, rate"), MOVE.format("centres, sums, count, rate")),
    ("E0511", "file", MOVE.format("centres, sums, count, sums, rate"), MOVE.format("centres, sums, count, rate")),
    ("E0420", "file", AXES.format("S"), AXES.format("SS")),
    ("E0513", "file", STORED.format("float32"), STORED.format("int32")),
    ("E0107", "file", TWICE.format("2n"), TWICE.format("2 * n")),
    ("E0101", "kernel", "w: T.int32 = 8\n" + COUNT.format("=>"), "w: T.int32 = 8\n" + COUNT.format(">=")),
    ("E0480", "graph", "if R.greater(R.reshape(x, (1, 8)), x):\n    z = x\nelse:\n    z = R.exp(x)", None),
    ("E0480", "graph", "q = R.reshape(c, (1,))\nif q:\n    z = x\nelse:\n    z = R.exp(x)", "q = R.reshape(c, (1,))\nif R.min(q):\n    z = x\nelse:\n    z = R.exp(x)"),
]
SHOWN = [
    ("file", BEGIN.format("")),
    ("file", KEPT.format("")),
    ("file", TURN.format("step + 1")),
    ("file", PARTS.format('R.Tensor((8,), "float32")')),
    # closed in front of the `%`, and not of the bracket behind it
    ("kernel", "b[i] = a[(i + 8 - 1 % 8]"),
    ("kernel", "b[i] = a[(i + 1i) % 8]"),
    ("file", DECORATED.format("\n@T.prim_func")),
]
ALONE = [
    *[(case[1], case[2]) for case in CASES if case[3]],
    *SHOWN[:5],
]
