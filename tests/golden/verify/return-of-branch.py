# FAIL: check
# Of two branches the one that gives something else than is declared is marked, also as a part of a tuple; where both do, or nobody knows, the return.
from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def ranks(x: R.Tensor((4, 8), "float32"), c: R.Tensor((), "bool")) -> R.Tensor((8,), "float32"):
        if c:
            y = R.sum(x, axis=[0])
        else:
            y = R.exp(x)
        return y

    @R.function
    def dtypes(x: R.Tensor((8,), "float32"), c: R.Tensor((), "bool")) -> R.Tuple(R.Tensor((8,), "float32"), R.Tensor((8,), "float32")):
        if c:
            y = R.astype(x, "float16")
        else:
            y = R.exp(x)
        return (x, y)

    @R.function
    def both(x: R.Tensor((4, 8), "float32"), c: R.Tensor((), "bool")) -> R.Tensor((8,), "float32"):
        if c:
            y = R.sum(x)
        else:
            y = R.exp(x)
        return y
# OUT:
# error[E0254]: `ranks` returns R.Tensor((4, 8), dtype="float32") from this branch, but its annotation says R.Tensor((8,), dtype="float32")
#   --> return-of-branch.py:14:13
#    |
# 12 |             y = R.sum(x, axis=[0])
#    |             - R.Tensor((8,), dtype="float32")
# 13 |         else:
# 14 |             y = R.exp(x)
#    |             ^
#
# error[E0254]: `dtypes` returns R.Tensor((8,), dtype="float16") from this branch, but its annotation says R.Tensor((8,), dtype="float32")
#   --> return-of-branch.py:20:13
#    |
# 20 |             y = R.astype(x, "float16")
#    |             ^
# 21 |         else:
# 22 |             y = R.exp(x)
#    |             - R.Tensor((8,), dtype="float32")
#
# error[E0254]: `both` returns R.Tensor(dtype="float32"), but its annotation says R.Tensor((8,), dtype="float32")
#   --> return-of-branch.py:31:9
#    |
# 31 |         return y
#    |         ^^^^^^^^
#
