# FAIL: check
# Variables of kernels have a value where they are used.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T

@I.ir_module
class Module:
    @T.prim_func(private=True)
    def open_shape(handle: T.handle):
        n = T.int32()
        a = T.match_buffer(handle, (n + 1,), "float32")
        for i in range(n + 1):
            with T.sblock("clear"):
                v_i = T.axis.spatial(n + 1, i)
                a[v_i] = T.float32(0)

    @T.prim_func(private=True)
    def open_symbol(a: T.Buffer((4,), "int32")):
        m = T.int32()
        for i in range(4):
            with T.sblock("fill"):
                v_i = T.axis.spatial(4, i)
                a[v_i] = m

    @T.prim_func(private=True)
    def closed(handle: T.handle, n: T.int32):
        a = T.match_buffer(handle, (n + 1,), "float32")
        for i in range(n + 1):
            with T.sblock("clear"):
                v_i = T.axis.spatial(n + 1, i)
                a[v_i] = T.float32(0)
# OUT:
# error[E0450]: `n` has no value here
#   --> kernel-variables.py:12:37
#    |
# 11 |         n = T.int32()
#    |         - declared here, which gives it no value
# 12 |         a = T.match_buffer(handle, (n + 1,), "float32")
#    |                                     ^^^^^
#    |
#    = help: let it be a dimension of a parameter, or a parameter itself
#
# error[E0450]: `m` has no value here
#   --> kernel-variables.py:24:26
#    |
# 20 |         m = T.int32()
#    |         - declared here, which gives it no value
# ...
# 24 |                 a[v_i] = m
#    |                          ^
#    |
#    = help: let it be a dimension of a parameter, or a parameter itself
#
