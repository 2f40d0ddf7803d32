# FAIL: check
# What has a type and cannot be compiled is said by check, with what mends it, and once: not of what follows from it.
from tvm.script import ir as I, relax as R


@I.ir_module
class Module:
    @R.function
    def dtypes(x: R.Tensor((3,), "int32"), y: R.Tensor((3,), "int32"), b: R.Tensor((3,), "bool"), z: R.Tensor((3,), "int64")):
        angle = R.atan2(x, y)
        both = R.add(b, b)
        hits = R.sum(R.equal(x, y))
        share = R.mean(b)
        bits = R.bitwise_not(R.astype(x, "float32"))
        spread = R.std(z)
        return (angle, both, hits, share, bits, spread)

    @R.function
    def compared(x: R.Tensor((3,), "int64"), y: R.Tensor((3,), "float32"), b: R.Tensor((3,), "bool")):
        is_zero = R.equal(x, R.const(0))
        is_end = R.less(R.const(2, "int32"), x)
        is_more = R.greater(x, y)
        is_true = R.not_equal(y, b)
        return (is_zero, is_end, is_more, is_true)

    @R.function
    def shapes(x: R.Tensor(dtype="float32")):
        a = R.exp(x)
        b = R.exp(R.flatten(a))
        c = R.add(b, R.exp(b))
        return c
# OUT:
# error[E0622]: `R.atan2` cannot be compiled for int32
#   --> not-compiled.py:10:25
#    |
# 10 |         angle = R.atan2(x, y)
#    |                         ^ this is R.Tensor((3,), dtype="int32")
#    |
# help: convert it first: `R.astype(.., "float32")`
#    |
# 10 |         angle = R.atan2(R.astype(x, "float32"), R.astype(y, "float32"))
#    |                         ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
#
# error[E0622]: `R.add` cannot be compiled for bool
#   --> not-compiled.py:11:22
#    |
# 11 |         both = R.add(b, b)
#    |                      ^ this is R.Tensor((3,), dtype="bool")
#    |
# help: convert it first: `R.astype(.., "int64")`
#    |
# 11 |         both = R.add(R.astype(b, "int64"), R.astype(b, "int64"))
#    |                      ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
#
# error[E0622]: `R.sum` cannot be compiled for bool
#   --> not-compiled.py:12:22
#    |
# 12 |         hits = R.sum(R.equal(x, y))
#    |                      ^^^^^^^^^^^^^ this is R.Tensor((3,), dtype="bool")
#    |
# help: convert it first: `R.astype(.., "int64")`
#    |
# 12 |         hits = R.sum(R.astype(R.equal(x, y), "int64"))
#    |                        ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
#
# error[E0622]: `R.mean` cannot be compiled for bool
#   --> not-compiled.py:13:24
#    |
# 13 |         share = R.mean(b)
#    |                        ^ this is R.Tensor((3,), dtype="bool")
#    |
# help: convert it first: `R.astype(.., "float32")`
#    |
# 13 |         share = R.mean(R.astype(b, "float32"))
#    |                        ~~~~~~~~~~~~~~~~~~~~~~
#
# error[E0622]: `R.bitwise_not` cannot be compiled for float32
#   --> not-compiled.py:14:30
#    |
# 14 |         bits = R.bitwise_not(R.astype(x, "float32"))
#    |                              ^^^^^^^^^^^^^^^^^^^^^^ this is R.Tensor((3,), dtype="float32")
#    |
# help: convert it first: `R.astype(.., "int32")`
#    |
# 14 |         bits = R.bitwise_not(R.astype(R.astype(x, "float32"), "int32"))
#    |                                       ~~~~~~~~~~~~~~~~~~~~~~~~~~~
#
# error[E0622]: `R.std` cannot be compiled for int64
#   --> not-compiled.py:15:24
#    |
# 15 |         spread = R.std(z)
#    |                        ^ this is R.Tensor((3,), dtype="int64")
#    |
# help: convert it first: `R.astype(.., "float32")`
#    |
# 15 |         spread = R.std(R.astype(z, "float32"))
#    |                        ~~~~~~~~~~~~~~~~~~~~~~
#
# error[E0604]: `R.equal`: `x1` is int64, but `x2` is int32
#   --> not-compiled.py:20:30
#    |
# 20 |         is_zero = R.equal(x, R.const(0))
#    |                              ^^^^^^^^^^
#    |
# help: let the constant be int64
#    |
# 20 |         is_zero = R.equal(x, R.const(0, "int64"))
#    |                                       +++++++++
#
# error[E0604]: `R.less`: `x1` is int32, but `x2` is int64
#   --> not-compiled.py:21:46
#    |
# 21 |         is_end = R.less(R.const(2, "int32"), x)
#    |                                              ^
#    |
# help: let the constant be int64
#    |
# 21 |         is_end = R.less(R.const(2, "int64"), x)
#    |                                        ~~
#
# error[E0604]: `R.greater`: `x1` is int64, but `x2` is float32
#   --> not-compiled.py:22:32
#    |
# 22 |         is_more = R.greater(x, y)
#    |                                ^
#    |
# help: convert one of them: `R.astype(.., "float32")`
#    |
# 22 |         is_more = R.greater(R.astype(x, "float32"), y)
#    |                             ~~~~~~~~~~~~~~~~~~~~~~
#
# error[E0604]: `R.not_equal`: `x1` is float32, but `x2` is bool
#   --> not-compiled.py:23:34
#    |
# 23 |         is_true = R.not_equal(y, b)
#    |                                  ^
#    |
# help: convert one of them: `R.astype(.., "float32")`
#    |
# 23 |         is_true = R.not_equal(y, R.astype(b, "float32"))
#    |                                  ~~~~~~~~~~~~~~~~~~~~~~
#
# error[E0621]: `R.exp` cannot be compiled: the shape of its result is not known
#   --> not-compiled.py:28:19
#    |
# 28 |         a = R.exp(x)
#    |                   ^ this is R.Tensor(dtype="float32")
#    |
#    = help: give the shape first: `R.match_cast(.., R.Tensor((n, m), "float32"))`
#
