# RUN: run --check -p FoldConstant,default --dim n=3
# Extents that are folded are those that the run finds.
from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2, 4), "float16"), n: R.Tensor(("n", 4), "float32")):
        a = R.size(x)
        b = R.inspect.tensor_ndim(x)
        c = R.inspect.tensor_shape_i(x, 1)
        d = R.size(n)
        e = R.inspect.tensor_shape_i(n, 0)
        g = R.add(a, R.const(1, "int64"))
        return (a, b, c, d, e, g)
# OUT:
# result.0: () int64
# 8
# result.1: 2
# result.2: 4
# result.3: () int64
# 12
# result.4: 3
# result.5: () int64
# 9
