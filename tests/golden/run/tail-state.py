# RUN: run --check --entry lstm --in n=20 --in h=4xf32=1,2,3,4 --in c=4xf32=4,3,2,1
# Loops whose turns pass state on in all ways; as artifacts they run in the arena that is counted.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    # Two tensors that are made anew in each turn.
    @R.function(private=True)
    def lstm_steps(h: R.Tensor((4,), "float32"), c: R.Tensor((4,), "float32"), x: R.Tensor((4,), "float32"), i: R.Prim("int64")
                   ) -> R.Tuple(R.Tensor((4,), "float32"), R.Tensor((4,), "float32")):
        cls = Module
        if R.prim_value(i > 0):
            gate = R.sigmoid(R.add(h, x))
            c_new = R.add(R.multiply(gate, c), R.multiply(R.subtract(R.const(1.0, "float32"), gate), R.tanh(h)))
            h_new = R.multiply(gate, R.tanh(c_new))
            r: R.Tuple(R.Tensor((4,), "float32"), R.Tensor((4,), "float32")) = cls.lstm_steps(h_new, c_new, x, R.prim_value(i - 1))
        else:
            r = (h, c)
        return r

    @R.function
    def lstm(h: R.Tensor((4,), "float32"), c: R.Tensor((4,), "float32"), n: R.Prim("int64")) -> R.Tuple(R.Tensor((4,), "float32"), R.Tensor((4,), "float32")):
        cls = Module
        x = R.add(h, c)
        r: R.Tuple(R.Tensor((4,), "float32"), R.Tensor((4,), "float32")) = cls.lstm_steps(h, c, x, R.prim_value(n))
        a = R.add(r[0], x)
        return (a, r[1])

    # One is passed on to the other: it was made two turns before.
    @R.function(private=True)
    def fibonacci_steps(a: R.Tensor((40,), "float32"), b: R.Tensor((40,), "float32"), i: R.Prim("int64")) -> R.Tensor((40,), "float32"):
        cls = Module
        if R.prim_value(i > 0):
            s = R.multiply(R.add(a, b), R.const(0.75, "float32"))
            r: R.Tensor((40,), "float32") = cls.fibonacci_steps(b, s, R.prim_value(i - 1))
        else:
            r = a
        return r

    @R.function
    def fibonacci(x: R.Tensor((40,), "float32"), n: R.Prim("int64")) -> R.Tensor((40,), "float32"):
        cls = Module
        r: R.Tensor((40,), "float32") = cls.fibonacci_steps(x, R.negative(x), R.prim_value(n))
        s: R.Tensor((40,), "float32") = cls.fibonacci_steps(r, x, R.prim_value(n))
        return R.add(r, s)

    # What was made in some turn stays for a number of turns that only the run knows.
    @R.function(private=True)
    def best_steps(best: R.Tensor((8,), "float32"), other: R.Tensor((8,), "float32"), x: R.Tensor((8,), "float32"), i: R.Prim("int64")
                   ) -> R.Tuple(R.Tensor((8,), "float32"), R.Tensor((8,), "float32"), R.Tensor((8,), "float32")):
        cls = Module
        if R.prim_value(i > 0):
            y = R.sin(R.multiply(x, R.const(3.0, "float32")))
            if R.prim_value(i % 3 == 0):
                z = R.add(y, R.const(1.0, "float32"))
                r: R.Tuple(R.Tensor((8,), "float32"), R.Tensor((8,), "float32"), R.Tensor((8,), "float32")) = cls.best_steps(z, best, y, R.prim_value(i - 1))
            else:
                r: R.Tuple(R.Tensor((8,), "float32"), R.Tensor((8,), "float32"), R.Tensor((8,), "float32")) = cls.best_steps(best, other, y, R.prim_value(i - 1))
        else:
            r = (best, other, x)
        return r

    @R.function
    def best(x: R.Tensor((8,), "float32"), n: R.Prim("int64")) -> R.Tuple(R.Tensor((8,), "float32"), R.Tensor((8,), "float32"), R.Tensor((8,), "float32")):
        cls = Module
        r: R.Tuple(R.Tensor((8,), "float32"), R.Tensor((8,), "float32"), R.Tensor((8,), "float32")) = cls.best_steps(x, x, x, R.prim_value(n))
        return r

    # Of any size, in two functions by turns; the same value twice, and one that comes from outside.
    @R.function(private=True)
    def ping(a: R.Tensor((32,), "float32"), b: R.Tensor((32,), "float32"), k: R.Tensor((32,), "float32"), i: R.Prim("int64")) -> R.Tensor((32,), "float32"):
        cls = Module
        if R.prim_value(i > 0):
            y = R.add(a, k)
            r: R.Tensor((32,), "float32") = cls.pong(y, y, b, k, R.prim_value(i - 1))
        else:
            r = R.add(a, b)
        return r

    @R.function(private=True)
    def pong(a: R.Tensor((32,), "float32"), b: R.Tensor((32,), "float32"), c: R.Tensor((32,), "float32"), k: R.Tensor((32,), "float32"), i: R.Prim("int64")) -> R.Tensor((32,), "float32"):
        cls = Module
        if R.prim_value(i > 0):
            y = R.multiply(R.subtract(a, c), R.const(0.5, "float32"))
            r: R.Tensor((32,), "float32") = cls.ping(y, b, k, R.prim_value(i - 1))
        else:
            r = R.subtract(R.add(a, b), c)
        return r

    @R.function
    def both(x: R.Tensor((32,), "float32"), n: R.Prim("int64")) -> R.Tensor((32,), "float32"):
        cls = Module
        r: R.Tensor((32,), "float32") = cls.ping(x, x, x, R.prim_value(n))
        return r

    # The arena is a sum of symbols.
    @R.function(private=True)
    def power_steps(v: R.Tensor(("n",), "float32"), m: R.Tensor(("n", "n"), "float32"), i: R.Prim("int64")) -> R.Tensor(("n",), "float32"):
        n = T.int64()
        cls = Module
        if R.prim_value(i > 0):
            w = R.matmul(m, v)
            u = R.divide(w, R.max(R.abs(w)))
            r: R.Tensor((n,), "float32") = cls.power_steps(u, m, R.prim_value(i - 1))
        else:
            r = v
        return r

    @R.function
    def power(v: R.Tensor(("n",), "float32"), m: R.Tensor(("n", "n"), "float32"), turns: R.Prim("int64")) -> R.Tensor(("n",), "float32"):
        n = T.int64()
        cls = Module
        r: R.Tensor((n,), "float32") = cls.power_steps(v, m, R.prim_value(turns))
        return r

    # An error in some turn.
    @R.function(private=True)
    def search_steps(x: R.Tensor((4,), "float32"), at: R.Tensor((1,), "int64"), i: R.Prim("int64")) -> R.Tensor((1,), "float32"):
        cls = Module
        if R.prim_value(i > 0):
            next = R.add(at, R.const([1], "int64"))
            r: R.Tensor((1,), "float32") = cls.search_steps(x, next, R.prim_value(i - 1))
        else:
            r = R.take(x, at, axis=0)
        return r

    @R.function
    def search(x: R.Tensor((4,), "float32"), at: R.Tensor((1,), "int64")) -> R.Tensor((1,), "float32"):
        cls = Module
        r: R.Tensor((1,), "float32") = cls.search_steps(x, at, R.prim_value(7))
        return r
# OUT:
# result.0: (4,) float32
# [ 5.9966 5.99142 5.95703  5.7502]
# result.1: (4,) float32
# [ 3.84302  2.89443  1.93965 0.978901]
