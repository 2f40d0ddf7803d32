# RUN: check
# Reads of new storage before anything is written there: a sum, a maximum, a vector, tiles and a buffer of the kernel's own; and none of what has a first value, or of an argument that is updated.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T

n = TypeVar("n")


@I.ir_module
class Module:
    @T.prim_func(private=True)
    def add(a: T.Buffer((4,), "float32"), b: T.Buffer((4,), "float32")):
        for i in range(4):
            b[i] += a[i]

    @T.prim_func(private=True)
    def total(a: T.Buffer((n, 8), "float32"), b: T.Buffer((n,), "float32")):
        for i, k in T.grid(n, 8):
            with T.sblock("sum"):
                vi, vk = T.axis.remap("SR", [i, k])
                b[vi] = b[vi] + a[vi, vk]

    @T.prim_func(private=True)
    def top(a: T.Buffer((4, 8), "float32"), b: T.Buffer((4,), "float32")):
        for i, k in T.grid(4, 8):
            b[i] = T.max(b[i], a[i, k])

    @T.prim_func(private=True)
    def tiled(a: T.Buffer((4, 8), "float32"), b: T.Buffer((4,), "float32"), c: T.Buffer((4,), "float32")):
        w = T.alloc_buffer((4,), "float32")
        for ko, i, ki in T.grid(4, 4, 2):
            with T.sblock("good"):
                vi = T.axis.spatial(4, i)
                vk = T.axis.reduce(8, ko * 2 + ki)
                with T.init():
                    b[vi] = 0.0
                b[vi] = b[vi] + a[vi, vk]
            with T.sblock("late"):
                vi = T.axis.spatial(4, i)
                vk = T.axis.reduce(8, ko * 2 + ki)
                if vk == 1:
                    c[vi] = 0.0
                c[vi] = c[vi] + a[vi, vk]
        for i in range(4):
            if a[i, 0] > 0.0:
                c[i] = c[i] + w[3 - i]

    @R.function
    def main(x: R.Tensor((4, 8), "float32"), y: R.Tensor((n, 8), "float32")):
        s = R.call_tir(Module.total, (y,), out_ty=R.Tensor((n,), "float32"))
        t = R.call_tir(Module.top, (x,), out_ty=R.Tensor((4,), "float32"))
        u = R.call_tir(Module.tiled, (x,), out_ty=[R.Tensor((4,), "float32"), R.Tensor((4,), "float32")])
        v = R.call_tir_inplace(Module.add, (u[0], t), out_ty=R.Tensor((4,), "float32"), inplace_indices=[1])
        w = R.call_tir(Module.add, (v,), out_ty=R.Tensor((4,), "float32"))  # inlay: allow(E0323)
        return (s, v, w, u[1])
# OUT:
# warning[E0323]: `b` is read before it is written
#   --> unset.py:15:13
#    |
# 13 |     def add(a: T.Buffer((4,), "float32"), b: T.Buffer((4,), "float32")):
#    |                                           - `b` holds any number when the kernel begins
# 14 |         for i in range(4):
# 15 |             b[i] += a[i]
#    |             ^^^^ where i is 0
# ...
# 55 |         w = R.call_tir(Module.add, (v,), out_ty=R.Tensor((4,), "float32"))  # inlay: allow(E0323)
#    |             -------------------------------------------------------------- the output of this call is new storage
#    |
#    = help: store to it first, or update a tensor that holds the first values: R.call_tir_inplace(.., inplace_indices=[..])
#
# warning[E0323]: `b` is read before it is written
#   --> unset.py:22:25
#    |
# 18 |     def total(a: T.Buffer((n, 8), "float32"), b: T.Buffer((n,), "float32")):
#    |                                               - `b` holds any number when the kernel begins
# ...
# 22 |                 b[vi] = b[vi] + a[vi, vk]
#    |                         ^^^^^ where n is 1, i is 0, k is 0
# ...
# 51 |         s = R.call_tir(Module.total, (y,), out_ty=R.Tensor((n,), "float32"))
#    |             ---------------------------------------------------------------- the output of this call is new storage
#    |
# help: say what `b` begins with
#    |
# 22 |                 with T.init():
#    |                 ++++++++++++++
# 23 |                     b[vi] = T.float32(0)
#    | ++++++++++++++++++++++++++++++++++++++++
# 24 |                 b[vi] = b[vi] + a[vi, vk]
#    | ++++++++++++++++
#
# warning[E0323]: `b` is read before it is written
#   --> unset.py:27:26
#    |
# 25 |     def top(a: T.Buffer((4, 8), "float32"), b: T.Buffer((4,), "float32")):
#    |                                             - `b` holds any number when the kernel begins
# 26 |         for i, k in T.grid(4, 8):
# 27 |             b[i] = T.max(b[i], a[i, k])
#    |                          ^^^^ where i is 0, k is 0
# ...
# 52 |         t = R.call_tir(Module.top, (x,), out_ty=R.Tensor((4,), "float32"))
#    |             -------------------------------------------------------------- the output of this call is new storage
#    |
# help: say what `b` begins with
#    |
# 27 |             if k == 0:
#    |             ++++++++++
# 28 |                 b[i] = T.min_value("float32")
#    | +++++++++++++++++++++++++++++++++++++++++++++
# 29 |             b[i] = T.max(b[i], a[i, k])
#    | ++++++++++++
#
# warning[E0323]: `c` is read before it is written
#   --> unset.py:44:25
#    |
# 30 |     def tiled(a: T.Buffer((4, 8), "float32"), b: T.Buffer((4,), "float32"), c: T.Buffer((4,), "float32")):
#    |                                                                             - `c` holds any number when the kernel begins
# ...
# 44 |                 c[vi] = c[vi] + a[vi, vk]
#    |                         ^^^^^ where ko is 0, i is 0, ki is 0
# ...
# 53 |         u = R.call_tir(Module.tiled, (x,), out_ty=[R.Tensor((4,), "float32"), R.Tensor((4,), "float32")])
#    |             --------------------------------------------------------------------------------------------- the output of this call is new storage
#    |
#    = help: store to it first, or update a tensor that holds the first values: R.call_tir_inplace(.., inplace_indices=[..])
#
# warning[E0323]: `w` is read before it is written
#   --> unset.py:47:31
#    |
# 31 |         w = T.alloc_buffer((4,), "float32")
#    |         - `w` holds any number when it is allocated
# ...
# 47 |                 c[i] = c[i] + w[3 - i]
#    |                               ^^^^^^^^ the first time that it runs
#    |
#    = help: store to it first
#
