# FAIL: run --out result.txt
# Results are written as .npz or .npy, not into whatever the name says.
from tvm.script import relax as R


@R.function
def main(x: R.Tensor((4,), "float32")):
    y = R.exp(x)
    return y
# OUT:
# error[E0702]: `result.txt`: results are written as .npz, or, one alone, as .npy
#
