# RUN: run --in x=6xf32=1,2,3,4,5,6
# Another look at the storage of a parameter: other shape, offset, dtype.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T

@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def look(a: T.Buffer((6,), "float32"), b: T.Buffer((2, 3), "float32")):
        flat = T.decl_buffer((6,), "float32", data=b.data)
        tail = T.decl_buffer((2,), "float32", data=b.data, elem_offset=4)
        bits = T.decl_buffer((6,), "int32", data=b.data)
        for i in range(6):
            flat[i] = a[5 - i]
        for i in range(2):
            tail[i] = tail[i] * T.float32(10)
        bits[0] = bits[0] + 8388608

    @R.function
    def main(x: R.Tensor((6,), "float32")) -> R.Tensor((2, 3), "float32"):
        cls = Module
        y = R.call_tir(cls.look, (x,), out_ty=R.Tensor((2, 3), "float32"))
        return y
# OUT:
# result: (2, 3) float32
# [[12.  5.  4.]
#  [ 3. 20. 10.]]
