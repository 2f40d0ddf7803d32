# RUN: run --check --in x=iota --in w=ones
# Columns that fill up a vector have data of their own, but no weights: those of the last column are the last there are.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T

@I.ir_module
class Module:
    @T.prim_func(private=True)
    def windows(x: T.Buffer((2, 8, 21), "float32"), w: T.Buffer((3, 3, 19), "float32"), y: T.Buffer((2, 6, 19), "float32")):
        for c, i in T.grid(2, 6):
            for j in range(19):
                y[c, i, j] = T.float32(0)
            for k, l, j in T.grid(3, 3, 19):
                y[c, i, j] = y[c, i, j] + T.if_then_else(i + k > 0, x[c, i + k, j + l], T.float32(0)) * w[k, l, j]

    @R.function
    def main(x: R.Tensor((2, 8, 21), "float32"), w: R.Tensor((3, 3, 19), "float32")):
        cls = Module
        y = R.call_tir(cls.windows, (x, w), out_ty=R.Tensor((2, 6, 19), "float32"))
        return y
# OUT:
# result: (2, 6, 19) float32
# [[[ 195.  201.  207. ...  291.  297.  303.]
#   [ 387.  396.  405. ...  531.  540.  549.]
#   [ 576.  585.  594. ...  720.  729.  738.]
#   [ 765.  774.  783. ...  909.  918.  927.]
#   [ 954.  963.  972. ... 1098. 1107. 1116.]
#   [1143. 1152. 1161. ... 1287. 1296. 1305.]]
#  [[1203. 1209. 1215. ... 1299. 1305. 1311.]
#   [1899. 1908. 1917. ... 2043. 2052. 2061.]
#   [2088. 2097. 2106. ... 2232. 2241. 2250.]
#   [2277. 2286. 2295. ... 2421. 2430. 2439.]
#   [2466. 2475. 2484. ... 2610. 2619. 2628.]
#   [2655. 2664. 2673. ... 2799. 2808. 2817.]]]
# min 195, max 2817, mean 1460.5
