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
# main: 12 storages, 131076 bytes (131072 in one piece, 4 apart)
#   bound 131072 bytes: at most 0.00 % too much
#   without reuse 331780 bytes, of which 32768 are saved in place
#   stack: 131072 bytes at most
#   storage         steps             bytes         offset
#   b               [1, 12)           32768         65536  then d
#   c               [5, 16)           16384         98304
#   permute_dims    [8, 13)           16384         114688
#   matmul_2        [10, 17)          65536         0
#   g               [14, 22)          16384         65536
#   permute_dims_2  [18, 23)          16384         81920
#   matmul_2_2      [20, 26)          65536         0
#   e               [24, 37)          32768         65536  then f
#   h               [29, 34)          16384         0
#   permute_dims_3  [32, 38)          16384         16384
#   matmul_3        [35, 42)          4096          0
#   z               [39, 43)          4             apart  (result)
