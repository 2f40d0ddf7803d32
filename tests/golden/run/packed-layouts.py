# RUN: run -p default --in x=iota --in w=iota --in g=iota
# Packed layouts are the plain ones in groups: pools, resizing, convolution, gradients; of data, of weights, of results.
from tvm.script import ir as I
from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1, 4, 3, 3), dtype="float32"), w: R.Tensor((4, 4, 2, 2), dtype="float32"), g: R.Tensor((1, 4, 2, 2), dtype="float32")):
        xp = R.permute_dims(R.reshape(x, (1, 2, 2, 3, 3)), (0, 1, 3, 4, 2))
        wp = R.permute_dims(R.reshape(w, (2, 2, 2, 2, 2, 2)), (0, 2, 4, 5, 3, 1))
        gp = R.permute_dims(R.reshape(g, (1, 2, 2, 2, 2)), (0, 1, 3, 4, 2))
        pool = R.nn.max_pool2d(xp, pool_size=[2, 2], layout="NCHW2c")
        plain = R.nn.max_pool2d(xp, pool_size=[2, 2], layout="NCHW2c", out_layout="NHWC")
        size = R.image.resize2d(xp, R.shape([2, 5]), layout="NCHW2c")
        mean = R.nn.adaptive_avg_pool2d(xp, output_size=[1, 2], layout="NCHW2c")
        conv = R.nn.conv2d(xp, wp, data_layout="NCHW2c", kernel_layout="OIHW2i2o", out_layout="NCHW4c")
        back = R.grad.avg_pool2d_backward(gp, xp, pool_size=[2, 2], layout="NCHW2c")
        size0 = R.permute_dims(R.reshape(R.image.resize2d(x, R.shape([2, 5])), (1, 2, 2, 2, 5)), (0, 1, 3, 4, 2))
        mean0 = R.permute_dims(R.reshape(R.nn.adaptive_avg_pool2d(x, output_size=[1, 2]), (1, 2, 2, 1, 2)), (0, 1, 3, 4, 2))
        conv0 = R.reshape(R.permute_dims(R.nn.conv2d(x, w), (0, 2, 3, 1)), (1, 1, 2, 2, 4))
        back0 = R.permute_dims(R.reshape(R.grad.avg_pool2d_backward(g, x, pool_size=[2, 2]), (1, 2, 2, 3, 3)), (0, 1, 3, 4, 2))
        none = (R.max(R.abs(R.subtract(size, size0))), R.max(R.abs(R.subtract(mean, mean0))), R.max(R.abs(R.subtract(conv, conv0))), R.max(R.abs(R.subtract(back, back0))))
        return (pool, plain, none)
# OUT:
# result.0: (1, 2, 2, 2, 2) float32
# [[[[[ 4. 13.]
#     [ 5. 14.]]
#    [[ 7. 16.]
#     [ 8. 17.]]]
#   [[[22. 31.]
#     [23. 32.]]
#    [[25. 34.]
#     [26. 35.]]]]]
# result.1: (1, 2, 2, 4) float32
# [[[[ 4. 13. 22. 31.]
#    [ 5. 14. 23. 32.]]
#   [[ 7. 16. 25. 34.]
#    [ 8. 17. 26. 35.]]]]
# result.2.0: () float32
# 0.
# result.2.1: () float32
# 0.
# result.2.2: () float32
# 0.
# result.2.3: () float32
# 0.
