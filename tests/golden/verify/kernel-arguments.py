# FAIL: check
# What a call gives a kernel against what it takes: count, rank, dtype, shape, scalar, kind.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T

@I.ir_module
class Module:
    @T.prim_func(private=True)
    def add_one(a: T.Buffer((4,), "float32"), b: T.Buffer((4,), "float32")):
        for i in range(4):
            with T.sblock("add_one"):
                v_i = T.axis.spatial(4, i)
                b[v_i] = a[v_i] + T.float32(1)

    @T.prim_func(private=True)
    def scaled(a: T.Buffer((4,), "float32"), s: T.float32, b: T.Buffer((4,), "float32")):
        for i in range(4):
            with T.sblock("scaled"):
                v_i = T.axis.spatial(4, i)
                b[v_i] = a[v_i] * s

    @R.function
    def main(x: R.Tensor((4,), "float32"), y: R.Tensor((2, 2), "float32"), z: R.Tensor((4,), "int32"), w: R.Tensor((5,), "float32"), u: R.Tensor(dtype="float32"), s: R.Tuple(R.Tensor((4,), "float32"))) -> R.Tensor((4,), "float32"):
        cls = Module
        a = R.call_tir(cls.scaled, (x,), out_ty=R.Tensor((4,), "float32"))
        b = R.call_tir(cls.add_one, (y,), out_ty=R.Tensor((4,), "float32"))
        c = R.call_tir(cls.add_one, (z,), out_ty=R.Tensor((4,), "float32"))
        d = R.call_tir(cls.add_one, (w,), out_ty=R.Tensor((4,), "float32"))
        e = R.call_tir(cls.add_one, (u,), out_ty=R.Tensor((4,), "float32"))
        f = R.call_tir(cls.add_one, (x,), out_ty=R.Tensor((5,), "float32"))
        g = R.call_tir(cls.add_one, (x,), out_ty=R.Tensor((4,), "float16"))
        h = R.call_tir(cls.scaled, (x, T.int64(2)), out_ty=R.Tensor((4,), "float32"))
        i = R.call_tir(cls.scaled, (x, T.float32(2)), out_ty=R.Tensor((4,), "float32"))
        j = R.call_tir(cls.add_one, (x,), out_ty=R.Tensor(dtype="float32", ndim=1))
        return i
