# FAIL(2): race FILE --pipelines debug --min-time 5h
# Seconds or minutes.
from tvm.script import ir as I
# OUT:
# inlay: error: --min-time takes seconds, as in 2.5 or 60s, up to 86400, not `5h`
# see `inlay race --help`
