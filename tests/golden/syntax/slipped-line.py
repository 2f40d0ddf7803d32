# FAIL: check
# A line that is not indented like the block around is one of that block all the same, so that nothing else is wrong.
from tvm.script import relax as R
from tvm.script import tirx as T


@R.function
def main(x: R.Tensor((4,), "float32")):
    with R.dataflow():
        a = R.add(x, x)
b = R.add(a, a)
c = R.add(
    b, b)
        d = R.add(c, "(")
        R.output(d)
    return d


@T.prim_func(s_tir=True)
def fill(A: T.Buffer((16,), "float32")):
    for i in range(16):
        A[i] = 1.0
    A[i] = 2.0
        A[i] = 3.0
        A[i] = 4.0
    for j in range(16):
        A[j] = 1.0
    A[0] = 2.0
        A[1] = 3.0


@R.function
def second(x: R.Tensor((4,), "float32"))
    return x


@T.prim_func(s_tir=True)
def started(A: T.Buffer((16,), "float32")):
    for i in range(16): A[i] = 1.0
        A[i] = 2.0
    if A[0] < 1.0: A[0] = 1.0
# OUT:
# error[E0109]: the block goes on behind a line that ends it
#   --> slipped-line.py:11:1
#    |
# 11 | b = R.add(a, a)
#    | ^
#    |
# help: indent it like the lines around
#    |
# 11 |         b = R.add(a, a)
#    | ++++++++
#
# error[E0109]: the block goes on behind a line that ends it
#   --> slipped-line.py:12:1
#    |
# 12 | c = R.add(
#    | ^
#    |
# help: indent it like the lines around
#    |
# 12 |         c = R.add(
#    | ++++++++
#
# error[E0601]: `R.add`: operand `x2` must be a tensor, not a string
#   --> slipped-line.py:14:22
#    |
# 14 |         d = R.add(c, "(")
#    |                      ^^^
#
# error[E0109]: the block goes on behind a line that ends it
#   --> slipped-line.py:23:1
#    |
# 23 |     A[i] = 2.0
#    | ^^^^
#    |
# help: indent it like the lines around
#    |
# 23 |         A[i] = 2.0
#    |     ++++
#
# error[E0109]: the indentation opens a block where none starts
#   --> slipped-line.py:29:1
#    |
# 29 |         A[1] = 3.0
#    | ^^^^^^^^
#    |
# help: indent it like the line in front
#    |
# 29 |         A[1] = 3.0
#    |     ----
#
# error[E0101]: expected `:`, found end of line
#   --> slipped-line.py:33:41
#    |
# 33 | def second(x: R.Tensor((4,), "float32"))
#    |                                         ^
#    |
# help: end the line with `:`
#    |
# 33 | def second(x: R.Tensor((4,), "float32")):
#    |                                         +
#
# error[E0109]: the block begins in the line of its `:` and goes on behind it
#   --> slipped-line.py:39:25
#    |
# 39 |     for i in range(16): A[i] = 1.0
#    |                         ^^^^^^^^^^
#    |
# help: begin it in a line of its own
#    |
# 39 |     for i in range(16):
# 40 |         A[i] = 1.0
#    | +++++++
#
