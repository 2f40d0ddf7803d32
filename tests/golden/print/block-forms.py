# RUN: check
# What a block may say in front of its statements, as docs/language.md lists it.
from tvm.script import ir as I
from tvm.script import tirx as T


@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(A: T.Buffer((16, 16), "float32"), B: T.Buffer((16,), "float32"), n: T.int32):
        for i, j, k, l in T.grid(16, 16, 4, 4):
            with T.sblock("name"):
                vi, vj = T.axis.remap("SR", [i, j])              # each axis runs over all of one loop: S spatial, R reduce
                vk = T.axis.reduce(16, k * 4 + l)                # extent (or (min, max)) and value; spatial, scan, opaque; aliases S, R
                T.where(k * 4 + l < n)                           # the block runs only there
                T.reads(A[vi, 0:16]); T.writes(B[vi])            # rectangles; as arguments or as a list. Missing ones are inferred
                T.sblock_attr({"k": 1})
                X = T.sblock_alloc_buffer((16,), "float32")      # storage of the block
                Y = T.match_buffer(A[vi, 0:16], (16,))           # a name for a rectangle
                with T.init():                                   # runs in the first iteration of the reduce axes
                    B[vi] = T.float32(0)
                B[vi] = B[vi] + A[vi, vk]
