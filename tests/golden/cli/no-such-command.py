# FAIL(2): chek FILE
# A wrong command is answered with the nearest.
# OUT:
# inlay: error: there is no command `chek`
# see `inlay --help`
