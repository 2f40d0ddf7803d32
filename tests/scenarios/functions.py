"""Functions beside main that rows call."""

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

    @R.function(private=True)
    def anew(n: R.Tensor((), "int32"), x: R.Tensor((4,), "float32"), y: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        cls = Module
        more = R.greater(n, R.const(0, "int32"))
        if more:
            m = R.subtract(n, R.const(1, "int32"))
            a = R.add(x, y)
            b = R.maximum(a, x)
            r = cls.anew(m, b, y)
        else:
            r = x
        return r

    @R.function(private=True)
    def fresh_each(n: R.Tensor((), "int32"), x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        cls = Module
        more = R.greater(n, R.const(0, "int32"))
        if more:
            m = R.subtract(n, R.const(1, "int32"))
            t = R.negative(x)
            a = R.call_tir_inplace(cls.shift_self, (t,), out_ty=R.Tensor((4,), "float32"), inplace_indices=[0])
            w = cls.fresh_each(m, a)
            r = R.add(w, x)
        else:
            r = x
        return r

    @R.function(private=True)
    def exchange(n: R.Tensor((), "int32"), x: R.Tensor((4,), "float32"), y: R.Tensor((4,), "float32")) -> R.Tuple(R.Tensor((4,), "float32"), R.Tensor((4,), "float32")):
        R.func_attr({"relax.inplace_arg": [1, 2]})
        cls = Module
        more = R.greater(n, R.const(0, "int32"))
        if more:
            m = R.subtract(n, R.const(1, "int32"))
            t = R.call_tir_inplace(cls.swap, (x, y), out_ty=[R.Tensor((4,), "float32"), R.Tensor((4,), "float32")], inplace_indices=[1, 0])
            a = t[0]
            b = t[1]
            r = cls.exchange(m, a, b)
        else:
            r = (x, y)
        return r
'''
