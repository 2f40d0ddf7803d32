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
#  --> too-many-errors.py:8:7
#   |
# 8 |     a = = 1
#   |       ^^^
#   |
# help: a value is bound with `=`
#   |
# 8 |     a = = 1
#   |        --
#
# error[E0101]: expected an expression, found `=`
#  --> too-many-errors.py:9:7
#   |
# 9 |     a = = 2
#   |       ^^^
#   |
# help: a value is bound with `=`
#   |
# 9 |     a = = 2
#   |        --
#
# error[E0101]: expected an expression, found `=`
#   --> too-many-errors.py:10:7
#    |
# 10 |     a = = 3
#    |       ^^^
#    |
# help: a value is bound with `=`
#    |
# 10 |     a = = 3
#    |        --
#
# error[E0101]: expected an expression, found `=`
#   --> too-many-errors.py:11:7
#    |
# 11 |     a = = 4
#    |       ^^^
#    |
# help: a value is bound with `=`
#    |
# 11 |     a = = 4
#    |        --
#
# error[E0101]: expected an expression, found `=`
#   --> too-many-errors.py:12:7
#    |
# 12 |     a = = 5
#    |       ^^^
#    |
# help: a value is bound with `=`
#    |
# 12 |     a = = 5
#    |        --
#
# error[E0101]: expected an expression, found `=`
#   --> too-many-errors.py:13:7
#    |
# 13 |     a = = 6
#    |       ^^^
#    |
# help: a value is bound with `=`
#    |
# 13 |     a = = 6
#    |        --
#
# error[E0101]: expected an expression, found `=`
#   --> too-many-errors.py:14:7
#    |
# 14 |     a = = 7
#    |       ^^^
#    |
# help: a value is bound with `=`
#    |
# 14 |     a = = 7
#    |        --
#
# error[E0101]: expected an expression, found `=`
#   --> too-many-errors.py:15:7
#    |
# 15 |     a = = 8
#    |       ^^^
#    |
# help: a value is bound with `=`
#    |
# 15 |     a = = 8
#    |        --
#
# error[E0101]: expected an expression, found `=`
#   --> too-many-errors.py:16:7
#    |
# 16 |     a = = 9
#    |       ^^^
#    |
# help: a value is bound with `=`
#    |
# 16 |     a = = 9
#    |        --
#
# error[E0101]: expected an expression, found `=`
#   --> too-many-errors.py:17:7
#    |
# 17 |     a = = 10
#    |       ^^^
#    |
# help: a value is bound with `=`
#    |
# 17 |     a = = 10
#    |        --
#
# error[E0101]: expected an expression, found `=`
#   --> too-many-errors.py:18:7
#    |
# 18 |     a = = 11
#    |       ^^^
#    |
# help: a value is bound with `=`
#    |
# 18 |     a = = 11
#    |        --
#
# error[E0101]: expected an expression, found `=`
#   --> too-many-errors.py:19:7
#    |
# 19 |     a = = 12
#    |       ^^^
#    |
# help: a value is bound with `=`
#    |
# 19 |     a = = 12
#    |        --
#
# error[E0101]: expected an expression, found `=`
#   --> too-many-errors.py:20:7
#    |
# 20 |     a = = 13
#    |       ^^^
#    |
# help: a value is bound with `=`
#    |
# 20 |     a = = 13
#    |        --
#
# error[E0101]: expected an expression, found `=`
#   --> too-many-errors.py:21:7
#    |
# 21 |     a = = 14
#    |       ^^^
#    |
# help: a value is bound with `=`
#    |
# 21 |     a = = 14
#    |        --
#
# error[E0101]: expected an expression, found `=`
#   --> too-many-errors.py:22:7
#    |
# 22 |     a = = 15
#    |       ^^^
#    |
# help: a value is bound with `=`
#    |
# 22 |     a = = 15
#    |        --
#
# error[E0101]: expected an expression, found `=`
#   --> too-many-errors.py:23:7
#    |
# 23 |     a = = 16
#    |       ^^^
#    |
# help: a value is bound with `=`
#    |
# 23 |     a = = 16
#    |        --
#
# error[E0101]: expected an expression, found `=`
#   --> too-many-errors.py:24:7
#    |
# 24 |     a = = 17
#    |       ^^^
#    |
# help: a value is bound with `=`
#    |
# 24 |     a = = 17
#    |        --
#
# error[E0101]: expected an expression, found `=`
#   --> too-many-errors.py:25:7
#    |
# 25 |     a = = 18
#    |       ^^^
#    |
# help: a value is bound with `=`
#    |
# 25 |     a = = 18
#    |        --
#
# error[E0101]: expected an expression, found `=`
#   --> too-many-errors.py:26:7
#    |
# 26 |     a = = 19
#    |       ^^^
#    |
# help: a value is bound with `=`
#    |
# 26 |     a = = 19
#    |        --
#
# error[E0101]: expected an expression, found `=`
#   --> too-many-errors.py:27:7
#    |
# 27 |     a = = 20
#    |       ^^^
#    |
# help: a value is bound with `=`
#    |
# 27 |     a = = 20
#    |        --
#
