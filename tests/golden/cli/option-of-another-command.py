# FAIL(2): check --entry main
# An option that another command has is refused by name.
from tvm.script import ir as I
# OUT:
# inlay: error: `check` has no option `--entry`
# see `inlay check --help`
