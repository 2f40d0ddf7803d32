# FAIL: check
# What describes a block stands at its head, once, and fits its loops.
from tvm.script import tirx as T


@T.prim_func(s_tir=True)
def main(A: T.Buffer((16, 16), "float32"), B: T.Buffer((16,), "float32")):
    v = T.axis.spatial(16, 0)
    for i, k in T.grid(16, 16):
        with T.sblock("first"):
            vi, vk = T.axis.remap("SX", [i, k])
            B[vi] = A[vi, vk]
        with T.sblock("second"):
            vi, vk = T.axis.remap("SR", [i, k, i])
            B[vi] = A[vi, vk]
        with T.sblock("third"):
            vi, vk = T.axis.remap("SR", [i, k * 2])
            B[vi] = A[vi, vk]
        with T.sblock("fourth"):
            vi = T.axis.spatial(16, i)
            vi = T.axis.reduce(16, k)
            T.reads(A[vi, 0:16])
            T.reads(A[vi, 0:16])
            T.writes(vi)
            with T.init():
                B[vi] = 0.0
            with T.init():
                B[vi] = 0.0
            B[vi] = A[vi, 0]
            T.where(i < 4)
# OUT:
# error[E0416]: `T.axis.spatial` stands outside of a block
#  --> block-mistakes.py:8:9
#   |
# 8 |     v = T.axis.spatial(16, 0)
#   |         ^^^^^^^^^^^^^^^^^^^^^
#
# error[E0419]: `X` is no kind of axis
#   --> block-mistakes.py:11:37
#    |
# 11 |             vi, vk = T.axis.remap("SX", [i, k])
#    |                                     ^
#
# error[E0420]: there are 2 names, 2 kinds and 3 values of axes
#   --> block-mistakes.py:14:41
#    |
# 14 |             vi, vk = T.axis.remap("SR", [i, k, i])
#    |                                         ^^^^^^^^^
#
# error[E0421]: T.axis.remap takes loop variables, and this is none
#   --> block-mistakes.py:17:45
#    |
# 17 |             vi, vk = T.axis.remap("SR", [i, k * 2])
#    |                                             ^^^^^
#    |
#    = help: write `T.axis.spatial(extent, value)`
#
# error[E0439]: axis `vi` is defined twice in one block
#   --> block-mistakes.py:21:13
#    |
# 20 |             vi = T.axis.spatial(16, i)
#    |             -- first here
# 21 |             vi = T.axis.reduce(16, k)
#    |             ^^
#
# error[E0418]: `T.reads` is given twice in one block
#   --> block-mistakes.py:23:13
#    |
# 22 |             T.reads(A[vi, 0:16])
#    |             -------------------- first here
# 23 |             T.reads(A[vi, 0:16])
#    |             ^^^^^^^^^^^^^^^^^^^^
#
# error[E0422]: a region is a part of a buffer, not a name
#   --> block-mistakes.py:24:22
#    |
# 24 |             T.writes(vi)
#    |                      ^^
#
# error[E0418]: `T.init` is given twice in one block
#   --> block-mistakes.py:27:18
#    |
# 25 |             with T.init():
#    |                  -------- first here
# 26 |                 B[vi] = 0.0
# 27 |             with T.init():
#    |                  ^^^^^^^^
#
# error[E0417]: `T.where` stands behind the first statement of its block
#   --> block-mistakes.py:30:13
#    |
# 30 |             T.where(i < 4)
#    |             ^^^^^^^^^^^^^^
#
