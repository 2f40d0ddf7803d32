# FAIL: run
# There is no other device than the processor.
from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    I.module_global_infos({"vdevice": [I.vdevice("cuda")]})

    @R.function
    def main(x: R.Tensor((2,), "float32")):
        y = R.to_vdevice(x, dst_vdevice="cuda:0")
        return R.hint_on_device(x, R.device(dev_type=2, dev_id=0))
# OUT:
# error[E0620]: not supported yet: `R.to_vdevice`
#   --> other-device.py:13:13
#    |
# 13 |         y = R.to_vdevice(x, dst_vdevice="cuda:0")
#    |             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#    |
#    = note: there is one device, the processor
#
# error[E0620]: not supported yet: `R.hint_on_device`
#   --> other-device.py:14:16
#    |
# 14 |         return R.hint_on_device(x, R.device(dev_type=2, dev_id=0))
#    |                ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#    |
#    = note: there is one device, the processor
#
