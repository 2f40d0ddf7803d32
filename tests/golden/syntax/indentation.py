# FAIL: check
# Blocks follow the indentation.
from tvm.script import relax as R


@R.function
def main(x: R.Tensor((4,), "float32")):
return x


@R.function
def second(x: R.Tensor((4,), "float32")):
    a = R.add(x, x)
      b = R.add(a, a)
    c = R.add(a, a)
  return c
# OUT:
# error[E0109]: expected an indented block after `def`
#  --> indentation.py:8:1
#   |
# 8 | return x
#   | ^^^^^^
#   |
# help: indent it
#   |
# 8 |     return x
#   | ++++
#
# error[E0109]: the indentation opens a block where none starts
#   --> indentation.py:14:1
#    |
# 14 |       b = R.add(a, a)
#    | ^^^^^^
#    |
# help: indent it like the line in front
#    |
# 14 |       b = R.add(a, a)
#    |     --
#
# error[E0109]: the indentation fits no block around
#   --> indentation.py:16:1
#    |
# 16 |   return c
#    | ^^
#    |
#    = help: blocks around have 0 and 4 blanks
# help: if it belongs to the inner one
#    |
# 16 |     return c
#    |   ++
# help: if it belongs to the outer one
#    |
# 16 |   return c
#    | --
#
