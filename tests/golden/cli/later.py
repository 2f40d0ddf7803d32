# FAIL(2): bench x.py
# Commands of later versions say so.
from tvm.script import ir as I
# OUT:
# inlay: error: `inlay bench` is not available in this version
# see `inlay --help`
