# FAIL: check
# A kernel that returns a buffer: a parameter at its end, one in front of it, and storage of its own.
from tvm.script import tirx as T


@T.prim_func
def last(a: T.Buffer((8,), "int32"), b: T.Buffer((8,), "int32")):
    for i in range(8):
        b[i] = a[i]
    return b


@T.prim_func
def early(a: T.Buffer((8,), "int32"), b: T.Buffer((8,), "int32")):
    for i in range(8):
        b[i] = a[i]
        return b


@T.prim_func
def own(a: T.Buffer((8,), "int32"), b: T.Buffer((8,), "int32")):
    t = T.alloc_buffer((8,), "int32")
    for i in range(8):
        t[i] = a[i]
    return t
# OUT:
# error[E0406]: a buffer is no scalar expression
#   --> returned.py:10:12
#    |
# 10 |     return b
#    |            ^
#    |
# help: a kernel returns nothing: `b` is a result as a parameter
#    |
# 10 |     return b
#    | ------------
#
# error[E0406]: a buffer is no scalar expression
#   --> returned.py:17:16
#    |
# 17 |         return b
#    |                ^
#    |
#    = help: a kernel returns nothing: `b` is a result as a parameter
#
# error[E0406]: a buffer is no scalar expression
#   --> returned.py:25:12
#    |
# 25 |     return t
#    |            ^
#    |
#    = help: a kernel returns nothing: results are its last parameters, store them there
#
