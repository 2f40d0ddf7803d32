# FAIL: check
# Calls with effects in pure functions and in dataflow blocks; also in branches.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T

@I.ir_module
class Module:
    @R.function(pure=False, private=True)
    def effect(a: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        _ = R.print(a, format="{}")
        return a

    @R.function
    def calls(x: R.Tensor((4,), "float32"), c: R.Tensor((), "bool")) -> R.Tensor((4,), "float32"):
        cls = Module
        a = cls.effect(x)
        if c:
            b = R.call_packed("f", a, ty_args=(R.Tensor((4,), "float32"),))
            r = R.exp(b)
        else:
            r = R.call_pure_packed("f", a, ty_args=(R.Tensor((4,), "float32"),))
        return r

    @R.function(pure=False)
    def block(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        cls = Module
        with R.dataflow():
            a = cls.effect(x)
            b = R.exp(a)
            R.output(b)
        c = cls.effect(b)
        return c

    @R.function
    def forced(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        R.func_attr({"relax.force_pure": True})
        cls = Module
        a = cls.effect(x)
        return a

    @R.function(pure=False)
    def both(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        R.func_attr({"relax.force_pure": True})
        return x
# OUT:
# error[E0505]: `calls` is pure, but calls `effect`, which has an effect
#   --> purity.py:17:13
#    |
# 15 |     def calls(x: R.Tensor((4,), "float32"), c: R.Tensor((), "bool")) -> R.Tensor((4,), "float32"):
#    |         ----- `calls` is pure unless it says otherwise
# 16 |         cls = Module
# 17 |         a = cls.effect(x)
#    |             ^^^^^^^^^^^^^
#    |
# help: write `@R.function(pure=False)`
#    |
# 14 |     @R.function(pure=False)
#    |                ++++++++++++
#
# error[E0505]: `calls` is pure, but calls `call_packed`, which has an effect
#   --> purity.py:19:17
#    |
# 15 |     def calls(x: R.Tensor((4,), "float32"), c: R.Tensor((), "bool")) -> R.Tensor((4,), "float32"):
#    |         ----- `calls` is pure unless it says otherwise
# ...
# 19 |             b = R.call_packed("f", a, ty_args=(R.Tensor((4,), "float32"),))
#    |                 ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#    |
# help: write `@R.function(pure=False)`, or `R.call_pure_packed` if the function has no effect
#    |
# 14 |     @R.function(pure=False)
#    |                ++++++++++++
#
# error[E0504]: `effect` has an effect and stands in a dataflow block
#   --> purity.py:29:17
#    |
# 28 |         with R.dataflow():
#    |              ------------ the dataflow block
# 29 |             a = cls.effect(x)
#    |                 ^^^^^^^^^^^^^
#    |
#    = help: put the call in front of the block or behind it
#
# error[E0506]: `both` is not pure, but has `relax.force_pure`
#   --> purity.py:43:9
#    |
# 43 |     def both(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
#    |         ^^^^
#    |
#    = help: leave out either `pure=False` or `relax.force_pure`
#
