# FAIL: opt -p 'BindParams(file="weights.npz")'
# A wrong dtype, and a shape that contradicts the other tensor.
from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4,), "float32"), w: R.Tensor(("m", "m"), "float32"), b: R.Tensor((3,), "int32")):
        return x
# OUT:
# error[E0923]: `w` in `weights.npz` is R.Tensor((2, 3), dtype="float32"), but parameter `w` is R.Tensor((m, m), dtype="float32")
#   --> bind-params-type.py:10:44
#    |
# 10 |     def main(x: R.Tensor((4,), "float32"), w: R.Tensor(("m", "m"), "float32"), b: R.Tensor((3,), "int32")):
#    |                                            ^
#    |
#    = note: with the other tensors of the file the parameter is R.Tensor((2, 2), dtype="float32")
#
# error[E0923]: `b` in `weights.npz` is R.Tensor((3,), dtype="float32"), but parameter `b` is R.Tensor((3,), dtype="int32")
#   --> bind-params-type.py:10:80
#    |
# 10 |     def main(x: R.Tensor((4,), "float32"), w: R.Tensor(("m", "m"), "float32"), b: R.Tensor((3,), "int32")):
#    |                                                                                ^
#
