# RUN: reduce --keep 'grep -q T.sqrt'
# Of a kernel the loops, blocks, buffers and operands that the command does not ask for go, too.
from tvm.script import ir as I
from tvm.script import tirx as T


@I.ir_module
class Module:
    @T.prim_func
    def scale(a: T.Buffer((64, 48), "float32"), n: T.int32, out: T.Buffer((64, 48), "float32")):
        T.func_attr({"tirx.noalias": True})
        total = T.alloc_buffer((64,), "float32")
        unused = T.alloc_buffer((64,), "float32")
        for i in T.parallel(64):
            for j in range(48):
                with T.sblock("total"):
                    v_i, v_j = T.axis.remap("SR", [i, j])
                    with T.init():
                        total[v_i] = T.float32(0)
                    total[v_i] = total[v_i] + T.exp(a[v_i, v_j])
            for j in T.vectorized(48):
                with T.sblock("scale"):
                    v_i, v_j = T.axis.remap("SS", [i, j])
                    if v_j < n:
                        out[v_i, v_j] = a[v_i, v_j] * T.sqrt(total[v_i] + T.float32(1))
                    else:
                        out[v_i, v_j] = T.float32(0)
# OUT:
# # from tvm.script import ir as I
# # from tvm.script import tirx as T
# # from tvm.tirx.layout import Axis
#
# @I.ir_module
# class Module:
#     @T.prim_func(s_tir=True)
#     def scale(a: T.Buffer((1, 1), "float32"), n: T.int32, out: T.Buffer((1, 1), "float32")):
#         total = T.alloc_buffer((1,))
#         out[0, 0] = T.sqrt(total[0] + T.float32(1.0))
# remark[E0915]: 30 lines, 10 are left; _ scripts were tried
#
