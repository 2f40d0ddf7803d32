# FAIL(2): chek FILE
# A wrong command is answered with the nearest.
# OUT:
# inlay: error: there is no command `chek`; the nearest is `check`
# see `inlay --help`
