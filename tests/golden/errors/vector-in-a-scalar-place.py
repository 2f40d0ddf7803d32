# FAIL: check
# A vector never becomes its first lane: casts, functions, conditions, loops and axes want scalars.
from tvm.script import tirx as T

@T.prim_func(s_tir=True)
def main(n: T.Buffer((8,), "int32"), b: T.Buffer((8,), "float32")):
    for i in range(8):
        b[i] = T.Cast("float32", T.Ramp(n[i], 1, 3))
        b[i] = T.float32(n[0:4])
        b[i] = T.cast(n[0:4], "float32")
        b[0:8] = T.Cast("float32x8", n[0:4])
        n[i] = T.clz(n[0:4])
        b[i] = T.isnan(b[0:4])
        b[i] = T.Select(n[0:4] > 0, b[i], T.float32(0))
        b[0:4] = b[0:4] if n[0:4] > 0 else T.float32(0)
        b[0:4] = T.Broadcast(n[0:2], 4)
        b[i] = T.Shuffle([b[0:4]], [n[0:2]])
        if n[0:4] > 0:
            b[i] = T.float32(1)
        while n[0:4]:
            b[i] = T.float32(1)
        assert n[0:4] > 0, "message"
        for j in range(n[0:4]):
            b[i] = T.float32(1)
        for j in range(n[0:4], 8):
            b[i] = T.float32(1)
        with T.sblock("block"):
            v = T.axis.spatial(8, n[0:4])
            b[v] = T.float32(1)
        with T.sblock("block"):
            v = T.axis.spatial(8, i)
            T.where(n[0:4] > 0)
            b[v] = T.float32(1)
        w = T.alloc_buffer((n[0:4],))
