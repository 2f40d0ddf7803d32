# FAIL(2): run --dim n=9223372036854775808
# A dimension fits into 64 bits.
from tvm.script import ir as I
# OUT:
# inlay: error: --dim takes a number that is not negative, not `9223372036854775808`
# see `inlay run --help`
