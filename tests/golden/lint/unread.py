# RUN: check
# Values without effect that nothing reads, and comments that say that it is meant.
from tvm.script import ir as I, relax as R, tirx as T


@I.ir_module
class Module:
    @T.prim_func
    def two(a: T.Buffer((4,), "float32"), b: T.Buffer((4,), "float32")):
        for i in range(4):
            b[i] = a[i]

    @R.function(pure=False)
    def main(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        with R.dataflow():
            a = R.exp(x)
            left = R.sqrt(x)
            seen = R.add(a, x)
            R.output(seen, left)
        first, second = R.split(x, 2)
        status = R.call_packed("test.log", x, ty_args=(R.Any,))
        _spare = R.exp(x)
        checked = R.match_cast(x, R.Tensor((4,), "float32"))
        meant = R.sin(x)  # inlay: allow(E0574)
        # inlay: allow(E0442, E0574): kept for a later pass
        meant_too = R.cos(x)
        # that allow(E0574) is no such comment
        wasted = R.tan(x)
        other = R.tanh(x)  # inlay: allow(E0442)
        return seen

    # what expressions and types are made of is read by them
    @R.function
    def sizes(n: T.int64, x: R.Tensor(("n",), "float32")):
        m = n + 1
        s = R.shape([n])
        y = R.match_cast(x, R.Tensor(s, "float32"))
        return (R.prim_value(m * 2), y)
# OUT:
# warning[E0574]: `left` is computed and never read
#   --> unread.py:17:13
#    |
# 17 |             left = R.sqrt(x)
#    |             ^^^^
#    |
#    = help: remove it, or call it `_left` if that is meant
#
# warning[E0574]: `wasted` is computed and never read
#   --> unread.py:28:9
#    |
# 28 |         wasted = R.tan(x)
#    |         ^^^^^^
#    |
# help: remove it, if it is not needed
#    |
# 28 |         wasted = R.tan(x)
#    | -------------------------
# help: call it `_wasted`, if that is meant
#    |
# 28 |         _wasted = R.tan(x)
#    |         +
#
# warning[E0574]: `other` is computed and never read
#   --> unread.py:29:9
#    |
# 29 |         other = R.tanh(x)  # inlay: allow(E0442)
#    |         ^^^^^
#    |
#    = help: remove it, if it is not needed
# help: call it `_other`, if that is meant
#    |
# 29 |         _other = R.tanh(x)  # inlay: allow(E0442)
#    |         +
#
