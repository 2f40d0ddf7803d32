# FAIL: check
# Names and parts: the name that is read and bound nowhere is the one that is missing, where the kernel calls its part so.
from tvm.script import ir as I, relax as R, tirx as T


@I.ir_module
class Module:
    @T.prim_func(private=True)
    def both(x: T.Buffer((4,), "float32"), low: T.Buffer((4,), "float32"), high: T.Buffer((4,), "float32"), mid: T.Buffer((4,), "float32")):
        for i in range(4):
            low[i] = x[i] - T.float32(1)
            high[i] = x[i] + T.float32(1)
            mid[i] = x[i]

    @R.function
    def last(x: R.Tensor((4,), "float32")):
        cls = Module
        parts = R.call_tir(cls.both, (x,), out_ty=[R.Tensor((4,), "float32"), R.Tensor((4,), "float32"), R.Tensor((4,), "float32")])
        low, high = parts
        y = R.add(R.add(low, high), mid)
        return y

    @R.function
    def first(x: R.Tensor((4,), "float32")):
        cls = Module
        parts = R.call_tir(cls.both, (x,), out_ty=[R.Tensor((4,), "float32"), R.Tensor((4,), "float32"), R.Tensor((4,), "float32")])
        new_high, new_mid = parts
        y = R.add(R.add(new_low, new_high), new_mid)
        return y

    @R.function
    def unknown(x: R.Tensor((4,), "float32")):
        cls = Module
        parts = R.call_tir(cls.both, (x,), out_ty=[R.Tensor((4,), "float32"), R.Tensor((4,), "float32"), R.Tensor((4,), "float32")])
        a, b = parts
        y = R.add(R.add(a, b), c)
        return y

    @R.function
    def single(x: R.Tensor((4,), "float32")):
        y, z = R.exp(x)
        return R.add(y, z)

    @R.function
    def part(x: R.Tensor((4,), "float32")):
        pair = (x, R.exp(x))
        y, z = pair[1]
        return R.add(y, z)

    @R.function(private=True)
    def gradient(x: R.Tensor((4,), "float32")) -> R.Tuple(R.Tensor((), "float32"), R.Tensor((4,), "float32")):
        loss = R.sum(x)
        g = R.exp(x)
        return (loss, g)

    @R.function
    def whole(x: R.Tensor((4,), "float32")):
        cls = Module
        g = cls.gradient(x)
        parts = R.call_tir(cls.both, (g,), out_ty=[R.Tensor((4,), "float32"), R.Tensor((4,), "float32"), R.Tensor((4,), "float32")])
        return (parts, loss)
# OUT:
# error[E0260]: 2 names for 3 values
#   --> unpack-names.py:19:9
#    |
# 19 |         low, high = parts
#    |         ^^^^^^^^^
# 20 |         y = R.add(R.add(low, high), mid)
#    |                                     --- `mid` is read here, and nothing binds it
#    |
# help: a name is missing
#    |
# 19 |         low, high, mid = parts
#    |                  +++++
#
# error[E0260]: 2 names for 3 values
#   --> unpack-names.py:27:9
#    |
# 27 |         new_high, new_mid = parts
#    |         ^^^^^^^^^^^^^^^^^
# 28 |         y = R.add(R.add(new_low, new_high), new_mid)
#    |                         ------- `new_low` is read here, and nothing binds it
#    |
# help: a name is missing
#    |
# 27 |         new_low, new_high, new_mid = parts
#    |         +++++++++
#
# error[E0260]: 2 names for 3 values
#   --> unpack-names.py:35:9
#    |
# 35 |         a, b = parts
#    |         ^^^^
# 36 |         y = R.add(R.add(a, b), c)
#    |                                - `c` is read here, and nothing binds it
#    |
# help: a name is missing
#    |
# 35 |         a, b, c = parts
#    |             +++
#
# error[E0260]: 2 names for 1 value
#   --> unpack-names.py:41:9
#    |
# 41 |         y, z = R.exp(x)
#    |         ^^^^   -------- one value, R.Tensor((4,), dtype="float32")
#    |
#    = help: a tensor has no parts: `R.split` makes several of it
#
# error[E0260]: 2 names for 1 value
#   --> unpack-names.py:47:9
#    |
# 47 |         y, z = pair[1]
#    |         ^^^^   ------- one value, R.Tensor((4,), dtype="float32")
#    |
# help: `pair` has 2 parts
#    |
# 47 |         y, z = pair[1]
#    |                    ---
#
# error[E0260]: 1 name for 2 values
#   --> unpack-names.py:59:9
#    |
# 59 |         g = cls.gradient(x)
#    |         ^
# 60 |         parts = R.call_tir(cls.both, (g,), out_ty=[R.Tensor((4,), "float32"), R.Tensor((4,), "float32"), R.Tensor((4,), "float32")])
# 61 |         return (parts, loss)
#    |                        ---- `loss` is read here, and nothing binds it
#    |
# help: name both parts
#    |
# 59 |         loss, g = cls.gradient(x)
#    |         ++++++
#
