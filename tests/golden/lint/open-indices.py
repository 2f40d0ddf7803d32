# RUN: check
# An index of an open extent on an axis of another: told where something else fits exactly.
from tvm.script import ir as I, relax as R, tirx as T


@I.ir_module
class Module:
    @T.prim_func
    def other(a: T.Buffer(("n", 2), "float32"), b: T.Buffer((3, 2), "float32"), d: T.Buffer(("n", 3), "float32")):
        n = T.int64()
        for i, k in T.grid(n, 3):
            with T.sblock("first"):
                vi, vk = T.axis.remap("SS", [i, k])
                d[vi, vk] = a[vi, 0] - b[vi, 0]

    @T.prim_func
    def remainder(ring: T.Buffer((6, 4), "float32"), count: T.Buffer((1,), "int64"), row: T.Buffer((4,), "float32")):
        for j in range(4):
            ring[count[0] % T.int64(7), j] = row[j]

    # a promise may make these right: rows of a cache, sizes that somebody knows
    @T.prim_func
    def quiet(new: T.Buffer(("n", 8), "float32"), cache: T.Buffer((8, 8), "float32"), x: T.Buffer(("n", "m"), "float32"), y: T.Buffer(("n", "m"), "float32")):
        n = T.int64()
        m = T.int64()
        for i, j in T.grid(n, 8):
            cache[i, j] = new[i, j]
        for i, k, j in T.grid(n, m, m):
            y[i, j] = y[i, j] + x[i, k] * x[k, j]
        for i in range(6):
            cache[i % 9, 0] = T.float32(0)
# OUT:
# warning[E0442]: index `vi` of `b`, axis 0, is out of range
#   --> open-indices.py:14:42
#    |
#  9 |     def other(a: T.Buffer(("n", 2), "float32"), b: T.Buffer((3, 2), "float32"), d: T.Buffer(("n", 3), "float32")):
#    |                                                 - axis 0 has indices from 0 to below 3
# ...
# 14 |                 d[vi, vk] = a[vi, 0] - b[vi, 0]
#    |                                          ^^ this becomes 3 where `n` is 4
#    |
#    = note: a run ends with an error when it gets there
# help: `vk` goes through all of this axis
#    |
# 14 |                 d[vi, vk] = a[vi, 0] - b[vk, 0]
#    |                                           ~
#
# warning[E0442]: index `count[0] % T.int64(7)` of `ring`, axis 0, is out of range
#   --> open-indices.py:19:18
#    |
# 17 |     def remainder(ring: T.Buffer((6, 4), "float32"), count: T.Buffer((1,), "int64"), row: T.Buffer((4,), "float32")):
#    |                   ---- axis 0 has indices from 0 to below 6
# 18 |         for j in range(4):
# 19 |             ring[count[0] % T.int64(7), j] = row[j]
#    |                  ^^^^^^^^^^^^^^^^^^^^^ this becomes 6
#    |
#    = note: a run ends with an error when it gets there
# help: the axis has 6
#    |
# 19 |             ring[count[0] % T.int64(6), j] = row[j]
#    |                                     ~
#
