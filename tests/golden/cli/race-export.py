# FAIL(2): race FILE --pipelines debug --export r.txt
# The format of an export is the end of its name.
from tvm.script import ir as I
# OUT:
# inlay: error: --export writes .json, .csv and .md, not `r.txt`
# see `inlay race --help`
