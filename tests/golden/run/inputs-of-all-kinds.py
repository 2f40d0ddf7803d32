# RUN: run --dim m=3 --in t.0=2x2:iota --in k=7 --in t.1.0=2xi32=10,20 --in f=-1.5 --in b=true --in t.1.1=0
# Tuples, shapes and scalars as inputs and results; n comes from an input, m from --dim.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T

@I.ir_module
class Module:
    @R.function
    def main(t: R.Tuple(R.Tensor(("n", 2), "float32"), R.Tuple(R.Tensor(("n",), "int32"), T.int64)), s: R.Shape(["n", "m"]), k: T.int64, f: T.float32, b: T.bool):
        n = T.int64()
        m = T.int64()
        a = t[0]
        q = t[1]
        c = q[0]
        z = R.add(a, R.broadcast_to(R.expand_dims(R.astype(c, "float32"), axis=[1]), R.shape([n, 2])))
        o = R.zeros(R.shape([m, n]), "float32")
        return (z, (o, k), s, f, b)
# OUT:
# result.0: (2, 2) float32
# [[10. 11.]
#  [22. 23.]]
# result.1.0: (3, 2) float32
# [[0. 0.]
#  [0. 0.]
#  [0. 0.]]
# result.1.1: 7
# result.2: shape (2, 3)
# result.3: -1.5
# result.4: True
