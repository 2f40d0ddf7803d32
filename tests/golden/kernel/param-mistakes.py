# FAIL: check
# Parameters have types that kernels know.
from tvm.script import tirx as T


@T.prim_func(s_tir=True)
def first(A, B: T.Buffer):
    A[0] = B[0]


@T.prim_func(s_tir=True, fast=True)
def second(A: T.Buffer((16,), "float32"), A: T.Buffer((16,), "float")):
    A[0] = 1.0


@T.prim_func(s_tir=True)
def third(a: T.handle, n: T.int32):
    A = T.match_buffer(a, (16,), "float32")
    B = T.match_buffer(a, (16,), "float32")
    C = T.match_buffer(n, (16,), "float32")
    A[0] = B[0] + C[0]
    T.func_attr({"key": 1})
# OUT:
# error[E0425]: parameter `A` has no type
#  --> param-mistakes.py:7:11
#   |
# 7 | def first(A, B: T.Buffer):
#   |           ^
#   |
#   = help: write `A: T.Buffer((..), "float32")`
#
# error[E0424]: the type of parameter `B` is no T.Buffer, scalar or T.handle
#  --> param-mistakes.py:7:17
#   |
# 7 | def first(A, B: T.Buffer):
#   |                 ^^^^^^^^
#   |
#   = help: give the shape: `T.Buffer((..), "float32")`
#
# error[E0202]: there is no argument `fast` here
#   --> param-mistakes.py:11:26
#    |
# 11 | @T.prim_func(s_tir=True, fast=True)
#    |                          ^^^^
#
# error[E0426]: parameter `A` is given twice
#   --> param-mistakes.py:12:43
#    |
# 12 | def second(A: T.Buffer((16,), "float32"), A: T.Buffer((16,), "float")):
#    |            -                              ^
#    |            |
#    |            first here
#
# error[E0423]: T.match_buffer: it takes a handle parameter that is not matched yet, or a region
#   --> param-mistakes.py:19:24
#    |
# 19 |     B = T.match_buffer(a, (16,), "float32")
#    |                        ^
#
# error[E0423]: T.match_buffer: it takes a handle parameter that is not matched yet, or a region
#   --> param-mistakes.py:20:24
#    |
# 20 |     C = T.match_buffer(n, (16,), "float32")
#    |                        ^
#
