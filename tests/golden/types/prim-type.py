# FAIL: check
# R.Prim without a dtype.
from tvm.script import relax as R

@R.function
def main(n: R.Prim()):
    return n
# OUT:
# error[E0261]: a scalar type takes a dtype or a symbol's name, not nothing
#  --> prim-type.py:6:13
#   |
# 6 | def main(n: R.Prim()):
#   |             ^^^^^^^^
#
