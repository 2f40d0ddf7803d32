# FAIL: check
# Every rule of inplace_indices, each broken once: count, range, twice, all -1, no tensor.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T

@I.ir_module
class Module:
    @T.prim_func(private=True)
    def double(a: T.Buffer((4,), "float32")):
        for i in range(4):
            with T.sblock("double"):
                v_i = T.axis.spatial(4, i)
                a[v_i] = a[v_i] * T.float32(2)

    @T.prim_func(private=True)
    def merge(a: T.Buffer((4,), "float32"), b: T.Buffer((4,), "float32")):
        for i in range(4):
            with T.sblock("merge"):
                v_i = T.axis.spatial(4, i)
                a[v_i] = a[v_i] + b[v_i]

    @R.function
    def main(x: R.Tensor((4,), "float32"), y: R.Tensor((4,), "float32"), n: T.int64) -> R.Tensor((4,), "float32"):
        cls = Module
        a = R.call_tir_inplace(cls.double, (x,), out_ty=R.Tensor((4,), "float32"), inplace_indices=[0, -1])
        b = R.call_tir_inplace(cls.double, (a,), out_ty=R.Tensor((4,), "float32"), inplace_indices=[1])
        c = R.call_tir_inplace(cls.double, (b,), out_ty=R.Tensor((4,), "float32"), inplace_indices=[-2])
        d = R.call_tir_inplace(cls.merge, (c, y), out_ty=[R.Tensor((4,), "float32"), R.Tensor((4,), "float32")], inplace_indices=[1, 1])
        e = R.call_tir_inplace(cls.merge, (y,), out_ty=R.Tensor((4,), "float32"), inplace_indices=[-1])
        f = R.call_tir_inplace(cls.double, (y, n), out_ty=R.Tensor((4,), "float32"), inplace_indices=[1])
        return f
# OUT:
# error[E0305]: `R.call_tir_inplace`: inplace_indices has 2 entries for 1 output
#   --> inplace-index-rules.py:26:100
#    |
# 26 |         a = R.call_tir_inplace(cls.double, (x,), out_ty=R.Tensor((4,), "float32"), inplace_indices=[0, -1])
#    |                                                                                                    ^^^^^^^
#    |
# help: the kernel writes the arguments `[0]`
#    |
# 26 |         a = R.call_tir_inplace(cls.double, (x,), out_ty=R.Tensor((4,), "float32"), inplace_indices=[0, -1])
#    |                                                                                                      ----
#
# error[E0305]: `R.call_tir_inplace`: entry 0 is 1, and arguments are 0 to 0
#   --> inplace-index-rules.py:27:101
#    |
# 27 |         b = R.call_tir_inplace(cls.double, (a,), out_ty=R.Tensor((4,), "float32"), inplace_indices=[1])
#    |                                                                                                     ^
#    |
# help: the kernel writes argument 0, which no entry names
#    |
# 27 |         b = R.call_tir_inplace(cls.double, (a,), out_ty=R.Tensor((4,), "float32"), inplace_indices=[0])
#    |                                                                                                     ~
#
# error[E0305]: `R.call_tir_inplace`: entry 0 is -2, and arguments are 0 to 0
#   --> inplace-index-rules.py:28:101
#    |
# 28 |         c = R.call_tir_inplace(cls.double, (b,), out_ty=R.Tensor((4,), "float32"), inplace_indices=[-2])
#    |                                                                                                     ^^
#    |
# help: the kernel writes argument 0, which no entry names
#    |
# 28 |         c = R.call_tir_inplace(cls.double, (b,), out_ty=R.Tensor((4,), "float32"), inplace_indices=[0])
#    |                                                                                                     ~
#
# error[E0305]: `R.call_tir_inplace`: outputs 0 and 1 both want argument 1
#   --> inplace-index-rules.py:29:134
#    |
# 29 |         d = R.call_tir_inplace(cls.merge, (c, y), out_ty=[R.Tensor((4,), "float32"), R.Tensor((4,), "float32")], inplace_indices=[1, 1])
#    |                                                                                                                                   -  ^
#    |                                                                                                                                   |
#    |                                                                                                                                   the first one
#    |
# help: the kernel writes argument 0, which no entry names
#    |
# 29 |         d = R.call_tir_inplace(cls.merge, (c, y), out_ty=[R.Tensor((4,), "float32"), R.Tensor((4,), "float32")], inplace_indices=[1, 0])
#    |                                                                                                                                      ~
#
# error[E0305]: `R.call_tir_inplace`: no output is in place; R.call_tir says that
#   --> inplace-index-rules.py:30:99
#    |
# 30 |         e = R.call_tir_inplace(cls.merge, (y,), out_ty=R.Tensor((4,), "float32"), inplace_indices=[-1])
#    |                                                                                                   ^^^^
#    |
# help: leave `inplace_indices` out
#    |
# 30 |         e = R.call_tir(cls.merge, (y,), out_ty=R.Tensor((4,), "float32"))
#    |                       ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
#
# error[E0305]: `R.call_tir_inplace`: argument 1 is no tensor
#   --> inplace-index-rules.py:31:103
#    |
# 31 |         f = R.call_tir_inplace(cls.double, (y, n), out_ty=R.Tensor((4,), "float32"), inplace_indices=[1])
#    |                                                                                                       ^
#    |
# help: the kernel writes argument 0, which no entry names
#    |
# 31 |         f = R.call_tir_inplace(cls.double, (y, n), out_ty=R.Tensor((4,), "float32"), inplace_indices=[0])
#    |                                                                                                       ~
#