# OUT:
# error[E0401]: int32 and int32x3 cannot be brought to one type
#  --> vector-in-a-scalar-place.py:8:34
#   |
# 8 |         b[i] = T.Cast("float32", T.Ramp(n[i], 1, 3))
#   |                                  ^^^^^^^^^^^^^^^^^^
#   |
#   = help: a vector stands where all of its lanes are stored: `B[i:i + 3] = ..`
#
# error[E0401]: int32 and int32x4 cannot be brought to one type
#  --> vector-in-a-scalar-place.py:9:26
#   |
# 9 |         b[i] = T.float32(n[0:4])
#   |                          ^^^^^^
#   |
#   = help: a vector stands where all of its lanes are stored: `B[i:i + 4] = ..`
#
# error[E0401]: int32 and int32x4 cannot be brought to one type
#   --> vector-in-a-scalar-place.py:10:23
#    |
# 10 |         b[i] = T.cast(n[0:4], "float32")
#    |                       ^^^^^^
#    |
#    = help: a vector stands where all of its lanes are stored: `B[i:i + 4] = ..`
#
# error[E0401]: int32x8 and int32x4 cannot be brought to one type
#   --> vector-in-a-scalar-place.py:11:38
#    |
# 11 |         b[0:8] = T.Cast("float32x8", n[0:4])
#    |                                      ^^^^^^
#
# error[E0401]: int32 and int32x4 cannot be brought to one type
#   --> vector-in-a-scalar-place.py:12:22
#    |
# 12 |         n[i] = T.clz(n[0:4])
#    |                      ^^^^^^
#    |
#    = help: a vector stands where all of its lanes are stored: `B[i:i + 4] = ..`
#
# error[E0401]: float32 and boolx4 cannot be brought to one type
#   --> vector-in-a-scalar-place.py:13:9
#    |
# 13 |         b[i] = T.isnan(b[0:4])
#    |         ^^^^^^^^^^^^^^^^^^^^^^
#
# error[E0401]: bool and boolx4 cannot be brought to one type
#   --> vector-in-a-scalar-place.py:14:25
#    |
# 14 |         b[i] = T.Select(n[0:4] > 0, b[i], T.float32(0))
#    |                         ^^^^^^^^^^
#    |
#    = help: a vector stands where all of its lanes are stored: `B[i:i + 4] = ..`
#
# error[E0401]: bool and boolx4 cannot be brought to one type
#   --> vector-in-a-scalar-place.py:15:28
#    |
# 15 |         b[0:4] = b[0:4] if n[0:4] > 0 else T.float32(0)
#    |                            ^^^^^^^^^^
#    |
#    = help: a vector stands where all of its lanes are stored: `B[i:i + 4] = ..`
#
# error[E0401]: int32 and int32x2 cannot be brought to one type
#   --> vector-in-a-scalar-place.py:16:30
#    |
# 16 |         b[0:4] = T.Broadcast(n[0:2], 4)
#    |                              ^^^^^^
#    |
#    = help: a vector stands where all of its lanes are stored: `B[i:i + 2] = ..`
#
# error[E0401]: int32 and int32x2 cannot be brought to one type
#   --> vector-in-a-scalar-place.py:17:37
#    |
# 17 |         b[i] = T.Shuffle([b[0:4]], [n[0:2]])
#    |                                     ^^^^^^
#    |
#    = help: a vector stands where all of its lanes are stored: `B[i:i + 2] = ..`
#
# error[E0401]: bool and boolx4 cannot be brought to one type
#   --> vector-in-a-scalar-place.py:18:12
#    |
# 18 |         if n[0:4] > 0:
#    |            ^^^^^^^^^^
#    |
#    = help: a vector stands where all of its lanes are stored: `B[i:i + 4] = ..`
#
# error[E0401]: int32 and int32x4 cannot be brought to one type
#   --> vector-in-a-scalar-place.py:20:15
#    |
# 20 |         while n[0:4]:
#    |               ^^^^^^
#    |
#    = help: a vector stands where all of its lanes are stored: `B[i:i + 4] = ..`
#
# error[E0401]: bool and boolx4 cannot be brought to one type
#   --> vector-in-a-scalar-place.py:22:16
#    |
# 22 |         assert n[0:4] > 0, "message"
#    |                ^^^^^^^^^^
#    |
#    = help: a vector stands where all of its lanes are stored: `B[i:i + 4] = ..`
#
# error[E0401]: int32 and int32x4 cannot be brought to one type
#   --> vector-in-a-scalar-place.py:23:24
#    |
# 23 |         for j in range(n[0:4]):
#    |                        ^^^^^^
#    |
#    = help: a vector stands where all of its lanes are stored: `B[i:i + 4] = ..`
#
# error[E0401]: int32 and int32x4 cannot be brought to one type
#   --> vector-in-a-scalar-place.py:25:24
#    |
# 25 |         for j in range(n[0:4], 8):
#    |                        ^^^^^^
#    |
#    = help: a vector stands where all of its lanes are stored: `B[i:i + 4] = ..`
#
# error[E0401]: int32 and int32x4 cannot be brought to one type
#   --> vector-in-a-scalar-place.py:28:35
#    |
# 28 |             v = T.axis.spatial(8, n[0:4])
#    |                                   ^^^^^^
#    |
#    = help: a vector stands where all of its lanes are stored: `B[i:i + 4] = ..`
#
# error[E0401]: bool and boolx4 cannot be brought to one type
#   --> vector-in-a-scalar-place.py:32:21
#    |
# 32 |             T.where(n[0:4] > 0)
#    |                     ^^^^^^^^^^
#    |
#    = help: a vector stands where all of its lanes are stored: `B[i:i + 4] = ..`
#
# error[E0401]: int32 and int32x4 cannot be brought to one type
#   --> vector-in-a-scalar-place.py:34:29
#    |
# 34 |         w = T.alloc_buffer((n[0:4],))
#    |                             ^^^^^^
#    |
#    = help: a vector stands where all of its lanes are stored: `B[i:i + 4] = ..`
#
