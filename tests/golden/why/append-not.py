# RUN: why --all
# What stands against a cache being appended to where it is, each with the edit that helps.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @R.function
    def borrowed(past: R.Tensor(("n", 4), "float32"), new: R.Tensor((1, 4), "float32")):
        return R.concat((past, new), axis=0)

    @R.function
    def no_room(past: R.Tensor(("n", 4), "float32"), new: R.Tensor((1, 4), "float32")):
        R.func_attr({"relax.inplace_arg": [0]})
        k = R.concat((past, new), axis=0)
        return (k, R.negative(past))

    @R.function
    def too_small(past: R.Tensor(("n", 4), "float32"), new: R.Tensor((9, 4), "float32")):
        R.func_attr({"relax.inplace_arg": [0], "relax.capacity": {"past": 8}})
        return R.concat((past, new), axis=0)

    @R.function
    def behind(past: R.Tensor(("n", 4), "float32"), new: R.Tensor((1, 4), "float32")):
        R.func_attr({"relax.inplace_arg": [0], "relax.capacity": {"past": 8}})
        return R.concat((new, past), axis=0)

    @R.function
    def inner(past: R.Tensor((2, "n", 4), "float32"), new: R.Tensor((2, 1, 4), "float32")):
        R.func_attr({"relax.inplace_arg": [0], "relax.capacity": {"past": 8}})
        return R.concat((past, new), axis=1)

    @R.function
    def twice(past: R.Tensor(("n", 4), "float32")):
        R.func_attr({"relax.inplace_arg": [0], "relax.capacity": {"past": 8}})
        return R.concat((past, past), axis=0)

    @R.function
    def returned(past: R.Tensor(("n", 4), "float32"), new: R.Tensor((1, 4), "float32")):
        R.func_attr({"relax.inplace_arg": [0], "relax.capacity": {"past": 8}})
        k = R.concat((past, new), axis=0)
        return (past, k)

    @R.function
    def in_sequence(past: R.Tensor(("n", 4), "float32"), new: R.Tensor((1, 4), "float32")):
        R.func_attr({"relax.inplace_arg": [0], "relax.capacity": {"past": 8}})
        k = R.concat((past, new), axis=0)
        v = R.concat((past, R.negative(new)), axis=0)
        return (k, v)

    @R.function(private=True)
    def step(past: R.Tensor(("n", 4), "float32"), new: R.Tensor((1, 4), "float32")):
        n = T.int64()
        R.func_attr({"relax.inplace_arg": [0], "relax.capacity": {"past": 8}})
        k = R.concat((past, new), axis=0)
        return k

    @R.function
    def called(past: R.Tensor(("n", 4), "float32"), new: R.Tensor((1, 4), "float32")):
        cls = Module
        k = cls.step(past, new)
        return k

