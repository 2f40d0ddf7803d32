# FAIL: run --interpret --in x=4xf32=1,2,3,4 --in k=24
# The interpreter refuses it, too.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4,), "float32"), k: R.Prim(value="n")):
        n = T.int64()
        storage = R.memory.alloc_storage(R.shape([32]), 0, "global", "uint8")
        t = R.memory.alloc_tensor(storage, R.prim_value(n), R.shape([4]), "float32")
        return t
# OUT:
# error[E0803]: a tensor of 16 bytes from byte 24 on is not within storage of 32 bytes
#   --> storage-bounds-interpreted.py:14:9
#    |
# 14 |         t = R.memory.alloc_tensor(storage, R.prim_value(n), R.shape([4]), "float32")
#    |         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#
