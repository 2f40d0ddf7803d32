# FAIL: check
# Names that do not change and are bound again: lets, loops, buffers; and none of mutable scalars, or of names that have ended. The last line is an error.
from tvm.script import ir as I, relax as R, tirx as T


@I.ir_module
class Module:
    @T.prim_func
    def k(a: T.Buffer((8,), "int32"), b: T.Buffer((8,), "int32"), c: T.Buffer((8,), "int32"), n: T.int32):
        for i in range(8):
            x: T.let[T.int32] = a[i]
            if x < n:
                x = n
            b[i] = x
        for i in range(8):
            x: T.let[T.int32] = a[i]
            x = x * 2
            b[i] = x
        for i in range(8):
            y: T.int32 = a[i]
            y = y * 2
            z = y + 1
            b[i] = b[i] + z
        for i in range(4):
            if b[i] == 0:
                i = i + 4
                b[i] = 1
        t = T.alloc_buffer((8,), "int32")
        for i in range(8):
            t[i] = b[i]
        c = t
        c[0] = -c
# OUT:
# warning[E0449]: `x` does not change: this is another scalar of that name, to the end of the suite
#   --> hidden.py:13:17
#    |
# 11 |             x: T.let[T.int32] = a[i]
#    |             - `x` is bound here
# 12 |             if x < n:
# 13 |                 x = n
#    |                 ^
#    |
# help: without `T.let` it is a scalar that may be stored to
#    |
# 11 |             x: T.int32 = a[i]
#    |                  ~~~~~
#
# warning[E0449]: `x` does not change: this is another scalar of that name, to the end of the suite
#   --> hidden.py:17:13
#    |
# 16 |             x: T.let[T.int32] = a[i]
#    |             - `x` is bound here
# 17 |             x = x * 2
#    |             ^
#    |
# help: without `T.let` it is a scalar that may be stored to
#    |
# 16 |             x: T.int32 = a[i]
#    |                  ~~~~~
#
# warning[E0449]: `i` does not change: this is another scalar of that name, to the end of the suite
#   --> hidden.py:26:17
#    |
# 24 |         for i in range(4):
#    |             - `i` is bound here
# 25 |             if b[i] == 0:
# 26 |                 i = i + 4
#    |                 ^
#
# warning[E0449]: `c` does not change: this is another buffer of that name, to the end of the suite
#   --> hidden.py:31:9
#    |
#  9 |     def k(a: T.Buffer((8,), "int32"), b: T.Buffer((8,), "int32"), c: T.Buffer((8,), "int32"), n: T.int32):
#    |                                                                   - `c` is bound here
# ...
# 31 |         c = t
#    |         ^
#    |
#    = help: no element is stored: `c[..] = ..` in loops over its axes
#
# error[E0406]: a buffer is no scalar expression
#   --> hidden.py:32:17
#    |
# 32 |         c[0] = -c
#    |                 ^
#    |
#    = help: read an element: `c[..]`
#
