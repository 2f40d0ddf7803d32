# FAIL(2): run --interpret=yes
# An option without value takes none.
from tvm.script import ir as I
# OUT:
# inlay: error: --interpret takes no value
# see `inlay run --help`
