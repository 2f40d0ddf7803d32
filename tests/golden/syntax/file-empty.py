# FAIL: check
# The file defines no module and no function.
from tvm.script import relax as R
# OUT:
# error[E0150]: the file defines no module and no function
#  --> file-empty.py:1:1
#   |
# 1 | # FAIL: check
#   | ^
#   |
#   = help: start with `@I.ir_module` and `class Module:`
#
