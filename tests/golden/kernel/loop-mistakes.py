# FAIL: check
# Loops run over ranges of integers, one name each.
from tvm.script import tirx as T


@T.prim_func(s_tir=True)
def main(A: T.Buffer((16,), "float32")):
    for i in [1, 2, 3]:
        A[i] = 1.0
    for i, j in T.grid(4, 2, 2):
        A[i] = 1.0
    for i in range(1.5):
        A[i] = 1.0
    for i in T.thread_binding(16):
        A[i] = 1.0
    for i in T.serial(16, anotations={}):
        A[i] = 1.0
    for i in range(16):
        i = i + 1
        i += 1
    for i.j in T.grid(4, 4):
        A[0] = 1.0
    for i[0], j in T.grid(4, 4):
        A[0] = 1.0
    for A[0] in range(4):
        A[0] = 1.0
    break
# OUT:
# error[E0413]: a kernel cannot loop over a list
#  --> loop-mistakes.py:8:14
#   |
# 8 |     for i in [1, 2, 3]:
#   |              ^^^^^^^^^
#   |
#   = help: loops run over range(n), T.grid(m, n), T.serial(n), T.parallel(n), T.vectorized(n), T.unroll(n) or T.thread_binding(n, thread="threadIdx.x")
#
# error[E0414]: 2 names for 3 loops
#   --> loop-mistakes.py:10:9
#    |
# 10 |     for i, j in T.grid(4, 2, 2):
#    |         ^^^^
#
# error[E0408]: the bound of a loop must be an integer, not float32
#   --> loop-mistakes.py:12:20
#    |
# 12 |     for i in range(1.5):
#    |                    ^^^
#
# error[E0412]: `thread` must be a name such as "threadIdx.x"
#   --> loop-mistakes.py:14:14
#    |
# 14 |     for i in T.thread_binding(16):
#    |              ^^^^^^^^^^^^^^^^^^^^
#
# error[E0202]: there is no argument `anotations` here
#   --> loop-mistakes.py:16:27
#    |
# 16 |     for i in T.serial(16, anotations={}):
#    |                           ^^^^^^^^^^
#    |
# help: there is `annotations`
#    |
# 16 |     for i in T.serial(16, annotations={}):
#    |                             +
#
# warning[E0449]: `i` does not change: this is another scalar of that name, to the end of the suite
#   --> loop-mistakes.py:19:9
#    |
# 18 |     for i in range(16):
#    |         - `i` is bound here
# 19 |         i = i + 1
#    |         ^
#
# error[E0101]: expected the name of the loop's variable, found a dotted name
#   --> loop-mistakes.py:21:9
#    |
# 21 |     for i.j in T.grid(4, 4):
#    |         ^^^
#
# error[E0101]: expected the name of the loop's variable, found an element
#   --> loop-mistakes.py:23:9
#    |
# 23 |     for i[0], j in T.grid(4, 4):
#    |         ^^^^
#
# error[E0101]: expected the name of the loop's variable, found an element
#   --> loop-mistakes.py:25:9
#    |
# 25 |     for A[0] in range(4):
#    |         ^^^^
#
# error[E0428]: `break` stands outside of a loop
#   --> loop-mistakes.py:27:5
#    |
# 27 |     break
#    |     ^^^^^
#
