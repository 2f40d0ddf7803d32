# FAIL(2): compile -o m.so
# Commands of later versions say so.
from tvm.script import ir as I
# OUT:
# inlay: error: `inlay compile` is not available in this version
# see `inlay --help`
