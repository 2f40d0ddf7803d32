# FAIL: check
# What can be seen to be wrong in what takes storage.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @R.function(pure=False)
    def rank(x: R.Tensor((4,), "float32")):
        s = R.memory.alloc_storage(R.shape([4, 4]), 0, "global", "float32")
        return s

    @R.function(pure=False)
    def size(x: R.Tensor((4,), "float32")):
        s = R.memory.alloc_storage(R.shape([-4]), 0, "global", "float32")
        return s

    @R.function(pure=False)
    def hint(x: R.Tensor((4,), "float32")):
        s = R.memory.alloc_storage(R.shape([4]), 0, "global", x)
        return s

    @R.function(pure=False)
    def place(x: R.Tensor((4,), "float32")):
        t = R.memory.alloc_tensor(x, 0, R.shape([4]), "float32")
        return t

    @R.function(pure=False)
    def before(x: R.Tensor((4,), "float32")):
        s = R.memory.alloc_storage(R.shape([64]), 0, "global", "float32")
        t = R.memory.alloc_tensor(s, -4, R.shape([4]), "float32")
        return t

    @R.function(pure=False)
    def behind(x: R.Tensor((4,), "float32")):
        n = T.int64()
        y = R.match_cast(R.shape_of(x), R.Shape([n]))
        s = R.vm.alloc_storage(R.shape([n + 1]), 0, "float32")
        t = R.vm.alloc_tensor(s, 8, R.shape([n]), "float32")
        return t

    @R.function(pure=False)
    def split(x: R.Tensor((4,), "float32")):
        s = R.memory.alloc_storage(R.shape([64]), 0, "global", "float32")
        t = R.memory.alloc_tensor(s, 6, R.shape([4]), "float32")
        return t

    @R.function(pure=False)
    def view(x: R.Tensor((4,), "float32")):
        y = R.memory.view(x, dtype="float64")
        return y

    @R.function(pure=False)
    def shifted(x: R.Tensor((4,), "float32")):
        y = R.memory.view(x, R.shape([4]), "float32", 4)
        return y

    @R.function(pure=False)
    def kill(x: R.Tensor((4,), "float32"), n: R.Prim("int64")):
        R.memory.kill_tensor(n)
        R.memory.kill_storage(x)
        return x
# OUT:
# error[E0602]: `R.memory.alloc_storage`: `size` must have rank 1: the number of bytes, and its shape is (4, 4)
#   --> signatures.py:12:13
#    |
# 12 |         s = R.memory.alloc_storage(R.shape([4, 4]), 0, "global", "float32")
#    |             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#
# error[E0609]: `R.memory.alloc_storage`: `size` is negative
#   --> signatures.py:17:13
#    |
# 17 |         s = R.memory.alloc_storage(R.shape([-4]), 0, "global", "float32")
#    |             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#
# error[E0601]: `R.memory.alloc_storage`: operand `dtype` must be a dtype, not R.Tensor((4,), dtype="float32")
#   --> signatures.py:22:63
#    |
# 21 |     def hint(x: R.Tensor((4,), "float32")):
#    |              - this is R.Tensor((4,), dtype="float32")
# 22 |         s = R.memory.alloc_storage(R.shape([4]), 0, "global", x)
#    |                                                               ^
#
# error[E0601]: `R.memory.alloc_tensor`: operand `storage` must be a piece of storage, not R.Tensor((4,), dtype="float32")
#   --> signatures.py:27:35
#    |
# 26 |     def place(x: R.Tensor((4,), "float32")):
#    |               - this is R.Tensor((4,), dtype="float32")
# 27 |         t = R.memory.alloc_tensor(x, 0, R.shape([4]), "float32")
#    |                                   ^
#
# error[E0609]: `R.memory.alloc_tensor`: `offset` is negative
#   --> signatures.py:33:38
#    |
# 33 |         t = R.memory.alloc_tensor(s, -4, R.shape([4]), "float32")
#    |                                      ^^
#
# error[E0611]: `R.vm.alloc_tensor`: bytes 8 to n * 4 + 8 are not all in `storage`, which has n * 4 + 4
#   --> signatures.py:41:13
#    |
# 41 |         t = R.vm.alloc_tensor(s, 8, R.shape([n]), "float32")
#    |             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#
# error[E0609]: `R.memory.alloc_tensor`: `offset` is 6, no multiple of the 4 bytes of an element
#   --> signatures.py:47:38
#    |
# 47 |         t = R.memory.alloc_tensor(s, 6, R.shape([4]), "float32")
#    |                                      ^
#
# error[E0611]: `R.memory.view`: bytes 0 to 32 are not all in `data`, which has 16
#   --> signatures.py:52:13
#    |
# 52 |         y = R.memory.view(x, dtype="float64")
#    |             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#
# error[E0611]: `R.memory.view`: bytes 4 to 20 are not all in `data`, which has 16
#   --> signatures.py:57:13
#    |
# 57 |         y = R.memory.view(x, R.shape([4]), "float32", 4)
#    |             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#
# error[E0601]: `R.memory.kill_tensor`: operand `tensor` must be a tensor, not T.int64
#   --> signatures.py:62:30
#    |
# 61 |     def kill(x: R.Tensor((4,), "float32"), n: R.Prim("int64")):
#    |                                            - this is T.int64
# 62 |         R.memory.kill_tensor(n)
#    |                              ^
#
# error[E0601]: `R.memory.kill_storage`: operand `storage` must be a piece of storage, not R.Tensor((4,), dtype="float32")
#   --> signatures.py:63:31
#    |
# 61 |     def kill(x: R.Tensor((4,), "float32"), n: R.Prim("int64")):
#    |              - this is R.Tensor((4,), dtype="float32")
# 62 |         R.memory.kill_tensor(n)
# 63 |         R.memory.kill_storage(x)
#    |                               ^
#
