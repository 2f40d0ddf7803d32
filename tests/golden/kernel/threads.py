# RUN: opt
# Constructs of graphics processors parse and print; running them is refused.
from tvm.script import tirx as T


@T.prim_func(s_tir=True)
def main(A: T.Buffer((256,), "float32"), B: T.Buffer((256,), "float32")):
    tx = T.env_thread("threadIdx.x")
    bx = T.launch_thread("blockIdx.x", 8)
    with T.launch_thread(tx, 32):
        shared = T.alloc_shared((32,), "float32")
        T.attr(T.iter_var(tx, T.Range(0, 32), "ThreadIndex", "threadIdx.x"), "virtual_thread", 1)
        shared[tx] = A[bx * 32 + tx]
        T.tvm_storage_sync("shared")
        B[bx * 32 + tx] = shared[31 - tx]
        T.evaluate(T.call_extern("int32", "notify", B.data, T.address_of(shared[0])))
        T.ptx.cp_async("float16", shared.data, 0, A.data, 0, 16)
# OUT:
# # from tvm.script import tirx as T
# # from tvm.tirx.layout import Axis
#
# @T.prim_func(s_tir=True)
# def main(A: T.Buffer((256,), "float32"), B: T.Buffer((256,), "float32")):
#     bx = T.launch_thread("blockIdx.x", 8)
#     tx = T.launch_thread("threadIdx.x", 32)
#     shared = T.alloc_shared((32,))
#     T.attr(T.iter_var(tx, T.Range(0, 32), "ThreadIndex", "threadIdx.x"), "virtual_thread", 1)
#     shared[tx] = A[bx * 32 + tx]
#     T.tvm_storage_sync("shared")
#     B[bx * 32 + tx] = shared[31 - tx]
#     T.call_extern("int32", "notify", B.data, T.address_of(shared[0]))
#     T.ptx.cp_async("float16", shared.data, 0, A.data, 0, 16)
