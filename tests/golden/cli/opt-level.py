# FAIL(2): run -O4
# Levels go from 0 to 3.
from tvm.script import ir as I
# OUT:
# inlay: error: --opt-level takes a number from 0 to 3, not `4`
# see `inlay run --help`
