# RUN: run --check --in x=4xf32=1,2,3,4
# Two tensors lie in one piece of storage: beside each other, and one after the other in the same bytes.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @T.prim_func(private=True)
    def add(a: T.Buffer((4,), "float32"), b: T.Buffer((4,), "float32"), out: T.Buffer((4,), "float32")):
        for i in range(4):
            out[i] = a[i] + b[i]

    @R.function
    def main(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        R.func_attr({"relax.force_pure": True})
        cls = Module
        storage = R.memory.alloc_storage(R.shape([32]), 0, "global", "uint8")
        low = R.memory.alloc_tensor(storage, 0, R.shape([4]), "float32")
        high = R.memory.alloc_tensor(storage, 16, R.shape([4]), "float32")
        cls.add(x, x, low)
        cls.add(low, x, high)
        R.memory.kill_tensor(low)
        again = R.memory.alloc_tensor(storage, 0, R.shape([4]), "float32")
        cls.add(high, high, again)
        result = R.copy(again)
        R.memory.kill_tensor(high)
        R.memory.kill_tensor(again)
        R.memory.kill_storage(storage)
        return result
# OUT:
# result: (4,) float32
# [ 6. 12. 18. 24.]
