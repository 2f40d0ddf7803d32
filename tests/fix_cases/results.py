"""What functions return and are given, and operators that take another rank: one is missing, too many, or turned round."""
from fix_cases.frames import HEAD, SMALL

PAIR_OF = HEAD + """@R.function
def f(x: R.Tensor((4, 8), "float32")) -> R.Tuple(R.Tensor((4,), "float32"), R.Tensor((4,), "int64")):
    with R.dataflow():
        value = R.max(x, axis=[1])
        place = R.argmax(x, axis=1)
        R.output(value, place)
    {}"""
PRIVATE = HEAD + """@I.ir_module
class Module:
    @R.function(private=True)
    def scale(x: R.Tensor((4, 8), "float32"), gain: R.Tensor((8,), "float32"), shift: R.Tensor((4, 1), "float32")):
        y = R.add(R.multiply(x, gain), shift)
        return y

    @R.function
    def main(x: R.Tensor((4, 8), "float32"), gain: R.Tensor((8,), "{}"), shift: R.Tensor((4, 1), "float32")):
        cls = Module
        z = cls.scale({})
        return z"""
KERNEL_CALL = HEAD + """@I.ir_module
class Module:
    @T.prim_func(private=True)
    def scale(x: T.Buffer((4, 8), "float32"), gain: T.Buffer((8,), "float32"), y: T.Buffer((4, 8), "float32"), z: T.Buffer((4,), "int32")):
        for i, j in T.grid(4, 8):
            y[i, j] = x[i, j] * gain[j]
        for i in range(4):
            z[i] = i

    @R.function
    def main(x: R.Tensor((4, 8), "float32"), gain: R.Tensor((8,), "float32")):
        cls = Module
        both = R.call_tir(cls.scale, ({}), out_ty={})
        return both"""
TWO = '[R.Tensor((4, 8), dtype="float32"), R.Tensor((4,), dtype="int32")]'
OF = HEAD + '@R.function\ndef f({}):\n    y = {}\n    return y'


def of(params, broken, mended):
    return OF.format(params, broken), OF.format(params, mended)


CASES = [
    ("E0254", "file", PAIR_OF.format("return value"), PAIR_OF.format("return (value, place)")),
    ("E0562", "file", PAIR_OF.format("").rstrip(), PAIR_OF.format("return (value, place)")),
    ("E0233", "file", PRIVATE.format("float32", "x, shift"), PRIVATE.format("float32", "x, gain, shift")),
    ("E0233", "file", PRIVATE.format("float32", "x, gain"), PRIVATE.format("float32", "x, gain, shift")),
    ("E0233", "file", PRIVATE.format("float32", "x, x, gain, shift"), None),
    ("E0233", "file", PRIVATE.format("float32", "x, gain, gain, shift"), None),
    ("E0233", "file", PRIVATE.format("float32", "x, gain, shift, shift"), None),
    ("E0234", "file", PRIVATE.format("float16", "x, gain, shift"), PRIVATE.format("float16", 'x, R.astype(gain, "float32"), shift')),
    ("E0511", "file", KERNEL_CALL.format("x,", TWO), KERNEL_CALL.format("x, gain", TWO)),
    ("E0511", "file", KERNEL_CALL.format("gain, x, gain", TWO), KERNEL_CALL.format("x, gain", TWO)),
    ("E0511", "file", KERNEL_CALL.format("x, gain", 'R.Tensor((4, 8), "float32")'), KERNEL_CALL.format("x, gain", TWO)),
    ("E0602", "file", *of('x: R.Tensor((1, 2, 8), "float32"), w: R.Tensor((3, 2, 3), "float32")', "R.nn.conv2d(x, w)", "R.nn.conv1d(x, w)")),
    ("E0602", "file", *of('x: R.Tensor((1, 2, 8), "float32")', "R.nn.max_pool2d(x)", "R.nn.max_pool1d(x)")),
    ("E0603", "file", *of('x: R.Tensor((3, 4, 6), "float32"), m: R.Tensor((3,), "float32")', "R.subtract(x, m)", "R.subtract(x, R.expand_dims(m, axis=[1, 2]))")),
    ("E0603", "file", *of('x: R.Tensor((3, 3, 6), "float32"), m: R.Tensor((3,), "float32")', "R.subtract(x, m)", "R.subtract(x, m)"))[:3] + (None,),
    ("E0613", "file", *of('x: R.Tensor((1, 3, 4), "float32")', "R.squeeze(x, axis=[1])", "R.squeeze(x, axis=[0])")),
    ("E0614", "file", *of('x: R.Tensor(("n", 4), "float32"), w: R.Tensor((4, 8), "float32")', "R.matmul(w, x)", "R.matmul(x, w)")),
    ("E0614", "file", OF.format('x: R.Tensor(("n", 4), "float32"), w: R.Tensor(("m", 4), "float32")', "R.add(w, x)"), None),
]

# What is meant is the author's to say: shown, and not made.
SHOWN = [
    # one of two declarations is wrong
    ("file", SMALL.replace("def f", 'def g(x: R.Tensor((8,), "float32")) -> R.Tensor(ndim=1):\n    return x\n@R.function\ndef f').replace("R.exp(x)", "g(x)").replace("):\n    y", ') -> R.Tensor(ndim=2):\n    y')),
    # counted from 1
    ("graph", 'R.func_attr({"relax.inplace_arg": [3]})\nz = R.exp(x)'),
    ("file", OF.format('x: R.Tensor((4, 8), "float32")', "R.add(R.split(x, 2)[0], R.split(x, 2)[2])")),
    ("file", HEAD + '@R.function\ndef f(x: R.Tensor((4, 8), "float32")):\n    a, b, c = R.split(x, 2)\n    return b'),
    ("file", OF.format('x: R.Tensor((4, 8), "float32")', "R.permute_dims(x, axes=[1, 2])")),
    ("file", OF.format('x: R.Tensor((4, 8), "float32")', "R.sum(x, axis=-3)")),
    ("file", OF.format('x: R.Tensor((4, 8), "float32"), i: R.Tensor((3,), "float32")', "R.take(x, i, axis=0)")),
    ("file", PRIVATE.format("int32", "x, gain, shift")),
]
