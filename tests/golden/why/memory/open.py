# RUN: why --memory
# Sizes with symbols are told as they are, and why a result could not take over the storage of its operand.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 8), "float32"), w: R.Tensor((8, 8), "float32")):
        with R.dataflow():
            a = R.matmul(x, w)
            b = R.matmul(a, w)
            c = R.matmul(R.matmul(b, w), w)
            d = R.add(c, b)
            R.output(d)
        return d
# OUT:
# remark[E0466]: the plan of `main` holds (n + 1) // 2 * 128 bytes at most
#
# remark[E0466]: `a` of `main` holds n * 32 bytes until step 5
#   --> open.py:13:17
#    |
# 13 |             a = R.matmul(x, w)
#    |                 ^^^^^^^^^^^^^^
# 14 |             b = R.matmul(a, w)
#    |                 -------------- needed until here
#    |
#    = note: ME020 no reuse: nothing has ended when it is made
#    = note: ME030 no storage taken over: `x` does not give it its storage: the kernel reads elements of `x` after it has written their places
#
# remark[E0466]: `b` of `main` holds n * 32 bytes until step 9
#   --> open.py:14:17
#    |
# 14 |             b = R.matmul(a, w)
#    |                 ^^^^^^^^^^^^^^
# 15 |             c = R.matmul(R.matmul(b, w), w)
# 16 |             d = R.add(c, b)
#    |                 ----------- needed until here
#    |
#    = note: ME020 no reuse: nothing has ended when it is made
#    = note: ME030 no storage taken over: `a` does not give it its storage: the kernel reads elements of `a` after it has written their places
#
# remark[E0466]: `matmul` of `main` holds n * 32 bytes until step 10
#   --> open.py:15:26
#    |
# 15 |             c = R.matmul(R.matmul(b, w), w)
#    |                          ^^^^^^^^^^^^^^
# ...
# 18 |         return d
#    |         -------- needed until here
#    |
#    = note: ME016 `d` is made in its storage
#    = note: ME015 no reuse: it is returned: its storage goes to the caller
#
