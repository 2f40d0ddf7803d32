# RUN: run --in x=iota
# What goes over the one device and worker that there are is the operand.
from tvm.script import ir as I
from tvm.script import relax as R

@I.ir_module
class Module:
    I.module_global_infos({"vdevice": [I.vdevice("llvm")]})

    @R.function
    def main(x: R.Tensor((2, 2), "float32")):
        a = R.to_vdevice(x, dst_vdevice="llvm:0")
        b = R.hint_on_device(R.add(x, x), R.device(dev_type=1, dev_id=0))
        c = R.ccl.allreduce(R.ccl.broadcast_from_worker0(b), op_type="sum")
        d = R.ccl.allgather(c, num_workers=1)
        e = R.ccl.scatter_from_worker0(d, num_workers=1, axis=0)
        return (a, e)
# OUT:
# result.0: (2, 2) float32
# [[0. 1.]
#  [2. 3.]]
# result.1: (2, 2) float32
# [[0. 2.]
#  [4. 6.]]
