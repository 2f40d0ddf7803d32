# RUN: why
# Who may read a cache that grows where it is: kernels in front of the first write and behind it, who asks for its shape only, and who is
# on another path. Not so a name of it, or a function that may keep one, nor what reads it behind the join, or gives it on.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @R.function
    def between(past: R.Tensor(("n", 4), "float32"), new: R.Tensor((2, 2), "float32"), y: R.Tensor((2, 4), "float32")):
        R.func_attr({"relax.inplace_arg": [0], "relax.capacity": {"past": 8}})
        a = R.matmul(new, y)
        s = R.sum(past)
        k = R.concat((past, a), axis=0)
        return (k, s)

    @R.function
    def other_cache(past: R.Tensor(("n", 4), "float32"), own: R.Tensor(("n", 4), "float32"), new: R.Tensor((2, 2), "float32"), y: R.Tensor((2, 4), "float32")):
        R.func_attr({"relax.inplace_arg": [0, 1], "relax.capacity": {"past": 8, "own": 8}})
        a = R.matmul(new, y)
        k = R.concat((past, a), axis=0)
        s = R.sum(own)
        b = R.matmul(new, R.negative(y))
        v = R.concat((own, b), axis=0)
        return (k, v, s)

    @R.function
    def shape_only(past: R.Tensor(("n", 4), "float32"), new: R.Tensor((1, 4), "float32")):
        R.func_attr({"relax.inplace_arg": [0], "relax.capacity": {"past": 8}})
        k = R.concat((past, new), axis=0)
        return (k, R.shape_of(past))

    @R.function
    def view_before(past: R.Tensor(("n", 4), "float32"), new: R.Tensor((1, 4), "float32")):
        n = T.int64()
        R.func_attr({"relax.inplace_arg": [0], "relax.capacity": {"past": 8}})
        v = R.reshape(past, (n * 4,))
        s = R.sum(v)
        k = R.concat((past, new), axis=0)
        return (k, s)

    @R.function(private=True)
    def same(x: R.Tensor(("n", 4), "float32")) -> R.Tensor(("n", 4), "float32"):
        return x

    @R.function
    def call_before(past: R.Tensor(("n", 4), "float32"), new: R.Tensor((1, 4), "float32")):
        cls = Module
        R.func_attr({"relax.inplace_arg": [0], "relax.capacity": {"past": 8}})
        v = cls.same(past)
        k = R.concat((past, new), axis=0)
        return (k, R.sum(v))

    @R.function
    def other_branch(past: R.Tensor(("n", 4), "float32"), new: R.Tensor((1, 4), "float32"), c: R.Tensor((), "bool")):
        R.func_attr({"relax.inplace_arg": [0], "relax.capacity": {"past": 8}})
        before = R.sum(past)
        if c:
            k = R.concat((past, new), axis=0)
            s = R.sum(k)
        else:
            s = R.max(past)
        return R.add(s, before)

    @R.function
    def behind_branch(past: R.Tensor(("n", 4), "float32"), new: R.Tensor((1, 4), "float32"), c: R.Tensor((), "bool")):
        R.func_attr({"relax.inplace_arg": [0], "relax.capacity": {"past": 8}})
        if c:
            k = R.concat((past, new), axis=0)
            s = R.sum(k)
        else:
            s = R.sum(new)
        return R.add(s, R.sum(past))

    @R.function
    def given_on(past: R.Tensor(("n", 4), "float32"), new: R.Tensor((1, 4), "float32"), c: R.Tensor((), "bool")):
        R.func_attr({"relax.inplace_arg": [0], "relax.capacity": {"past": 8}})
        s = R.sum(R.concat((past, new), axis=0))
        if c:
            r = past
        else:
            r = R.negative(past)
        return (r, s)

    @R.function
    def view_in_front_of_branch(past: R.Tensor(("n", 4), "float32"), new: R.Tensor((1, 4), "float32"), c: R.Tensor((), "bool")):
        n = T.int64()
        R.func_attr({"relax.inplace_arg": [0], "relax.capacity": {"past": 8}})
        v = R.reshape(past, (n * 4,))
        if c:
            k = R.concat((past, new), axis=0)
            s = R.sum(k)
        else:
            s = R.sum(v)
        return R.add(s, R.sum(v))

    @R.function
    def moved(past: R.Tensor((2, "n"), "float32"), new: R.Tensor((2, 1), "float32")):
        R.func_attr({"relax.inplace_arg": [0], "relax.capacity": {"past": 8}})
        s = R.sum(past)
        k = R.concat((past, new), axis=1)
        return (k, s)

    @R.function
    def moved_behind(past: R.Tensor((2, "n"), "float32"), new: R.Tensor((2, 1), "float32")):
        R.func_attr({"relax.inplace_arg": [0], "relax.capacity": {"past": 8}})
        k = R.concat((past, new), axis=1)
        s = R.max(past)
        return (k, s)

    @R.function(pure=False)
    def printed(past: R.Tensor(("n", 4), "float32"), new: R.Tensor((1, 4), "float32")):
        R.func_attr({"relax.inplace_arg": [0], "relax.capacity": {"past": 8}})
        R.print(past, format="{}")
        k = R.concat((past, new), axis=0)
        return k

    @R.function
    def alias_before(past: R.Tensor(("n", 4), "float32"), new: R.Tensor((1, 4), "float32")):
        R.func_attr({"relax.inplace_arg": [0], "relax.capacity": {"past": 8}})
        v = R.memory.ensure_zero_offset(past)
        k = R.concat((past, new), axis=0)
        return (k, R.sum(v))
