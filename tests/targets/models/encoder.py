# A transformer encoder: two layers of attention in heads and of a wide middle, each normalized, and the mean over its rows.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @R.function(private=True)
    def layer(
        x: R.Tensor((24, 48), "float32"),
        qkv: R.Tensor((48, 144), "float32"),
        out: R.Tensor((48, 48), "float32"),
        wide: R.Tensor((48, 192), "float32"),
        wide_bias: R.Tensor((192,), "float32"),
        narrow: R.Tensor((192, 48), "float32"),
        scale: R.Tensor((48,), "float32"),
        shift: R.Tensor((48,), "float32"),
    ) -> R.Tensor((24, 48), "float32"):
        with R.dataflow():
            parts = R.split(R.reshape(R.matmul(x, qkv), R.shape([24, 12, 12])), indices_or_sections=3, axis=1)
            q = R.permute_dims(parts[0], axes=[1, 0, 2])
            k = R.permute_dims(parts[1], axes=[1, 2, 0])
            v = R.permute_dims(parts[2], axes=[1, 0, 2])
            weight = R.nn.softmax(R.multiply(R.matmul(q, k), R.const(0.288675, "float32")), axis=-1)
            heads = R.reshape(R.permute_dims(R.matmul(weight, v), axes=[1, 0, 2]), R.shape([24, 48]))
            a = R.nn.layer_norm(R.add(x, R.matmul(heads, out)), scale, shift, axes=[-1], epsilon=1e-5)
            h = R.nn.gelu(R.add(R.matmul(a, wide), wide_bias))
            y = R.nn.layer_norm(R.add(a, R.matmul(h, narrow)), scale, shift, axes=[-1], epsilon=1e-5)
            R.output(y)
        return y

    @R.function
    def main(
        x: R.Tensor((24, 48), "float32"),
        qkv: R.Tensor((48, 144), "float32"),
        out: R.Tensor((48, 48), "float32"),
        wide: R.Tensor((48, 192), "float32"),
        wide_bias: R.Tensor((192,), "float32"),
        narrow: R.Tensor((192, 48), "float32"),
        scale: R.Tensor((48,), "float32"),
        shift: R.Tensor((48,), "float32"),
    ) -> R.Tuple(R.Tensor((24, 48), "float32"), R.Tensor((48,), "float32")):
        cls = Module
        first = cls.layer(x, qkv, out, wide, wide_bias, narrow, scale, shift)
        second = cls.layer(first, qkv, out, wide, wide_bias, narrow, scale, shift)
        mean = R.mean(second, axis=0)
        return (second, mean)
