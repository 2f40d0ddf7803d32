# FAIL: check
# What opens a block has its arguments.
from tvm.script import tirx as T


@T.prim_func(s_tir=True)
def main(A: T.Buffer((4,), "float32")):
    with T.Assert():
        A[0] = 1.0
    with T.Assert(message="x"):
        A[0] = 1.0
    with T.launch_thread():
        A[0] = 1.0
    with T.LetStmt() as v:
        A[0] = 1.0
    with T.attr():
        A[0] = 1.0
# OUT:
# error[E0205]: argument `condition` is missing
#  --> assert-nothing.py:8:10
#   |
# 8 |     with T.Assert():
#   |          ^^^^^^^^^^
#
# error[E0205]: argument `condition` is missing
#   --> assert-nothing.py:10:10
#    |
# 10 |     with T.Assert(message="x"):
#    |          ^^^^^^^^^^^^^^^^^^^^^
#
# error[E0205]: argument `thread` is missing
#   --> assert-nothing.py:12:10
#    |
# 12 |     with T.launch_thread():
#    |          ^^^^^^^^^^^^^^^^^
#
# error[E0101]: expected a value, `as` and a name, found less
#   --> assert-nothing.py:14:10
#    |
# 14 |     with T.LetStmt() as v:
#    |          ^^^^^^^^^^^
#
# error[E0412]: T.attr must be given a node, a key (a string) and a value
#   --> assert-nothing.py:16:10
#    |
# 16 |     with T.attr():
#    |          ^^^^^^^^
#
