# RUN: run FILE --in x=iota --dim n=0 --format=text
# Scratch is zeroed unless its first mention writes all of it: not where that leaves an element out, comes behind a read,
# or may not run.
from tvm.script import ir as I
from tvm.script import tirx as T
from tvm.script import relax as R


@I.ir_module
class Module:
    @T.prim_func
    def parts(x: T.Buffer((4,), "float32"), z: T.Buffer(("n",), "float32"), y: T.Buffer((7, 4), "float32")):
        n = T.int64()
        T.func_attr({"tirx.is_scheduled": True})
        whole = T.alloc_buffer((1, 4), "float32")
        short = T.alloc_buffer((4,), "float32")
        diagonal = T.alloc_buffer((2, 2), "float32")
        late = T.alloc_buffer((4,), "float32")
        own = T.alloc_buffer((4,), "float32")
        above = T.alloc_buffer((4,), "float32")
        perhaps = T.alloc_buffer((4,), "float32")
        for i in range(4):
            whole[0, i] = x[i] + T.float32(1)
        for i in range(3):
            short[i] = x[i] + T.float32(1)
        for i in range(2):
            for j in range(2):
                diagonal[i, i] = x[i * 2 + j] + T.float32(1)
        for i in range(4):
            y[3, i] = late[i]
        for i in range(4):
            late[i] = x[i]
        for i in range(4):
            own[i] = own[i] + x[i]
        for i in range(2, 4):
            above[i] = x[i]
        for k in range(n):
            for i in range(4):
                perhaps[i] = x[i] + T.float32(7)
        for i in range(4):
            y[6, i] = perhaps[i]
            y[0, i] = whole[0, i]
            y[1, i] = short[i]
            y[2, i] = diagonal[i // 2, i % 2]
            y[4, i] = own[i]
            y[5, i] = above[i] + late[i]

    @R.function
    def main(x: R.Tensor((4,), "float32"), z: R.Tensor(("n",), "float32")):
        cls = Module
        y = R.call_tir(cls.parts, (x, z), out_ty=R.Tensor((7, 4), "float32"))
        return y
# OUT:
# result: (7, 4) float32
# [[1. 2. 3. 4.]
#  [1. 2. 3. 0.]
#  [2. 0. 0. 4.]
#  [0. 0. 0. 0.]
#  [0. 1. 2. 3.]
#  [0. 1. 4. 6.]
#  [0. 0. 0. 0.]]
# warning[E0323]: `late` is read before it is written
#   --> scratch-zeroed.py:30:23
#    |
# 18 |         late = T.alloc_buffer((4,), "float32")
#    |         ---- `late` holds any number when it is allocated
# ...
# 30 |             y[3, i] = late[i]
#    |                       ^^^^^^^ where i is 0
#    |
#    = help: store to it first
#
# warning[E0323]: `own` is read before it is written
#   --> scratch-zeroed.py:34:22
#    |
# 19 |         own = T.alloc_buffer((4,), "float32")
#    |         --- `own` holds any number when it is allocated
# ...
# 34 |             own[i] = own[i] + x[i]
#    |                      ^^^^^^ where i is 0
#    |
#    = help: store to it first
#
# warning[E0323]: `short` is read before it is written
#   --> scratch-zeroed.py:43:23
#    |
# 16 |         short = T.alloc_buffer((4,), "float32")
#    |         ----- `short` holds any number when it is allocated
# ...
# 43 |             y[1, i] = short[i]
#    |                       ^^^^^^^^ where i is 3
#    |
#    = help: store to it first
#
# warning[E0323]: `diagonal` is read before it is written
#   --> scratch-zeroed.py:44:23
#    |
# 17 |         diagonal = T.alloc_buffer((2, 2), "float32")
#    |         -------- `diagonal` holds any number when it is allocated
# ...
# 44 |             y[2, i] = diagonal[i // 2, i % 2]
#    |                       ^^^^^^^^^^^^^^^^^^^^^^^ where i is 1
#    |
#    = help: store to it first
#
# warning[E0323]: `above` is read before it is written
#   --> scratch-zeroed.py:46:23
#    |
# 20 |         above = T.alloc_buffer((4,), "float32")
#    |         ----- `above` holds any number when it is allocated
# ...
# 46 |             y[5, i] = above[i] + late[i]
#    |                       ^^^^^^^^ where i is 0
#    |
#    = help: store to it first
#
