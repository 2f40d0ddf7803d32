# RUN: check
# Functions that call themselves under conditions that the call does not change; none where some condition changes.
from tvm.script import ir as I, relax as R, tirx as T


@I.ir_module
class Module:
    @R.function(private=True)
    def same(x: R.Tensor(("n", 4), "float32"), i: T.int64) -> R.Tensor(("n", 4), "float32"):
        n = T.int64()
        cls = Module
        if i < n:
            y = R.add(x, x)
            r: R.Tensor((n, 4), "float32") = cls.same(y, i)
        else:
            r = x
        return r

    @R.function(private=True)
    def kept(x: R.Tensor((4,), "float32"), least: R.Tensor((), "float32")) -> R.Tensor((4,), "float32"):
        cls = Module
        big = R.greater(least, R.const(0.5, "float32"))
        if big:
            y = R.add(x, x)
            r: R.Tensor((4,), "float32") = cls.kept(y, least)
        else:
            r = x
        return r

    @R.function(private=True)
    def counts(x: R.Tensor((4,), "float32"), i: T.int64, k: T.int64) -> R.Tensor((4,), "float32"):
        cls = Module
        if i < 10:
            r: R.Tensor((4,), "float32") = cls.counts(x, i + 1, k)
        else:
            r = x
        return r

    @R.function(private=True)
    def inner(x: R.Tensor((4,), "float32"), i: T.int64, k: T.int64) -> R.Tensor((4,), "float32"):
        cls = Module
        if i < 10:
            if k < 3:
                q: R.Tensor((4,), "float32") = cls.inner(x, i, k + 1)
            else:
                q = x
            r = q
        else:
            r = x
        return r

    @R.function(private=True)
    def reads(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        cls = Module
        big = R.greater(R.sum(x), R.const(0.5, "float32"))
        if big:
            y = R.subtract(x, R.const(0.5, "float32"))
            r: R.Tensor((4,), "float32") = cls.reads(y)
        else:
            r = x
        return r

    @R.function
    def main(x: R.Tensor((4,), "float32"), a: R.Tensor(("n", 4), "float32"), least: R.Tensor((), "float32")):
        cls = Module
        u = cls.same(a, 0)
        v = cls.kept(x, least)
        w = cls.counts(v, 0, 0)
        p = cls.inner(w, 0, 0)
        q = cls.reads(p)
        return (u, q)
# OUT:
# warning[E0580]: `same` calls itself, and the condition of that stays as it is
#   --> turns.py:14:58
#    |
# 12 |         if i < n:
#    |            ----- what it goes by is the same in each turn
# 13 |             y = R.add(x, x)
# 14 |             r: R.Tensor((n, 4), "float32") = cls.same(y, i)
#    |                                                          ^ `i` is handed on as it came
#    |
#    = note: a run that gets here never ends
#
# warning[E0580]: `kept` calls itself, and the condition of that stays as it is
#   --> turns.py:25:56
#    |
# 22 |         big = R.greater(least, R.const(0.5, "float32"))
#    |               ----------------------------------------- what it goes by is the same in each turn
# ...
# 25 |             r: R.Tensor((4,), "float32") = cls.kept(y, least)
#    |                                                        ^^^^^ `least` is handed on as it came
#    |
#    = note: a run that gets here never ends
#