# OUT:
# error[E0511]: `scaled` takes 2 arguments, and the call gives 1
#   --> kernel-arguments.py:26:36
#    |
# 17 |     def scaled(a: T.Buffer((4,), "float32"), s: T.float32, b: T.Buffer((4,), "float32")):
#    |         ------ defined here
# ...
# 26 |         a = R.call_tir(cls.scaled, (x,), out_ty=R.Tensor((4,), "float32"))
#    |                                    ^^^^
#    |
#    = help: scalar `s` is missing, argument 2, of float32
#
# error[E0513]: argument 1 of `add_one` is R.Tensor((2, 2), dtype="float32"), but parameter `a` is T.Buffer((4,), "float32")
#   --> kernel-arguments.py:27:38
#    |
# 10 |     def add_one(a: T.Buffer((4,), "float32"), b: T.Buffer((4,), "float32")):
#    |                 - the parameter
# ...
# 27 |         b = R.call_tir(cls.add_one, (y,), out_ty=R.Tensor((4,), "float32"))
#    |                                      ^
#
# error[E0513]: argument 1 of `add_one` is R.Tensor((4,), dtype="int32"), but parameter `a` is T.Buffer((4,), "float32")
#   --> kernel-arguments.py:28:38
#    |
# 10 |     def add_one(a: T.Buffer((4,), "float32"), b: T.Buffer((4,), "float32")):
#    |                 - the parameter
# ...
# 28 |         c = R.call_tir(cls.add_one, (z,), out_ty=R.Tensor((4,), "float32"))
#    |                                      ^
#    |
# help: convert the argument: `R.astype(.., "float32")`
#    |
# 28 |         c = R.call_tir(cls.add_one, (R.astype(z, "float32"),), out_ty=R.Tensor((4,), "float32"))
#    |                                      ~~~~~~~~~~~~~~~~~~~~~~
# help: let `z` be float32
#    |
# 24 | ...((2, 2), "float32"), z: R.Tensor((4,), "float32"), w: R.Tensor((5,), "float32"), u: R.Tensor(dtype="float32"), s: R.Tuple(R.Tensor((4,), "float32"))) -> R.Tenso...
#    |                                            ~~~~
#
# error[E0513]: argument 1 of `add_one` is R.Tensor((5,), dtype="float32"), but parameter `a` is T.Buffer((4,), "float32")
#   --> kernel-arguments.py:29:38
#    |
# 10 |     def add_one(a: T.Buffer((4,), "float32"), b: T.Buffer((4,), "float32")):
#    |                 - the parameter
# ...
# 29 |         d = R.call_tir(cls.add_one, (w,), out_ty=R.Tensor((4,), "float32"))
#    |                                      ^
#    |
#    = note: dimension 0 differs
# help: let `w` be `R.Tensor((4,), "float32")`
#    |
# 24 | ...: R.Tensor((4,), "int32"), w: R.Tensor((4,), "float32"), u: R.Tensor(dtype="float32"), s: R.Tuple(R.Tensor((4,), "float32"))) -> R.Tensor((4,), "float32"):
#    |                                            ~
#
# error[E0513]: argument 1 of `add_one` is R.Tensor(dtype="float32"), but parameter `a` is T.Buffer((4,), "float32")
#   --> kernel-arguments.py:30:38
#    |
# 10 |     def add_one(a: T.Buffer((4,), "float32"), b: T.Buffer((4,), "float32")):
#    |                 - the parameter
# ...
# 30 |         e = R.call_tir(cls.add_one, (u,), out_ty=R.Tensor((4,), "float32"))
#    |                                      ^
#    |
#    = help: say what it is: `R.match_cast(.., R.Tensor(dtype="float32", ndim=1))`
#
# error[E0513]: output 1 of `add_one` is R.Tensor((5,), dtype="float32"), but parameter `b` is T.Buffer((4,), "float32")
#   --> kernel-arguments.py:31:50
#    |
# 10 |     def add_one(a: T.Buffer((4,), "float32"), b: T.Buffer((4,), "float32")):
#    |                                               - the parameter
# ...
# 31 |         f = R.call_tir(cls.add_one, (x,), out_ty=R.Tensor((5,), "float32"))
#    |                                                  ^^^^^^^^^^^^^^^^^^^^^^^^^
#    |
# help: the kernel makes `R.Tensor((4,), "float32")`
#    |
# 31 |         f = R.call_tir(cls.add_one, (x,), out_ty=R.Tensor((4,), "float32"))
#    |                                                            ~
#    = note: dimension 0 differs
#
# error[E0513]: output 1 of `add_one` is R.Tensor((4,), dtype="float16"), but parameter `b` is T.Buffer((4,), "float32")
#   --> kernel-arguments.py:32:50
#    |
# 10 |     def add_one(a: T.Buffer((4,), "float32"), b: T.Buffer((4,), "float32")):
#    |                                               - the parameter
# ...
# 32 |         g = R.call_tir(cls.add_one, (x,), out_ty=R.Tensor((4,), "float16"))
#    |                                                  ^^^^^^^^^^^^^^^^^^^^^^^^^
#    |
# help: the kernel makes `R.Tensor((4,), "float32")`
#    |
# 32 |         g = R.call_tir(cls.add_one, (x,), out_ty=R.Tensor((4,), "float32"))
#    |                                                                       ~~
#
# error[E0514]: argument 2 of `scaled` is a scalar of type int64, but parameter `s` is float32
#   --> kernel-arguments.py:33:40
#    |
# 17 |     def scaled(a: T.Buffer((4,), "float32"), s: T.float32, b: T.Buffer((4,), "float32")):
#    |                                              - the parameter
# ...
# 33 |         h = R.call_tir(cls.scaled, (x, T.int64(2)), out_ty=R.Tensor((4,), "float32"))
#    |                                        ^^^^^^^^^^
#    |
# help: let the kernel take int64
#    |
# 17 |     def scaled(a: T.Buffer((4,), "float32"), s: T.int64, b: T.Buffer((4,), "float32")):
#    |                                                   ~~~~~
#
# error[E0515]: output 1 of `add_one` must be a tensor with shape and dtype, not R.Tensor(dtype="float32", ndim=1)
#   --> kernel-arguments.py:35:50
#    |
# 35 |         j = R.call_tir(cls.add_one, (x,), out_ty=R.Tensor(dtype="float32", ndim=1))
#    |                                                  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#    |
# help: the kernel makes `R.Tensor((4,), dtype="float32")`
#    |
# 35 |         j = R.call_tir(cls.add_one, (x,), out_ty=R.Tensor((4,), dtype="float32"))
#    |                                                           ~~~~~~~~~~~~~~~~~~~~~
#
