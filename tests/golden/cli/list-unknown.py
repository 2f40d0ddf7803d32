# FAIL(2): list FILE
# What can be listed is named.
from tvm.script import ir as I
# OUT:
# inlay: error: `list-unknown.py` cannot be listed; ops, intrinsics, passes, pipelines, properties, rules, diagnostics, cpus and targets can
# see `inlay list --help`
