# FAIL: check
# Calls that do not fit the contract of what they call.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    I.module_attrs({"relax.contracts": {
        "read": {"reads": [0]},
        "sort": {"reads": [0], "mutates": [1]},
        "show": {"reads": [0], "aliases": [[0], [0]]},
        "into": {"reads": [0], "mutates": [1, 2]},
    }})
    sort = R.ExternFunc("sort", R.Callable(ret=R.Tuple(), purity=True))

    @R.function(pure=False)
    def main(x: R.Tensor((4,), "float32"), n: T.int64):
        cls = Module
        a = R.copy(x)
        b = R.copy(x)
        R.call_packed("read", ty_args=(R.Tuple(),))
        R.call_packed("sort", x, n, ty_args=(R.Tuple(),))
        c = R.call_pure_packed("sort", x, a, ty_args=(R.Any,))
        d = R.call_dps_packed("sort", (x, a), out_ty=R.Tensor((4,), "float32"))
        e = R.call_dps_packed("sort", (x,), out_ty=R.Tensor((4,), "float32"))
        f = R.call_inplace_packed("sort", a, b, inplace_indices=[0], ty_args=(R.Tensor((4,), "float32"),))
        g = R.call_inplace_packed("sort", a, b, inplace_indices=[1], ty_args=(R.Tensor((4,), "float32"),))
        h = R.call_pure_packed("show", a, ty_args=(R.Tensor((4,), "float32"),))
        i = R.call_pure_packed("show", a, ty_args=(R.Tensor((4,), "float32"), R.Tensor((4,), "float32")))
        j = R.call_dps_packed("into", (x,), out_ty=R.Tensor((4,), "float32"))
        k = R.call_dps_packed("into", (x,), out_ty=[R.Tensor((4,), "float32"), R.Tensor((4,), "float32")])
        cls.sort(a, b)
        return x
# OUT:
# error[E0319]: the call of `read` is against its contract: it names argument 0, and the call gives 0
#   --> contract-calls.py:23:9
#    |
# 10 |     I.module_attrs({"relax.contracts": {
#    |     ------------------------------------ the contract
# ...
# 23 |         R.call_packed("read", ty_args=(R.Tuple(),))
#    |         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#
# error[E0319]: the call of `sort` is against its contract: it writes argument 1, which has no elements
#   --> contract-calls.py:24:9
#    |
# 10 |     I.module_attrs({"relax.contracts": {
#    |     ------------------------------------ the contract
# ...
# 24 |         R.call_packed("sort", x, n, ty_args=(R.Tuple(),))
#    |         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#
# error[E0319]: the call of `sort` is against its contract: it writes argument 1, and the call promises no effect
#   --> contract-calls.py:25:13
#    |
# 10 |     I.module_attrs({"relax.contracts": {
#    |     ------------------------------------ the contract
# ...
# 25 |         c = R.call_pure_packed("sort", x, a, ty_args=(R.Any,))
#    |             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#    |
#    = help: `R.call_packed` has an effect; `R.call_inplace_packed` gives the argument back as a result
#
# error[E0319]: the call of `sort` is against its contract: it writes argument 1, and the call promises no effect
#   --> contract-calls.py:26:13
#    |
# 10 |     I.module_attrs({"relax.contracts": {
#    |     ------------------------------------ the contract
# ...
# 26 |         d = R.call_dps_packed("sort", (x, a), out_ty=R.Tensor((4,), "float32"))
#    |             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#    |
#    = help: `R.call_packed` has an effect; `R.call_inplace_packed` gives the argument back as a result
#
# error[E0319]: the call of `sort` is against its contract: it writes argument 1, which is not in inplace_indices
#   --> contract-calls.py:28:13
#    |
# 10 |     I.module_attrs({"relax.contracts": {
#    |     ------------------------------------ the contract
# ...
# 28 |         f = R.call_inplace_packed("sort", a, b, inplace_indices=[0], ty_args=(R.Tensor((4,), "float32"),))
#    |             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#    |
#    = help: add it, and take what it becomes as a result
#
# error[E0319]: the call of `sort` is against its contract: output 0 takes the place of argument 0, which it does not write
#   --> contract-calls.py:28:13
#    |
# 10 |     I.module_attrs({"relax.contracts": {
#    |     ------------------------------------ the contract
# ...
# 28 |         f = R.call_inplace_packed("sort", a, b, inplace_indices=[0], ty_args=(R.Tensor((4,), "float32"),))
#    |             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#    |
#    = help: add the argument to `"mutates"`, if the function writes it
#
# error[E0319]: the call of `show` is against its contract: `aliases` speaks of 2 results, and the call has 1
#   --> contract-calls.py:30:13
#    |
# 10 |     I.module_attrs({"relax.contracts": {
#    |     ------------------------------------ the contract
# ...
# 30 |         h = R.call_pure_packed("show", a, ty_args=(R.Tensor((4,), "float32"),))
#    |             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#
# error[E0319]: the call of `into` is against its contract: it names argument 2, and the call gives 2
#   --> contract-calls.py:32:13
#    |
# 10 |     I.module_attrs({"relax.contracts": {
#    |     ------------------------------------ the contract
# ...
# 32 |         j = R.call_dps_packed("into", (x,), out_ty=R.Tensor((4,), "float32"))
#    |             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#
# error[E0319]: the call of `sort` is against its contract: it writes argument 1, and the call promises no effect
#   --> contract-calls.py:34:9
#    |
# 10 |     I.module_attrs({"relax.contracts": {
#    |     ------------------------------------ the contract
# ...
# 34 |         cls.sort(a, b)
#    |         ^^^^^^^^^^^^^^
#    |
#    = help: `R.call_packed` has an effect; `R.call_inplace_packed` gives the argument back as a result
#
