# RUN: check
# A literal index outside of its axis, a float that divides integers, and a fraction of integers; what is inside, counts from the end, or is of another mode is right.
from tvm.script import ir as I, relax as R


@I.ir_module
class Module:
    @R.function
    def indices(x: R.Tensor((4, 2), "float32"), n: R.Tensor(("n", 2), "float32")):
        a = R.take(x, 7, axis=0)
        b = R.take(x, R.const([1, -5], "int64"), axis=0)
        c = R.take(x, R.const(2, "int32"), axis=-1)
        d = R.take(x, -4, axis=0)
        e = R.take(x, 9, axis=0, mode="clip")
        f = R.take(n, 9, axis=0)
        return (a, b, c, d, e, f)

    @R.function
    def quotients(image: R.Tensor((4,), "uint8"), y: R.Tensor((4,), "float32")):
        a = image / 255.0
        b = R.divide(image, 2.0)
        c = image / 2
        d = y / 255.0
        return (a, b, c, d)

    @R.function
    def fractions(i: R.Tensor((2,), "int32"), y: R.Tensor((2,), "float32")):
        a = R.full((2,), 0.5, "int32")
        b = R.full((2,), 2.0, "int32")
        c = R.full_like(i, -1)
        d = R.full((2,), 0.5, "float32")
        e = R.clip(i, 0.5, 2.5)
        f = R.clip(y, 0.5, 2.5)
        return (a, b, c, d, e, f)
# OUT:
# warning[E0618]: `R.take`: index 7 is outside of axis 0, which has 4
#   --> numbers.py:10:23
#    |
# 10 |         a = R.take(x, 7, axis=0)
#    |                       ^
#    |
#    = note: a run ends there with an error (E0803)
# help: the last one is 3
#    |
# 10 |         a = R.take(x, 3, axis=0)
#    |                       ~
#
# warning[E0618]: `R.take`: index -5 is outside of axis 0, which has 4
#   --> numbers.py:11:23
#    |
# 11 |         b = R.take(x, R.const([1, -5], "int64"), axis=0)
#    |                       ^^^^^^^^^^^^^^^^^^^^^^^^^
#    |
#    = note: a run ends there with an error (E0803)
#    = help: the last one is 3
#
# warning[E0618]: `R.take`: index 2 is outside of axis 1, which has 2
#   --> numbers.py:12:23
#    |
# 12 |         c = R.take(x, R.const(2, "int32"), axis=-1)
#    |                       ^^^^^^^^^^^^^^^^^^^
#    |
#    = note: a run ends there with an error (E0803)
#    = help: the last one is 1
#
# warning[E0619]: `255.0` beside a tensor of uint8 is an integer, and so is the quotient
#   --> numbers.py:20:21
#    |
# 20 |         a = image / 255.0
#    |             -----   ^^^^^
#    |             |
#    |             this is R.Tensor((4,), dtype="uint8")
#    |
#    = note: a bare number takes the dtype of the tensor beside it
# help: convert the tensor first
#    |
# 20 |         a = R.astype(image, "float32") / 255.0
#    |             ~~~~~~~~~~~~~~~~~~~~~~~~~~
#
# warning[E0619]: `2.0` beside a tensor of uint8 is an integer, and so is the quotient
#   --> numbers.py:21:29
#    |
# 21 |         b = R.divide(image, 2.0)
#    |                      -----  ^^^
#    |                      |
#    |                      this is R.Tensor((4,), dtype="uint8")
#    |
#    = note: a bare number takes the dtype of the tensor beside it
# help: convert the tensor first
#    |
# 21 |         b = R.divide(R.astype(image, "float32"), 2.0)
#    |                      ~~~~~~~~~~~~~~~~~~~~~~~~~~
#
# warning[E0616]: `0.5` is cut to 0: the elements are int32
#   --> numbers.py:28:26
#    |
# 28 |         a = R.full((2,), 0.5, "int32")
#    |                          ^^^
#    |
# help: a dtype of floats keeps it
#    |
# 28 |         a = R.full((2,), 0.5, "float32")
#    |                                ~~~~
#
# warning[E0616]: `0.5` is cut to 0: the elements are int32
#   --> numbers.py:32:23
#    |
# 32 |         e = R.clip(i, 0.5, 2.5)
#    |                       ^^^
#    |
# help: convert the tensor first
#    |
# 32 |         e = R.clip(R.astype(i, "float32"), 0.5, 2.5)
#    |                    ~~~~~~~~~~~~~~~~~~~~~~
#
