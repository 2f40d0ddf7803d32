# FAIL: check
# Twenty messages are enough for one run.
from tvm.script import relax as R


@R.function
def main(x: R.Tensor((4,), "float32")):
    a = = 1
    a = = 2
    a = = 3
    a = = 4
    a = = 5
    a = = 6
    a = = 7
    a = = 8
    a = = 9
    a = = 10
    a = = 11
    a = = 12
    a = = 13
    a = = 14
    a = = 15
    a = = 16
    a = = 17
    a = = 18
    a = = 19
    a = = 20
    a = = 21
    a = = 22
    return x
# OUT:
# error[E0101]: expected an expression, found `=`
#  --> too-many-errors.py:8:9
#   |
# 8 |     a = = 1
#   |         ^
#
# error[E0101]: expected an expression, found `=`
#  --> too-many-errors.py:9:9
#   |
# 9 |     a = = 2
#   |         ^
#
# error[E0101]: expected an expression, found `=`
#   --> too-many-errors.py:10:9
#    |
# 10 |     a = = 3
#    |         ^
#
# error[E0101]: expected an expression, found `=`
#   --> too-many-errors.py:11:9
#    |
# 11 |     a = = 4
#    |         ^
#
# error[E0101]: expected an expression, found `=`
#   --> too-many-errors.py:12:9
#    |
# 12 |     a = = 5
#    |         ^
#
# error[E0101]: expected an expression, found `=`
#   --> too-many-errors.py:13:9
#    |
# 13 |     a = = 6
#    |         ^
#
# error[E0101]: expected an expression, found `=`
#   --> too-many-errors.py:14:9
#    |
# 14 |     a = = 7
#    |         ^
#
# error[E0101]: expected an expression, found `=`
#   --> too-many-errors.py:15:9
#    |
# 15 |     a = = 8
#    |         ^
#
# error[E0101]: expected an expression, found `=`
#   --> too-many-errors.py:16:9
#    |
# 16 |     a = = 9
#    |         ^
#
# error[E0101]: expected an expression, found `=`
#   --> too-many-errors.py:17:9
#    |
# 17 |     a = = 10
#    |         ^
#
# error[E0101]: expected an expression, found `=`
#   --> too-many-errors.py:18:9
#    |
# 18 |     a = = 11
#    |         ^
#
# error[E0101]: expected an expression, found `=`
#   --> too-many-errors.py:19:9
#    |
# 19 |     a = = 12
#    |         ^
#
# error[E0101]: expected an expression, found `=`
#   --> too-many-errors.py:20:9
#    |
# 20 |     a = = 13
#    |         ^
#
# error[E0101]: expected an expression, found `=`
#   --> too-many-errors.py:21:9
#    |
# 21 |     a = = 14
#    |         ^
#
# error[E0101]: expected an expression, found `=`
#   --> too-many-errors.py:22:9
#    |
# 22 |     a = = 15
#    |         ^
#
# error[E0101]: expected an expression, found `=`
#   --> too-many-errors.py:23:9
#    |
# 23 |     a = = 16
#    |         ^
#
# error[E0101]: expected an expression, found `=`
#   --> too-many-errors.py:24:9
#    |
# 24 |     a = = 17
#    |         ^
#
# error[E0101]: expected an expression, found `=`
#   --> too-many-errors.py:25:9
#    |
# 25 |     a = = 18
#    |         ^
#
# error[E0101]: expected an expression, found `=`
#   --> too-many-errors.py:26:9
#    |
# 26 |     a = = 19
#    |         ^
#
# error[E0101]: expected an expression, found `=`
#   --> too-many-errors.py:27:9
#    |
# 27 |     a = = 20
#    |         ^
#
