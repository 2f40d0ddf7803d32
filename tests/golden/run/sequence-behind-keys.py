# FAIL: run --in q=1x3x1x2xf32=1,1,1,1,1,1 --in of_q=2xi32=0,3 --in of_k=2xi32=0,4
# Sequences of keys that end behind the keys are not read.
from tvm.script import ir as I
from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(q: R.Tensor((1, 3, 1, 2), dtype="float32"), of_q: R.Tensor((2,), dtype="int32"), of_k: R.Tensor((2,), dtype="int32")):
        most = R.const(3, "int32")
        y = R.nn.attention_var_len(q, q, q, of_q, most, of_k, most)
        return y
# OUT:
# error[E0804]: assertion failed: a sequence of keys ends behind the last key
#   --> sequence-behind-keys.py:11:9
#    |
# 11 |         y = R.nn.attention_var_len(q, q, q, of_q, most, of_k, most)
#    |         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#
