# RUN: opt
# Module attributes, global infos and external functions.
from tvm.script import ir as I
from tvm.script import relax as R

@I.ir_module
class Module:
    I.module_attrs({"version": 2})
    I.module_global_infos({"vdevice": [I.vdevice("llvm")]})
    fused = R.ExternFunc("fused_kernel", R.Callable((R.Tensor((4,), "float32", "llvm"),), R.Tensor((4,), "float32"), True))

    @R.function
    def main(x: R.Tensor((4,), "float32", vdevice="llvm:0")):
        cls = Module
        return cls.fused(x)
# OUT:
# # from tvm.script import ir as I
# # from tvm.script import relax as R
#
# @I.ir_module
# class Module:
#     I.module_attrs({"version": 2})
#     I.module_global_infos({"vdevice": [I.vdevice("llvm")]})
#     fused = R.ExternFunc("fused_kernel", R.Callable((R.Tensor((4,), dtype="float32", vdevice="llvm:0:global"),), R.Tensor((4,), dtype="float32"), True))
#     @R.function
#     def main(x: R.Tensor((4,), dtype="float32", vdevice="llvm:0:global")) -> R.Tensor((4,), dtype="float32"):
#         cls = Module
#         gv: R.Tensor((4,), dtype="float32") = cls.fused(x)
#         return gv