# OUT:
# remark[E0391]: `past` is copied before the call: the storage of `past` belongs to the caller of the function
#   --> append-not.py:12:16
#    |
# 12 |         return R.concat((past, new), axis=0)
#    |                ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#    |
#    = note: IP004 in `borrowed`: output 0 in argument 0, n * 16 bytes
#    = help: if its storage has room, donate it and say how much: R.func_attr({"relax.inplace_arg": [0], "relax.capacity": {"past": 4096}}); then the result is made there (saves n * 16 bytes per run)
#
# remark[E0391]: `past` is copied before the call: the storage of `past` is not said to have room for the larger tensor
#   --> append-not.py:17:13
#    |
# 17 |         k = R.concat((past, new), axis=0)
#    |             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#    |
#    = note: IP025 in `no_room`: output 0 in argument 0, n * 16 bytes
#    = help: say what room it has, along the dimension that grows: R.func_attr({"relax.capacity": {"past": 4096}}); then the result is made there (saves n * 16 bytes per run)
#
# remark[E0391]: `past` is copied before the call: the larger tensor does not fit into the room that `past` is said to have
#   --> append-not.py:23:16
#    |
# 23 |         return R.concat((past, new), axis=0)
#    |                ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#    |
#    = note: IP025 in `too_small`: output 0 in argument 0, n * 16 bytes
#
# remark[E0391]: `past` is copied before the call: the elements of `past` are not the first of the larger tensor, one run in their order, so that they would have to be moved
#   --> append-not.py:28:16
#    |
# 28 |         return R.concat((new, past), axis=0)
#    |                ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#    |
#    = note: IP026 in `behind`: output 0 in argument 1, n * 16 bytes
#    = help: join along the outermost dimension, `past` first, so that the elements stay where they are (saves n * 16 bytes per run)
#
# remark[E0391]: `past` is copied before the call: the value is a part of another tensor already
#   --> append-not.py:38:16
#    |
# 38 |         return R.concat((past, past), axis=0)
#    |                ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#    |
#    = note: IP020 in `twice`: output 0 in argument 1, n * 16 bytes
#
# remark[E0391]: `past` is copied before the call: `past` is part of the function's result, so its old value must survive
#   --> append-not.py:43:13
#    |
# 43 |         k = R.concat((past, new), axis=0)
#    |             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#    |
#    = note: IP003 in `returned`: output 0 in argument 0, n * 16 bytes
#    = help: return the updated value only, or keep the copy (n * 16 bytes per run)
#
# remark[E0391]: `past` is copied before the call: the value is a part of another tensor already
#   --> append-not.py:49:13
#    |
# 49 |         k = R.concat((past, new), axis=0)
#    |             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#    |
#    = note: IP020 in `in_sequence`: output 0 in argument 0, n * 16 bytes
#
# remark[E0391]: `past` is copied before the call: functions of the module call this one, and cannot say what room `past` has
#   --> append-not.py:57:13
#    |
# 57 |         k = R.concat((past, new), axis=0)
#    |             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#    |
#    = note: IP025 in `step`: output 0 in argument 0, n * 16 bytes
#
# remark[E0391]: `new` is copied before the call: the storage of `new` belongs to the caller of the function
#   --> append-not.py:23:16
#    |
# 23 |         return R.concat((past, new), axis=0)
#    |                ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#    |
#    = note: IP004 in `too_small`: output 0 in argument 1, 144 bytes
#
# remark[E0391]: `new` is copied before the call: the storage of `new` belongs to the caller of the function
#   --> append-not.py:33:16
#    |
# 33 |         return R.concat((past, new), axis=1)
#    |                ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#    |
#    = note: IP004 in `inner`: output 0 in argument 1, 32 bytes
#
# remark[E0391]: `new` is copied before the call: the storage of `new` belongs to the caller of the function
#   --> append-not.py:12:16
#    |
# 12 |         return R.concat((past, new), axis=0)
#    |                ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#    |
#    = note: IP004 in `borrowed`: output 0 in argument 1, 16 bytes
#
# remark[E0391]: `new` is copied before the call: the storage of `new` belongs to the caller of the function
#   --> append-not.py:17:13
#    |
# 17 |         k = R.concat((past, new), axis=0)
#    |             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#    |
#    = note: IP004 in `no_room`: output 0 in argument 1, 16 bytes
#
# remark[E0391]: `new` is copied before the call: the storage of `new` belongs to the caller of the function
#   --> append-not.py:28:16
#    |
# 28 |         return R.concat((new, past), axis=0)
#    |                ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#    |
#    = note: IP004 in `behind`: output 0 in argument 0, 16 bytes
#
# remark[E0391]: `new` is copied before the call: the storage of `new` belongs to the caller of the function
#   --> append-not.py:43:13
#    |
# 43 |         k = R.concat((past, new), axis=0)
#    |             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#    |
#    = note: IP004 in `returned`: output 0 in argument 1, 16 bytes
#
# remark[E0391]: `new` is copied before the call: the storage of `new` belongs to the caller of the function
#   --> append-not.py:49:13
#    |
# 49 |         k = R.concat((past, new), axis=0)
#    |             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#    |
#    = note: IP004 in `in_sequence`: output 0 in argument 1, 16 bytes
#
# remark[E0391]: `new` is copied before the call: the storage of `new` belongs to the caller of the function
#   --> append-not.py:57:13
#    |
# 57 |         k = R.concat((past, new), axis=0)
#    |             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#    |
#    = note: IP004 in `step`: output 0 in argument 1, 16 bytes
#
# remark[E0393]: `gv` is made in the storage of `past`: every condition holds
#   --> append-not.py:18:20
#    |
# 18 |         return (k, R.negative(past))
#    |                    ^^^^^^^^^^^^^^^^
#    |
#    = note: IP000 in `no_room`: output 0 in argument 0, n * 16 bytes
#
# remark[E0392]: `past` is elided: the storage of `past` has room, and its elements are moved in it; joined along the outermost dimension, and first, they would stay where they are
#   --> append-not.py:33:16
#    |
# 33 |         return R.concat((past, new), axis=1)
#    |                ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#    |
#    = note: IP000 in `inner`: output 0 in argument 0, n * 32 bytes
#
# remark[E0390]: `gv` is updated in place: every condition holds
#   --> append-not.py:33:16
#    |
# 33 |         return R.concat((past, new), axis=1)
#    |                ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#    |
#    = note: IP000 in `inner`: output 0 in argument 2, n * 32 + 32 bytes
#
# remark[E0392]: `past` is elided: the storage of `past` has room: what comes behind is written there, and its elements stay where they are
#   --> append-not.py:38:16
#    |
# 38 |         return R.concat((past, past), axis=0)
#    |                ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#    |
#    = note: IP000 in `twice`: output 0 in argument 0, n * 16 bytes
#
# remark[E0390]: `gv` is updated in place: every condition holds
#   --> append-not.py:38:16
#    |
# 38 |         return R.concat((past, past), axis=0)
#    |                ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#    |
#    = note: IP000 in `twice`: output 0 in argument 0, n * 32 bytes
#
# remark[E0392]: `v` is elided: the kernel computes a part of `v` where it is
#   --> append-not.py:50:13
#    |
# 50 |         v = R.concat((past, R.negative(new)), axis=0)
#    |             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#    |                             |
#    |                             part of the same kernel
#    |
#    = note: IP000 in `in_sequence`: output 0 in argument 0, 16 bytes
#
# remark[E0392]: `past` is elided: the storage of `past` has room: what comes behind is written there, and its elements stay where they are
#   --> append-not.py:50:13
#    |
# 50 |         v = R.concat((past, R.negative(new)), axis=0)
#    |             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#    |                             |
#    |                             part of the same kernel
#    |
#    = note: IP000 in `in_sequence`: output 0 in argument 1, n * 16 bytes
#
# remark[E0390]: `v_dest` is updated in place: every condition holds
#   --> append-not.py:50:13
#    |
# 50 |         v = R.concat((past, R.negative(new)), axis=0)
#    |             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#    |                             |
#    |                             part of the same kernel
#    |
#    = note: IP000 in `in_sequence`: output 0 in argument 1, n * 16 + 16 bytes
#
# in-place: 4, copy: 16, elided: 4
# saved: n * 160 + 64 bytes, missed: n * 128 + 272 bytes
# missed by IP025, its storage is not said to have room for the larger tensor: 3, n * 48 bytes
# missed by IP020, the value is a part of another tensor already: 2, n * 32 bytes
# missed by IP004, the storage belongs to the caller: 9, n * 16 + 272 bytes
# missed by IP003, the argument, or an alias of it, is part of the function's result: 1, n * 16 bytes
# missed by IP026, its elements do not stay where they are in the larger tensor: 1, n * 16 bytes
