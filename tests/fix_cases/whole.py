"""What stands in brackets is mended with them; and what changed places, or is one thing where another was meant."""
from fix_cases.frames import HEAD

ECHO = HEAD + """@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def echo(block: T.Buffer(("b",), "float32"), ring: T.Buffer(("d",), "float32"), pos: T.int64, gain: T.float32, wet: T.Buffer(("b",), "float32")):
        b = T.int64()
        d = T.int64()
        for i in range(b):
            wet[i] = block[i] + gain * ring[(pos + i) %% d]
            ring[(pos + i) %% d] = wet[i]

    @R.function
    def main(ring: R.Tensor(("d",), "float32"), block: R.Tensor(("b",), "float32"), pos: T.int64, gain: T.float32):
        R.func_attr({"relax.inplace_arg": 0})
        d = T.int64()
        b = T.int64()
        pair = R.call_tir_inplace(Module.echo, (%s), out_ty=[%s], inplace_indices=[%s])
        return pair"""
RIGHT = ("block, ring, pos, gain", 'R.Tensor((d,), "float32"), R.Tensor((b,), "float32")', "1, -1")
SPLIT = HEAD + """@R.function
def f(x: R.Tensor((1, 18), "float32"), g: R.Tensor(("n", 3), "float32"), q: R.Tensor((5, 7), "float32")):
    n = T.int64()
    y = R.split({})
    return y"""
TABLE = HEAD + """@T.prim_func
def k(a: T.Buffer(("m",), "int32"), b: T.Buffer(("n",), "int32"), d: T.Buffer(("m + 1", "n + 1"), "int32")):
    m = T.int64()
    n = T.int64()
    for i, j in T.grid({}):
        d[i + 1, j + 1] = d[i, j] + a[i] * b[j]"""
TURN = HEAD + """@I.ir_module
class Module:
    @R.function(private=True)
    def solve(x: R.Tensor((8,), "float32"), i: T.int64) -> R.Tuple(R.Tensor((8,), "float32"), R.Prim("int64")):
        if i < 8:
            r: R.Tuple(R.Tensor((8,), "float32"), R.Prim("int64")) = Module.solve(R.exp(x), i + 1)
        else:
            r = (x, i)
        return {}

    @R.function
    def main(x: R.Tensor((8,), "float32")):
        return Module.solve(x, 0)"""

ORDERED = HEAD + """@R.function
def f(x: R.Tensor((4, 16), "float32"), w: R.Tensor((8, 16), "float32")):
    y = R.matmul(x, R.permute_dims(w, axes={}))
    return y"""
BARE = HEAD + """@I.ir_module
class Module:
    @T.prim_func(private=True)
    def one(a: T.Buffer((8,), "float32"), b: T.Buffer((8,), "float32")):
        for i in range(8):
            b[i] = a[i]

{}    def two(a: T.Buffer((8,), "float32"), b: T.Buffer((8,), "float32")):
        for i in range(8):
            b[i] = a[i]

    @R.function
    def main(x: R.Tensor((8,), "float32")):
        y = R.call_tir(Module.one, (x,), out_ty=R.Tensor((8,), "float32"))
        return R.call_tir(Module.two, (y,), out_ty=R.Tensor((8,), "float32"))"""
SYMBOL = """from typing import TypeVar

from tvm.script import ir as I
from tvm.script import relax as R
{}
@R.function
def f(x: R.Tensor((s, 16), "float32"), y: R.Tensor((s, 16), "float32")):
    return R.add(x, y)"""


def echo(**changed):
    given, types, map_ = RIGHT
    return ECHO % (changed.get("given", given), changed.get("types", types), changed.get("map", map_))


