# FAIL: run --in x=6xf32=1,2,3,4,5,6
# Another look at storage must lie inside of it.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T

@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def look(a: T.Buffer((6,), "float32"), b: T.Buffer((6,), "float32")):
        tail = T.decl_buffer((4,), "float32", data=b.data, elem_offset=3)
        for i in range(4):
            tail[i] = a[i]

    @R.function
    def main(x: R.Tensor((6,), "float32")) -> R.Tensor((6,), "float32"):
        cls = Module
        y = R.call_tir(cls.look, (x,), out_ty=R.Tensor((6,), "float32"))
        return y
# OUT:
# error[E0803]: `tail` takes 16 bytes from byte 12 on of `b`, which has 24
#   --> bounds-decl.py:11:9
#    |
# 11 |         tail = T.decl_buffer((4,), "float32", data=b.data, elem_offset=3)
#    |         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#
# warning[E0321]: `look` leaves element [0] of its output `b` unwritten
#   --> bounds-decl.py:18:24
#    |
# 10 |     def look(a: T.Buffer((6,), "float32"), b: T.Buffer((6,), "float32")):
#    |                                            - `b`, of which no statement writes that element
# ...
# 18 |         y = R.call_tir(cls.look, (x,), out_ty=R.Tensor((6,), "float32"))
#    |                        ^^^^^^^^
#    |
#    = note: what is not written holds any number, in each run another one
#    = help: write all of it, or update a tensor that holds the rest: R.call_tir_inplace(.., inplace_indices=[..])
#
