# RUN: opt -p FoldConstant --check-each
# A fill of more than 1024 elements is cheaper to compute than to keep.
from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main():
        a = R.zeros((1025,), "float32")
        return a
# OUT:
# # from tvm.script import ir as I
# # from tvm.script import relax as R
#
# @I.ir_module
# class Module:
#     @R.function
#     def main() -> R.Tensor((1025,), dtype="float32"):
#         a: R.Tensor((1025,), dtype="float32") = R.zeros(R.shape([1025]), dtype="float32")
#         return a