CASES = [
    # ---- brackets around an operand are of what it is part of ----
    ("E0266", "graph", "z = (x - x).abs()", "z = R.abs(x - x)"),
    ("E0266", "graph", "z = R.add(x, ((x * x)).sum(axis=0))", "z = R.add(x, R.sum(x * x, axis=0))"),
    ("E0266", "graph", "z = x * -(x - x).exp()", "z = x * -R.exp(x - x)"),
    ("E0266", "graph", "z = (x - x) ** (x).abs()", "z = (x - x) ** R.abs(x)"),
    ("E0258", "graph", "z = (x - x) @ x", "z = R.matmul(x - x, x)"),
    ("E0258", "graph", "z = (x > x) and (x < x)", "z = R.logical_and(x > x, x < x)"),
    ("E0258", "graph", "z = not (x > x)", "z = R.logical_not(x > x)"),
    ("E0258", "graph", "z = ~(x > x)", "z = R.bitwise_not(x > x)"),
    ("E0258", "graph", "z = (x - x) == (x)", "z = R.equal(x - x, x)"),
    ("E0258", "graph", "z = (x + x) if (x > x) else (x)", "z = R.where(x > x, x + x, x)"),
    ("E0230", "graph", "z = (x - x)[1]", "z = R.take(x - x, 1, axis=0)"),
    # ---- methods of what a method gives ----
    ("E0266", "graph", "z = x.abs().max()", "z = R.max(R.abs(x))"),
    ("E0266", "graph", "z = (x * x).sum(axis=0).sqrt().float()", 'z = R.astype(R.sqrt(R.sum(x * x, axis=0)), "float32")'),
    ("E0266", "graph", 'z = R.add(x, x.abs()).astype("float16")', 'z = R.add(x, R.abs(x)).astype("float16")'),
    # ---- `!` ----
    ("E0103", "kernel", "n[i] = !n[0]\nb[i] = a[i]", None),
    ("E0103", "kernel", "if !(a[i] > a[0]):\n    b[i] = a[i]", "if not (a[i] > a[0]):\n    b[i] = a[i]"),
    ("E0103", "kernel", "b[i] = T.if_then_else(!(n[i] > 0), a[i], a[0])", "b[i] = T.if_then_else(not (n[i] > 0), a[i], a[0])"),
    # ---- what changed places in a call in place ----
    ("E0306", "file", echo(map="-1, 1"), echo()),
    ("E0306", "file", echo(given="ring, block, pos, gain"), echo()),
    ("E0306", "file", echo(types='R.Tensor((b,), "float32"), R.Tensor((d,), "float32")'), None),
    ("E0514", "file", echo(given="block, ring, gain, pos"), echo()),
    # ---- sections ----
    ("E0609", "file", SPLIT.format("x, 3, axis=0"), SPLIT.format("x, 3, axis=1")),
    ("E0609", "file", SPLIT.format("x, 3"), SPLIT.format("x, 3, axis=1")),
    ("E0609", "file", SPLIT.format("q, 4, axis=0"), None),
    ("E0621", "file", SPLIT.format("g, 3, axis=0"), SPLIT.format("g, [(n + 2) // 3, (n + 2) // 3 * 2], axis=0")),
    # ---- loops of open sizes, arguments that are missing ----
    ("E0442", "file", TABLE.format("m + 1, n"), TABLE.format("m, n")),
    ("E0653", "graph", 'z = R.quantize(x, R.const(0.5), out_dtype="uint8")', 'z = R.quantize(x, R.const(0.5), R.const(0, "uint8"), out_dtype="uint8")'),
    ("E0653", "graph", "z = R.clip(x, 0)", "z = R.maximum(x, 0)"),
    ("E0653", "graph", "z = R.expand_dims(x)", None),
    # ---- what is there already is changed, or repeated ----
    ("E0610", "file", ORDERED.format("[0, 1]"), ORDERED.format("[1, 0]")),
    ("E0153", "file", BARE.format(""), BARE.format("    @T.prim_func(private=True)\n")),
    ("E0201", "file", SYMBOL.format(""), SYMBOL.format('s = TypeVar("s")\n')),
    # ---- habits of others ----
    ("E0101", "graph", "z = x[..., 0]", "z = R.take(x, 0, axis=-1)"),
    ("E0652", "graph", 'z = R.zeros(3, 4, dtype="float32")', 'z = R.zeros((3, 4), dtype="float32")'),
    ("E0103", "kernel", "b[i] = (a[i] > a[0]) ? a[i] : a[0]", "b[i] = a[i] if (a[i] > a[0]) else a[0]"),
    ("E0404", "kernel", "b[i] = a[i].max(a[0])", "b[i] = T.max(a[i], a[0])"),
    ("E0404", "kernel", "b[i] = (a[i] - a[0]).exp()", "b[i] = T.exp(a[i] - a[0])"),
    ("E0201", "graph", "z = r.add(x, x)", "z = R.add(x, x)"),
    ("E0257", "graph", "z = R.add[x, x]", "z = R.add(x, x)"),
    ("E0114", "graph", "z = R.permute_dims(R.reshape(x, (2, 4)), axes=-1, 0)", "z = R.permute_dims(R.reshape(x, (2, 4)), axes=[-1, 0])"),
    ("E0101", "kernel", "int k = n[i]\nb[i] = a[i]", None),
    ("E0254", "file", TURN.format("x"), TURN.format("r")),
]
SHOWN = [
    # the count of a loop, which would not go on
    ("file", TURN.format("r").replace("R.exp(x), i + 1", "R.exp(x)")),
    # the state of before the update is read, and the new one by nobody: the script is right as it is, too
    ("file", echo().replace("return pair", "new, wet = pair\n        return (ring, wet)")),
    # where the index goes around the edge is its author's to say; a shift of a number with a sign
    ("kernel", "b[7 - i] = a[6 - i]"),
    ("kernel", "n[i] = n[i] >>> 1\nb[i] = a[i]"),
]
ALONE = [(case[1], case[2]) for case in CASES if case[3]]
