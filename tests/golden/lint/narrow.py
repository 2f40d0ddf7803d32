# RUN: check
# Products of bytes that are converted when they have wrapped; none where the script converts, or a factor is a number.
from tvm.script import ir as I, relax as R, tirx as T


@I.ir_module
class Module:
    @T.prim_func
    def k(a: T.Buffer((8,), "int8"), b: T.Buffer((8,), "int8"), c: T.Buffer((8,), "int32"), d: T.Buffer((8,), "float32")):
        for i in range(8):
            c[i] = a[i] * b[i]
            c[i] = c[i] + (a[i] * b[i] * 3 - b[i])
            c[i] += (a[i] + b[i]) * b[i]
            d[i] = d[i] + a[i] * b[i]
            c[i] = c[i] + (a[i]) * (b[i] * (a[i]))
            c[i] = c[i] + T.Cast("int32", a[i]) * b[i]
            c[i] = c[i] + T.Cast("int32", a[i] * b[i])
            c[i] = c[i] + a[i] * 2
            c[i] = c[i] * c[i]
            # inlay: allow(E0457)
            c[i] = a[i] * b[i]
# OUT:
# warning[E0457]: a product of int8 wraps before it becomes int32
#   --> narrow.py:11:20
#    |
# 11 |             c[i] = a[i] * b[i]
#    |                    ^^^^^^^^^^^
#    |
# help: convert the factors
#    |
# 11 |             c[i] = T.Cast("int32", a[i]) * T.Cast("int32", b[i])
#    |                    ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
#
# warning[E0457]: a product of int8 wraps before it becomes int32
#   --> narrow.py:12:28
#    |
# 12 |             c[i] = c[i] + (a[i] * b[i] * 3 - b[i])
#    |                            ^^^^^^^^^^^
#    |
# help: convert the factors
#    |
# 12 |             c[i] = c[i] + (T.Cast("int32", a[i]) * T.Cast("int32", b[i]) * 3 - b[i])
#    |                            ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
#
# warning[E0457]: a product of int8 wraps before it becomes int32
#   --> narrow.py:13:21
#    |
# 13 |             c[i] += (a[i] + b[i]) * b[i]
#    |                     ^^^^^^^^^^^^^^^^^^^^
#    |
#    = help: convert the factors
#
# warning[E0457]: a product of int8 wraps before it becomes float32
#   --> narrow.py:14:27
#    |
# 14 |             d[i] = d[i] + a[i] * b[i]
#    |                           ^^^^^^^^^^^
#    |
# help: convert the factors
#    |
# 14 |             d[i] = d[i] + T.Cast("float32", a[i]) * T.Cast("float32", b[i])
#    |                           ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
#
# warning[E0457]: a product of int8 wraps before it becomes int32
#   --> narrow.py:15:27
#    |
# 15 |             c[i] = c[i] + (a[i]) * (b[i] * (a[i]))
#    |                           ^^^^^^^^^^^^^^^^^^^^^^^^
#    |
# help: convert the factors
#    |
# 15 |             c[i] = c[i] + T.Cast("int32", a[i]) * T.Cast("int32", b[i]) * T.Cast("int32", a[i])
#    |                           ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
#
