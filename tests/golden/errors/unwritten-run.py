# FAIL: run --check --in x=ones

# `run` tells of the read that nothing wrote by itself, where `check` names the letters alone; and two runs that
# differ for that reason are no bug of the tool.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T

@I.ir_module
class Module:
    @T.prim_func(private=True)
    def sums(x: T.Buffer((2, 3), "float32"), y: T.Buffer((2,), "float32")):
        for i, k in T.grid(2, 3):
            with T.sblock("sums"):
                vi, vk = T.axis.remap("RS", [i, k])
                with T.init():
                    y[vi] = T.float32(0)
                y[vi] = y[vi] + x[vi, vk]

    @R.function
    def main(x: R.Tensor((2, 3), "float32")):
        cls = Module
        return R.call_tir(cls.sums, (x,), out_ty=R.Tensor((2,), "float32"))
# OUT:
# warning[E0323]: `y` is read before it is written
#   --> unwritten-run.py:18:25
#    |
# 12 |     def sums(x: T.Buffer((2, 3), "float32"), y: T.Buffer((2,), "float32")):
#    |                                              - `y` holds any number when the kernel begins
# ...
# 18 |                 y[vi] = y[vi] + x[vi, vk]
#    |                         ^^^^^ where i is 1, k is 0
# ...
# 23 |         return R.call_tir(cls.sums, (x,), out_ty=R.Tensor((2,), "float32"))
#    |                ------------------------------------------------------------ the output of this call is new storage
#    |
# help: what T.init sets is told apart by spatial axes, and the others reduce: `SR`
#    |
# 15 |                 vi, vk = T.axis.remap("SR", [i, k])
#    |                                        ~~
#
# error[E0813]: the result depends on what nothing has written: value 0 differs in element 1
#   --> unwritten-run.py:21:9
#    |
# 21 |     def main(x: R.Tensor((2, 3), "float32")):
#    |         ^^^^
#    |
#    = help: mend what the warnings name first
#
