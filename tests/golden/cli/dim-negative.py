# FAIL(2): run --dim n=-3
# A dimension is a number that is not negative.
from tvm.script import ir as I
# OUT:
# inlay: error: --dim takes a number that is not negative, not `-3`
# see `inlay run --help`
