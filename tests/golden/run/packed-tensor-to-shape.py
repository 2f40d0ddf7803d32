# RUN: run --check --in x=3x1xf32=1,2,3 --in s=2xi64=3,2
# What TVM's importers write for Expand: the builtin of the virtual machine has no effect, so it may stand in a dataflow block, and a dimension of which
# it is not known whether it is 1 is asked when the program runs.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 1), dtype="float32"), s: R.Tensor((2,), dtype="int64")) -> R.Tensor(ndim=2, dtype="float32"):
        a = T.int64()
        b = T.int64()
        with R.dataflow():
            lv: R.Shape(ndim=2) = R.call_packed("vm.builtin.tensor_to_shape", s, ty_args=(R.Shape(ndim=2),))
            lv1: R.Shape([a, b]) = R.match_cast(lv, R.Shape([a, b]))
            gv: R.Tensor((a, b), dtype="float32") = R.broadcast_to(x, R.shape([a, b]))
            R.output(gv)
        return gv
# OUT:
# result: (3, 2) float32
# [[1. 1.]
#  [2. 2.]
#  [3. 3.]]
