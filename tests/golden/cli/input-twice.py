# FAIL(2): run --in x=ones --in x=zeros
# An input has one value.
from tvm.script import ir as I
# OUT:
# inlay: error: --in x is given twice
# see `inlay run --help`
