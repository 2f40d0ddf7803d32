"""Types that edits write as the script does: its constants, its dtypes without a keyword, and no more than is wrong."""
from fix_cases.frames import HEAD

CALL = HEAD + """CLASSES = 10


@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def double(a: T.Buffer(("n", CLASSES), "int8"), b: T.Buffer(("n", CLASSES), "int32")):
        n = T.int64()
        for i, j in T.grid(n, CLASSES):
            b[i, j] = T.Cast("int32", a[i, j]) * 2

    @T.prim_func(private=True, s_tir=True)
    def both(a: T.Buffer(("n", CLASSES), "float32"), b: T.Buffer(("n", CLASSES), "float32")):
        n = T.int64()
        for i, j in T.grid(n, CLASSES):
            a[i, j] = a[i, j] + T.float32(1)
            b[i, j] = b[i, j] + T.float32(1)

    @R.function
    def main(x: R.Tensor(("n", CLASSES), "int8"), c: R.Tensor((8, CLASSES), "float32"), d: R.Tensor((8, CLASSES), "float32")):
        n = T.int64()
        y = R.call_tir(Module.double, (x,), out_ty={})
        z = R.call_tir_inplace(Module.both, (c, d), out_ty={}, inplace_indices=[0, 1])
        return y, z
"""
ONE = 'R.Tensor((n, CLASSES), "int32")'
TWO = 'R.Tensor((8, CLASSES), "float32")'
PAIR = f"[{TWO}, {TWO}]"
SAID = HEAD + 'WIDTH = 8\n\n\n@R.function\ndef f(x: R.Tensor((4, WIDTH), "float32")):\n    y: {} = R.exp(x)\n    return y'

CASES = [
    ("E0516", "file", CALL.format('R.Tensor((CLASSES, n), "int32")', PAIR), CALL.format(ONE, PAIR)),
    # sums of small integers are wide: the kernel says the dtype
    ("E0513", "file", CALL.format('R.Tensor((n, CLASSES), "int8")', PAIR), CALL.format(ONE, PAIR)),
    ("E0513", "file", CALL.format('R.Tensor((n, CLASSES), dtype="int8")', PAIR), CALL.format('R.Tensor((n, CLASSES), dtype="int32")', PAIR)),
    # one type for two results
    ("E0305", "file", CALL.format(ONE, TWO), CALL.format(ONE, PAIR)),
    ("E0306", "file", CALL.format(ONE, f'[R.Tensor((CLASSES, 8), "float32"), {TWO}]'), CALL.format(ONE, PAIR)),
    ("E0253", "file", SAID.format('R.Tensor((WIDTH, WIDTH), "float32")'), SAID.format('R.Tensor((4, WIDTH), "float32")')),
    ("E0253", "file", SAID.format('R.Tensor((4, WIDTH), "int32")'), SAID.format('R.Tensor((4, WIDTH), "float32")')),
    ("E0253", "file", SAID.format('R.Tensor(dtype="int32", ndim=2)'), SAID.format('R.Tensor((4, 8), dtype="float32")')),
]
