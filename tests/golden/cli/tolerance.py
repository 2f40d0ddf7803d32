# FAIL(2): run --check --tolerance 0
# A tolerance of nothing is what --check has for integers; floats get one by dtype.
# OUT:
# inlay: error: --tolerance takes a number above 0 and up to 1, not `0`
# see `inlay run --help`
