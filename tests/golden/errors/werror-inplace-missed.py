# FAIL: opt -p LegalizeOps,InplaceCalls -Werror=inplace-missed
# The same as errors.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 4), "float32"), z: R.Tensor((8,), "float32")):
        t = R.exp(x)
        a = R.tanh(t)
        b = R.sqrt(z)
        return (t, a, b)

    @R.function
    def other(x: R.Tensor(("n", "m"), "float16")):
        t = R.exp(x)
        a = R.tanh(t)
        return a
# OUT:
# error[E0330]: `t` must be in place, but it has storage of its own: the storage of `x` belongs to the caller of the function
#   --> werror-inplace-missed.py:12:13
#    |
# 11 |     def main(x: R.Tensor(("n", 4), "float32"), z: R.Tensor((8,), "float32")):
#    |              - a borrowed parameter
# 12 |         t = R.exp(x)
#    |             ^^^^^^^^
#    |
#    = note: IP004 in `main`: output 0 in argument 0, n * 16 bytes
#    = help: donate it: R.func_attr({"relax.inplace_arg": [0]}); the caller's tensor is then overwritten
#    = note: asked for by `-Werror=inplace-missed`
#
# error[E0330]: `a` must be in place, but it has storage of its own: `t` is part of the function's result, so its old value must survive
#   --> werror-inplace-missed.py:13:13
#    |
# 13 |         a = R.tanh(t)
#    |             ^^^^^^^^^
# 14 |         b = R.sqrt(z)
# 15 |         return (t, a, b)
#    |         ---------------- returned here
#    |
#    = note: IP003 in `main`: output 0 in argument 0, n * 16 bytes
#    = help: return the new value only, or keep the new storage (n * 16 bytes per run)
#    = note: asked for by `-Werror=inplace-missed`
#
# error[E0330]: `b` must be in place, but it has storage of its own: the storage of `z` belongs to the caller of the function
#   --> werror-inplace-missed.py:14:13
#    |
# 11 |     def main(x: R.Tensor(("n", 4), "float32"), z: R.Tensor((8,), "float32")):
#    |                                                - a borrowed parameter
# ...
# 14 |         b = R.sqrt(z)
#    |             ^^^^^^^^^
#    |
#    = note: IP004 in `main`: output 0 in argument 0, 32 bytes
#    = help: donate it: R.func_attr({"relax.inplace_arg": [1]}); the caller's tensor is then overwritten
#    = note: asked for by `-Werror=inplace-missed`
#
# error[E0330]: `t` must be in place, but it has storage of its own: the storage of `x` belongs to the caller of the function
#   --> werror-inplace-missed.py:19:13
#    |
# 18 |     def other(x: R.Tensor(("n", "m"), "float16")):
#    |               - a borrowed parameter
# 19 |         t = R.exp(x)
#    |             ^^^^^^^^
#    |
#    = note: IP004 in `other`: output 0 in argument 0, m * n * 2 bytes
#    = help: donate it: R.func_attr({"relax.inplace_arg": [0]}); the caller's tensor is then overwritten
#    = note: asked for by `-Werror=inplace-missed`
#
