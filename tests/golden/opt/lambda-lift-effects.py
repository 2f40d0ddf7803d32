# RUN: opt -p LambdaLift
# An impure function stays impure, and is called in its place.
from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function(pure=False)
    def main(x: R.Tensor((), "int32")) -> R.Tensor((), "int32"):
        @R.function(pure=False)
        def inner() -> R.Tuple():
            y = R.print(x, format="{}")
            return y

        _ = R.print(format="before")
        _1 = inner()
        _2 = R.print(format="behind")
        return x
# OUT:
# # from tvm.script import ir as I
# # from tvm.script import relax as R
#
# @I.ir_module
# class Module:
#     @R.function(pure=False, private=True)
#     def main_inner(x: R.Tensor((), dtype="int32")) -> R.Tuple:
#         y: R.Tuple = R.print(x, format=R.str("{}"))
#         return y
#
#     @R.function(pure=False)
#     def main(x: R.Tensor((), dtype="int32")) -> R.Tensor((), dtype="int32"):
#         cls = Module
#         R.print(format=R.str("before"))
#         cls.main_inner(x)
#         R.print(format=R.str("behind"))
#         return x
