"""Small scripts that reach the reasons of analysis/remark.def that no example does: (code, arguments of `inlay why`, what it is said of, script).

What is said of is FUNCTION.SUBJECT; the same reason may be said of more.
"""

HEAD = "from tvm.script import ir as I, relax as R, tirx as T\n\n\n@I.ir_module\nclass Module:\n"
T64, T64x64 = 'R.Tensor((64,), "float32")', 'R.Tensor((64, 64), "float32")'


def indent(text, count=4):
    return "".join(" " * count + line + "\n" if line else "\n" for line in text.rstrip("\n").split("\n"))


def module(*functions):
    return HEAD + "\n".join(indent(f) for f in functions)


def loop(body, is_scheduled=True, shape='(64,), "float32"', scalar=""):
    """A kernel `k` of x and y, and a call of it."""
    kernel = f"@T.prim_func\ndef k(x: T.Buffer({shape}){', n: T.int64' if scalar else ''}, y: T.Buffer({shape})):\n"
    if is_scheduled:
        kernel += '    T.func_attr({"tirx.is_scheduled": True})\n'
    main = f"@R.function\ndef main(x: R.Tensor({shape}){', n: T.int64' if scalar else ''}):\n"
    return module(kernel + indent(body), main + f"    z = R.call_tir(Module.k, (x{scalar},), out_ty=R.Tensor({shape}))\n    return z")


def shared(body):
    """A kernel that a call gives one storage for both parameters."""
    shape = '(262144,), "float32"'
    return module(f"@T.prim_func\ndef k(a: T.Buffer({shape}), b: T.Buffer({shape})):\n" + indent(body),
                  f'@R.function\ndef main(x: R.Tensor({shape})):\n    R.func_attr({{"relax.inplace_arg": 0}})\n'
                  f"    z = R.call_tir_inplace(Module.k, (x, x), out_ty=R.Tensor({shape}), inplace_indices=[0])\n    return z")


def kernel(name, params, axes, body, loops="64, 64"):
    """A kernel of one block over i and j."""
    buffers = ", ".join(f'{p[0]}: T.Buffer({p[1:] or "(64, 64)"}, "float32")' for p in params)
    return (f'@T.prim_func\ndef {name}({buffers}):\n    for i, j in T.grid({loops}):\n        with T.sblock("b"):\n'
            f'            vi, vj = T.axis.remap("{axes}", [i, j])\n' + indent(body, 12))


def graph(body, *kernels, params=f", w: {T64x64}, v: {T64}", result="z"):
    return module(*kernels, f"@R.function\ndef main(x: {T64x64}{params}):\n    with R.dataflow():\n" + indent(body, 8) +
                  f"        R.output({result})\n    return {result}")


def primitive(body, *kernels, params=f"a: {T64x64}, w: {T64x64}", main=f"x: {T64x64}, w: {T64x64}", call="Module.g(x, w)", before=""):
    """A function of several kernels that the script asks to be one."""
    function = f'@R.function(private=True)\ndef g({params}):\n    R.func_attr({{"Primitive": True}})\n    with R.dataflow():\n'
    return module(*kernels, function + indent(body, 8) + "        R.output(z)\n    return z",
                  f"@R.function\ndef main({main}):\n{before}    z = {call}\n    return z")


def call(name, *args, out=T64x64):
    return f"R.call_tir(Module.{name}, ({', '.join(args)},), out_ty={out})"


def update(name, *args, out=T64x64):
    return f"R.call_tir_inplace(Module.{name}, ({', '.join(args)},), out_ty={out}, inplace_indices=[0])"


def balanced(count, first=0):
    if count == 1:
        return f"x[i] * T.float32({first}.5)"
    return f"({balanced(count // 2, first)} + {balanced(count - count // 2, first + count // 2)})"


LANES = "for i in T.vectorized(64):\n"
PLUS = kernel("plus", "abc", "SS", "c[vi, vj] = a[vi, vj] + b[vi, vj]")
SHIFT = kernel("shift", "ac", "SS", "c[vi, vj] = a[63 - vi, vj]")
ADD_TO = kernel("add_to", "ac", "SS", "a[vi, vj] = a[vi, vj] + c[vi, vj]")
INCREASE = kernel("increase", "a", "SS", "a[vi, vj] = a[vi, vj] + T.float32(1)")
ROLL = kernel("roll", "a", "SS", "a[vi, vj] = a[vi + 1, vj] + T.float32(1)", "63, 64")
GATHER = kernel("gather", ["a(64,)", "b"], "SR", "a[vi] = a[vi] + b[vi, vj]")
SUM = kernel("total", ["a", "c(64,)"], "SR", "with T.init():\n    c[vi] = T.float32(0)\nc[vi] = c[vi] + a[vi, vj]")
LESS = kernel("less", ["a", "s(64,)", "c"], "SS", "c[vi, vj] = a[vi, vj] - s[vi]")
TWICE = kernel("twice", "ac", "SS", "c[vi, vj] = a[vi, vj] * T.float32(2)")
PRODUCT = ('@T.prim_func\ndef product(a: T.Buffer((64, 64), "float32"), b: T.Buffer((64, 64), "float32"), c: T.Buffer((64, 64), "float32")):\n'
           '    for i, j, k in T.grid(64, 64, 64):\n        with T.sblock("b"):\n            vi, vj, vk = T.axis.remap("SSR", [i, j, k])\n'
           "            with T.init():\n                c[vi, vj] = T.float32(0)\n            c[vi, vj] = c[vi, vj] + a[vi, vk] * b[vk, vj]")
