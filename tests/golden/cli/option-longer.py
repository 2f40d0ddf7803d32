# FAIL(2): run FILE --input x=2
# What an option begins with is named.
from tvm.script import relax as R

@R.function
def main(x: R.Tensor(("n", 8), "float32")):
    return x
# OUT:
# inlay: error: there is no option `--input`; the nearest is `--in`
# see `inlay run --help`
