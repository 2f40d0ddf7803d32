"""Programs that must, or must not, run in place, with the decisions that they must get.

One row: name, parameters, donated positions, body, decisions in program order (IP000: in place). In a body,
`r = add!(t, y)@0` stands for R.call_tir_inplace(cls.add, (t, y), .., inplace_indices=[0]); all tensors are float32
of shape (4,) unless the body says otherwise. The expectations are worked out by hand from docs/inplace.md.
"""

KERNELS = '''
    @T.prim_func(private=True)
    def neg(a: T.Buffer((4,), "float32")):
        for i in range(4):
            with T.sblock("neg"):
                v_i = T.axis.spatial(4, i)
                a[v_i] = T.float32(0) - a[v_i]

    @T.prim_func(private=True)
    def add(a: T.Buffer((4,), "float32"), b: T.Buffer((4,), "float32")):
        for i in range(4):
            with T.sblock("add"):
                v_i = T.axis.spatial(4, i)
                a[v_i] = a[v_i] + b[v_i]

    @T.prim_func(private=True)
    def add_right(a: T.Buffer((4,), "float32"), b: T.Buffer((4,), "float32")):
        for i in range(4):
            with T.sblock("add_right"):
                v_i = T.axis.spatial(4, i)
                b[v_i] = a[v_i] + b[v_i]

    @T.prim_func(private=True)
    def add_next(a: T.Buffer((4,), "float32"), b: T.Buffer((4,), "float32")):
        for i in range(4):
            with T.sblock("add_next"):
                v_i = T.axis.spatial(4, i)
                a[v_i] = a[v_i] + b[(v_i + 1) % 4]

    @T.prim_func(private=True)
    def add_thrice(a: T.Buffer((4,), "float32"), b: T.Buffer((4,), "float32")):
        for k, i in T.grid(3, 4):
            with T.sblock("add_thrice"):
                v_k, v_i = T.axis.remap("RS", [k, i])
                a[v_i] = a[v_i] + b[v_i]

    @T.prim_func(private=True)
    def write_then_read(a: T.Buffer((4,), "float32"), b: T.Buffer((4,), "float32")):
        for i in range(4):
            with T.sblock("one"):
                v_i = T.axis.spatial(4, i)
                a[v_i] = a[v_i] + T.float32(1)
        for i in range(4):
            with T.sblock("two"):
                v_i = T.axis.spatial(4, i)
                a[v_i] = a[v_i] + b[v_i]

    @T.prim_func(private=True)
    def shift_self(a: T.Buffer((4,), "float32")):
        for i in range(3):
            with T.sblock("shift_self"):
                v_i = T.axis.spatial(3, i)
                a[v_i + 1] = a[v_i] + a[v_i + 1]

    @T.prim_func(private=True)
    def swap(a: T.Buffer((4,), "float32"), b: T.Buffer((4,), "float32")):
        for i in range(4):
            with T.sblock("swap"):
                v_i = T.axis.spatial(4, i)
                x: T.let[T.float32] = a[v_i]
                a[v_i] = b[v_i] + T.float32(1)
                b[v_i] = x - T.float32(1)

    @T.prim_func(private=True)
    def neg_and_sum(a: T.Buffer((4,), "float32"), total: T.Buffer((4,), "float32")):
        for i in range(4):
            with T.sblock("neg_and_sum"):
                v_i = T.axis.spatial(4, i)
                total[v_i] = a[v_i] + T.float32(10)
                a[v_i] = T.float32(0) - a[v_i]

    @T.prim_func(private=True)
    def neg22(a: T.Buffer((2, 2), "float32")):
        for i, j in T.grid(2, 2):
            with T.sblock("neg22"):
                v_i, v_j = T.axis.remap("SS", [i, j])
                a[v_i, v_j] = T.float32(0) - a[v_i, v_j]

    @T.prim_func(private=True)
    def add22(a: T.Buffer((2, 2), "float32"), b: T.Buffer((2, 2), "float32")):
        for i, j in T.grid(2, 2):
            with T.sblock("add22"):
                v_i, v_j = T.axis.remap("SS", [i, j])
                a[v_i, v_j] = a[v_i, v_j] + b[v_i, v_j]

    @T.prim_func(private=True)
    def add_transposed(a: T.Buffer((2, 2), "float32"), b: T.Buffer((2, 2), "float32")):
        for i, j in T.grid(2, 2):
            with T.sblock("add_transposed"):
                v_i, v_j = T.axis.remap("SS", [i, j])
                a[v_i, v_j] = a[v_i, v_j] + b[v_j, v_i]

    @T.prim_func(private=True)
    def matmul_into(a: T.Buffer((2, 2), "float32"), b: T.Buffer((2, 2), "float32")):
        for i, j, k in T.grid(2, 2, 2):
            with T.sblock("matmul_into"):
                v_i, v_j, v_k = T.axis.remap("SSR", [i, j, k])
                a[v_i, v_j] = a[v_i, v_j] + b[v_i, v_k] * b[v_k, v_j]
'''

