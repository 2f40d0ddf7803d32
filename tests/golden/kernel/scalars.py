# RUN: opt
# A name that is assigned is a mutable scalar; a let keeps its value; meta_var is a name while reading.
from tvm.script import tirx as T


@T.prim_func(s_tir=True)
def main(A: T.Buffer((16,), "float32"), B: T.Buffer((1,), "int32")):
    n = 4
    x: T.float32 = A[0]
    y: T.let[T.float32] = A[1]
    z: T.let = y + 1.0
    k = T.meta_var(n * 2)
    m, e = T.meta_var(A.shape[0]), x
    B[0] = 7
    for i in range(k):
        x = x + A[i] * y
        n += 1
    while n > 0:
        n = n - 1
        if n == 3:
            continue
        elif n == 2:
            break
        else:
            A[n] = x + z + e
    assert n >= 0, ("ValueError", ["n is negative"])
    return n + m
# OUT:
# # from tvm.script import tirx as T
# # from tvm.tirx.layout import Axis
#
# @T.prim_func(s_tir=True)
# def main(A: T.Buffer((16,), "float32"), B: T.Buffer((1,), "int32")):
#     n: T.int32 = 4
#     x: T.float32 = A[0]
#     y: T.let[T.float32] = A[1]
#     z: T.let[T.float32] = y + T.float32(1.0)
#     e: T.float32 = x
#     B[0] = 7
#     for i in range(n * 2):
#         x = x + A[i] * y
#         n = n + 1
#     while n > 0:
#         n = n - 1
#         if n == 3:
#             continue
#         else:
#             if n == 2:
#                 break
#             else:
#                 A[n] = x + z + e
#     assert n >= 0, ("ValueError", ["n is negative"])
#     return n + 16
