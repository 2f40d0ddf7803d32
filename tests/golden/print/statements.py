# RUN: opt
# Statements of kernels outside of blocks.
from tvm.script import tirx as T


@T.prim_func
def main(A: T.Buffer((64,), "float32"), n: T.int32, p: T.handle) -> T.int32:
    x: T.int32 = n * 2
    x = x + 1
    y: T.int32
    v: T.let[T.float32] = A[0] + T.float32(1)
    L = T.alloc_buffer((8,), "float32", scope="local")
    D = T.decl_buffer((8, 8), "float32", data=A.data)
    for i in T.parallel(8):
        for j in T.vectorized(4):
            A[i * 4 + j] = v
    for i in range(2, n):
        for j in T.serial(0, i, annotations={"pragma": "on"}):
            if i < j:
                D[i, j] = T.float32(0)
            elif i == 3:
                D[i, j] += v
            else:
                continue
    for k in range(0, 10, 3):
        A[k] = L[k]
    while x < 10:
        x = x * 2
        if x > 5 and not x == 7:
            break
    A[0:4] = A[4:8]
    A[0:8:2] = T.Broadcast(T.float32(1), 4)
    assert n > 0, "n must be positive"
    assert n > 1, ("ValueError", ["n ", "is small"])
    T.evaluate(T.call_extern("int32", "f", A.data, T.address_of(A[1])))
    T.evaluate(0)
    with T.attr(0, "key", 1):
        A[1] = T.float32(1)
    T.attr(A.data, "other", "value")
    y = 3
    return y
# OUT:
# # from tvm.script import tirx as T
# # from tvm.tirx.layout import Axis
#
# @T.prim_func
# def main(A: T.Buffer((64,), "float32"), n: T.int32, p: T.handle) -> T.int32:
#     x: T.int32 = n * 2
#     x = x + 1
#     y: T.int32
#     v: T.let[T.float32] = A[0] + T.float32(1.0)
#     L = T.alloc_local((8,))
#     D = T.decl_buffer((8, 8), data=A.data)
#     for i in T.parallel(8):
#         for j in T.vectorized(4):
#             A[i * 4 + j] = v
#     for i in range(2, 2 + (n - 2)):
#         for j in T.serial(i, annotations={"pragma": "on"}):
#             if i < j:
#                 D[i, j] = T.float32(0.0)
#             else:
#                 if i == 3:
#                     D[i, j] = D[i, j] + v
#                 else:
#                     continue
#     for k in range(0, 10, 3):
#         A[k] = L[k]
#     while x < 10:
#         x = x * 2
#         if x > 5 and not x == 7:
#             break
#     A[0:4] = A[T.Ramp(4, 1, 4)]
#     A[0:8:2] = T.Broadcast(T.float32(1.0), 4)
#     assert n > 0, "n must be positive"
#     assert n > 1, ("ValueError", ["n is small"])
#     T.call_extern("int32", "f", A.data, T.address_of(A[1]))
#     T.evaluate(0)
#     with T.attr(0, "key", 1):
#         A[1] = T.float32(1.0)
#     T.attr(A.data, "other", "value")
#     y = 3
#     return y
