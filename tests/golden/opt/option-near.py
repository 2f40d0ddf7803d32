# FAIL: opt -p InplaceCalls(mov=true)
# An option that a pass nearly has.
from tvm.script import relax as R

@R.function
def main(x: R.Tensor(("n", 8), "float32")):
    return x
# OUT:
# error[E0904]: pass `InplaceCalls` has no option `mov`
#  --> <passes>:1:14
#   |
# 1 | InplaceCalls(mov=true)
#   |              ^^^
#   |
# help: there is `move`
#   |
# 1 | InplaceCalls(move=true)
#   |                 +
#   = help: its options: move: bool = true, sizes: bool = true
#
