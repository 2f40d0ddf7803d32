# FAIL(2): run --inplcae=off
# A wrong option is answered with the nearest.
from tvm.script import ir as I
# OUT:
# inlay: error: there is no option `--inplcae=off`; the nearest is `--inplace`
# see `inlay run --help`
