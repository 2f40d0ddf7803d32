# FAIL: opt -p ScheduleCPU(vector_bytes=24)
# A register of 24 bytes is none.
from tvm.script import ir as I
from tvm.script import tirx as T

@I.ir_module
class Module:
    @T.prim_func
    def nothing(y: T.Buffer((T.int64(1),), "float32")):
        y[T.int64(0)] = T.float32(0)
# OUT:
# error[E0909]: option `vector_bytes` of pass `ScheduleCPU` is neither 0 nor a power of two from 16 to 64
#  --> <passes>:1:1
#   |
# 1 | ScheduleCPU(vector_bytes=24)
#   | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#
