# FAIL: check
# `*t` behind a keyword has no name to look for: it is refused wherever arguments are read.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @R.function(private=True)
    def f(x: R.Tensor((4,), "float32"), y: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        return R.subtract(x, y)

    @R.function
    def all_given(x: R.Tensor((4,), "float32")):
        return Module.f(y=x, x=x, *(x, x))

    @R.function
    def one_left(x: R.Tensor((4,), "float32")):
        return Module.f(y=x, *(x,))

    @R.function
    def operands(x: R.Tensor((4,), "float32")):
        return R.subtract(x1=x, *(x,))

    @R.function
    def operands_given(x: R.Tensor((4,), "float32")):
        return R.subtract(x, x2=x, *(x,))

    @R.function(pure=False)
    def packed(x: R.Tensor((4,), "float32")):
        return R.call_packed("f", x, ty_args=R.Tensor((4,), "float32"), *(x,))

    @T.prim_func
    def parameter(a: T.Buffer((4,), dtype="float32", *(1,))):
        a[0] = T.float32(0)

    @T.prim_func
    def allocated(a: T.Buffer((4,), "float32")):
        b = T.alloc_buffer(shape=(4,), *(1,))
        b[0] = a[0]

    @T.prim_func
    def loop(a: T.Buffer((4,), "float32")):
        for i in T.serial(stop=4, *(1,)):
            a[i] = T.float32(0)
# OUT:
# error[E0134]: `*` unpacking is not possible here
#   --> starred-behind-keyword.py:16:35
#    |
# 16 |         return Module.f(y=x, x=x, *(x, x))
#    |                                   ^^^^^^^
#
# error[E0134]: `*` unpacking is not possible here
#   --> starred-behind-keyword.py:20:30
#    |
# 20 |         return Module.f(y=x, *(x,))
#    |                              ^^^^^
#
# error[E0134]: `*` unpacking is not possible here
#   --> starred-behind-keyword.py:24:33
#    |
# 24 |         return R.subtract(x1=x, *(x,))
#    |                                 ^^^^^
#
# error[E0134]: `*` unpacking is not possible here
#   --> starred-behind-keyword.py:28:36
#    |
# 28 |         return R.subtract(x, x2=x, *(x,))
#    |                                    ^^^^^
#
# error[E0134]: `*` unpacking is not possible here
#   --> starred-behind-keyword.py:32:73
#    |
# 32 |         return R.call_packed("f", x, ty_args=R.Tensor((4,), "float32"), *(x,))
#    |                                                                         ^^^^^
#
# error[E0134]: `*` unpacking is not possible here
#   --> starred-behind-keyword.py:35:54
#    |
# 35 |     def parameter(a: T.Buffer((4,), dtype="float32", *(1,))):
#    |                                                      ^^^^^
#
# error[E0134]: `*` unpacking is not possible here
#   --> starred-behind-keyword.py:40:40
#    |
# 40 |         b = T.alloc_buffer(shape=(4,), *(1,))
#    |                                        ^^^^^
#
# error[E0134]: `*` unpacking is not possible here
#   --> starred-behind-keyword.py:45:35
#    |
# 45 |         for i in T.serial(stop=4, *(1,)):
#    |                                   ^^^^^
#
