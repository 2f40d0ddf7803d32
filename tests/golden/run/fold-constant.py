# RUN: run --check -p 'FoldConstant,default,FoldConstant' --in x=4xf32=1,2,3,4
# Folding before and after lowering gives the numbers of the script.
from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4,), "float32")):
        w = R.matmul(R.const([[1.0, 2.0], [3.0, 4.0]], "float32"), R.permute_dims(R.const([[1.0, 2.0], [3.0, 4.0]], "float32")))
        v = R.reshape(w, R.shape([4]))
        parts = R.split(v, 2, axis=0)
        left = parts[0]
        right = parts[1]
        y = R.concat((right, left), axis=0)
        z = R.add(x, y)
        flags = R.less(y, R.const(6.0, "float32"))
        if R.const(True):
            r = R.where(flags, z, x)
        else:
            r = x
        return (r, y)
# OUT:
# result.0: (4,) float32
# [1. 2. 8. 4.]
# result.1: (4,) float32
# [11. 25.  5. 11.]
