# FAIL(2): run FILE FILE
# A command says how many arguments it takes.
from tvm.script import ir as I
# OUT:
# inlay: error: `inlay run` takes FILE, not 2 arguments
# see `inlay run --help`
