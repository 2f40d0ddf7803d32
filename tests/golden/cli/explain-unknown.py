# FAIL(2): explain E9999 FILE
# A code that does not exist is wrong usage.
from tvm.script import ir as I
# OUT:
# inlay: error: there is no diagnostic `E9999`; `inlay list diagnostics` shows all
# see `inlay explain --help`
