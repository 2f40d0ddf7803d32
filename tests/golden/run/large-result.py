# RUN: run --in x=iota
# A large result is shown by its edges, with minimum, maximum and mean; NaNs are counted apart.
from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((20, 10), "float32")):
        y = R.sqrt(R.subtract(x, R.const(4, "float32")))
        z = R.less(x, R.const(50, "float32"))
        return (x, y, z)
# OUT:
# result.0: (20, 10) float32
# [[  0.   1.   2. ...   7.   8.   9.]
#  [ 10.  11.  12. ...  17.  18.  19.]
#  [ 20.  21.  22. ...  27.  28.  29.]
#  ...
#  [170. 171. 172. ... 177. 178. 179.]
#  [180. 181. 182. ... 187. 188. 189.]
#  [190. 191. 192. ... 197. 198. 199.]]
# min 0, max 199, mean 99.5
# result.1: (20, 10) float32
# [[    nan     nan     nan ... 1.73205      2. 2.23607]
#  [2.44949 2.64575 2.82843 ... 3.60555 3.74166 3.87298]
#  [     4. 4.12311 4.24264 ... 4.79583 4.89898      5.]
#  ...
#  [12.8841 12.9228 12.9615 ... 13.1529 13.1909 13.2288]
#  [13.2665 13.3041 13.3417 ... 13.5277 13.5647 13.6015]
#  [13.6382 13.6748 13.7113 ... 13.8924 13.9284 13.9642]]
# min 0, max 13.9642, mean 9.29657, 4 of 200 nan
# result.2: (20, 10) bool
# [[ True  True  True ...  True  True  True]
#  [ True  True  True ...  True  True  True]
#  [ True  True  True ...  True  True  True]
#  ...
#  [False False False ... False False False]
#  [False False False ... False False False]
#  [False False False ... False False False]]
# 50 of 200 true
