# RUN: why -p LegalizeOps,ElideConcat,ResolveInplace,InplaceCalls
# Each join of `layers` reads all that the one before it joined: made in the last one, parts and joins would be held side by
# side.  A donated parameter with room stays the beginning of a join whatever the others do.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @R.function
    def layers(x: R.Tensor((64, 64), "float32"), w: R.Tensor((64, 32), "float32"), v: R.Tensor((96, 32), "float32"), u: R.Tensor((128, 32), "float32"), past: R.Tensor((32, 64), "float32")):
        R.func_attr({"relax.inplace_arg": [4], "relax.capacity": {"past": [96, 64]}})
        with R.dataflow():
            a = R.matmul(x, w)
            two = R.concat([x, a], axis=1)
            b = R.matmul(two, v)
            three = R.concat([x, a, b], axis=1)
            d = R.matmul(three, u)
            kept = R.concat([past, R.matmul(x, x)])
            R.output(d, kept)
        return (d, kept)

    @R.function
    def once(x: R.Tensor((64, 64), "float32"), w: R.Tensor((64, 32), "float32"), v: R.Tensor((64, 32), "float32")):
        with R.dataflow():
            a = R.matmul(x, w)
            b = R.matmul(x, v)
            two = R.concat([a, b], axis=1)
            R.output(two)
        return two

# OUT:
# remark[E0391]: `x` is copied before the call: the storage of `x` belongs to the caller of the function
#   --> elide-concat-peak.py:16:19
#    |
# 16 |             two = R.concat([x, a], axis=1)
#    |                   ^^^^^^^^^^^^^^^^^^^^^^^^
#    |
#    = note: IP004 in `layers`: output 0 in argument 0, 16384 bytes
#
# remark[E0391]: `x` is copied before the call: the storage of `x` belongs to the caller of the function
#   --> elide-concat-peak.py:18:21
#    |
# 18 |             three = R.concat([x, a, b], axis=1)
#    |                     ^^^^^^^^^^^^^^^^^^^^^^^^^^^
#    |
#    = note: IP004 in `layers`: output 0 in argument 0, 16384 bytes
#
# remark[E0394]: `a` gets storage of its own: the kernel reads elements of `w` after it has written their places
#   --> elide-concat-peak.py:15:17
#    |
# 15 |             a = R.matmul(x, w)
#    |                 ^^^^^^^^^^^^^^
#    |                 |
#    |                 written here
#    |
#    = note: IP010 in `layers`: output 0 in argument 1, 8192 bytes
#
# remark[E0391]: `a` is copied before the call: less is held at once where the parts are copied: the larger tensor would live from the first of them on
#   --> elide-concat-peak.py:16:19
#    |
# 16 |             two = R.concat([x, a], axis=1)
#    |                   ^^^^^^^^^^^^^^^^^^^^^^^^
#    |
#    = note: IP030 in `layers`: output 0 in argument 1, 8192 bytes
#
# remark[E0391]: `a` is copied before the call: less is held at once where the parts are copied: the larger tensor would live from the first of them on
#   --> elide-concat-peak.py:18:21
#    |
# 18 |             three = R.concat([x, a, b], axis=1)
#    |                     ^^^^^^^^^^^^^^^^^^^^^^^^^^^
#    |
#    = note: IP030 in `layers`: output 0 in argument 1, 8192 bytes
#
# remark[E0391]: `b` is copied before the call: less is held at once where the parts are copied: the larger tensor would live from the first of them on
#   --> elide-concat-peak.py:18:21
#    |
# 18 |             three = R.concat([x, a, b], axis=1)
#    |                     ^^^^^^^^^^^^^^^^^^^^^^^^^^^
#    |
#    = note: IP030 in `layers`: output 0 in argument 2, 8192 bytes
#
# remark[E0392]: `past` is elided: the storage of `past` has room: what comes behind is written there, and its elements stay where they are
#   --> elide-concat-peak.py:20:20
#    |
# 20 |             kept = R.concat([past, R.matmul(x, x)])
#    |                    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#    |
#    = note: IP000 in `layers`: output 0 in argument 0, 8192 bytes
#
# remark[E0392]: `lv` is elided: what makes `lv` writes it to where the call would copy it
#   --> elide-concat-peak.py:20:20
#    |
# 20 |             kept = R.concat([past, R.matmul(x, x)])
#    |                    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#    |
#    = note: IP000 in `layers`: output 0 in argument 1, 16384 bytes
#
# remark[E0390]: `kept_dest` is updated in place: every condition holds
#   --> elide-concat-peak.py:20:36
#    |
# 20 |             kept = R.concat([past, R.matmul(x, x)])
#    |                                    ^^^^^^^^^^^^^^
#    |
#    = note: IP000 in `layers`: output 0 in argument 2, 24576 bytes
#
# remark[E0390]: `two_dest` is updated in place: every condition holds
#   --> elide-concat-peak.py:27:17
#    |
# 27 |             a = R.matmul(x, w)
#    |                 ^^^^^^^^^^^^^^
#    |
#    = note: IP000 in `once`: output 0 in argument 2, 16384 bytes
#
# 3 more decisions, which miss 0 bytes: `--all` shows every one
# in-place: 3, copy: 5, fresh: 1, elided: 4
# saved: 81920 bytes, missed: 65536 bytes
# missed by IP004, the storage belongs to the caller: 2, 32768 bytes
# missed by IP030, less is held at once where the parts are copied: the larger tensor would live from the first of them on: 3, 24576 bytes
# missed by IP010, the kernel reads elements of the storage after it has written their places: 1, 8192 bytes
