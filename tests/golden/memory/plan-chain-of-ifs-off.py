# RUN: plan FILE --inplace=off
# What an `if` gives is made in its branches: it has no bytes of its own, with or without reuse.
from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1024,), "float32"), c: R.Tensor((), "bool"), d: R.Tensor((), "bool")):
        t = R.exp(x)
        if c:
            a = R.add(t, x)
        else:
            a = R.negative(t)
        if d:
            b = R.add(a, x)
        else:
            b = a
        y = R.exp(b)
        return y
# OUT:
# main: 6 storages, 12288 bytes (8192 in one piece, 4096 apart)
#   bound 12288 bytes: no plan of these is lower
#   without reuse 20480 bytes
#   stack: 8192 bytes at most
#   storage  steps             bytes         offset
#   t        [1, 11)           4096          0
#   a        [10, 23)          4096          4096
#   a_2      [4, 23)           4096          4096
#   a_3      [7, 20)           4096          4096
#   b        [13, 21)          4096          0
#   y        [18, 22)          4096          apart  (result)
