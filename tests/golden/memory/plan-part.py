# RUN: plan -p unscheduled
# What is made in a part of a larger tensor has the storage of that: `d` lies in the second half of `b`, and `f` in that of `e`,
# which has the place of `b`.
from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((64, 128), "float32"), w: R.Tensor((128, 128), "float32")):
        with R.dataflow():
            b = R.matmul(x, w)
            s = R.memory.view(b, R.shape([32, 128]), R.dtype("float32"), 0)
            t = R.memory.view(b, R.shape([32, 128]), R.dtype("float32"), 16384)
            c = R.matmul(s, w)
            d = R.exp(t)
            g = R.matmul(c, R.matmul(R.permute_dims(d), d))
            e = R.matmul(x, R.matmul(R.permute_dims(g), g))
            u = R.memory.view(e, R.shape([32, 128]), R.dtype("float32"), 0)
            v = R.memory.view(e, R.shape([32, 128]), R.dtype("float32"), 16384)
            h = R.matmul(u, w)
            f = R.exp(v)
            z = R.sum(R.matmul(f, R.permute_dims(h)))
            R.output(z)
        return z
# OUT:
# main: 9 storages, 114692 bytes (114688 in one piece, 4 apart)
#   bound 114688 bytes: at most 0.00 % too much
#   without reuse 282628 bytes, of which 32768 are saved in place
#   stack: 114688 bytes at most
#   storage                        steps             bytes         offset
#   b                              [1, 10)           32768         65536  then d
#   c                              [5, 13)           16384         98304
#   fused_permute_dims_matmul_2    [8, 14)           65536         0
#   g                              [11, 17)          16384         65536
#   fused_permute_dims_matmul_2_2  [15, 20)          65536         0
#   e                              [18, 28)          32768         65536  then f
#   h                              [23, 33)          16384         0
#   fused_permute_dims_matmul_3    [26, 32)          4096          16384
#   z                              [30, 34)          4             apart  (result)
