# RUN: why --skip=FuseOps,FuseTIR
# Ten remarks, and how to see the others.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4,), "float32")):
        a0 = R.exp(x)
        a1 = R.tanh(x)
        a2 = R.sqrt(x)
        a3 = R.negative(x)
        a4 = R.sigmoid(x)
        a5 = R.sin(x)
        a6 = R.cos(x)
        a7 = R.abs(x)
        a8 = R.ceil(x)
        a9 = R.floor(x)
        a10 = R.round(x)
        a11 = R.log(x)
        return (a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11)
# OUT:
# remark[E0394]: `a0` gets storage of its own: the storage of `x` belongs to the caller of the function
#   --> limit.py:12:14
#    |
# 11 |     def main(x: R.Tensor((4,), "float32")):
#    |              - a borrowed parameter
# 12 |         a0 = R.exp(x)
#    |              ^^^^^^^^
#    |
#    = note: IP004 in `main`: output 0 in argument 0, 16 bytes
#    = help: donate it: R.func_attr({"relax.inplace_arg": [0]}); the caller's tensor is then overwritten
#
# remark[E0394]: `a1` gets storage of its own: the storage of `x` belongs to the caller of the function
#   --> limit.py:13:14
#    |
# 11 |     def main(x: R.Tensor((4,), "float32")):
#    |              - a borrowed parameter
# 12 |         a0 = R.exp(x)
# 13 |         a1 = R.tanh(x)
#    |              ^^^^^^^^^
#    |
#    = note: IP004 in `main`: output 0 in argument 0, 16 bytes
#    = help: donate it: R.func_attr({"relax.inplace_arg": [0]}); the caller's tensor is then overwritten
#
# remark[E0394]: `a2` gets storage of its own: the storage of `x` belongs to the caller of the function
#   --> limit.py:14:14
#    |
# 11 |     def main(x: R.Tensor((4,), "float32")):
#    |              - a borrowed parameter
# ...
# 14 |         a2 = R.sqrt(x)
#    |              ^^^^^^^^^
#    |
#    = note: IP004 in `main`: output 0 in argument 0, 16 bytes
#    = help: donate it: R.func_attr({"relax.inplace_arg": [0]}); the caller's tensor is then overwritten
#
# remark[E0394]: `a3` gets storage of its own: the storage of `x` belongs to the caller of the function
#   --> limit.py:15:14
#    |
# 11 |     def main(x: R.Tensor((4,), "float32")):
#    |              - a borrowed parameter
# ...
# 15 |         a3 = R.negative(x)
#    |              ^^^^^^^^^^^^^
#    |
#    = note: IP004 in `main`: output 0 in argument 0, 16 bytes
#    = help: donate it: R.func_attr({"relax.inplace_arg": [0]}); the caller's tensor is then overwritten
#
# remark[E0394]: `a4` gets storage of its own: the storage of `x` belongs to the caller of the function
#   --> limit.py:16:14
#    |
# 11 |     def main(x: R.Tensor((4,), "float32")):
#    |              - a borrowed parameter
# ...
# 16 |         a4 = R.sigmoid(x)
#    |              ^^^^^^^^^^^^
#    |
#    = note: IP004 in `main`: output 0 in argument 0, 16 bytes
#    = help: donate it: R.func_attr({"relax.inplace_arg": [0]}); the caller's tensor is then overwritten
#
# remark[E0394]: `a5` gets storage of its own: the storage of `x` belongs to the caller of the function
#   --> limit.py:17:14
#    |
# 11 |     def main(x: R.Tensor((4,), "float32")):
#    |              - a borrowed parameter
# ...
# 17 |         a5 = R.sin(x)
#    |              ^^^^^^^^
#    |
#    = note: IP004 in `main`: output 0 in argument 0, 16 bytes
#    = help: donate it: R.func_attr({"relax.inplace_arg": [0]}); the caller's tensor is then overwritten
#
# remark[E0394]: `a6` gets storage of its own: the storage of `x` belongs to the caller of the function
#   --> limit.py:18:14
#    |
# 11 |     def main(x: R.Tensor((4,), "float32")):
#    |              - a borrowed parameter
# ...
# 18 |         a6 = R.cos(x)
#    |              ^^^^^^^^
#    |
#    = note: IP004 in `main`: output 0 in argument 0, 16 bytes
#    = help: donate it: R.func_attr({"relax.inplace_arg": [0]}); the caller's tensor is then overwritten
#
# remark[E0394]: `a7` gets storage of its own: the storage of `x` belongs to the caller of the function
#   --> limit.py:19:14
#    |
# 11 |     def main(x: R.Tensor((4,), "float32")):
#    |              - a borrowed parameter
# ...
# 19 |         a7 = R.abs(x)
#    |              ^^^^^^^^
#    |
#    = note: IP004 in `main`: output 0 in argument 0, 16 bytes
#    = help: donate it: R.func_attr({"relax.inplace_arg": [0]}); the caller's tensor is then overwritten
#
# remark[E0394]: `a8` gets storage of its own: the storage of `x` belongs to the caller of the function
#   --> limit.py:20:14
#    |
# 11 |     def main(x: R.Tensor((4,), "float32")):
#    |              - a borrowed parameter
# ...
# 20 |         a8 = R.ceil(x)
#    |              ^^^^^^^^^
#    |
#    = note: IP004 in `main`: output 0 in argument 0, 16 bytes
#    = help: donate it: R.func_attr({"relax.inplace_arg": [0]}); the caller's tensor is then overwritten
#
# remark[E0394]: `a9` gets storage of its own: the storage of `x` belongs to the caller of the function
#   --> limit.py:21:14
#    |
# 11 |     def main(x: R.Tensor((4,), "float32")):
#    |              - a borrowed parameter
# ...
# 21 |         a9 = R.floor(x)
#    |              ^^^^^^^^^^
#    |
#    = note: IP004 in `main`: output 0 in argument 0, 16 bytes
#    = help: donate it: R.func_attr({"relax.inplace_arg": [0]}); the caller's tensor is then overwritten
#
# 2 more decisions, which miss 32 bytes: `--all` shows every one
# fresh: 12
# saved: 0 bytes, missed: 192 bytes
# missed by IP004, the storage belongs to the caller: 12, 192 bytes
# what-if: donate `x` of `main`: 16 bytes
