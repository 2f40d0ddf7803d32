# RUN: why
# A parameter with room is read when the joins that would append to it are over, so it is told by whom.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @R.function
    def main(past: R.Tensor(("n", 3), "float16"), new: R.Tensor((1, 3), "float16"), f: R.Tensor((), "bool")):
        n = T.int64()
        R.func_attr({"relax.inplace_arg": [0], "relax.capacity": {"past": 64}})
        if f:
            r = R.concat((past, R.exp(new)), axis=0)
        else:
            r = R.concat((past, R.negative(new)), axis=0)
        s = R.sum(past)
        return (r, s)
# OUT:
# remark[E0391]: `past` is copied before the call: `past` is read after the call, on line 18
#   --> append-read-behind.py:15:17
#    |
# 15 |             r = R.concat((past, R.exp(new)), axis=0)
#    |                 ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#    |                                 |
#    |                                 part of the same kernel
# ...
# 18 |         s = R.sum(past)
#    |             ----------- read here, after the update
#    |
#    = note: IP001 in `main`: output 0 in argument 1, n * 6 bytes
#    = help: move the read in front of the update, or keep the copy (n * 6 bytes per run)
#
# remark[E0391]: `past` is copied before the call: `past` is read after the call, on line 18
#   --> append-read-behind.py:17:17
#    |
# 17 |             r = R.concat((past, R.negative(new)), axis=0)
#    |                 ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#    |                                 |
#    |                                 part of the same kernel
# 18 |         s = R.sum(past)
#    |             ----------- read here, after the update
#    |
#    = note: IP001 in `main`: output 0 in argument 1, n * 6 bytes
#    = help: move the read in front of the update, or keep the copy (n * 6 bytes per run)
#
# remark[E0392]: `r` is elided: the kernel computes a part of `r` where it is
#   --> append-read-behind.py:15:17
#    |
# 15 |             r = R.concat((past, R.exp(new)), axis=0)
#    |                 ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#    |                                 |
#    |                                 part of the same kernel
#    |
#    = note: IP000 in `main`: output 0 in argument 0, 6 bytes
#
# remark[E0392]: `r` is elided: the kernel computes a part of `r` where it is
#   --> append-read-behind.py:17:17
#    |
# 17 |             r = R.concat((past, R.negative(new)), axis=0)
#    |                 ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#    |                                 |
#    |                                 part of the same kernel
#    |
#    = note: IP000 in `main`: output 0 in argument 0, 6 bytes
#
# copy: 2, elided: 2
# saved: 12 bytes, missed: n * 12 bytes
# missed by IP001, the argument is read after the call: 2, n * 12 bytes
