# FAIL(2): run FILE --in x=3xi32=1 2 3
# Numbers of an input that are several words are no arguments of the command.
from tvm.script import ir as I
# OUT:
# inlay: error: `2` belongs to --in, whose value stands in quotes: --in "x=3xi32=1 2 3"
# see `inlay run --help`
