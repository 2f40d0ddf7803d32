# FAIL: check
# What is put into a tensor has its rank, and the length of the slice; else the loops would read behind it.
from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((6,), "float32"), m: R.Tensor((4, 6), "float32"), s: R.Tensor((3, 2), "float32"), t: R.Tensor((3,), "float32"),
             r: R.Tensor((2, 5), "float32"), h: R.Tensor((2,), "int32"), i: R.Tensor((2,), "int64"), b: R.Tensor((2, 3), "bool"), z: R.Tensor((), "float32")):
        a1 = R.slice_scatter(x, s, 0, 2, 1)
        a2 = R.slice_scatter(x, z, 0, 2, 1)
        a3 = R.slice_scatter(m, t, 0, 2, 1, axis=1)
        a4 = R.slice_scatter(x, t, 0, 2, 1)
        a5 = R.slice_scatter(x, t, 3, 100, 2)
        a6 = R.slice_scatter(x, t, 0, 3, 0)
        a7 = R.slice_scatter(x, h, 0, 2, 1)
        a8 = R.slice_scatter(m, r, 0, 2, 1)
        a9 = R.slice_scatter(x, t, 0, 3, 1, axis=5)
        c1 = R.scatter_elements(x, i, s)
        c2 = R.scatter_elements(m, i, t)
        c3 = R.scatter_elements(x, i, t)
        c4 = R.scatter_elements(x, i, z, axis=-9)
        d1 = R.bucketize(x, s)
        e1 = R.masked_fill(t, b, R.const(0, "float32"))
        return x

    @R.function
    def right(x: R.Tensor((6,), "float32"), m: R.Tensor(("n", 6), "float32"), t: R.Tensor((3,), "float32"), r: R.Tensor((1, 6), "float32")):
        a1 = R.slice_scatter(x, t, 0, 6, 2)
        a2 = R.slice_scatter(x, t, 3, 100, 1)
        a3 = R.slice_scatter(m, r, 0, 1, 1)
        return (a1, a2, a3)
# OUT:
# error[E0602]: `R.slice_scatter`: `src` must have rank 1, as the tensor that it is put into, and its shape is (3, 2)
#   --> scatter-shapes.py:12:33
#    |
# 12 |         a1 = R.slice_scatter(x, s, 0, 2, 1)
#    |                                 ^
#
# error[E0602]: `R.slice_scatter`: `src` must have rank 1, as the tensor that it is put into, and its shape is ()
#   --> scatter-shapes.py:13:33
#    |
# 13 |         a2 = R.slice_scatter(x, z, 0, 2, 1)
#    |                                 ^
#
# error[E0602]: `R.slice_scatter`: `src` must have rank 2, as the tensor that it is put into, and its shape is (3,)
#   --> scatter-shapes.py:14:33
#    |
# 14 |         a3 = R.slice_scatter(m, t, 0, 2, 1, axis=1)
#    |                                 ^
#
# error[E0610]: `R.slice_scatter`: the length of the slice is 2, but dimension 0 of `src` is 3
#   --> scatter-shapes.py:15:33
#    |
# 15 |         a4 = R.slice_scatter(x, t, 0, 2, 1)
#    |                                 ^
#
# error[E0610]: `R.slice_scatter`: the length of the slice is 2, but dimension 0 of `src` is 3
#   --> scatter-shapes.py:16:33
#    |
# 16 |         a5 = R.slice_scatter(x, t, 3, 100, 2)
#    |                                 ^
#
# error[E0609]: `R.slice_scatter`: `step` must be positive
#   --> scatter-shapes.py:17:42
#    |
# 17 |         a6 = R.slice_scatter(x, t, 0, 3, 0)
#    |                                          ^
#
# error[E0604]: `R.slice_scatter`: `input_tensor` is float32, but `src` is int32
#   --> scatter-shapes.py:18:33
#    |
# 18 |         a7 = R.slice_scatter(x, h, 0, 2, 1)
#    |                                 ^
#    |
# help: convert one of them: `R.astype(.., "float32")`
#    |
# 18 |         a7 = R.slice_scatter(x, R.astype(h, "float32"), 0, 2, 1)
#    |                                 ~~~~~~~~~~~~~~~~~~~~~~
#
# error[E0610]: `R.slice_scatter`: dimension 1 of `input_tensor` is 6, but dimension 1 of `src` is 5
#   --> scatter-shapes.py:19:33
#    |
# 19 |         a8 = R.slice_scatter(m, r, 0, 2, 1)
#    |                                 ^
#
# error[E0606]: `R.slice_scatter`: axis 5 does not exist in a tensor of rank 1
#   --> scatter-shapes.py:20:50
#    |
# 20 |         a9 = R.slice_scatter(x, t, 0, 3, 1, axis=5)
#    |                                                  ^
#    |
# help: its one axis is 0
#    |
# 20 |         a9 = R.slice_scatter(x, t, 0, 3, 1, axis=0)
#    |                                                  ~
#
# error[E0602]: `R.scatter_elements`: `updates` must have rank 1, as the data, and its shape is (3, 2)
#   --> scatter-shapes.py:21:39
#    |
# 21 |         c1 = R.scatter_elements(x, i, s)
#    |                                       ^
#
# error[E0602]: `R.scatter_elements`: `indices` must have rank 2, as the data, and its shape is (2,)
#   --> scatter-shapes.py:22:36
#    |
# 22 |         c2 = R.scatter_elements(m, i, t)
#    |                                    ^
#
# error[E0610]: `R.scatter_elements`: dimension 0 of `indices` is 2, but dimension 0 of `updates` is 3
#   --> scatter-shapes.py:23:39
#    |
# 23 |         c3 = R.scatter_elements(x, i, t)
#    |                                       ^
#
# error[E0602]: `R.scatter_elements`: `updates` must have rank 1, as the data, and its shape is ()
#   --> scatter-shapes.py:24:39
#    |
# 24 |         c4 = R.scatter_elements(x, i, z, axis=-9)
#    |                                       ^
#
# error[E0602]: `R.bucketize`: `boundaries` must have rank 1, and its shape is (3, 2)
#   --> scatter-shapes.py:25:29
#    |
# 25 |         d1 = R.bucketize(x, s)
#    |                             ^
#    |
# help: the operands fit when they change places
#    |
# 25 |         d1 = R.bucketize(s, x)
#    |                          ~~~~
#
# error[E0602]: `R.masked_fill`: `mask` must have rank 1, as the tensor that it masks, and its shape is (2, 3)
#   --> scatter-shapes.py:26:31
#    |
# 26 |         e1 = R.masked_fill(t, b, R.const(0, "float32"))
#    |                               ^
#
