# FAIL: opt -p 'TopologicalSort(order="deep")'
# An order that there is not.
from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(a: R.Tensor((4,), "float32")):
        with R.dataflow():
            b1 = R.add(a, R.const(1.0, "float32"))
            b2 = R.add(a, R.const(2.0, "float32"))
            c1 = R.add(a, b1)
            c2 = R.add(a, b2)
            d = R.add(c1, c2)
            R.output(d)
        return d
# OUT:
# error[E0909]: option `order` of pass `TopologicalSort` is `deep`, and can be `breadth-first` or `depth-first`
#  --> <passes>:1:1
#   |
# 1 | TopologicalSort(order="deep")
#   | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#
