"""Lines and signs that are missing, or typed as another one: `with`, `else`, `=`; and values that are parts of a tuple."""
from fix_cases.frames import HEAD

FLOW = HEAD + """@R.function
def f(x: R.Tensor((8,), "float32")):
{}        y = R.exp(x)
        z = R.abs(y)
        R.output(z)
    return z"""
INNER = HEAD + """@R.function
def f(x: R.Tensor((8,), "float32")):
    w = R.abs(x)
{}        y = R.exp(w)
        R.output(y)
    return y"""
BLOCK = HEAD + """@T.prim_func(s_tir=True)
def k(a: T.Buffer((4, 8), "float32"), b: T.Buffer((4,), "float32")):
    for i, j in T.grid(4, 8):
{}            vi, vj = T.axis.remap("SR", [i, j])
            T.reads(a[vi, vj])
            T.writes(b[vi])
            with T.init():
                b[vi] = T.float32(0)
            b[vi] = b[vi] + a[vi, vj]"""
NARROW = BLOCK.replace("\n            ", "\n        ").replace("{}            ", "{}        ").replace("    b[vi] = T.float32(0)", "    b[vi] = T.float32(0)")
WIDE = BLOCK.replace("{}", '        with T.sblock("k"):\n')
LATER = HEAD + """@T.prim_func(s_tir=True)
def k(a: T.Buffer((4,), "float32"), b: T.Buffer((4,), "float32")):
    for i in range(4):
        b[i] = T.float32(0)
{}            vi = T.axis.spatial(4, i)
            b[vi] = a[vi]"""
BOTH = HEAD + """@I.ir_module
class Module:
    @R.function(private=True)
    def both(x: R.Tensor((8,), "float32"), {}):
        {}
        return R.add(x, R.multiply(w, b))

    @R.function
    def main(x: R.Tensor((8,), "float32"), w: R.Tensor((8,), "float32"), b: R.Tensor((8,), "int32")):
        c = R.astype(b, "float32")
        params = (w, c)
        y = Module.both(x, {})
        return R.add(y, params[0])"""
TUPLE = BOTH.replace("{}", 'p: R.Tuple(R.Tensor((8,), "float32"), R.Tensor((8,), "float32"))', 1).replace("{}", "w, b = p", 1)
PARTS = BOTH.replace("{}", 'w: R.Tensor((8,), "float32"), b: R.Tensor((8,), "float32")', 1).replace("{}", "x = R.abs(x)", 1)
BLEND = HEAD + """@I.ir_module
class Module:
    @T.prim_func(private=True)
    def blend(a: T.Buffer((8,), "float32"), c: T.Buffer((8,), "float32"), mixed: T.Buffer((8,), "float32")):
        for i in range(8):
            a[i] = T.max(a[i], c[i])
            mixed[i] = a[i] + c[i]

    @R.function
    def main(x: R.Tensor((8,), "float32"), y: R.Tensor((8,), "float32")):
        u = R.exp(x)
        v = R.exp(y)
        pair = R.call_tir_inplace(Module.blend, (u, v), out_ty=[{}], inplace_indices=[{}])
        top, mixed = pair
        return R.add(top, mixed)"""
TYPE = 'R.Tensor((8,), dtype="float32")'
ORDER = HEAD + """@I.ir_module
class Module:
    @T.prim_func(private=True)
    def write(cache: T.Buffer((4, 8), "float16"), table: T.Buffer((3,), "int32"), row: T.Buffer((8,), "float16")):
        for i in range(8):
            cache[table[0] % 4, i] = row[i]

    @R.function
    def main(c: R.Tensor((4, 8), "float16"), t: R.Tensor((3,), "int32"), r: R.Tensor((8,), "float16")):
        d = R.abs(c)
        n = R.call_tir_inplace(Module.write, ({}), out_ty=R.Tensor((4, 8), "float16"), inplace_indices=[0])
        return n"""
LISTED = HEAD + """@R.function
def f(x: R.Tensor((8,), "float32")):
    p = R.split(x, 2)
    y = R.concat({})
    return y"""

CASES = [
    ("E0109", "file", FLOW.format(""), FLOW.format("    with R.dataflow():\n")),
    ("E0109", "file", INNER.format(""), INNER.format("    with R.dataflow():\n")),
    ("E0109", "file", LATER.format(""), LATER.format('        with T.sblock("k"):\n')),
    ("E0416", "file", BLOCK.format(""), WIDE),
    ("E0416", "file", NARROW.format(""), WIDE),
    ("E0101", "kernel", "if i < 4:\n    b[i] = a[i]\nelif:\n    b[i] = 0.0", "if i < 4:\n    b[i] = a[i]\nelse:\n    b[i] = 0.0"),
    ("E0101", "kernel", "if i < 4:\n    b[i] = a[i]\nelif:\n    b[i] = 0.0\nelse:\n    b[i] = 1.0", None),
    ("E0101", "graph", "z = R.sum(x, axis==0)", "z = R.sum(x, axis=0)"),
    ("E0101", "graph", "z = R.permute_dims(R.reshape(x, (2, 4)), axes == [1, 0])", "z = R.permute_dims(R.reshape(x, (2, 4)), axes=[1, 0])"),
    ("E0258", "graph", "(v, w) == R.split(x, 2)\nz = R.add(v, w)", "(v, w) = R.split(x, 2)\nz = R.add(v, w)"),
    ("E0258", "graph", "v, w == R.split(x, 2)\nz = R.add(v, w)", "v, w = R.split(x, 2)\nz = R.add(v, w)"),
    # ---- tuples and their parts ----
    ("E0233", "file", TUPLE.format("w, c"), TUPLE.format("(w, c)")),
    ("E0233", "file", PARTS.format("params"), PARTS.format("params[0], params[1]")),
    ("E0134", "file", LISTED.format("[*p]"), LISTED.format("p")),
    ("E0134", "file", LISTED.format("[*p, x]"), LISTED.format("[p[0], p[1], x]")),
    # ---- calls of kernels ----
    ("E0305", "file", BLEND.format(f"{TYPE}, {TYPE}", "0, 1"), BLEND.format(f"{TYPE}, {TYPE}", "0, -1")),
    ("E0305", "file", BLEND.format(TYPE, "0, -1"), BLEND.format(f"{TYPE}, {TYPE}", "0, -1")),
    ("E0513", "file", ORDER.format("d, r, t"), ORDER.format("d, t, r")),
    ("E0650", "graph", "z = R.tae(x, y, axis=0)", "z = R.take(x, y, axis=0)"),
]
SHOWN = [
    ("graph", "z = R.men(x, axis=0)"),
]
ALONE = [
    *[(case[1], case[2]) for case in CASES if case[3]],
    ("kernel", "b[i] = a[i++]"),
]
