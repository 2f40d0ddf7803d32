# FAIL: check
# Names of kernels that are bound elsewhere: below, in a suite that has ended, in the statement itself; a misspelt one; storage that nothing allocates.
from tvm.script import tirx as T


@T.prim_func
def below(a: T.Buffer((8,), "float32"), b: T.Buffer((8,), "float32")):
    for i in range(8):
        b[i] = s
        s: T.float32 = a[i]


@T.prim_func
def outside(a: T.Buffer((8,), "float32"), b: T.Buffer((8,), "float32")):
    for i in range(8):
        if a[i] > 0.0:
            v: T.float32 = a[i]
        b[i] = v


@T.prim_func
def left(a: T.Buffer((8, 8), "float32"), b: T.Buffer((8,), "float32")):
    for i, j in T.grid(8, 8):
        with T.sblock("b"):
            vi, vj = T.axis.remap("SR", [i, j])
        with T.init():
            b[vi] = T.float32(0)
        b[vi] = b[vi] + a[vi, vj]


@T.prim_func
def itself(a: T.Buffer((8,), "float32"), b: T.Buffer((8,), "float32")):
    for i in range(8):
        total = total + a[i]
    b[0] = a[0]


@T.prim_func
def misspelt(a: T.Buffer((8,), "float32"), b: T.Buffer((8,), "float32")):
    ss: T.float32 = T.float32(2)
    for i in range(8):
        b[i] = s * a[i]


@T.prim_func
def unallocated(a: T.Buffer((4, 8), "float32"), b: T.Buffer((4,), "float32")):
    for i, k in T.grid(4, 8):
        with T.sblock("twice"):
            vi, vk = T.axis.remap("SS", [i, k])
            t[vi, vk, 0] = a[vi, vk] * T.float32(2)
    for i in range(4):
        b[i] = t[i, 3, 0]


@T.prim_func
def printed(a: T.Buffer((4,), "float32"), b: T.Buffer((n,), "float32")):
    for i in range(4):
        print(a[i])
        b[i] = a[i]
# OUT:
# error[E0206]: `s` is read before it is bound
#   --> unbound.py:9:16
#    |
#  9 |         b[i] = s
#    |                ^
# 10 |         s: T.float32 = a[i]
#    |         - bound below, on line 10
#    |
#    = help: a name is known behind the statement that binds it
#
# error[E0201]: name `v` is not defined in TVMScript
#   --> unbound.py:18:16
#    |
# 17 |             v: T.float32 = a[i]
#    |             - bound in the branch that ends on line 17
# 18 |         b[i] = v
#    |                ^
#    |
#    = help: a name is known to the end of the suite that binds it
# help: indent the statement, if it belongs to this branch
#    |
# 18 |             b[i] = v
#    |         ++++
#
# error[E0416]: `T.init` stands outside of a block
#   --> unbound.py:26:14
#    |
# 24 |         with T.sblock("b"):
#    |              ------------- this block ends on line 25
# 25 |             vi, vj = T.axis.remap("SR", [i, j])
# 26 |         with T.init():
#    |              ^^^^^^^^
#    |
#    = help: indent it, if it belongs to this block
#
# error[E0201]: name `vi` is not defined in TVMScript
#   --> unbound.py:28:11
#    |
# 25 |             vi, vj = T.axis.remap("SR", [i, j])
#    |             -- bound in the block that ends on line 25
# ...
# 28 |         b[vi] = b[vi] + a[vi, vj]
#    |           ^^
#    |
#    = help: a name is known to the end of the suite that binds it
#
# error[E0201]: name `total` is not defined in TVMScript
#   --> unbound.py:34:17
#    |
# 34 |         total = total + a[i]
#    |                 ^^^^^
#    |
#    = help: `total` is computed of itself here: give it a first value in front
#
# error[E0201]: name `s` is not defined in TVMScript
#   --> unbound.py:42:16
#    |
# 40 |     ss: T.float32 = T.float32(2)
#    |     -- nothing reads `ss`
# 41 |     for i in range(8):
# 42 |         b[i] = s * a[i]
#    |                ^
#    |
# help: there is `ss`, which nothing reads
#    |
# 42 |         b[i] = ss * a[i]
#    |                 +
#
# error[E0201]: name `t` is not defined in TVMScript
#   --> unbound.py:50:13
#    |
# 50 |             t[vi, vk, 0] = a[vi, vk] * T.float32(2)
#    |             ^
#    |
# help: nothing allocates it
#    |
# 47 |     t = T.alloc_buffer((4, 8, 1), "float32")
#    | ++++++++++++++++++++++++++++++++++++++++++++
#
# error[E0201]: name `n` is not defined in TVMScript
#   --> unbound.py:56:56
#    |
# 56 | def printed(a: T.Buffer((4,), "float32"), b: T.Buffer((n,), "float32")):
#    |                                                        ^
#    |
# help: a name within quotes is a symbol of the shape
#    |
# 56 | def printed(a: T.Buffer((4,), "float32"), b: T.Buffer(("n",), "float32")):
#    |                                                        ~~~
#
# error[E0201]: name `print` is not defined in TVMScript
#   --> unbound.py:58:9
#    |
# 58 |         print(a[i])
#    |         ^^^^^
#    |
#    = help: a kernel prints nothing: `R.print(..)` of a graph shows what it computes
#
