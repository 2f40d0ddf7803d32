# RUN: check
# Both sides of the condition are handed on as they came: which of them was to change is its author's to say.
from tvm.script import ir as I, relax as R, tirx as T


@I.ir_module
class Module:
    @R.function(private=True)
    def steps(x: R.Tensor((4,), "float32"), i: T.int64, n: T.int64) -> R.Tensor((4,), "float32"):
        cls = Module
        if i < n:
            y = R.add(x, x)
            r: R.Tensor((4,), "float32") = cls.steps(y, i, n)
        else:
            r = x
        return r

    @R.function
    def main(x: R.Tensor((4,), "float32"), n: T.int64) -> R.Tensor((4,), "float32"):
        cls = Module
        return cls.steps(x, 0, n)
# OUT:
# warning[E0580]: `steps` calls itself, and the condition of that stays as it is
#   --> turns-two.py:13:57
#    |
# 11 |         if i < n:
#    |            ----- what it goes by is the same in each turn
# 12 |             y = R.add(x, x)
# 13 |             r: R.Tensor((4,), "float32") = cls.steps(y, i, n)
#    |                                                         ^  - and so is `n`
#    |                                                         |
#    |                                                         `i` is handed on as it came
#    |
#    = note: a run that gets here never ends
#