# Functions beside main that some rows call.
FUNCTIONS = '''
    @R.function(private=True)
    def identity(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        return x

    @R.function(private=True)
    def fresh(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        y = R.exp(x)
        return y

    @R.function(private=True)
    def second(x: R.Tensor((4,), "float32"), y: R.Tensor((4,), "float32")) -> R.Tuple(R.Tensor((4,), "float32"), R.Tensor((4,), "float32")):
        z = R.exp(x)
        return (z, y)

    @R.function(private=True)
    def consume(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        R.func_attr({"relax.inplace_arg": 0})
        cls = Module
        y = R.call_tir_inplace(cls.neg, (x,), out_ty=R.Tensor((4,), "float32"), inplace_indices=[0])
        return y

    @R.function(private=True)
    def donated_unused(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        R.func_attr({"relax.inplace_arg": 0})
        y = R.exp(x)
        return y

    @R.function(private=True)
    def forever(x: R.Tensor((4,), "float32"), stop: R.Tensor((), "bool")) -> R.Tensor((4,), "float32"):
        cls = Module
        if stop:
            y = R.exp(x)
        else:
            z = R.exp(x)
            y = cls.forever(z, R.const(True, "bool"))
        return y

    @R.function(private=True)
    def consume_again(x: R.Tensor((4,), "float32"), stop: R.Tensor((), "bool")) -> R.Tensor((4,), "float32"):
        R.func_attr({"relax.inplace_arg": 0})
        cls = Module
        if stop:
            y = x
        else:
            z = cls.consume_again(x, R.const(True, "bool"))
            y = R.exp(z)
        return y
'''

XY = "x: R.Tensor((4,), 'float32'), y: R.Tensor((4,), 'float32')"
XYC = XY + ", c: R.Tensor((), 'bool')"
OK = "IP000"

