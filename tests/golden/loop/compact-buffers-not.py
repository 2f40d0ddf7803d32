# RUN: opt -p CompactBufferAllocation --verify-each --roundtrip-each --check-each
# Allocations that keep their extents, and all but one their place.
from tvm.script import ir as I
from tvm.script import tirx as T

@I.ir_module
class Module:
    # an iteration reads what the one before left
    @T.prim_func
    def carried(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32")):
        t = T.alloc_buffer((65,), "float32")
        t[0] = T.float32(0)
        for i in range(64):
            t[i + 1] = t[i] + A[i]
            B[i] = t[i + 1]

    @T.prim_func
    def running(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32")):
        s = T.alloc_buffer((1,), "float32")
        for i in range(64):
            s[0] = s[0] + A[i]
            B[i] = s[0]

    # made new only sometimes, or only in part
    @T.prim_func
    def sometimes(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32")):
        s = T.alloc_buffer((1,), "float32")
        r = T.alloc_buffer((8,), "float32")
        for i in range(64):
            if A[i] > T.float32(0):
                s[0] = A[i]
            for j in range(7):
                r[j] = A[i]
            B[i] = s[0] + r[7]

    # index 64 is an error that must stay one: `t` moves, but does not shrink
    @T.prim_func
    def outside(A: T.Buffer((65,), "float32"), B: T.Buffer((65,), "float32")):
        t = T.alloc_buffer((64,), "float32")
        for i in range(65):
            t[i] = A[i]
            B[i] = t[i]
            t[i] = B[i]

    # indices that are elements; another look at the storage; the address is taken
    @T.prim_func
    def unknown(I: T.Buffer((64,), "int64"), B: T.Buffer((64,), "float32")):
        t = T.alloc_buffer((64,), "float32")
        for i in range(64):
            t[I[i]] = B[i]
            B[i] = t[I[i]]
        u = T.alloc_buffer((64,), "float32")
        for i in range(8):
            look = T.decl_buffer((64,), "float32", data=u.data)
            u[i] = B[i]
            B[i] = look[i]
# OUT:
# # from tvm.script import ir as I
# # from tvm.script import tirx as T
# # from tvm.tirx.layout import Axis
#
# @I.ir_module
# class Module:
#     @T.prim_func
#     def carried(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32")):
#         t = T.alloc_buffer((65,))
#         t[0] = T.float32(0.0)
#         for i in range(64):
#             t[i + 1] = t[i] + A[i]
#             B[i] = t[i + 1]
#
#     @T.prim_func
#     def outside(A: T.Buffer((65,), "float32"), B: T.Buffer((65,), "float32")):
#         for i in range(65):
#             t = T.alloc_buffer((64,))
#             t[i] = A[i]
#             B[i] = t[i]
#             t[i] = B[i]
#
#     @T.prim_func
#     def running(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32")):
#         s = T.alloc_buffer((1,))
#         for i in range(64):
#             s[0] = s[0] + A[i]
#             B[i] = s[0]
#
#     @T.prim_func
#     def sometimes(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32")):
#         s = T.alloc_buffer((1,))
#         r = T.alloc_buffer((8,))
#         for i in range(64):
#             if A[i] > T.float32(0.0):
#                 s[0] = A[i]
#             for j in range(7):
#                 r[j] = A[i]
#             B[i] = s[0] + r[7]
#
#     @T.prim_func
#     def unknown(I_1: T.Buffer((64,), "int64"), B: T.Buffer((64,), "float32")):
#         t = T.alloc_buffer((64,))
#         for i in range(64):
#             t[I_1[i]] = B[i]
#             B[i] = t[I_1[i]]
#         u = T.alloc_buffer((64,))
#         for i in range(8):
#             look = T.decl_buffer((64,), data=u.data)
#             u[i] = B[i]
#             B[i] = look[i]
