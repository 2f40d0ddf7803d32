# FAIL: run --in "tabel=3xi32=3 0 4"
# The command that is proposed goes through a shell.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @R.function
    def main(table: R.Tensor((3,), "int32")) -> R.Tensor((3,), "int32"):
        return R.abs(table)
# OUT:
# error[E0706]: `main` has no parameter `tabel`
#   --> no-parameter-quoted.py:11:9
#    |
# 11 |     def main(table: R.Tensor((3,), "int32")) -> R.Tensor((3,), "int32"):
#    |         ^^^^
#    |
#    = note: it takes `table`
#    = help: the nearest is `table`: --in table='3xi32=3 0 4'
#