# OUT:
# remark[E0391]: `past` is copied before the call: the value is read by something that cannot read it out of a larger tensor
#   --> append-readers.py:41:13
#    |
# 41 |         k = R.concat((past, new), axis=0)
#    |             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#    |
#    = note: IP022 in `view_before`: output 0 in argument 0, n * 16 bytes
#
# remark[E0391]: `past` is copied before the call: the value is read by something that cannot read it out of a larger tensor
#   --> append-readers.py:53:13
#    |
# 53 |         k = R.concat((past, new), axis=0)
#    |             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#    |
#    = note: IP022 in `call_before`: output 0 in argument 0, n * 16 bytes
#
# remark[E0391]: `past` is copied before the call: `past` is read after the call, on line 75
#   --> append-readers.py:71:17
#    |
# 71 |             k = R.concat((past, new), axis=0)
#    |                 ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
# ...
# 75 |         return R.add(s, R.sum(past))
#    |                --------------------- read here, after the update
#    |
#    = note: IP001 in `behind_branch`: output 0 in argument 0, n * 16 bytes
#    = help: move the read in front of the update, or keep the copy (n * 16 bytes per run)
#
# remark[E0391]: `past` is copied before the call: `past` is part of the function's result, so its old value must survive
#   --> append-readers.py:80:19
#    |
# 80 |         s = R.sum(R.concat((past, new), axis=0))
#    |                   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#    |
#    = note: IP003 in `given_on`: output 0 in argument 0, n * 16 bytes
#    = help: return the updated value only, or keep the copy (n * 16 bytes per run)
#
# remark[E0391]: `past` is copied before the call: the value is read by something that cannot read it out of a larger tensor
#   --> append-readers.py:93:17
#    |
# 93 |             k = R.concat((past, new), axis=0)
#    |                 ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#    |
#    = note: IP022 in `view_in_front_of_branch`: output 0 in argument 0, n * 16 bytes
#
# remark[E0391]: `past` is copied before the call: the value is read by something that cannot read it out of a larger tensor
#    --> append-readers.py:124:13
#     |
# 124 |         k = R.concat((past, new), axis=0)
#     |             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#     |
#     = note: IP022 in `alias_before`: output 0 in argument 0, n * 16 bytes
#
# remark[E0391]: `past` is copied before the call: `past` is read after the call, on line 110
#    --> append-readers.py:109:13
#     |
# 109 |         k = R.concat((past, new), axis=1)
#     |             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
# 110 |         s = R.max(past)
#     |             ----------- read here, after the update
#     |
#     = note: IP001 in `moved_behind`: output 0 in argument 0, n * 8 bytes
#     = help: move the read in front of the update, or keep the copy (n * 8 bytes per run)
#
# remark[E0394]: `gv` gets storage of its own: the storage of `y` belongs to the caller of the function
#   --> append-readers.py:25:27
#    |
# 20 |     def other_cache(past: R.Tensor(("n", 4), "float32"), own: R.Tensor(("n", 4), "float32"), new: R.Tensor((2, 2), "float32"), y: R.Tensor((2, 4), "float32")):
#    |                                                                                                                                - a borrowed parameter
# ...
# 25 |         b = R.matmul(new, R.negative(y))
#    |                           ^^^^^^^^^^^^^
#    |
#    = note: IP004 in `other_cache`: output 0 in argument 0, 32 bytes
#    = help: donate it: R.func_attr({"relax.inplace_arg": [3]}); the caller's tensor is then overwritten
#
# remark[E0391]: `new` is copied before the call: the storage of `new` belongs to the caller of the function
#   --> append-readers.py:32:13
#    |
# 32 |         k = R.concat((past, new), axis=0)
#    |             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#    |
#    = note: IP004 in `shape_only`: output 0 in argument 1, 16 bytes
#
# remark[E0391]: `new` is copied before the call: the storage of `new` belongs to the caller of the function
#   --> append-readers.py:41:13
#    |
# 41 |         k = R.concat((past, new), axis=0)
#    |             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#    |
#    = note: IP004 in `view_before`: output 0 in argument 1, 16 bytes
#
# 32 more decisions, which miss 128 bytes: `--all` shows every one
# in-place: 11, copy: 18, fresh: 1, view: 2, elided: 10
# saved: n * 256 + 260 bytes, missed: n * 104 + 192 bytes
# missed by IP022, the value is read by something that cannot read it out of a larger tensor: 4, n * 64 bytes
# missed by IP001, the argument is read after the call: 2, n * 24 bytes
# missed by IP003, the argument, or an alias of it, is part of the function's result: 1, n * 16 bytes
# missed by IP004, the storage belongs to the caller: 12, 192 bytes
# what-if: move the read on line 110 in front of line 109: n * 8 bytes
# what-if: donate `y` of `other_cache`: 32 bytes
