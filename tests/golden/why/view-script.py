# RUN: why
# Which values share storage: views that the script makes, and one that is made of a slice.
from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((8, 4), "float32"), w: R.Tensor((4, 4), "float32")):
        h = R.matmul(x, w)
        flat = R.reshape(h, R.shape([4, 8]))
        low = R.memory.view(h, R.shape([4, 4]), "float32", 0)
        rows = R.strided_slice(x, axes=[0], begin=[2], end=[4])
        a = R.matmul(rows, w)
        b = R.sum(flat)
        c = R.sum(low)
        return (a, b, c)
# OUT:
# remark[E0394]: `h` gets storage of its own: the kernel reads elements of `x` after it has written their places
#   --> view-script.py:11:13
#    |
# 11 |         h = R.matmul(x, w)
#    |             ^^^^^^^^^^^^^^
#    |             |
#    |             written here
#    |
#    = note: IP010 in `main`: output 0 in argument 0, 128 bytes
#
# remark[E0394]: `a` gets storage of its own: the kernel reads elements of `rows` after it has written their places
#   --> view-script.py:15:13
#    |
# 15 |         a = R.matmul(rows, w)
#    |             ^^^^^^^^^^^^^^^^^
#    |             |
#    |             written here
#    |
#    = note: IP010 in `main`: output 0 in argument 0, 32 bytes
#
# remark[E0395]: `flat` is a view of `h`: its elements are a run of those of `h`: nothing is moved
#   --> view-script.py:12:16
#    |
# 12 |         flat = R.reshape(h, R.shape([4, 8]))
#    |                ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#    |
#    = note: IP000 in `main`: output 0 of argument 0, 128 bytes
#    = note: the same of 1 other call of `?`, on line 13: 192 bytes in all
#
# remark[E0395]: `rows` is a view of `x`: its elements are a run of those of `x`: nothing is moved
#   --> view-script.py:14:16
#    |
# 14 |         rows = R.strided_slice(x, axes=[0], begin=[2], end=[4])
#    |                ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#    |
#    = note: IP000 in `main`: output 0 of argument 0, 32 bytes
#
# fresh: 2, view: 3
# saved: 224 bytes, missed: 160 bytes
# missed by IP010, the kernel reads elements of the storage after it has written their places: 2, 160 bytes
