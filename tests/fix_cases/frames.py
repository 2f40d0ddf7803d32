"""The scripts that the cases are parts of."""
HEAD = "from tvm.script import ir as I, relax as R, tirx as T\n"
REDUCE = """from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @T.prim_func(private=True)
    def reduce(a: T.Buffer((4, 8), "float32"), b: T.Buffer((4,), "float32")):
        for i, k in T.grid(4, 8):
{}

    @R.function
    def main(x: R.Tensor((4, 8), "float32")):
        y = R.call_tir(Module.reduce, (x,), out_ty=R.Tensor((4,), "float32"))
        return y
"""
GRAPH = """from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @T.prim_func(private=True)
    def scale(a: T.Buffer((8,), "float32"), b: T.Buffer((8,), "float32")):
        for i in range(8):
            b[i] = a[i] * T.float32(2)

    @R.function
    def main(x: R.Tensor((8,), "float32"), y: R.Tensor((8,), "int32"), c: R.Tensor((), "bool")):
{}
        return z
"""
KERNEL = """from tvm.script import tirx as T


@T.prim_func
def k(a: T.Buffer((8,), "float32"), b: T.Buffer((8,), "float32"), n: T.Buffer((8,), "int32"), s: T.Buffer((), "float32")):
    for i in range(8):
{}
"""
INPLACE = """from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @T.prim_func(private=True)
    def scale(a: T.Buffer((8,), "float32"), b: T.Buffer((8,), "float32"), c: T.Buffer((8,), "float32")):
        for i in range(8):
            b[i] = a[i] * T.float32(2)
            c[i] = a[i]

    @R.function
    def main(x: R.Tensor((8,), "float32")):
        y = R.exp(x)
        z = R.call_tir_inplace(Module.scale, (x, y), out_ty=[R.Tensor((8,), "float32"), R.Tensor((8,), "float32")], inplace_indices={})
        return z
"""
ORDER = """@I.ir_module
class Module:
    @T.prim_func(private=True)
    def rows(a: T.Buffer((4, 8), "float32"), b: T.Buffer((8,), "float32"), c: T.Buffer((4, 8), "float32")):
        for i, j in T.grid(4, 8):
            c[i, j] = a[i, j] * b[j]

    @R.function
    def main(x: R.Tensor((4, 8), "float32"), y: R.Tensor((8,), "float32")):
        z = R.call_tir(Module.rows, ({}), out_ty=R.Tensor((4, 8), "float32"))
        return z"""
# The kernel's n follows from n + 1: it is the result that is wrong.
SYMBOLS = """@I.ir_module
class Module:
    @T.prim_func(private=True)
    def diff(a: T.Buffer(("n + 1",), "float32"), b: T.Buffer(("n",), "float32")):
        n = T.int64()
        for i in range(n):
            b[i] = a[i + 1] - a[i]

    @R.function
    def main(x: R.Tensor(("n + 1",), "float32"), s: R.Shape(["n"])):
        n = T.int64()
        z = R.call_tir(Module.diff, (x,), out_ty=R.Tensor(({},), dtype="float32"))
        return z"""
SCALAR = HEAD + """@I.ir_module
class Module:
    @R.function(private=True)
    def f(x: R.Tensor((8,), "float32"), n: T.int64) -> R.Tensor((8,), "float32"):
        return x

    @R.function
    def main(x: R.Tensor((8,), "float32")) -> R.Tensor((8,), "float32"):
        return Module.f(x, {})"""
DTYPES = GRAPH.format('        z = R.call_tir(Module.scale, (x,), out_ty=R.Tensor((8,), "float32"))').rstrip()
# What the kernel is given has the dtype of another of its buffers, or of none.
MIXED = HEAD + """@I.ir_module
class Module:
    @T.prim_func(private=True)
    def dot(a: T.Buffer((8,), "int16"), b: T.Buffer((8,), "{}"), c: T.Buffer((8,), "int32")):
        for i in range(8):
            c[i] = T.Cast("int32", a[i]) * T.Cast("int32", b[i])

    @R.function
    def main(x: R.Tensor((8,), "{}"), y: R.Tensor((8,), "int8")):
        z = R.call_tir(Module.dot, (x, x), out_ty=R.Tensor((8,), "int32"))
        return z"""
UPDATE = """@I.ir_module
class Module:
    @T.prim_func(private=True)
    def scale(a: T.Buffer((8, 4), "float32"), s: T.Buffer((4,), "float32")):
        for i, j in T.grid(8, 4):
            a[i, j] = a[i, j] * s[j]

    @R.function
    def main(x: R.Tensor((8, 4), "float32"), y: R.Tensor((4,), "float32")):
        w = R.exp(x)
        z = R.call_tir_inplace(Module.scale, ({}), out_ty=R.Tensor((8, 4), "float32"), inplace_indices=[0])
        return z"""
