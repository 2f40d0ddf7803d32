# RUN: plan
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
# main: 1 storage, 4096 bytes
#   bound 4096 bytes: no plan of these is lower
#   without reuse 20480 bytes, of which 16384 are saved in place
#   stack: 0 bytes at most
#   storage  steps             bytes         offset
#   t        [0, 14)           4096          apart  (result)  then a, a, a, b, b, y
