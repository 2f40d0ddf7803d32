# What other systems get silently wrong: a value is read after it was updated in place.
#
# A value never changes for its readers, so `after` is x plus the *old* state. By default Inlay gives the update new
# storage and says so (`inlay why`); with --inplace=strict it is an error that shows the
# update and the later read.
#
#   inlay why examples/use_after_update.py
#   inlay check --inplace=strict examples/use_after_update.py
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def double(state: T.Buffer((4,), "float32")):
        for i in range(4):
            with T.sblock("double"):
                v_i = T.axis.spatial(4, i)
                state[v_i] = state[v_i] * T.float32(2)

    @R.function
    def main(x: R.Tensor((4,), "float32")) -> R.Tuple(R.Tensor((4,), "float32"), R.Tensor((4,), "float32")):
        cls = Module
        with R.dataflow():
            state = R.add(x, R.const(1.0, "float32"))
            updated = R.call_tir_inplace(cls.double, (state,), out_ty=R.Tensor((4,), "float32"), inplace_indices=[0])
            after = R.add(x, state)
            R.output(updated, after)
        return (updated, after)
