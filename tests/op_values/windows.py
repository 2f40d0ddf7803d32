# Made by scripts/make-op-values.py.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T

@I.ir_module
class Module:
    @R.function
    def main(
        x0: R.Tensor((2, 4, 9), dtype="float32"),
        x1: R.Tensor((6, 2, 3), dtype="float32"),
        x2: R.Tensor((1, 7, 3), dtype="float32"),
        x3: R.Tensor((3, 3, 2), dtype="float32"),
        x4: R.Tensor(("a", 3, "b", "c"), dtype="float32"),
        x5: R.Tensor((4, 3, 3, 2), dtype="float32"),
        x6: R.Tensor((1, 6, 7, 8), dtype="float32"),
        x7: R.Tensor((6, 1, 3, 3), dtype="float32"),
        x8: R.Tensor(("d", 5, "e", 4), dtype="float32"),
        x9: R.Tensor((2, 3, 2, 4), dtype="float32"),
        x10: R.Tensor((1, 3, 5, 5), dtype="float32"),
        x11: R.Tensor((2, 3, 3, 3), dtype="float32"),
        x12: R.Tensor((1, 2, 4, 5, 4), dtype="float32"),
        x13: R.Tensor((3, 2, 2, 3, 2), dtype="float32"),
        x14: R.Tensor((1, 2, 4, 4), dtype="float16"),
        x15: R.Tensor((2, 2, 3, 3), dtype="float16"),
        x16: R.Tensor((1, 2, 4, 4), dtype="int8"),
        x17: R.Tensor((2, 2, 3, 3), dtype="int8"),
        x18: R.Tensor((2, 4, 5), dtype="float32"),
        x19: R.Tensor((4, 3, 3), dtype="float32"),
        x20: R.Tensor(("f", 3, "g", "h"), dtype="float32"),
        x21: R.Tensor((3, 2, 3, 2), dtype="float32"),
        x22: R.Tensor((1, 4, 4, 3), dtype="float32"),
        x23: R.Tensor((4, 2, 3, 2), dtype="float32"),
        x24: R.Tensor((1, 2, 2, 3, 2), dtype="float32"),
        x25: R.Tensor((2, 2, 2, 2, 3), dtype="float32"),
        x26: R.Tensor((2, 3, 9), dtype="float32"),
        x27: R.Tensor((1, 2, 8), dtype="float32"),
        x28: R.Tensor(("i", 3, "j", "k"), dtype="float32"),
        x29: R.Tensor((1, 2, 7, 9), dtype="float32"),
        x30: R.Tensor((1, 2, 7, 8), dtype="float32"),
        x31: R.Tensor((1, 2, 4, 5, 4), dtype="float32"),
        x32: R.Tensor((2, 2, 3, 2), dtype="float32"),
        x33: R.Tensor((2, 2, 6, 5), dtype="float32"),
        x34: R.Tensor((2, 2, 6, 3), dtype="float32"),
        x35: R.Tensor((2, 2, 6, 5), dtype="float32"),
        x36: R.Tensor((2, 2, 5, 5), dtype="float32"),
        x37: R.Tensor((2, 2, 6, 5), dtype="float32"),
        x38: R.Tensor((1, 2, 5), dtype="int8"),
        x39: R.Tensor((1, 5, 4, 3), dtype="float32"),
        x40: R.Tensor((2, 3, 7), dtype="float32"),
        x41: R.Tensor((2, 3, 6, 8), dtype="float32"),
        x42: R.Tensor((1, 2, "l", "m"), dtype="float32"),
        x43: R.Tensor((1, 2, 4, 3, 5), dtype="float32"),
    ):
        a = T.int64()
        b = T.int64()
        c = T.int64()
        d = T.int64()
        e = T.int64()
        f = T.int64()
        g = T.int64()
        h = T.int64()
        i = T.int64()
        j = T.int64()
        k = T.int64()
        l = T.int64()
        m = T.int64()
        y0 = R.nn.conv1d(x0, x1, strides=[2], padding=[1, 2], dilation=[2], groups=2, data_layout="NCW", kernel_layout="OIW", out_layout="NCW")
        y1 = R.nn.conv1d(x2, x3, strides=[1], padding=[0, 0], dilation=[1], groups=1, data_layout="NWC", kernel_layout="WIO", out_layout="NWC")
        y2 = R.nn.conv2d(x4, x5, strides=[1, 1], padding=[0, 0, 0, 0], dilation=[1, 1], groups=1, data_layout="NCHW", kernel_layout="OIHW", out_layout="NCHW")
        y3 = R.nn.conv2d(x6, x7, strides=[2, 1], padding=[1, 2, 1, 0], dilation=[1, 2], groups=6, data_layout="NCHW", kernel_layout="OIHW", out_layout="NCHW")
        y4 = R.nn.conv2d(x8, x9, strides=[1, 2], padding=[1, 1, 1, 1], dilation=[1, 1], groups=2, data_layout="NHWC", kernel_layout="HWIO", out_layout="NHWC")
        y5 = R.nn.conv2d(x10, x11, strides=[1, 1], padding=[1, 1, 1, 1], dilation=[1, 1], groups=1, data_layout="NCHW", kernel_layout="OIHW", out_layout="NHWC")
        y6 = R.nn.conv3d(x12, x13, strides=[1, 2, 1], padding=[1, 0, 1, 0, 1, 1], dilation=[1, 1, 2], groups=1, data_layout="NCDHW", kernel_layout="OIDHW", out_layout="NCDHW")
        y7 = R.nn.conv2d(x14, x15, padding=[1, 1])
        y8 = R.nn.conv2d(x16, x17, padding=[1, 1], out_dtype="int32")
        y9 = R.nn.conv1d_transpose(x18, x19, strides=[2], padding=[1, 0], output_padding=[1], dilation=[2], groups=2)
        y10 = R.nn.conv2d_transpose(x20, x21, strides=[1, 1], padding=[0, 0, 0, 0], output_padding=[0, 0], dilation=[1, 1], groups=1)
        y11 = R.nn.conv2d_transpose(x22, x23, strides=[2, 3], padding=[1, 0, 1, 1], output_padding=[1, 2], dilation=[1, 2], groups=2)
        y12 = R.nn.conv3d_transpose(x24, x25, strides=[2, 1, 2], padding=[0, 1, 0, 1, 0, 1], output_padding=[0, 0, 1], dilation=[1, 1, 1], groups=1)
        y13 = R.nn.max_pool1d(x26, pool_size=[3], strides=[2], padding=[1, 1], dilation=[1], ceil_mode=False)
        y14 = R.nn.avg_pool1d(x26, pool_size=[3], strides=[2], padding=[1, 1], dilation=[1], ceil_mode=False, count_include_pad=False)
        y15 = R.nn.avg_pool1d(x26, pool_size=[3], strides=[2], padding=[1, 1], dilation=[1], ceil_mode=False, count_include_pad=True)
        y16 = R.nn.max_pool1d(x27, pool_size=[2], strides=[3], padding=[0, 1], dilation=[2], ceil_mode=True)
        y17 = R.nn.avg_pool1d(x27, pool_size=[2], strides=[3], padding=[0, 1], dilation=[2], ceil_mode=True, count_include_pad=False)
        y18 = R.nn.avg_pool1d(x27, pool_size=[2], strides=[3], padding=[0, 1], dilation=[2], ceil_mode=True, count_include_pad=True)
        y19 = R.nn.max_pool2d(x28, pool_size=[2, 3], strides=[1, 2], padding=[0, 0, 0, 0], dilation=[1, 1], ceil_mode=False)
        y20 = R.nn.avg_pool2d(x28, pool_size=[2, 3], strides=[1, 2], padding=[0, 0, 0, 0], dilation=[1, 1], ceil_mode=False, count_include_pad=False)
        y21 = R.nn.avg_pool2d(x28, pool_size=[2, 3], strides=[1, 2], padding=[0, 0, 0, 0], dilation=[1, 1], ceil_mode=False, count_include_pad=True)
        y22 = R.nn.max_pool2d(x29, pool_size=[3, 2], strides=[2, 2], padding=[1, 0, 1, 1], dilation=[1, 1], ceil_mode=True)
        y23 = R.nn.avg_pool2d(x29, pool_size=[3, 2], strides=[2, 2], padding=[1, 0, 1, 1], dilation=[1, 1], ceil_mode=True, count_include_pad=False)
        y24 = R.nn.avg_pool2d(x29, pool_size=[3, 2], strides=[2, 2], padding=[1, 0, 1, 1], dilation=[1, 1], ceil_mode=True, count_include_pad=True)
        y25 = R.nn.max_pool2d(x30, pool_size=[2, 3], strides=[2, 1], padding=[1, 2, 0, 1], dilation=[2, 2], ceil_mode=False)
        y26 = R.nn.avg_pool2d(x30, pool_size=[2, 3], strides=[2, 1], padding=[1, 2, 0, 1], dilation=[2, 2], ceil_mode=False, count_include_pad=False)
        y27 = R.nn.avg_pool2d(x30, pool_size=[2, 3], strides=[2, 1], padding=[1, 2, 0, 1], dilation=[2, 2], ceil_mode=False, count_include_pad=True)
        y28 = R.nn.max_pool3d(x31, pool_size=[2, 2, 3], strides=[2, 1, 1], padding=[1, 0, 1, 0, 1, 1], dilation=[1, 1, 1], ceil_mode=False)
        y29 = R.nn.avg_pool3d(x31, pool_size=[2, 2, 3], strides=[2, 1, 1], padding=[1, 0, 1, 0, 1, 1], dilation=[1, 1, 1], ceil_mode=False, count_include_pad=False)
        y30 = R.nn.avg_pool3d(x31, pool_size=[2, 2, 3], strides=[2, 1, 1], padding=[1, 0, 1, 0, 1, 1], dilation=[1, 1, 1], ceil_mode=False, count_include_pad=True)
        y31 = R.grad.max_pool2d_backward(x32, x33, pool_size=[2, 2], strides=[2, 2], padding=[0, 0, 0, 0], dilation=[1, 1], ceil_mode=False)
        y32 = R.grad.avg_pool2d_backward(x32, x33, pool_size=[2, 2], strides=[2, 2], padding=[0, 0, 0, 0], dilation=[1, 1], ceil_mode=False, count_include_pad=False)
        y33 = R.grad.avg_pool2d_backward(x32, x33, pool_size=[2, 2], strides=[2, 2], padding=[0, 0, 0, 0], dilation=[1, 1], ceil_mode=False, count_include_pad=True)
        y34 = R.grad.max_pool2d_backward(x34, x35, pool_size=[3, 2], strides=[1, 2], padding=[1, 0, 1, 1], dilation=[1, 1], ceil_mode=True)
        y35 = R.grad.avg_pool2d_backward(x34, x35, pool_size=[3, 2], strides=[1, 2], padding=[1, 0, 1, 1], dilation=[1, 1], ceil_mode=True, count_include_pad=False)
        y36 = R.grad.avg_pool2d_backward(x34, x35, pool_size=[3, 2], strides=[1, 2], padding=[1, 0, 1, 1], dilation=[1, 1], ceil_mode=True, count_include_pad=True)
        y37 = R.grad.max_pool2d_backward(x36, x37, pool_size=[2, 2], strides=[1, 1], padding=[0, 1, 1, 0], dilation=[2, 1], ceil_mode=False)
        y38 = R.grad.avg_pool2d_backward(x36, x37, pool_size=[2, 2], strides=[1, 1], padding=[0, 1, 1, 0], dilation=[2, 1], ceil_mode=False, count_include_pad=False)
        y39 = R.grad.avg_pool2d_backward(x36, x37, pool_size=[2, 2], strides=[1, 1], padding=[0, 1, 1, 0], dilation=[2, 1], ceil_mode=False, count_include_pad=True)
        y40 = R.nn.max_pool1d(x38, pool_size=[2], padding=[1, 1])
        y41 = R.nn.max_pool2d(x39, pool_size=[2, 2], layout="NHWC")
        y42 = R.nn.adaptive_avg_pool1d(x40, output_size=[3])
        y43 = R.nn.adaptive_avg_pool2d(x41, output_size=[2, 4])
        y44 = R.nn.adaptive_avg_pool2d(x42, output_size=[3, 2])
        y45 = R.nn.adaptive_avg_pool3d(x43, output_size=[2, 2, 2])
        return (y0, y1, y2, y3, y4, y5, y6, y7, y8, y9, y10, y11, y12, y13, y14, y15, y16, y17, y18, y19, y20, y21, y22, y23, y24, y25, y26, y27, y28, y29, y30, y31, y32, y33, y34, y35, y36, y37, y38, y39, y40, y41, y42, y43, y44, y45,)
