# FAIL: check
# A private function has a global symbol.
from tvm.script import relax as R

@R.function(private=True)
def main(x: R.Tensor((2, 3), "float32")):
    R.func_attr({"global_symbol": "main"})
    return x
# OUT:
# error[E0570]: a private function has no `global_symbol`
#  --> private-symbol.py:7:18
#   |
# 7 |     R.func_attr({"global_symbol": "main"})
#   |                  ^^^^^^^^^^^^^^^
#
