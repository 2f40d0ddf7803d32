# FAIL(2): reduce
# It takes a command to know what to keep.
# OUT:
# inlay: error: which command? --keep 'inlay run --check {}', for example
# see `inlay reduce --help`