AXES = 'with T.sblock("s"):\n    vi, vk = T.axis.remap("{}", [i, k])\n    with T.init():\n        b[vi] = T.float32(0)\n    b[vi] = b[vi] + a[vi, vk]'
MODULE = HEAD + """@I.ir_module
class Module:
    I.module_attrs({"relax.contracts": {"my.log": {"reads": [0]}}})

    @R.function
    def main(x: R.Tensor((8,), "float32")):
        return R.exp(x)"""
BOUND = HEAD + """@R.function
def main(x: R.Tensor(("rows",), "float32")):
    R.func_attr({"tir_var_upper_bound": {"rows": 8}})
    return R.exp(x)"""
NAMED = HEAD + """IN = 8
OUT = 4
@T.prim_func
def k(a: T.Buffer((OUT, IN), "float32"), b: T.Buffer((OUT, IN), "float32")):
    for i, j in T.grid({}):
        b[i, j] = a[i, j]"""
PRODUCT = HEAD + """@T.prim_func
def k(a: T.Buffer((4, 6), "float32"), b: T.Buffer((6, 8), "float32"), c: T.Buffer((4, 8), "float32")):
    for i, j, k in T.grid(4, 8, 6):
        with T.sblock("m"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            with T.init():
                c[vi, vj] = T.float32(0)
            c[vi, vj] += a[vi, vk] * b[{}]"""
OPEN = HEAD + """@T.prim_func
def k(a: T.Buffer(("h", "w", 3), "float32"), b: T.Buffer((3, "h", "w"), "float32")):
    h = T.int64()
    w = T.int64()
    for c, y, x in T.grid(3, h, w):
        with T.sblock("t"):
            vc, vy, vx = T.axis.remap("SSS", [{0}])
            b[vc, vy, vx] = a[{1}]"""
SUM = HEAD + """@T.prim_func
def k(a: T.Buffer((6, 4), "float32"), b: T.Buffer((4,), "float32")):
    for i, j in T.grid(4, 6):
        with T.sblock("s"):
            vi, vj = T.axis.remap("SR", [i, j])
            with T.init():
                b[vi] = T.float32(0)
            b[vi] = b[vi] + a[{}]"""
ONE_SIZE = HEAD + """@I.ir_module
class Module:
    @T.prim_func
    def scale(x: T.Buffer(("n", 4), "float32"), by: T.Buffer((6, 4), "float32"), y: T.Buffer(("n", 4), "float32")):
        n = T.int64()
        for i, j in T.grid(n, 4):
            y[i, j] = x[i, j] * by[0, j]

    @R.function
    def main(x: R.Tensor(("n", 4), "float32"), by: R.Tensor((6, 4), "float32")):
        n = T.int64()
        cls = Module
        y = R.call_tir(cls.scale, {0}, out_ty=R.Tensor({1}, "float32"))
        return y"""
ONE = HEAD + """@T.prim_func
def k(c: T.Buffer((1,), "float32"), b: T.Buffer((8,), "float32")):
    for i in range(8):
        b[i] = {} * T.float32(2)"""
BRANCH = HEAD + """@R.function
def f(x: R.Tensor((8,), "float32"), c: R.Tensor((), "bool")):
    if c:
        {} R.abs(x)
    else:
        y = R.exp(x)
        {} y{}"""
TEMPLATES = {"reduce": (REDUCE, 12), "inplace": (INPLACE, 0), "graph": (GRAPH, 8), "kernel": (KERNEL, 8), "file": ("{}\n", 0)}

SMALL = HEAD + '@R.function\ndef f(x: R.Tensor((8,), "float32")):\n    y = R.exp(x)\n    return y'
PRIVATE = SMALL.replace("R.function", "R.function(private=True)")
PAIR = SMALL.replace("):", ') -> R.Tuple(R.Tensor((8,), "float32"), R.Tensor((), "float32")):').replace("return y", "return (R.sum(y), y)")
FLOW = HEAD + """@R.function
def f(x: R.Tensor((8,), "float32")) -> R.Tuple(R.Tensor((8,), "float32"), R.Tensor((), "float32")):
    with R.dataflow():
        y = R.exp(x)
        {}
    return {}"""
BLOCK = """@I.ir_module
class Module:
    @R.function(private=True)
    def block(x: R.Tensor((2, 8), "float32"), scale: R.Tensor((8,), "float32"), shift: R.Tensor((8,), "float32")) -> R.Tensor((2, 8), "float32"):
        return R.add(R.multiply(x, scale), shift)

    @R.function
    def main(x: R.Tensor((2, 8), "float32"), scale: R.Tensor((8,), "float32"), shift: R.Tensor((8,), "float32")):
        z = Module.block({})
        return z"""
