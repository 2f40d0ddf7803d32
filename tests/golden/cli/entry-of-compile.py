# FAIL(2): compile --entry main -o x.o
from tvm.script import relax as R


@R.function
def main(x: R.Tensor(("n",), "float32"), threshold: R.Tensor((), "float32"), sharp: R.Tensor((), "bool")):
    y = R.add(x, threshold)
    return y
# OUT:
# inlay: error: `compile` has no option `--entry`: it compiles all public functions, and what is not meant to be called from outside is `@R.function(private=True)`
# see `inlay compile --help`
