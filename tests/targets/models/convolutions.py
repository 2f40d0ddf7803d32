# Blocks as those of MobileNetV3: widened, convolved channel by channel, weighted by what all of a channel says, narrowed.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @R.function(private=True)
    def hard_sigmoid(x: R.Tensor(("n", "c", "h", "w"), "float32")) -> R.Tensor(("n", "c", "h", "w"), "float32"):
        y = R.clip(R.add(R.multiply(x, R.const(0.1666667, "float32")), R.const(0.5, "float32")), min=0, max=1)
        return y

    @R.function(private=True)
    def block(
        x: R.Tensor((1, 8, 14, 14), "float32"),
        wide: R.Tensor((24, 8, 1, 1), "float32"),
        deep: R.Tensor((24, 1, 3, 3), "float32"),
        squeeze: R.Tensor((6, 24, 1, 1), "float32"),
        excite: R.Tensor((24, 6, 1, 1), "float32"),
        narrow: R.Tensor((8, 24, 1, 1), "float32"),
    ) -> R.Tensor((1, 8, 14, 14), "float32"):
        cls = Module
        a = R.nn.conv2d(x, wide)
        b = R.multiply(a, cls.hard_sigmoid(a))
        c = R.nn.conv2d(b, deep, padding=[1, 1], groups=24)
        d = R.multiply(c, cls.hard_sigmoid(c))
        s = R.nn.relu(R.nn.conv2d(R.mean(d, axis=[2, 3], keepdims=True), squeeze))
        e = R.multiply(d, cls.hard_sigmoid(R.nn.conv2d(s, excite)))
        y = R.add(x, R.nn.conv2d(e, narrow))
        return y

    @R.function
    def main(
        image: R.Tensor((1, 3, 28, 28), "float32"),
        stem: R.Tensor((8, 3, 3, 3), "float32"),
        wide: R.Tensor((24, 8, 1, 1), "float32"),
        deep: R.Tensor((24, 1, 3, 3), "float32"),
        squeeze: R.Tensor((6, 24, 1, 1), "float32"),
        excite: R.Tensor((24, 6, 1, 1), "float32"),
        narrow: R.Tensor((8, 24, 1, 1), "float32"),
        head: R.Tensor((8, 10), "float32"),
    ) -> R.Tensor((1, 10), "float32"):
        cls = Module
        x = R.nn.conv2d(image, stem, strides=[2, 2], padding=[1, 1])
        y = cls.block(x, wide, deep, squeeze, excite, narrow)
        z = cls.block(y, wide, deep, squeeze, excite, narrow)
        p = R.nn.max_pool2d(z, pool_size=[2, 2], strides=[2, 2])
        scores = R.matmul(R.mean(p, axis=[2, 3]), head)
        return R.nn.softmax(scores, axis=-1)
