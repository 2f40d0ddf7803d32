# RUN: check
# Each counts away from where its condition ends; the last two end, or may.
from tvm.script import ir as I, relax as R, tirx as T


@I.ir_module
class Module:
    @R.function(private=True)
    def down(x: R.Tensor((4,), "float32"), i: T.int64, n: T.int64) -> R.Tensor((4,), "float32"):
        cls = Module
        if i < n:
            y = R.add(x, x)
            r: R.Tensor((4,), "float32") = cls.down(y, i - 1, n)
        else:
            r = x
        return r

    @R.function(private=True)
    def up(x: R.Tensor((4,), "float32"), i: T.int64) -> R.Tensor((4,), "float32"):
        cls = Module
        if i <= 0:
            r = x
        else:
            y = R.add(x, x)
            r = cls.up(y, i + 2)
        return r

    @R.function(private=True)
    def end(x: R.Tensor((4,), "float32"), n: T.int64) -> R.Tensor((4,), "float32"):
        cls = Module
        if 0 < n:
            y = R.add(x, x)
            r: R.Tensor((4,), "float32") = cls.end(y, n - 1)
        else:
            r = x
        return r

    @R.function(private=True)
    def both(x: R.Tensor((4,), "float32"), i: T.int64, n: T.int64) -> R.Tensor((4,), "float32"):
        cls = Module
        if i < n:
            y = R.add(x, x)
            r: R.Tensor((4,), "float32") = cls.both(y, i - 1, n - 2)
        else:
            r = x
        return r

    @R.function
    def main(x: R.Tensor((4,), "float32"), n: T.int64) -> R.Tensor((4,), "float32"):
        cls = Module
        a = cls.down(x, 0, n)
        b = cls.up(a, n)
        c = cls.end(b, n)
        return cls.both(c, 0, n)
# OUT:
# warning[E0581]: `down` calls itself, and each turn is further from where that ends
#   --> turns-away.py:13:56
#    |
# 11 |         if i < n:
#    |            ----- what it goes by
# 12 |             y = R.add(x, x)
# 13 |             r: R.Tensor((4,), "float32") = cls.down(y, i - 1, n)
#    |                                                        ^^^^^ `i` becomes less
#    |
#    = note: a run that gets here never ends
# help: count the other way
#    |
# 13 |             r: R.Tensor((4,), "float32") = cls.down(y, i + 1, n)
#    |                                                          ~
#
# warning[E0581]: `up` calls itself, and each turn is further from where that ends
#   --> turns-away.py:25:27
#    |
# 21 |         if i <= 0:
#    |            ------ what it goes by
# ...
# 25 |             r = cls.up(y, i + 2)
#    |                           ^^^^^ `i` becomes more
#    |
#    = note: a run that gets here never ends
# help: count the other way
#    |
# 25 |             r = cls.up(y, i - 2)
#    |                             ~
#
