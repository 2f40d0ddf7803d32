# FAIL: check
# Metadata of another kind than constants.
from tvm.script import relax as R

@R.function
def main(x: R.Tensor((4,), "float32")):
    return R.add(x, metadata["ir.Span"][0])

metadata = tvm.ir.load_json("""{"root_index": 0, "nodes": [{"type": "ffi.Map", "data": []}]}""")
# OUT:
# error[E0157]: metadata of kind `ir.Span` is not supported
#  --> metadata-kind.py:7:30
#   |
# 7 |     return R.add(x, metadata["ir.Span"][0])
#   |                              ^^^^^^^^^
#
