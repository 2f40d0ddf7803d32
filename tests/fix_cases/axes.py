"""Axes and loops of symbolic extents, kinds of axes, T.init, and what other languages write."""
from fix_cases.frames import AXES, HEAD, MODULE, SMALL

OPEN_COPY = HEAD + """@T.prim_func
def k(a: T.Buffer(("n", 24), "float32"), b: T.Buffer(("n", 24), "float32")):
    n = T.int64()
    for i, j in T.grid(n, 24):
        with T.sblock("s"):
            vi = T.axis.spatial(n, {})
            vj = T.axis.spatial(24, {})
            b[vi, vj] = a[vi, vj]"""
COPY = HEAD + """@T.prim_func
def k(a: T.Buffer((8, 8), "float32"), b: T.Buffer((8, 8), "float32")):
    for i, j in T.grid(8, 8):
        with T.sblock("s"):
            vi, vj = T.axis.remap("SS", [{}])
            b[vi, vj] = a[vi, vj]"""
SPLIT = HEAD + """@T.prim_func
def k(a: T.Buffer((64,), "float32"), b: T.Buffer((64,), "float32")):
    for i, j in T.grid(16, 4):
        with T.sblock("s"):
            v = T.axis.spatial(64, i * {} + j)
            b[v] = a[v]"""
SCALED = HEAD + """@T.prim_func
def k(a: T.Buffer((8,), "float32"), b: T.Buffer((8,), "float32")):
    for i in range(8):
        with T.sblock("s"):
            v = T.axis.{}(8, i)
            b[{}] = a[v]"""
SUMMED = HEAD + """@T.prim_func
def k(a: T.Buffer((8,), "float32"), b: T.Buffer((), "float32")):
    acc: T.float32 = 0.0
    for i in range(8):
        {} = acc + a[i]
    b[()] = acc"""
PARTS = HEAD + """@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((8,), "float32")):
        r = (x, R.exp(x), x)
        {} = r
        return R.add(q, s)"""

CASES = [
    ("E0453", "file", OPEN_COPY.format("i", "i"), OPEN_COPY.format("i", "j")),
    ("E0453", "file", OPEN_COPY.format("j", "j"), OPEN_COPY.format("i", "j")),
    ("E0443", "file", OPEN_COPY.replace("(n, {})", "({}, n)").format("i", "j"), OPEN_COPY.format("i", "j")),
    ("E0453", "file", COPY.format("i, i"), COPY.format("i, j")),
    ("E0453", "file", COPY.format("j, j"), COPY.format("i, j")),
    ("E0443", "file", SPLIT.format(8), SPLIT.format(4)),
    ("E0454", "file", SCALED.format("reduce", "v"), SCALED.format("spatial", "v")),
    ("E0455", "file", SCALED.format("spatial", "0"), SCALED.format("spatial", "v")),
    ("E0456", "reduce", AXES.format("SR").replace("b[vi] = T.float32(0)", "b[0] = T.float32(0)"), AXES.format("SR")),
    ("E0574", "file", SUMMED.format("acc2"), SUMMED.format("acc")),
    # ---- names ----
    ("E0404", "kernel", "n[i] = T.clamp(n[i], -128, 127)\nb[i] = a[i]", "n[i] = T.min(T.max(n[i], -128), 127)\nb[i] = a[i]"),
    ("E0404", "kernel", "b[i] = T.clamp(a[i])", None),
    ("E0201", "kernel", "b[i] = a[i] * S[i]", None),
    ("E0260", "file", PARTS.format("p, q"), PARTS.format("p, q, s")),
    # ---- other languages ----
    ("E0105", "kernel", "if (i < 4) {\n    b[i] = a[i]", "if (i < 4):\n    b[i] = a[i]"),
    ("E0101", "kernel", "float acc = 0.0\nb[i] = a[i] + acc", "acc: T.float32 = 0.0\nb[i] = a[i] + acc"),
    ("E0101", "kernel", "let acc = a[i]\nb[i] = a[i] + acc", "acc = a[i]\nb[i] = a[i] + acc"),
    ("E0101", "kernel", "b[i] = a[i] + T.float32(1e-8f)", "b[i] = a[i] + T.float32(1e-8)"),
    ("E0101", "file", SMALL.replace("    y =", '    R.func_attr({"author": "name" "version": 2})\n    y ='), SMALL.replace("    y =", '    R.func_attr({"author": "name", "version": 2})\n    y =')),
    ("E0406", "kernel", "b[i] = T.max(a[i], -T.inf)", 'b[i] = T.max(a[i], -T.infinity("float32"))'),
    ("E0128", "file", MODULE.replace("class Module:", "class Module(nn.Module):"), MODULE),
    ("E0252", "kernel", 'w = T.alloc_buffer(8, 4, "float32")\nw[i, 0] = a[i]\nb[i] = w[i, 0]', 'w = T.alloc_buffer((8, 4), "float32")\nw[i, 0] = a[i]\nb[i] = w[i, 0]'),
    ("E0407", "kernel", "w = T.alloc_buffer((8, 4))\nw[i * 4 + 0] = a[i]\nb[i] = w[i, 0]", "w = T.alloc_buffer((8, 4))\nw[i, 0] = a[i]\nb[i] = w[i, 0]"),
]
