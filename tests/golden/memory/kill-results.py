# RUN: opt -p KillAfterLastUse
# Results, what is in them, and what code outside of the module holds are not ended; all but that part of a tuple is.
# An end of the script's own stays the only one, and that of a tensor in a piece of storage is not that of the piece.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @R.function(pure=False)
    def main(x: R.Tensor((4,), "float32")):
        a = R.copy(x)
        b = R.copy(x)
        t = (a, b)
        u = t[1]
        v = R.reshape(u, R.shape([2, 2]))
        given = R.copy(x)
        _ = R.call_packed("keep", given, ty_args=(R.Any,))
        own = R.copy(x)
        R.memory.kill_tensor(own)
        storage = R.memory.alloc_storage(R.shape([32]), 0, "global", "uint8")
        low = R.memory.alloc_tensor(storage, 0, R.shape([4]), "float32")
        R.memory.kill_tensor(low)
        high = R.memory.alloc_tensor(storage, 16, R.shape([4]), "float32")
        R.print(R.shape_of(high))
        s = R.shape_to_tensor(R.shape([3]))
        return v
# OUT:
# # from tvm.script import ir as I
# # from tvm.script import relax as R
#
# @I.ir_module
# class Module:
#     @R.function(pure=False)
#     def main(x: R.Tensor((4,), dtype="float32")) -> R.Tensor((2, 2), dtype="float32"):
#         a: R.Tensor((4,), dtype="float32") = R.copy(x)
#         b: R.Tensor((4,), dtype="float32") = R.copy(x)
#         t: R.Tuple(R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32")) = a, b
#         R.memory.kill_tensor(a)
#         u: R.Tensor((4,), dtype="float32") = t[1]
#         v: R.Tensor((2, 2), dtype="float32") = R.reshape(u, R.shape([2, 2]))
#         given: R.Tensor((4,), dtype="float32") = R.copy(x)
#         _: R.Any = R.call_packed("keep", given, ty_args=(R.Any,))
#         own: R.Tensor((4,), dtype="float32") = R.copy(x)
#         R.memory.kill_tensor(own)
#         storage: R.Any = R.memory.alloc_storage(R.shape([32]), 0, R.str("global"), R.dtype("uint8"))
#         low: R.Tensor((4,), dtype="float32") = R.memory.alloc_tensor(storage, 0, R.shape([4]), R.dtype("float32"))
#         R.memory.kill_tensor(low)
#         high: R.Tensor((4,), dtype="float32") = R.memory.alloc_tensor(storage, 16, R.shape([4]), R.dtype("float32"))
#         gv: R.Shape([4]) = R.shape_of(high)
#         R.memory.kill_storage(storage)
#         R.print(gv, format=R.str(""))
#         s: R.Tensor((1,), dtype="int64") = R.shape_to_tensor(R.shape([3]))
#         R.memory.kill_tensor(s)
#         return v