SCENARIOS = [
    # ---- liveness and outputs
    ("dies at the call", XY, None, "t = R.exp(x)\na = add!(t, y)@0\nreturn a", [OK]),
    ("argument is also a result", XY, None, "t = R.exp(x)\na = add!(t, y)@0\nreturn (t, a)", ["IP003"]),
    ("read before the call", XY, None, "t = R.exp(x)\nb = R.multiply(t, y)\na = add!(t, b)@0\nreturn (a, b)", [OK]),
    ("read after the call", XY, None, "t = R.exp(x)\na = add!(t, y)@0\nb = R.multiply(t, a)\nreturn b", ["IP001"]),
    ("updated twice", XY, None, "t = R.exp(x)\na = add!(t, y)@0\nb = neg!(t)@0\nc = R.multiply(a, b)\nreturn c", ["IP001", OK]),
    ("plain rename is read", XY, None, "t = R.exp(x)\nu = t\na = add!(t, y)@0\nb = R.add(a, u)\nreturn b", ["IP002"]),
    ("rename is updated, original read", XY, None, "t = R.exp(x)\nu = t\na = add!(u, y)@0\nb = R.add(a, t)\nreturn b", ["IP002"]),
    ("result unused, argument returned", XY, None, "t = R.exp(x)\na = add!(t, y)@0\nreturn t", ["IP003"]),
    ("chain", XY, None, "t = R.exp(x)\na = neg!(t)@0\nb = add!(a, y)@0\nc = neg!(b)@0\nreturn c", [OK, OK, OK]),
    ("chain with a late reader of the middle", XY, None, "t = R.exp(x)\na = neg!(t)@0\nb = add!(a, y)@0\nc = R.add(a, b)\nreturn c", [OK, "IP001"]),
    ("across dataflow blocks", XY, None, "with R.dataflow():\n    t = R.exp(x)\n    R.output(t)\nwith R.dataflow():\n    a = neg!(t)@0\n    b = R.add(a, y)\n    R.output(b)\nz = R.add(b, t)\nreturn z", ["IP001"]),
    # ---- parameters, constants, donation
    ("borrowed parameter", XY, None, "a = add!(x, y)@0\nreturn a", ["IP004"]),
    ("donated parameter", XY, 0, "a = add!(x, y)@0\nreturn a", [OK]),
    ("donated by a list", XY, [1], "a = add_right!(x, y)@1\nreturn a", [OK]),
    ("other parameter is donated", XY, 1, "a = add!(x, y)@0\nreturn a", ["IP004"]),
    ("donated and returned", XY, 0, "a = add!(x, y)@0\nreturn (a, x)", ["IP003"]),
    ("view of a borrowed parameter", XY, None, "v = R.reshape(x, R.shape([2, 2]))\na = neg22!(v)@0\nreturn a", ["IP004"]),
    ("constant", XY, None, "k = R.const([1.0, 2.0, 3.0, 4.0], 'float32')\na = add!(k, y)@0\nreturn a", ["IP005"]),
    ("view of a constant", XY, None, "k = R.const([1.0, 2.0, 3.0, 4.0], 'float32')\nv = R.reshape(k, R.shape([2, 2]))\na = neg22!(v)@0\nreturn a", ["IP005"]),
    ("constant as the argument itself", XY, None, "a = add!(R.const([1.0, 2.0, 3.0, 4.0], 'float32'), y)@0\nreturn a", ["IP005"]),
    # ---- views and aliases
    ("view is read later", XY, None, "t = R.exp(x)\nv = R.reshape(t, R.shape([2, 2]))\na = add!(t, y)@0\nb = R.multiply(v, v)\nreturn (a, b)", ["IP002"]),
    ("view is dead", XY, None, "t = R.exp(x)\nv = R.reshape(t, R.shape([2, 2]))\nw = R.exp(v)\na = add!(t, y)@0\nreturn (a, w)", [OK]),
    ("view of a view, base dead", XY, None, "t = R.exp(x)\nv = R.reshape(t, R.shape([2, 2]))\nw = R.reshape(v, R.shape([4]))\na = neg!(w)@0\nreturn a", [OK]),
    ("view of a view, base read", XY, None, "t = R.exp(x)\nv = R.reshape(t, R.shape([2, 2]))\nw = R.reshape(v, R.shape([4]))\na = neg!(w)@0\nb = R.add(a, t)\nreturn b", ["IP002"]),
    ("match_cast is another name", XY, None, "t = R.exp(x)\nm = R.match_cast(t, R.Tensor((4,), 'float32'))\na = add!(t, y)@0\nb = R.add(a, m)\nreturn b", ["IP002"]),
    ("view of the result, then the result", XY, None, "t = R.exp(x)\na = neg!(t)@0\nv = R.reshape(a, R.shape([2, 2]))\nb = neg!(a)@0\nc = R.add(R.reshape(b, R.shape([2, 2])), v)\nreturn c", [OK, "IP002"]),
    ("copy has storage of its own", XY, None, "k = R.copy(x)\na = add!(k, y)@0\nreturn a", [OK]),
    ("expand_dims and squeeze are views", XY, None, "t = R.exp(x)\ne = R.expand_dims(t, axis=[0])\ns = R.squeeze(e, axis=[0])\na = add!(s, y)@0\nb = R.add(a, t)\nreturn b", ["IP002"]),
    ("shape_of does not read", XY, None, "t = R.exp(x)\na = add!(t, y)@0\ns = R.shape_of(t)\nb = R.reshape(a, s)\nreturn a", [OK]),
    # ---- operands of one call
    ("same value twice, same index", XY, None, "t = R.exp(x)\na = add!(t, t)@0\nreturn a", [OK]),
    ("same value twice, other index", XY, None, "t = R.exp(x)\na = add_next!(t, t)@0\nreturn a", ["IP010"]),
    ("same value twice, repeated", XY, None, "t = R.exp(x)\na = add_thrice!(t, t)@0\nreturn a", ["IP010"]),
    ("same value twice, read after a write", XY, None, "t = R.exp(x)\na = write_then_read!(t, t)@0\nreturn a", ["IP010"]),
    ("rename as the other operand", XY, None, "t = R.exp(x)\nu = t\na = add!(t, u)@0\nreturn a", [OK]),
    ("transpose of itself", XY, None, "t = R.reshape(R.exp(x), R.shape([2, 2]))\na = add_transposed!(t, t)@0\nreturn a", ["IP010"]),
    ("product with itself", XY, None, "t = R.reshape(R.exp(x), R.shape([2, 2]))\na = matmul_into!(t, t)@0\nreturn a", ["IP010"]),
    ("kernel reads what it wrote, alone", XY, None, "t = R.exp(x)\na = shift_self!(t)@0\nreturn a", [OK]),
    ("view as the other operand", XY, None, "t = R.exp(x)\nu = R.reshape(t, R.shape([2, 2]))\nv = R.reshape(t, R.shape([2, 2]))\na = add22!(u, v)@0\nreturn a", [OK]),
    # ---- several outputs
    ("double buffer", XY, None, "p = R.exp(x)\nq = R.exp(y)\nt = swap!(p, q)@[1, 0]\na = t[0]\nb = t[1]\nreturn (a, b)", [OK, OK]),
    ("double buffer, one read later", XY, None, "p = R.exp(x)\nq = R.exp(y)\nt = swap!(p, q)@[1, 0]\na = t[0]\nb = t[1]\nreturn (a, b, p)", [OK, "IP003"]),
    ("double buffer on one value", XY, None, "p = R.exp(x)\nt = swap!(p, p)@[0, 1]\na = t[0]\nb = t[1]\nreturn (a, b)", [OK, "IP012"]),
    ("one in place, one fresh", XY, None, "p = R.exp(x)\nt = neg_and_sum!(p)@[0, -1]\na = t[0]\nb = t[1]\nreturn (a, b)", [OK]),
    ("field of a result of several", XY, None, "p = R.exp(x)\nt = neg_and_sum!(p)@[0, -1]\na = t[0]\nb = t[1]\nc = neg!(a)@0\nreturn (c, b)", [OK, OK]),
    # ---- tuples
    ("tuple is returned", XY, None, "t = R.exp(x)\nu = R.exp(y)\np = (t, u)\nf = p[0]\na = add!(f, y)@0\nreturn (a, p)", ["IP003"]),
    ("other field is returned", XY, None, "t = R.exp(x)\nu = R.exp(y)\np = (t, u)\nf = p[0]\na = add!(f, y)@0\ng = p[1]\nreturn (a, g)", [OK]),
    ("same field is taken later", XY, None, "t = R.exp(x)\nu = R.exp(y)\np = (t, u)\nf = p[0]\na = add!(f, y)@0\ng = p[0]\nreturn (a, g)", ["IP003"]),
    ("field of a split", XY, None, "s = R.split(R.exp(x), 2, axis=0)\nf = R.concat((s[0], s[1]), axis=0)\na = neg!(f)@0\nreturn a", [OK]),
    # ---- branches
    ("updated in a branch, dead afterwards", XYC, None, "t = R.exp(x)\nif c:\n    a = neg!(t)@0\nelse:\n    a = R.exp(y)\nb = R.add(a, y)\nreturn b", [OK]),
    ("updated in a branch, read afterwards", XYC, None, "t = R.exp(x)\nif c:\n    a = neg!(t)@0\nelse:\n    a = R.exp(y)\nb = R.add(a, t)\nreturn b", ["IP001"]),
    ("updated in both branches", XYC, None, "t = R.exp(x)\nif c:\n    a = neg!(t)@0\nelse:\n    a = add!(t, y)@0\nreturn a", [OK, OK]),
    ("updated in one, passed through in the other", XYC, None, "t = R.exp(x)\nif c:\n    a = neg!(t)@0\nelse:\n    a = t\nreturn a", [OK]),
    ("passed through in one, updated in the other", XYC, None, "t = R.exp(x)\nif c:\n    a = t\nelse:\n    a = neg!(t)@0\nreturn a", [OK]),
    ("result of a branch may be the value", XYC, None, "t = R.exp(x)\nif c:\n    a = t\nelse:\n    a = R.exp(y)\nb = neg!(a)@0\nz = R.add(b, t)\nreturn z", ["IP002"]),
    ("result of a branch may be a parameter", XYC, None, "t = R.exp(x)\nif c:\n    a = t\nelse:\n    a = y\nb = neg!(a)@0\nreturn b", ["IP004"]),
    ("read in the other branch only", XYC, None, "t = R.exp(x)\nif c:\n    a = neg!(t)@0\nelse:\n    u = R.add(t, y)\n    a = R.multiply(u, t)\nreturn a", [OK]),
    ("read later in the same branch", XYC, None, "t = R.exp(x)\nif c:\n    u = neg!(t)@0\n    a = R.multiply(u, t)\nelse:\n    a = R.exp(y)\nreturn a", ["IP001"]),
    ("branch condition is read before", XY, None, "t = R.less(x, y)\nn = R.astype(t, 'float32')\ns = R.sum(n)\nd = R.less(s, R.const(2.0, 'float32'))\nif d:\n    a = neg!(n)@0\nelse:\n    a = R.exp(y)\nreturn a", [OK]),
    # ---- calls and opaque code
    ("callee returns its argument", XY, None, "t = R.exp(x)\ni = cls.identity(t)\na = add!(t, y)@0\nb = R.add(a, i)\nreturn b", ["IP002"]),
    ("callee returns its argument, unread", XY, None, "t = R.exp(x)\ni = cls.identity(t)\na = add!(i, y)@0\nreturn a", [OK]),
    ("callee makes a fresh value", XY, None, "t = R.exp(x)\ni = cls.fresh(t)\na = add!(t, y)@0\nb = R.add(a, i)\nreturn b", [OK]),
    ("callee passes one field through", XY, None, "t = R.exp(x)\nu = R.exp(y)\np = cls.second(t, u)\nf = p[0]\ng = p[1]\na = add!(f, y)@0\nb = neg!(u)@0\nd = R.add(b, g)\nreturn (a, d)", [OK, "IP002"]),
    ("callee returns a borrowed parameter", XY, None, "i = cls.identity(x)\na = add!(i, y)@0\nreturn a", ["IP004"]),
    ("donated to a callee, dead", XY, None, "t = R.exp(x)\ni = cls.consume(t)\nreturn i", [OK, OK]),
    ("donated to a callee, read later", XY, None, "t = R.exp(x)\ni = cls.consume(t)\nb = R.add(i, t)\nreturn b", [OK, "IP001"]),
    ("borrowed parameter given to a callee that overwrites", XY, None, "i = cls.consume(x)\nreturn i", [OK, "IP004"]),
    ("donated to a callee that does not overwrite", XY, None, "i = cls.donated_unused(x)\nb = R.add(i, x)\nreturn b", []),
    ("recursion that never updates what it is given", XY, None, "i = cls.consume_again(x, R.const(False, 'bool'))\nj = cls.consume_again(i, R.const(False, 'bool'))\nreturn j", []),
    ("recursion is opaque", XY, None, "t = R.exp(x)\ni = cls.forever(t, R.const(False, 'bool'))\na = neg!(i)@0\nreturn a", ["IP006"]),
]
