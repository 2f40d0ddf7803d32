# RUN: run --in past=3x4:iota --in x=1x4:ones --in c=false
# Each branch appends to the one cache; what is appended may be made of it.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1, 4), "float32"), c: R.Tensor((), "bool"), past: R.Tensor(("n", 4), "float32")) -> R.Tensor(("n + 1", 4), "float32"):
        n = T.int64()
        R.func_attr({"relax.inplace_arg": [2], "relax.capacity": {"past": 8}})
        y = R.negative(x)
        if c:
            a = R.concat((past, x), axis=0)
            k = a
        else:
            s = R.sum(past, axis=[0], keepdims=True)
            z = R.add(y, s)
            b = R.concat((past, z), axis=0)
            k = b
        return k

# OUT:
# result: (4, 4) float32
# [[ 0.  1.  2.  3.]
#  [ 4.  5.  6.  7.]
#  [ 8.  9. 10. 11.]
#  [11. 14. 17. 20.]]
