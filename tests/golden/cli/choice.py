# FAIL(2): run --inplace=maybe
# A choice shows what there is to choose from.
from tvm.script import ir as I
# OUT:
# inlay: error: --inplace takes auto|strict|off, not `maybe`
# see `inlay run --help`
