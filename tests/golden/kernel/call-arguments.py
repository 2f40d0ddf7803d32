# FAIL: check
# What takes a fixed number of arguments is given so many; what is too much is marked.
from tvm.script import tirx as T
from tvm.script import relax as R


@T.prim_func(s_tir=True)
def main(A: T.Buffer((16,), "float32"), out: T.Buffer((16,), "float32")):
    T.func_attr({"a": 1}, {"b": 2})
    for i in range(16):
        with T.sblock("x"):
            v = T.axis.spatial(16, i)
            T.where(i < 4, i > 2)
            out[v] = T.if_then_else(v < 8, A[v], 0,5)
            out[v] = T.Select(v < 8, A[v], A[v], span=0)
    T.evaluate(1, 2)


@R.function
def graph(x: R.Tensor((8,), "float32")):
    with R.dataflow(x):
        y = R.add(x, 0,5)
        R.output(y)
    R.func_attr({"a": 1}, {"b": 2})
    return y
# OUT:
# error[E0405]: `T.func_attr` takes 1 argument, not 2
#  --> call-arguments.py:9:27
#   |
# 9 |     T.func_attr({"a": 1}, {"b": 2})
#   |                           ^^^^^^^^
#
# error[E0405]: `T.where` takes 1 argument, not 2
#   --> call-arguments.py:13:28
#    |
# 13 |             T.where(i < 4, i > 2)
#    |                            ^^^^^
#
# error[E0405]: `T.if_then_else` takes 3 arguments, not 4
#   --> call-arguments.py:14:51
#    |
# 14 |             out[v] = T.if_then_else(v < 8, A[v], 0,5)
#    |                                                   ^
#    |
# help: the decimals of a number stand behind a `.`
#    |
# 14 |             out[v] = T.if_then_else(v < 8, A[v], 0.5)
#    |                                                   ~
#
# error[E0202]: there is no argument `span` here
#   --> call-arguments.py:15:50
#    |
# 15 |             out[v] = T.Select(v < 8, A[v], A[v], span=0)
#    |                                                  ^^^^
#
# error[E0405]: `T.evaluate` takes 1 argument, not 2
#   --> call-arguments.py:16:19
#    |
# 16 |     T.evaluate(1, 2)
#    |                   ^
#
# error[E0405]: `R.dataflow` takes no argument, not 1
#   --> call-arguments.py:21:21
#    |
# 21 |     with R.dataflow(x):
#    |                     ^
#
# error[E0654]: `R.add` takes at most 2 arguments, not 3
#   --> call-arguments.py:22:24
#    |
# 22 |         y = R.add(x, 0,5)
#    |                        ^
#    |
#    = help: its arguments are `x1`, `x2`
# help: the decimals of a number stand behind a `.`
#    |
# 22 |         y = R.add(x, 0.5)
#    |                       ~
#
# error[E0573]: `R.func_attr` takes one dict of attributes
#   --> call-arguments.py:24:27
#    |
# 24 |     R.func_attr({"a": 1}, {"b": 2})
#    |                           ^^^^^^^^
#
