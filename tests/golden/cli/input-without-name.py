# FAIL(2): run --in ones
# An input has a name.
from tvm.script import ir as I
# OUT:
# inlay: error: --in takes NAME=SPEC, not `ones`
# see `inlay run --help`
