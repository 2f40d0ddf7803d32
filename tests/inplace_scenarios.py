"""Programs that must, or must not, run in place, with the decisions that they must get.

One row: name, parameters, donated positions, body, decisions in program order (IP000: in place; None: what passes
make of it decides, the numbers must be right). In a body,
`r = add!(t, y)@0` stands for R.call_tir_inplace(cls.add, (t, y), .., inplace_indices=[0]); all tensors are float32
of shape (4,) unless the body says otherwise. The expectations are worked out by hand from docs/inplace.md.

What the language cannot say, and so has no row: loops of graphs but by recursion; slices, transposes, broadcasts and casts as views
(each makes a tensor, so rows about them say that it does); operators that update by themselves, as no calls are discovered; results larger,
smaller or of another dtype than the argument (refused: E0302 and following have golden tests), so nothing about alignment, widening,
or a row that is broadcast in place; joins that are written into place; plans of memory, their bounds and how they
are found; orders of parallel executors; random numbers as a state. Packed functions are in tests/golden/why and the unit tests of code generation.
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

    @T.prim_func(private=True)
    def matmul_to(a: T.Buffer((2, 2), "float32"), b: T.Buffer((2, 2), "float32"), c: T.Buffer((2, 2), "float32")):
        for i, j, k in T.grid(2, 2, 2):
            with T.sblock("matmul_to"):
                v_i, v_j, v_k = T.axis.remap("SSR", [i, j, k])
                c[v_i, v_j] = c[v_i, v_j] + a[v_i, v_k] * b[v_k, v_j]

    @T.prim_func(private=True)
    def add41(a: T.Buffer((4, 1), "float32"), b: T.Buffer((4, 1), "float32")):
        for i in range(4):
            with T.sblock("add41"):
                v_i = T.axis.spatial(4, i)
                a[v_i, 0] = a[v_i, 0] + b[v_i, 0]

    @T.prim_func(private=True)
    def gather(a: T.Buffer((4,), "float32"), b: T.Buffer((4,), "float32"), index: T.Buffer((4,), "int32")):
        for i in range(4):
            with T.sblock("gather"):
                v_i = T.axis.spatial(4, i)
                a[v_i] = b[index[v_i]]

    @T.prim_func(private=True)
    def scatter(a: T.Buffer((4,), "float32"), b: T.Buffer((4,), "float32"), index: T.Buffer((4,), "int32")):
        for i in range(4):
            with T.sblock("scatter"):
                v_i = T.axis.spatial(4, i)
                a[index[v_i]] = b[v_i]

    @T.prim_func(private=True)
    def select(c: T.Buffer((4,), "bool"), a: T.Buffer((4,), "float32"), b: T.Buffer((4,), "float32")):
        for i in range(4):
            with T.sblock("select"):
                v_i = T.axis.spatial(4, i)
                a[v_i] = T.Select(c[v_i], a[v_i], b[v_i])

    @T.prim_func(private=True)
    def select_right(c: T.Buffer((4,), "bool"), a: T.Buffer((4,), "float32"), b: T.Buffer((4,), "float32")):
        for i in range(4):
            with T.sblock("select_right"):
                v_i = T.axis.spatial(4, i)
                b[v_i] = T.Select(c[v_i], a[v_i], b[v_i])

    @T.prim_func(private=True)
    def less_sum(a: T.Buffer((4,), "float32"), total: T.Buffer((1,), "float32")):
        total[0] = T.float32(0)
        for i in range(4):
            with T.sblock("sum"):
                v_i = T.axis.reduce(4, i)
                total[0] = total[0] + a[v_i]
        for i in range(4):
            with T.sblock("less"):
                v_i = T.axis.spatial(4, i)
                a[v_i] = a[v_i] - total[0]

    @T.prim_func(private=True)
    def neg_n(a: T.Buffer(("n",), "float32")):
        n = T.int64()
        for i in range(n):
            with T.sblock("neg_n"):
                v_i = T.axis.spatial(n, i)
                a[v_i] = T.float32(0) - a[v_i]

    @T.prim_func(private=True)
    def add_n(a: T.Buffer(("n",), "float32"), b: T.Buffer(("n",), "float32")):
        n = T.int64()
        for i in range(n):
            with T.sblock("add_n"):
                v_i = T.axis.spatial(n, i)
                a[v_i] = a[v_i] + b[v_i]

    @T.prim_func(private=True)
    def append(cache: T.Buffer((4,), "float32"), row: T.Buffer((1,), "float32"), at: T.int64):
        with T.sblock("append"):
            cache[at] = row[0]

    @T.prim_func(private=True)
    def shift_in(cache: T.Buffer((4,), "float32"), old: T.Buffer((4,), "float32"), row: T.Buffer((1,), "float32")):
        for i in range(3):
            with T.sblock("shift"):
                v_i = T.axis.spatial(3, i)
                cache[v_i] = old[v_i + 1]
        cache[3] = row[0]

    @T.prim_func(private=True)
    def running(cache: T.Buffer((4,), "float32"), at: T.int64):
        with T.sblock("running"):
            cache[at] = cache[at] + cache[T.max(at - T.int64(1), T.int64(0))]

    @T.prim_func(private=True)
    def first_half(cache: T.Buffer((2, 2), "float32"), half: T.Buffer((2,), "float32")):
        for j in range(2):
            with T.sblock("first_half"):
                v_j = T.axis.spatial(2, j)
                cache[0, v_j] = half[v_j]

    @T.prim_func(private=True)
    def second_half(cache: T.Buffer((2, 2), "float32"), half: T.Buffer((2,), "float32")):
        for j in range(2):
            with T.sblock("second_half"):
                v_j = T.axis.spatial(2, j)
                cache[1, v_j] = half[v_j]

    @T.prim_func(private=True)
    def inner_update(target: T.Buffer((4,), "float32"), source: T.Buffer((4,), "float32")):
        for i in range(2):
            with T.sblock("inner_update"):
                v_i = T.axis.spatial(2, i)
                target[v_i + 1] = source[v_i]

    @T.prim_func(private=True)
    def neg2(a: T.Buffer((2,), "float32")):
        for i in range(2):
            with T.sblock("neg2"):
                v_i = T.axis.spatial(2, i)
                a[v_i] = T.float32(0) - a[v_i]
'''

# Functions beside main that some rows call.
FUNCTIONS = '''
    @R.function(private=True)
    def identity(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        return x

    @R.function(private=True)
    def fresh(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        y = R.negative(x)
        return y

    @R.function(private=True)
    def second(x: R.Tensor((4,), "float32"), y: R.Tensor((4,), "float32")) -> R.Tuple(R.Tensor((4,), "float32"), R.Tensor((4,), "float32")):
        z = R.negative(x)
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
        y = R.negative(x)
        return y

    @R.function(private=True)
    def forever(x: R.Tensor((4,), "float32"), stop: R.Tensor((), "bool")) -> R.Tensor((4,), "float32"):
        cls = Module
        if stop:
            y = R.negative(x)
        else:
            z = R.negative(x)
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
            y = R.negative(z)
        return y

    @R.function(private=True)
    def consume_first(x: R.Tensor((4,), "float32"), y: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        R.func_attr({"relax.inplace_arg": [0, 1]})
        cls = Module
        a = R.call_tir_inplace(cls.neg, (x,), out_ty=R.Tensor((4,), "float32"), inplace_indices=[0])
        b = R.call_tir_inplace(cls.neg, (y,), out_ty=R.Tensor((4,), "float32"), inplace_indices=[0])
        c = R.subtract(a, b)
        return c

    @R.function(private=True)
    def one_of(c: R.Tensor((), "bool"), x: R.Tensor((4,), "float32"), y: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        if c:
            z = x
        else:
            z = y
        return z

    @R.function(private=True)
    def twice(x: R.Tensor((4,), "float32")) -> R.Tuple(R.Tensor((4,), "float32"), R.Tensor((4,), "float32")):
        return (x, x)

    @R.function(private=True)
    def hidden(x: R.Tensor((4,), "float32")) -> R.Object:
        y = R.negative(x)
        t: R.Object = (y, x)
        return t

    @R.function(private=True)
    def view_of(x: R.Tensor((4,), "float32")) -> R.Tensor((2, 2), "float32"):
        v = R.reshape(x, R.shape([2, 2]))
        return v

    @R.function(private=True)
    def even(n: R.Tensor((), "int32"), x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        R.func_attr({"relax.inplace_arg": 1})
        cls = Module
        more = R.greater(n, R.const(0, "int32"))
        if more:
            m = R.subtract(n, R.const(1, "int32"))
            z = cls.odd(m, x)
            y = R.call_tir_inplace(cls.shift_self, (x,), out_ty=R.Tensor((4,), "float32"), inplace_indices=[0])
            r = R.add(y, z)
        else:
            r = R.add(x, x)
        return r

    @R.function(private=True)
    def odd(n: R.Tensor((), "int32"), x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        R.func_attr({"relax.inplace_arg": 1})
        cls = Module
        more = R.greater(n, R.const(0, "int32"))
        if more:
            m = R.subtract(n, R.const(1, "int32"))
            t = R.add(x, x)
            w = cls.even(m, t)
            r = R.add(w, t)
        else:
            r = R.call_tir_inplace(cls.shift_self, (x,), out_ty=R.Tensor((4,), "float32"), inplace_indices=[0])
        return r

    @R.function(private=True)
    def fill(n: R.Tensor((), "int32"), cache: R.Tensor((4,), "float32"), row: R.Tensor((1,), "float32")) -> R.Tensor((4,), "float32"):
        R.func_attr({"relax.inplace_arg": 1})
        cls = Module
        more = R.greater(n, R.const(0, "int32"))
        if more:
            m = R.subtract(n, R.const(1, "int32"))
            a = R.call_tir_inplace(cls.shift_in, (cache, cache, row), out_ty=R.Tensor((4,), "float32"), inplace_indices=[0])
            b = R.add(row, row)
            r = cls.fill(m, a, b)
        else:
            r = cache
        return r

    @R.function(private=True)
    def forward(n: R.Tensor((), "int32"), c: R.Tensor((), "bool"), x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        R.func_attr({"relax.inplace_arg": 2})
        cls = Module
        more = R.greater(n, R.const(0, "int32"))
        if more:
            m = R.subtract(n, R.const(1, "int32"))
            if c:
                a = R.call_tir_inplace(cls.shift_self, (x,), out_ty=R.Tensor((4,), "float32"), inplace_indices=[0])
            else:
                a = x
            d = R.logical_not(c)
            r = cls.forward(m, d, a)
        else:
            r = x
        return r

    @R.function(private=True)
    def with_original(n: R.Tensor((), "int32"), x: R.Tensor((4,), "float32"), first: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        R.func_attr({"relax.inplace_arg": 1})
        cls = Module
        more = R.greater(n, R.const(0, "int32"))
        if more:
            m = R.subtract(n, R.const(1, "int32"))
            a = R.call_tir_inplace(cls.add_next, (x, first), out_ty=R.Tensor((4,), "float32"), inplace_indices=[0])
            r = cls.with_original(m, a, first)
        else:
            r = x
        return r
'''

XY = "x: R.Tensor((4,), 'float32'), y: R.Tensor((4,), 'float32')"
XYC = XY + ", c: R.Tensor((), 'bool')"
XYR = XY + ", r: R.Tensor((1,), 'float32')"
N = "x: R.Tensor(('n',), 'float32'), y: R.Tensor(('n',), 'float32')"
OK = "IP000"

SCENARIOS = [
    # ---- liveness and outputs
    ("dies at the call", XY, None, "t = R.negative(x)\na = add!(t, y)@0\nreturn a", [OK]),
    ("argument is also a result", XY, None, "t = R.negative(x)\na = add!(t, y)@0\nreturn (t, a)", ["IP003"]),
    ("read before the call", XY, None, "t = R.negative(x)\nb = R.multiply(t, y)\na = add!(t, b)@0\nreturn (a, b)", [OK]),
    ("read after the call", XY, None, "t = R.negative(x)\na = add!(t, y)@0\nb = R.multiply(t, a)\nreturn b", ["IP001"]),
    ("updated twice", XY, None, "t = R.negative(x)\na = add!(t, y)@0\nb = neg!(t)@0\nc = R.multiply(a, b)\nreturn c", ["IP001", OK]),
    ("plain rename is read", XY, None, "t = R.negative(x)\nu = t\na = add!(t, y)@0\nb = R.add(a, u)\nreturn b", ["IP002"]),
    ("rename is updated, original read", XY, None, "t = R.negative(x)\nu = t\na = add!(u, y)@0\nb = R.add(a, t)\nreturn b", ["IP002"]),
    ("result unused, argument returned", XY, None, "t = R.negative(x)\na = add!(t, y)@0\nreturn t", ["IP003"]),
    ("chain", XY, None, "t = R.negative(x)\na = neg!(t)@0\nb = add!(a, y)@0\nc = neg!(b)@0\nreturn c", [OK, OK, OK]),
    ("chain with a late reader of the middle", XY, None, "t = R.negative(x)\na = neg!(t)@0\nb = add!(a, y)@0\nc = R.add(a, b)\nreturn c", [OK, "IP001"]),
    ("across dataflow blocks", XY, None, "with R.dataflow():\n    t = R.negative(x)\n    R.output(t)\nwith R.dataflow():\n    a = neg!(t)@0\n    b = R.add(a, y)\n    R.output(b)\nz = R.add(b, t)\nreturn z", ["IP001"]),
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
    ("view is read later", XY, None, "t = R.negative(x)\nv = R.reshape(t, R.shape([2, 2]))\na = add!(t, y)@0\nb = R.multiply(v, v)\nreturn (a, b)", ["IP002"]),
    ("view is dead", XY, None, "t = R.negative(x)\nv = R.reshape(t, R.shape([2, 2]))\nw = R.negative(v)\na = add!(t, y)@0\nreturn (a, w)", [OK]),
    ("view of a view, base dead", XY, None, "t = R.negative(x)\nv = R.reshape(t, R.shape([2, 2]))\nw = R.reshape(v, R.shape([4]))\na = neg!(w)@0\nreturn a", [OK]),
    ("view of a view, base read", XY, None, "t = R.negative(x)\nv = R.reshape(t, R.shape([2, 2]))\nw = R.reshape(v, R.shape([4]))\na = neg!(w)@0\nb = R.add(a, t)\nreturn b", ["IP002"]),
    ("match_cast is another name", XY, None, "t = R.negative(x)\nm = R.match_cast(t, R.Tensor((4,), 'float32'))\na = add!(t, y)@0\nb = R.add(a, m)\nreturn b", ["IP002"]),
    ("view of the result, then the result", XY, None, "t = R.negative(x)\na = neg!(t)@0\nv = R.reshape(a, R.shape([2, 2]))\nb = neg!(a)@0\nc = R.add(R.reshape(b, R.shape([2, 2])), v)\nreturn c", [OK, "IP002"]),
    ("copy has storage of its own", XY, None, "k = R.copy(x)\na = add!(k, y)@0\nreturn a", [OK]),
    ("expand_dims and squeeze are views", XY, None, "t = R.negative(x)\ne = R.expand_dims(t, axis=[0])\ns = R.squeeze(e, axis=[0])\na = add!(s, y)@0\nb = R.add(a, t)\nreturn b", ["IP002"]),
    ("shape_of does not read", XY, None, "t = R.negative(x)\na = add!(t, y)@0\ns = R.shape_of(t)\nb = R.reshape(a, s)\nreturn a", [OK]),
    # ---- operands of one call
    ("same value twice, same index", XY, None, "t = R.negative(x)\na = add!(t, t)@0\nreturn a", [OK]),
    ("same value twice, other index", XY, None, "t = R.negative(x)\na = add_next!(t, t)@0\nreturn a", ["IP010"]),
    ("same value twice, repeated", XY, None, "t = R.negative(x)\na = add_thrice!(t, t)@0\nreturn a", ["IP010"]),
    ("same value twice, read after a write", XY, None, "t = R.negative(x)\na = write_then_read!(t, t)@0\nreturn a", ["IP010"]),
    ("rename as the other operand", XY, None, "t = R.negative(x)\nu = t\na = add!(t, u)@0\nreturn a", [OK]),
    ("transpose of itself", XY, None, "t = R.reshape(R.negative(x), R.shape([2, 2]))\na = add_transposed!(t, t)@0\nreturn a", ["IP010"]),
    ("product with itself", XY, None, "t = R.reshape(R.negative(x), R.shape([2, 2]))\na = matmul_into!(t, t)@0\nreturn a", ["IP010"]),
    ("kernel reads what it wrote, alone", XY, None, "t = R.negative(x)\na = shift_self!(t)@0\nreturn a", [OK]),
    ("view as the other operand", XY, None, "t = R.negative(x)\nu = R.reshape(t, R.shape([2, 2]))\nv = R.reshape(t, R.shape([2, 2]))\na = add22!(u, v)@0\nreturn a", [OK]),
    # ---- several outputs
    ("double buffer", XY, None, "p = R.negative(x)\nq = R.negative(y)\nt = swap!(p, q)@[1, 0]\na = t[0]\nb = t[1]\nreturn (a, b)", [OK, OK]),
    ("double buffer, one read later", XY, None, "p = R.negative(x)\nq = R.negative(y)\nt = swap!(p, q)@[1, 0]\na = t[0]\nb = t[1]\nreturn (a, b, p)", [OK, "IP003"]),
    ("double buffer on one value", XY, None, "p = R.negative(x)\nt = swap!(p, p)@[0, 1]\na = t[0]\nb = t[1]\nreturn (a, b)", [OK, "IP012"]),
    ("one in place, one fresh", XY, None, "p = R.negative(x)\nt = neg_and_sum!(p)@[0, -1]\na = t[0]\nb = t[1]\nreturn (a, b)", [OK]),
    ("field of a result of several", XY, None, "p = R.negative(x)\nt = neg_and_sum!(p)@[0, -1]\na = t[0]\nb = t[1]\nc = neg!(a)@0\nreturn (c, b)", [OK, OK]),
    # ---- tuples
    ("tuple is returned", XY, None, "t = R.negative(x)\nu = R.negative(y)\np = (t, u)\nf = p[0]\na = add!(f, y)@0\nreturn (a, p)", ["IP003"]),
    ("other field is returned", XY, None, "t = R.negative(x)\nu = R.negative(y)\np = (t, u)\nf = p[0]\na = add!(f, y)@0\ng = p[1]\nreturn (a, g)", [OK]),
    ("same field is taken later", XY, None, "t = R.negative(x)\nu = R.negative(y)\np = (t, u)\nf = p[0]\na = add!(f, y)@0\ng = p[0]\nreturn (a, g)", ["IP003"]),
    ("field of a split", XY, None, "s = R.split(R.negative(x), 2, axis=0)\nf = R.concat((s[0], s[1]), axis=0)\na = neg!(f)@0\nreturn a", [OK]),
    # ---- branches
    ("updated in a branch, dead afterwards", XYC, None, "t = R.negative(x)\nif c:\n    a = neg!(t)@0\nelse:\n    a = R.negative(y)\nb = R.add(a, y)\nreturn b", [OK]),
    ("updated in a branch, read afterwards", XYC, None, "t = R.negative(x)\nif c:\n    a = neg!(t)@0\nelse:\n    a = R.negative(y)\nb = R.add(a, t)\nreturn b", ["IP001"]),
    ("updated in both branches", XYC, None, "t = R.negative(x)\nif c:\n    a = neg!(t)@0\nelse:\n    a = add!(t, y)@0\nreturn a", [OK, OK]),
    ("updated in one, passed through in the other", XYC, None, "t = R.negative(x)\nif c:\n    a = neg!(t)@0\nelse:\n    a = t\nreturn a", [OK]),
    ("passed through in one, updated in the other", XYC, None, "t = R.negative(x)\nif c:\n    a = t\nelse:\n    a = neg!(t)@0\nreturn a", [OK]),
    ("result of a branch may be the value", XYC, None, "t = R.negative(x)\nif c:\n    a = t\nelse:\n    a = R.negative(y)\nb = neg!(a)@0\nz = R.add(b, t)\nreturn z", ["IP002"]),
    ("result of a branch may be a parameter", XYC, None, "t = R.negative(x)\nif c:\n    a = t\nelse:\n    a = y\nb = neg!(a)@0\nreturn b", ["IP004"]),
    ("read in the other branch only", XYC, None, "t = R.negative(x)\nif c:\n    a = neg!(t)@0\nelse:\n    u = R.add(t, y)\n    a = R.multiply(u, t)\nreturn a", [OK]),
    ("read later in the same branch", XYC, None, "t = R.negative(x)\nif c:\n    u = neg!(t)@0\n    a = R.multiply(u, t)\nelse:\n    a = R.negative(y)\nreturn a", ["IP001"]),
    ("branch condition is read before", XY, None, "t = R.less(x, y)\nn = R.astype(t, 'float32')\ns = R.sum(n)\nd = R.less(s, R.const(2.0, 'float32'))\nif d:\n    a = neg!(n)@0\nelse:\n    a = R.negative(y)\nreturn a", [OK]),
    # ---- calls and opaque code
    ("callee returns its argument", XY, None, "t = R.negative(x)\ni = cls.identity(t)\na = add!(t, y)@0\nb = R.add(a, i)\nreturn b", ["IP002"]),
    ("callee returns its argument, unread", XY, None, "t = R.negative(x)\ni = cls.identity(t)\na = add!(i, y)@0\nreturn a", [OK]),
    ("callee makes a fresh value", XY, None, "t = R.negative(x)\ni = cls.fresh(t)\na = add!(t, y)@0\nb = R.add(a, i)\nreturn b", [OK]),
    ("callee passes one field through", XY, None, "t = R.negative(x)\nu = R.negative(y)\np = cls.second(t, u)\nf = p[0]\ng = p[1]\na = add!(f, y)@0\nb = neg!(u)@0\nd = R.add(b, g)\nreturn (a, d)", [OK, "IP002"]),
    ("callee returns a borrowed parameter", XY, None, "i = cls.identity(x)\na = add!(i, y)@0\nreturn a", ["IP004"]),
    ("donated to a callee, dead", XY, None, "t = R.negative(x)\ni = cls.consume(t)\nreturn i", [OK, OK]),
    ("donated to a callee, read later", XY, None, "t = R.negative(x)\ni = cls.consume(t)\nb = R.add(i, t)\nreturn b", [OK, "IP001"]),
    ("borrowed parameter given to a callee that overwrites", XY, None, "i = cls.consume(x)\nreturn i", [OK, "IP004"]),
    ("donated to a callee that does not overwrite", XY, None, "i = cls.donated_unused(x)\nb = R.add(i, x)\nreturn b", []),
    ("recursion that never updates what it is given", XY, None, "i = cls.consume_again(x, R.const(False, 'bool'))\nj = cls.consume_again(i, R.const(False, 'bool'))\nreturn j", []),
    ("recursion is opaque", XY, None, "t = R.negative(x)\ni = cls.forever(t, R.const(False, 'bool'))\na = neg!(i)@0\nreturn a", ["IP006"]),
    # ---- more on liveness and outputs
    ("two fresh results of one value", XY, None, "t = R.negative(x)\na = R.add(t, y)\nb = R.subtract(t, x)\nc = R.multiply(a, b)\nreturn c", []),
    ("result unused, view of the argument returned", XY, None, "t = R.negative(x)\nv = R.reshape(t, R.shape([2, 2]))\na = add!(t, y)@0\nreturn v", ["IP003"]),
    ("results are one value twice", XY, None, "t = R.negative(x)\na = neg!(t)@0\nreturn (a, a, a)", [OK]),
    ("chain, and another buffer across it", XY, None, "t = R.negative(x)\na = neg!(t)@0\nu = R.add(a, y)\nb = neg!(a)@0\nw = R.add(u, b)\nc = neg!(b)@0\nreturn (c, w)", [OK, OK, OK]),
    ("printed after the update", XY, None, "t = R.negative(x)\na = neg!(t)@0\n_ = R.print(t, format='{}')\nreturn a", ["IP001"]),
    ("printed before the update", XY, None, "t = R.negative(x)\n_ = R.print(t, format='{}')\na = neg!(t)@0\nreturn a", [OK]),
    # ---- more on parameters and constants
    ("result and borrowed parameter", XY, None, "a = add!(x, y)@0\nreturn (x, a)", ["IP004"]),
    ("donated, and no call for it", XY, 0, "a = R.add(x, y)\nreturn a", []),
    ("one value for two donated parameters", XY, None, "t = R.negative(x)\na = cls.consume_first(t, t)\nreturn a", [OK, OK, OK, "IP012"]),
    ("two names of one value for two donated parameters", XY, None, "t = R.negative(x)\nu = R.match_cast(t, R.Tensor((4,), 'float32'))\na = cls.consume_first(t, u)\nreturn a", [OK, OK, OK, "IP012"]),
    ("other operand is a constant", XY, None, "t = R.negative(x)\nk = R.const([1.0, 2.0, 3.0, 4.0], 'float32')\na = add!(t, k)@0\nb = add!(k, a)@0\nreturn (b, k)", [OK, "IP005"]),
    ("constants with the same elements", XY, None, "k = R.const([1.0, 2.0, 3.0, 4.0], 'float32')\nl = R.const([1.0, 2.0, 3.0, 4.0], 'float32')\na = add!(k, y)@0\nb = R.add(a, l)\nreturn b", ["IP005"]),
    # ---- more on views
    ("two expansions of one value", XY, None, "t = R.negative(x)\na = R.expand_dims(t, axis=[1])\nb = R.expand_dims(t, axis=[1])\np = R.multiply(a, b)\nr = R.concat((p, b), axis=0)\nreturn r", []),
    ("two expansions, one updated with the other", XY, None, "t = R.negative(x)\na = R.expand_dims(t, axis=[1])\nb = R.expand_dims(t, axis=[1])\np = add41!(a, b)@0\nr = R.concat((p, b), axis=0)\nreturn r", ["IP002"]),
    ("two expansions, both dead", XY, None, "t = R.negative(x)\na = R.expand_dims(t, axis=[1])\nb = R.expand_dims(t, axis=[1])\np = add41!(a, b)@0\nreturn p", [OK]),
    ("a cast does not end a life", XY, None, "t = R.negative(x)\nl = R.match_cast(t, R.Tensor((4,), 'float32'))\nr = R.add(y, y)\na = R.add(l, r)\nb = neg!(r)@0\nc = R.add(a, b)\nd = R.add(c, l)\nreturn d", [OK]),
    ("overlapping slices are copies", XY, None, "t = R.negative(x)\nv = R.strided_slice(t, axes=[0], begin=[0], end=[2])\nw = R.strided_slice(t, axes=[0], begin=[1], end=[3])\na = neg2!(v)@0\nb = R.multiply(w, w)\nreturn (a, b)", [OK]),
    ("interleaved slices are copies", XY, None, "t = R.negative(x)\nv = R.strided_slice(t, axes=[0], begin=[0], end=[4], strides=[2])\nw = R.strided_slice(t, axes=[0], begin=[1], end=[4], strides=[2])\na = neg2!(v)@0\nb = R.multiply(w, w)\nreturn (a, b, t)", [OK]),
    ("broadcast before an update", XY, None, "t = R.strided_slice(x, axes=[0], begin=[0], end=[1])\ne = R.broadcast_to(t, R.shape([4]))\na = add!(e, y)@0\nreturn (a, t)", [OK]),
    ("transpose of itself as an operator", XY, None, "t = R.reshape(R.negative(x), R.shape([2, 2]))\nv = R.permute_dims(t, axes=[1, 0])\na = add22!(t, v)@0\nreturn a", [OK]),
    ("what changes nothing: astype", XY, None, "t = R.negative(x)\nv = R.astype(t, 'float32')\na = neg!(v)@0\nb = R.add(a, t)\nreturn b", None),
    ("what changes nothing: reshape", XY, None, "t = R.negative(x)\nv = R.reshape(t, R.shape([4]))\na = neg!(v)@0\nb = R.add(a, t)\nreturn b", ["IP002"]),
    ("what changes nothing: concat of one", XY, None, "t = R.negative(x)\nv = R.concat((t,), axis=0)\na = neg!(v)@0\nb = R.add(a, t)\nreturn b", [OK]),
    ("what changes nothing: slice of all", XY, None, "t = R.negative(x)\nv = R.strided_slice(t, axes=[0], begin=[0], end=[4])\na = neg!(v)@0\nb = R.add(a, t)\nreturn b", [OK]),
    ("what changes nothing: permute_dims", XY, None, "t = R.reshape(R.negative(x), R.shape([2, 2]))\nv = R.permute_dims(t, axes=[0, 1])\na = neg22!(v)@0\nb = R.add(a, t)\nreturn b", [OK]),
    ("what changes nothing: flip of one element", XYR, None, "t = R.negative(r)\nv = R.flip(t, axis=0)\nu = R.broadcast_to(v, R.shape([4]))\na = add!(u, y)@0\nb = R.add(a, t)\nreturn b", [OK]),
    ("behind R.Object", XY, None, "t = R.negative(x)\no = R.match_cast(t, R.Object)\na = neg!(t)@0\nu = R.match_cast(o, R.Tensor((4,), 'float32'))\nb = R.add(a, u)\nreturn b", ["IP002"]),
    ("tuple behind R.Object, first field", XY, None, "t = R.negative(x)\nu = R.negative(y)\no = R.match_cast((t, u), R.Object)\na = neg!(t)@0\np = R.match_cast(o, R.Tuple(R.Tensor((4,), 'float32'), R.Tensor((4,), 'float32')))\nf = p[0]\nb = R.add(a, f)\nreturn b", ["IP002"]),
    # ---- more operands of one call
    ("product with itself, accumulated elsewhere", XY, None, "t = R.reshape(R.negative(x), R.shape([2, 2]))\nu = R.reshape(R.negative(y), R.shape([2, 2]))\na = matmul_to!(t, t, u)@2\nreturn a", [OK]),
    ("product accumulated into a factor", XY, None, "t = R.reshape(R.negative(x), R.shape([2, 2]))\nu = R.reshape(R.negative(y), R.shape([2, 2]))\na = matmul_to!(t, u, u)@2\nreturn a", ["IP010"]),
    ("mirrored by an operator", XY, None, "t = R.negative(x)\nf = R.flip(t, axis=0)\na = add!(t, f)@0\nreturn a", [OK]),
    ("gathers from itself", XY, None, "t = R.negative(x)\ni = R.const([3, 2, 0, 0], 'int32')\na = gather!(t, t, i)@0\nreturn a", ["IP010"]),
    ("gathers from another", XY, None, "t = R.negative(x)\ni = R.const([3, 2, 0, 0], 'int32')\na = gather!(t, y, i)@0\nreturn a", [OK]),
    ("scatters itself", XY, None, "t = R.negative(x)\ni = R.const([1, 2, 3, 0], 'int32')\na = scatter!(t, t, i)@0\nreturn a", ["IP010"]),
    ("chosen into the first", XY, None, "t = R.negative(x)\nu = R.negative(y)\nc = R.less(x, y)\na = select!(c, t, u)@1\nreturn a", [OK]),
    ("chosen into the second", XY, None, "t = R.negative(x)\nu = R.negative(y)\nc = R.less(x, y)\na = select_right!(c, t, u)@2\nreturn (a, t)", [OK]),
    ("chosen among one value", XY, None, "t = R.negative(x)\nc = R.less(x, y)\na = select!(c, t, t)@1\nreturn a", [OK]),
    ("statistics of all in front of the update", XY, None, "t = R.negative(x)\np = less_sum!(t)@[0, -1]\na = p[0]\nreturn a", [OK]),
    ("overwrites a part with another part", XY, None, "t = R.negative(x)\na = inner_update!(t, t)@0\nreturn a", ["IP010"]),
    ("overwrites a part with a part of another", XY, None, "t = R.negative(x)\na = inner_update!(t, y)@0\nreturn (a, y)", [OK]),
    # ---- sizes that are known at run time
    ("one symbol", N, None, "n = T.int64()\nt = R.negative(x)\na = add_n!(t, y)@0\nreturn a", [OK]),
    ("one symbol, one value twice", N, None, "n = T.int64()\nt = R.negative(x)\na = add_n!(t, t)@0\nb = neg_n!(a)@0\nc = R.add(a, b)\nreturn c", [OK, "IP001"]),
    ("a symbol and a broadcast", "x: R.Tensor(('n',), 'float32'), r: R.Tensor((1,), 'float32')", None, "n = T.int64()\nt = R.negative(x)\nu = R.add(t, r)\na = neg_n!(t)@0\nb = R.add(u, a)\nreturn b", [OK]),
    # ---- more tuples and outputs
    ("pieces of a split", XY, None, "t = R.negative(x)\ns = R.split(t, 2, axis=0)\na = s[0]\nb = s[1]\nc = neg2!(a)@0\nd = R.negative(b)\nreturn (c, d, b)", [OK]),
    ("pieces of a split, and the whole", XY, None, "t = R.negative(x)\ns = R.split(t, 2, axis=0)\na = s[0]\nb = s[1]\nc = neg2!(a)@0\nd = neg2!(b)@0\nreturn (c, d, t)", [OK, OK]),
    ("one value in two fields", XY, None, "t = R.negative(x)\np = (t, t)\nf = p[0]\na = neg!(f)@0\ng = p[1]\nb = R.add(a, g)\nreturn b", ["IP002"]),
    ("tuple of tuples, another field read", XY, None, "t = R.negative(x)\nu = R.negative(y)\np = ((t, u), u)\nq = p[0]\nf = q[0]\na = neg!(f)@0\ng = p[1]\nb = R.add(a, g)\nreturn b", [OK]),
    ("tuple of tuples, the field read", XY, None, "t = R.negative(x)\nu = R.negative(y)\np = ((t, u), t)\nq = p[0]\nf = q[0]\na = neg!(f)@0\ng = p[1]\nb = R.add(a, g)\nreturn b", ["IP002"]),
    ("double buffer, then again", XY, None, "p = R.negative(x)\nq = R.negative(y)\nt = swap!(p, q)@[1, 0]\na = t[0]\nb = t[1]\nu = swap!(a, b)@[1, 0]\nc = u[0]\nd = u[1]\nreturn (c, d)", [OK, OK, OK, OK]),
    # ---- more branches
    ("updated in both branches, read afterwards", XYC, None, "t = R.negative(x)\nif c:\n    a = neg!(t)@0\nelse:\n    a = add!(t, y)@0\nb = R.add(a, t)\nreturn b", ["IP001", "IP001"]),
    ("updated in one, another value in the other, read afterwards", XYC, None, "t = R.negative(x)\nif c:\n    a = add!(t, x)@0\nelse:\n    a = y\nb = R.add(t, a)\nreturn b", ["IP001"]),
    ("made in a branch, used in the other", XYC, None, "if c:\n    t = R.negative(x)\n    a = neg!(t)@0\nelse:\n    u = R.negative(y)\n    a = add!(u, x)@0\nb = neg!(a)@0\nreturn b", [OK, OK, OK]),
    ("branches in branches", XYC, None, "t = R.negative(x)\nd = R.logical_not(c)\nif c:\n    if d:\n        u = neg!(t)@0\n    else:\n        u = t\n    a = u\nelse:\n    a = add!(t, y)@0\nb = neg!(a)@0\nreturn b", [OK, OK, OK]),
    ("branches in branches, the outer one reads it", XYC, None, "t = R.negative(x)\nd = R.logical_not(c)\nif c:\n    if d:\n        u = t\n    else:\n        u = neg!(t)@0\n    a = R.add(u, t)\nelse:\n    a = R.negative(y)\nreturn a", ["IP001"]),
    ("tuple of a branch", XYC, None, "t = R.negative(x)\nu = R.negative(y)\nif c:\n    p = (t, u)\nelse:\n    p = (u, t)\nf = p[0]\na = neg!(f)@0\ng = p[1]\nb = R.add(a, g)\nreturn b", ["IP002"]),
    # ---- recursion: loops of graphs
    ("mutual recursion with donated parameters", XY, None, "t = R.negative(x)\nn = R.const(4, 'int32')\na = cls.even(n, t)\nb = cls.odd(n, y)\nreturn (a, b)", None),
    ("state that is carried, shifted by the old one", XYR, 0, "n = R.const(3, 'int32')\na = cls.fill(n, x, r)\nreturn a", None),
    ("state that is carried, updated every other time", XYC, 0, "n = R.const(3, 'int32')\na = cls.forward(n, c, x)\nreturn a", None),
    ("no time around", XYR, None, "n = R.const(0, 'int32')\nt = R.negative(x)\na = cls.fill(n, t, r)\nb = R.add(a, t)\nreturn b", None),
    ("carried and original, read across iterations", XY, None, "n = R.const(3, 'int32')\nt = R.negative(x)\na = cls.with_original(n, t, t)\nreturn a", None),
    ("updates in a row, each reads the last", XY, 0, "a = running!(x, T.int64(0))@0\nb = running!(a, T.int64(1))@0\nc = running!(b, T.int64(2))@0\nd = running!(c, T.int64(3))@0\nreturn d", [OK, OK, OK, OK]),
    # ---- more calls
    ("callee gives one of two", XYC, None, "t = R.negative(x)\nu = R.negative(y)\ni = cls.one_of(c, t, u)\na = neg!(u)@0\nb = R.add(a, i)\nreturn b", ["IP002"]),
    ("callee gives its argument twice", XY, None, "t = R.negative(x)\np = cls.twice(t)\nf = p[0]\ng = p[1]\na = neg!(f)@0\nb = R.add(a, g)\nreturn b", ["IP002"]),
    ("callee gives a view", XY, None, "t = R.negative(x)\nv = cls.view_of(t)\na = neg!(t)@0\nb = R.add(R.reshape(v, R.shape([4])), a)\nreturn b", ["IP002"]),
    ("callee hides its argument in a tuple", XY, None, "t = R.negative(x)\no = cls.hidden(t)\na = neg!(t)@0\np = R.match_cast(o, R.Tuple(R.Tensor((4,), 'float32'), R.Tensor((4,), 'float32')))\nf = p[1]\nb = R.add(a, f)\nreturn b", ["IP002"]),
    # ---- joined, split, appended
    ("joined twice from one value", XY, None, "t = R.negative(x)\nj = R.concat((t, t), axis=0)\na = neg!(t)@0\nreturn (j, a)", [OK]),
    ("in two joins", XY, None, "t = R.negative(x)\nj = R.concat((t, y), axis=0)\nk = R.concat((x, t), axis=0)\na = neg!(t)@0\nl = R.add(j, k)\nreturn (l, a)", [OK]),
    ("join of a join", XY, None, "t = R.negative(x)\nj = R.concat((t, y), axis=0)\nk = R.concat((j, t), axis=0)\na = neg!(t)@0\nreturn (k, a)", [OK]),
    ("joined along the inner axis", XY, None, "t = R.reshape(R.negative(x), R.shape([2, 2]))\nu = R.reshape(y, R.shape([2, 2]))\nj = R.concat((t, u), axis=1)\na = neg22!(t)@0\nreturn (j, a)", [OK]),
    ("split and joined again", XY, None, "t = R.negative(x)\ns = R.split(t, 2, axis=0)\nj = R.concat((s[0], s[1]), axis=0)\nk = R.concat((s[1], s[0]), axis=0)\na = add!(j, k)@0\nb = R.add(a, t)\nreturn b", [OK]),
    ("appended, then read", XYR, 0, "a = append!(x, r, T.int64(2))@0\ns = R.sum(a)\nreturn (a, s)", [OK]),
    ("appended, the old state read", XYR, 0, "a = append!(x, r, T.int64(2))@0\ns = R.sum(x)\nreturn (a, s)", ["IP001"]),
    ("both halves of one storage", XY, None, "t = R.reshape(R.negative(x), R.shape([2, 2]))\ns = R.split(y, 2, axis=0)\na = first_half!(t, s[0])@0\nb = second_half!(a, s[1])@0\nreturn b", [OK, OK]),
    ("half of one storage from the other half", XY, None, "t = R.reshape(R.negative(x), R.shape([2, 2]))\nr = R.reshape(t, R.shape([4]))\ns = R.split(r, 2, axis=0)\na = first_half!(t, s[1])@0\nb = second_half!(a, s[0])@0\nreturn b", [OK, OK]),
    ("ring, shifted by an operator", XYR, 0, "s = R.strided_slice(x, axes=[0], begin=[1], end=[4])\nj = R.concat((s, r), axis=0)\na = add!(x, j)@0\nreturn a", [OK]),
    ("ring, shifted by the kernel", XYR, 0, "a = shift_in!(x, x, r)@0\nreturn a", ["IP010"]),
]
