"""Calls of kernels that lack a scalar, or give a tensor for one; entries of a map that name an argument for a new tensor."""
from fix_cases.frames import HEAD

SCALED = HEAD + """@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def scaled(a: T.Buffer((8,), "float32"), by: T.int32, c: T.Buffer((8,), "float32"), b: T.Buffer((8,), "float32")):
        for i in range(8):
            b[i] = a[i] * T.Cast("float32", by) + c[i]

    @R.function
    def main(x: R.Tensor((8,), "float32"), by: {}, y: R.Tensor((8,), "float32")):
        z = R.call_tir(Module.scaled, ({}), out_ty=R.Tensor((8,), "float32"))
        return z
"""
STEP = HEAD + """@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def step(w: T.Buffer((8,), "float32"), g: T.Buffer((8,), "float32"), sum: T.Buffer((), "float32")):
        sum[()] = T.float32(0)
        for i in range(8):
            w[i] = w[i] - g[i]
            sum[()] = sum[()] + g[i]

    @R.function(private=True)
    def main(w: R.Tensor((8,), "float32"), g: R.Tensor((8,), "float32")):
        z = R.call_tir_inplace(Module.step, (w, g), out_ty=[R.Tensor((8,), "float32"), R.Tensor((), "float32")], inplace_indices=[0, {}])
        return z
"""

CASES = [
    ("E0511", "file", SCALED.format('R.Prim("int32")', "x, y"), SCALED.format('R.Prim("int32")', "x, by, y")),
    ("E0511", "file", SCALED.format('R.Prim("int64")', "x, y"), None),
    ("E0306", "file", STEP.format("1"), STEP.format("-1")),
]

# The type of the parameter, or the value of a tensor.
SHOWN = [
    ("file", SCALED.format('R.Tensor((), "int32")', "x, by, y")),
]
