# FAIL: check
# What is no constant, and where none may stand.
from tvm.script import ir as I, relax as R

A = (1, 2)
B = (A, A, A, A, A, A, A, A, A, A)
C = (B, B, B, B, B, B, B, B, B, B)
D = (C, C, C, C, C, C, C, C, C, C)
E = (D, D, D, D, D, D, D, D, D, D)
ZERO = 1 // 0
TEN = len("0123456789")


@I.ir_module
class Module:
    N = 3

    @R.function
    def main(x: R.Tensor((LATER, 4), "float32")):
        y = R.sum(x, axis=A)
        A = R.add(y, y)
        return A


LATER = 4
# OUT:
# error[E0151]: this assignment has no meaning in a file
#  --> constants.py:9:1
#   |
# 9 | E = (D, D, D, D, D, D, D, D, D, D)
#   | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#   |
#   = help: a constant is a number, a string, True, False, None, a tuple of them, or arithmetic on numbers and constants before it
#
# error[E0415]: this number cannot be computed: it does not exist, or needs more than 64 bits
#   --> constants.py:10:8
#    |
# 10 | ZERO = 1 // 0
#    |        ^^^^^^
#
# error[E0151]: this assignment has no meaning in a file
#   --> constants.py:11:1
#    |
# 11 | TEN = len("0123456789")
#    | ^^^^^^^^^^^^^^^^^^^^^^^
#    |
#    = help: a constant is a number, a string, True, False, None, a tuple of them, or arithmetic on numbers and constants before it
#
# error[E0151]: this assignment has no meaning in a module
#   --> constants.py:16:5
#    |
# 16 |     N = 3
#    |     ^^^^^
#    |
#    = help: constants stand in front of the module, as in Python they are not seen by its functions from here
#
# error[E0201]: name `LATER` is not defined in TVMScript
#   --> constants.py:19:27
#    |
# 19 |     def main(x: R.Tensor((LATER, 4), "float32")):
#    |                           ^^^^^
#    |
#    = help: Python-level values are constants in front of the module (`LATER = 16`), or literals
#
# error[E0201]: name `A` is not defined in TVMScript
#   --> constants.py:20:27
#    |
# 20 |         y = R.sum(x, axis=A)
#    |                           ^
#    |
#    = help: the file's constant `A` is hidden: this function binds the name, and as in Python it is its own in all of it
#
