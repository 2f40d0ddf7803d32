@I.ir_module
class Module:
    @R.function(private=True)
    def block(x: R.Tensor(("b", 4, 12), "float32"), w1: R.Tensor((4, 4, 3), "float32"), w2: R.Tensor((4, 4, 3), "float32"), gamma: R.Tensor((4,), "float32"), beta: R.Tensor((4,), "float32")) -> R.Tensor(("b", 4, 12), "float32"):
        with R.dataflow():
            a = R.nn.conv1d(x, w1, strides=[1], padding=[1, 1])
            n = R.nn.instance_norm(a, gamma, beta, channel_axis=1, axes=[2])
            r = R.nn.relu(n)
            c = R.nn.conv1d(r, w2, padding=[2, 2], dilation=[2])
            y = R.add(c, x)
            R.output(y)
        return y

    @R.function
    def main(
        signal: R.Tensor(("b", 2, 12), "float32"),
        stem: R.Tensor((4, 2, 1), "float32"),
        w1: R.Tensor((4, 4, 3), "float32"),
        w2: R.Tensor((4, 4, 3), "float32"),
        gamma: R.Tensor((4,), "float32"),
        beta: R.Tensor((4,), "float32"),
        head: R.Tensor((5, 4), "float32"),
        bias: R.Tensor((5,), "float32"),
    ) -> R.Tensor(("b", 5), "float32"):
        b = T.int64()
        cls = Module
        lifted = R.nn.conv1d(signal, stem)
        h1 = cls.block(lifted, w1, w2, gamma, beta)
        h2 = cls.block(h1, w2, w1, gamma, beta)
        with R.dataflow():
            pooled = R.nn.max_pool1d(h2, pool_size=[2], strides=[2])
            means = R.mean(pooled, axis=-1)
            weights = R.permute_dims(head, axes=[1, 0])
            scores = R.add(R.matmul(means, weights), bias)
            out = R.nn.log_softmax(scores, axis=1)
            R.output(out)
        return out
