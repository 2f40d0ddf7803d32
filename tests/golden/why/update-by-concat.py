# RUN: why
# Rows in front of and behind the new one stay where they are: nobody copies them.
from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(cache: R.Tensor((64, 4), "float32"), row: R.Tensor((1, 4), "float32")):
        R.func_attr({"relax.inplace_arg": [0]})
        with R.dataflow():
            a = R.strided_slice(cache, axes=[0], begin=[0], end=[10])
            b = R.strided_slice(cache, axes=[0], begin=[11], end=[64])
            y = R.concat((a, row, b), axis=0)
            R.output(y)
        return y
# OUT:
# remark[E0391]: `row` is copied before the call: the storage of `row` belongs to the caller of the function
#   --> update-by-concat.py:15:17
#    |
# 13 |             a = R.strided_slice(cache, axes=[0], begin=[0], end=[10])
#    |                 ----------------------------------------------------- part of the same kernel
# 14 |             b = R.strided_slice(cache, axes=[0], begin=[11], end=[64])
#    |                 ------------------------------------------------------ part of the same kernel
# 15 |             y = R.concat((a, row, b), axis=0)
#    |                 ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#    |
#    = note: IP004 in `main`: output 0 in argument 1, 16 bytes
#
# remark[E0393]: `y` is made in the storage of `cache`: every condition holds
#   --> update-by-concat.py:15:17
#    |
# 13 |             a = R.strided_slice(cache, axes=[0], begin=[0], end=[10])
#    |                 ----------------------------------------------------- part of the same kernel
# 14 |             b = R.strided_slice(cache, axes=[0], begin=[11], end=[64])
#    |                 ------------------------------------------------------ part of the same kernel
# 15 |             y = R.concat((a, row, b), axis=0)
#    |                 ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#    |
#    = note: IP000 in `main`: output 0 in argument 0, 1024 bytes
#
# in-place: 1, copy: 1
# saved: 1024 bytes, missed: 16 bytes
# missed by IP004, the storage belongs to the caller: 1, 16 bytes