LOOPS, FUSION, MEMORY = ["--loops"], ["--fusion"], ["--memory"]
OPS, GROUPS = ["--fusion", "-p", "LegalizeOps,AnnotateTIROpPattern,FuseOps"], ["--fusion", "-p", "LegalizeOps,FuseTIR"]
TWO = ["--fusion", "-p", "LegalizeOps,AnnotateTIROpPattern,FuseOps(max_depth=2)"]
PROGRAMS = [
    # ---- loops: what stands against lanes and threads ----
    ("LP013", LOOPS, "k.i", loop('d = T.decl_buffer((64,), "float32", data=y.data)\nfor i in T.parallel(63):\n    y[i] = d[i + 1] + x[i]')),
    ("LP016", LOOPS, "k.i", loop(LANES + "".join(f"    y[i] = y[i] + y[(i * {j} + 7) % 64] * x[(i * {j}) % 64]\n" for j in range(100)))),
    ("LP022", LOOPS, "k.i", loop("for i in T.vectorized(0, 64, step=n):\n    y[i] = x[i]", scalar=", n")),
    ("LP023", LOOPS, "k.i", loop("for i in T.vectorized(T.int16(64)):\n    y[i] = x[i]")),
    ("LP024", LOOPS, "k.i", loop("for i in T.vectorized(16):\n    y[i * 4:i * 4 + 4] = x[i * 4:i * 4 + 4]")),
    ("LP027", LOOPS, "k.i", loop(LANES + '    s = T.alloc_buffer((n,), "float32")\n    s[0] = x[i]\n    y[i] = s[0]', scalar=", n")),
    ("LP028", LOOPS, "k.i", loop(LANES + "    if i == 5:\n        y[0] = x[i]")),
    ("LP031", LOOPS, "k.i", loop(LANES + '    with T.sblock("b"):\n        v = T.axis.spatial(64, i)\n        a = T.match_buffer(x[v:v + 1], (1,), offset_factor=1)\n'
                                 "        y[v] = a[0]")),
    ("LP032", LOOPS, "k.i", loop(LANES + '    for j in range(4):\n        with T.sblock("b"):\n            v = T.axis.spatial((i, i + 4), i + j)\n            y[i] = x[v % 64]')),
    ("LP033", LOOPS, "k.i", loop(LANES + '    d = T.decl_buffer((64,), "float32", data=x.data)\n    y[i] = d[i]')),
    ("LP034", LOOPS, "k.i", loop("for i in T.vectorized(8):\n    pass\nfor j in range(64):\n    y[j] = x[j]")),
    ("LP053", LOOPS, "k.i", loop("for i in T.vectorized(1):\n    y[i] = x[i]")),
    ("LP054", LOOPS, "k.i", loop("for i in range(64):\n    y.vstore([i], x[i], predicate=x[i] > T.float32(0))", False)),
    ("LP056", LOOPS, "k.i", loop("for i in range(4):\n    y[i] = " + balanced(1400), False)),
    ("LP060", LOOPS, "k.i", loop("for j in T.unroll(4):\n    for i in range(16):\n        y[j * 16 + i] = x[i]", False)),
    ("LP062", LOOPS, "k.i", loop("for i in T.parallel(1, 64):\n    y[i] = y[i - 1] + x[i]", False)),
    ("LP074", LOOPS, "k.i", loop('s = T.alloc_buffer((1,), "float32")\ns[0] = x[0]\nwhile s[0] > T.float32(1):\n    s[0] = s[0] * T.float32(0.5)\n    for i in range(64):\n'
                                 "        y[i] = x[i] * s[0]", False)),
    ("LP076", ["--loops", "-p", "VectorizeLoop(strided=true)"], "k.i", loop("for i in range(32):\n    y[i * 2] = x[i * 2]", False)),
    ("LP081", LOOPS, "k.i", loop('for i in range(63):\n    with T.sblock("b"):\n        v = T.axis.spatial(63, i)\n        a = T.match_buffer(x[v:v + 2], (2,), offset_factor=1)\n'
                                 "        y[v] = a[i % 3]", False)),
    ("LP082", LOOPS, "k.j", shared("for i, j in T.grid(511, 512):\n    a[i * 512 + j] = b[i * 512 + j + 512] + T.float32(1)")),
    # ---- fusion: why a result does not join what reads it, and kernels that are not made ----
    ("FU011", OPS, "main.b", graph("a = R.exp(x)\nb = R.matmul(x, w)\nz = R.sin(a)")),
    ("FU015", FUSION, "main.a", graph("a = R.exp(x)\nz = R.matmul(a, w)")),
    ("FU016", FUSION, "main.a", graph("a = R.exp(v)\nb = R.add(x, a)\nc = R.sum(b, axis=0)\nz = R.add(a, c)")),
    ("FU018", TWO, "main.a", graph("a = R.exp(x)\nb = R.abs(a)\nc = R.sin(b)\nd = R.cos(c)\ne = R.exp(d)\nf = R.abs(e)\nz = R.add(a, f)")),
    ("FU019", TWO, "main.b", graph("a = R.exp(x)\nb = R.abs(a)\nc = R.sin(b)\nz = R.cos(c)")),
    ("FU020", FUSION, "main.b", graph(f"a = R.copy(x)\nb = R.add(a, w)\nc = {update('roll', 'a')}\nz = R.multiply(b, c)", ROLL)),
    ("FU033", FUSION, "main.b", graph(f"a = R.exp(x)\nb = {update('increase', 'a')}\nc = R.assert_inplace(b)\nz = R.exp(c)", INCREASE)),
    ("FU034", FUSION, "main.b", graph(f"a = R.exp(v)\nb = {update('gather', 'a', 'w', out=T64)}\nz = R.exp(b)", GATHER)),
    ("FU035", FUSION, "main.b", graph(f"a = R.exp(x)\nb = {call('s', 'a', 'q')}\nz = R.exp(b)",
                                      kernel("s", ['a("n", 64)', 'b("n", 64)', 'c("m", 64)'], "SS", "c[vi, vj] = a[vi, vj] + b[vi, vj]", "n, 64"),
                                      params=', q: R.Tensor(("k", 64), "float32")')),
    ("FU041", GROUPS, "g.the kernel", primitive(f"c = R.match_cast(a, {T64x64})\nz = {call('plus', 'c', 'w')}", PLUS,
                                                params=f'a: R.Tensor(ndim=2, dtype="float32"), w: {T64x64}')),
    ("FU042", GROUPS, "g.the kernel", primitive(f'c = R.call_pure_packed("f", a, ty_args=({T64x64},))\nz = {call("plus", "c", "w")}', PLUS)),
    ("FU043", GROUPS, "g.the kernel", primitive(f"z = {update('gather', 'v', 'w', out=T64)}", GATHER, params=f"v: {T64}, w: {T64x64}", main=f"x: {T64}, w: {T64x64}")),
    ("FU044", GROUPS, "g.the kernel", primitive(f"c = {call('plus', 'a', 'w')}\nz = {call('plus', 'c', 'a')}", PLUS, call="f(x, w)", before="    f = Module.g\n")),
    ("FU052", GROUPS, "g.c", primitive(f"c = {call('shift', 'a')}\nz = {update('add_to', 'a', 'c')}", SHIFT, ADD_TO)),
    ("FU054", FUSION, None, graph("a0 = R.exp(x)\n" + "".join(f"a{i + 1} = R.abs(a{i})\n" for i in range(180)) + "z = R.exp(a180)")),
    ("FU055", GROUPS, "g.d", primitive(f"c = {call('product', 'a', 'w')}\nd = {call('twice', 'c')}\ne = {call('total', 'd', out=T64)}\nz = {call('less', 'd', 'e')}",
                                       PRODUCT, TWICE, SUM, LESS)),
    # a kernel with several results joins what takes them apart, and no more
    ("FU011", OPS, "main.u", module('@R.function\ndef main(x: R.Tensor((8,), "float32")):\n    u = R.unique(x, 1, 0, 0, 1)\n    c = u[1]\n    return x')),
    # ---- memory: where values lie ----
    ("ME003", MEMORY, "main.the plan", graph("a = R.sum(x, axis=1)\nb = R.matmul(x, w)\nc = R.add(b, R.reshape(R.exp(a), (64, 1)))\nz = R.matmul(c, w)")),
    ("ME021", MEMORY, None, module("@R.function\ndef main(" + ", ".join(f'{name}: R.Tensor({shape}, "float32")' for name, shape in
                                                                      [("a", (8, 8)), ("b", (8, 2)), ("c", (2, 1)), ("d", (1, 3)), ("e", (3, 8)), ("f", ())]) +
                                   "):\n    g = R.matmul(a, b)\n    h = R.matmul(g, c)\n    i = R.matmul(h, d)\n    j = R.matmul(i, e)\n    z = R.add(f, R.sum(j))\n    return z")),
]
