# FAIL: check
# The metadata has no object of that number.
from tvm.script import relax as R

@R.function
def main(x: R.Tensor((4,), "float32")):
    return R.add(x, metadata["relax.expr.Constant"][7])

metadata = tvm.ir.load_json("""{"root_index": 1, "nodes": [{"type": "ffi.String", "data": "relax.expr.Constant"}, {"type": "ffi.Map", "data": [0, 2]}, {"type": "ffi.Array", "data": []}]}""")
# OUT:
# error[E0156]: the metadata has no relax.expr.Constant number 7
#  --> metadata-index.py:7:21
#   |
# 7 |     return R.add(x, metadata["relax.expr.Constant"][7])
#   |                     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#
