# Made by scripts/make-op-values.py.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T

@I.ir_module
class Module:
    @R.function
    def main(
        x0: R.Tensor((2, 3, 4), dtype="float32"),
        x1: R.Tensor(("a", 3, "b"), dtype="float32"),
        x2: R.Tensor((10,), dtype="float32"),
        x3: R.Tensor((1, 3, 1), dtype="float32"),
        x4: R.Tensor((1, 3, 1), dtype="float32"),
        x5: R.Tensor((3, 1), dtype="float32"),
        x6: R.Tensor((), dtype="float32"),
        x7: R.Tensor((2, 3), dtype="bool"),
        x8: R.Tensor((2, 3), dtype="int8"),
        x9: R.Tensor((2, 3), dtype="float16"),
        x10: R.Tensor((2, 3), dtype="float64"),
        x11: R.Tensor((2, 3), dtype="uint64"),
        x12: R.Tensor((0, 3), dtype="float32"),
        x13: R.Tensor((1, 3), dtype="float32"),
        x14: R.Tensor((4,), dtype="int64"),
        x15: R.Tensor((2, 2), dtype="int32"),
        x16: R.Tensor((), dtype="int64"),
        x17: R.Tensor((8,), dtype="int64"),
        x18: R.Tensor((2, 2), dtype="int64"),
    ):
        a = T.int64()
        b = T.int64()
        y0 = R.permute_dims(x0)
        y1 = R.permute_dims(x0, axes=[1, -1, 0])
        y2 = R.flatten(x0)
        y3 = R.expand_dims(x0, axis=[0, -1])
        y4 = R.flip(x0, axis=1)
        y5 = R.flip(x0, axis=-1)
        y6 = R.repeat(x0, 3, axis=1)
        y7 = R.repeat(x0, 2)
        y8 = R.repeat(x0, 0, axis=0)
        y9 = R.tile(x0, (2, 1, 3))
        y10 = R.tile(x0, (2, 1, 1, 2))
        y11 = R.tile(x0, (2,))
        y12 = R.concat((x0, x0), axis=1)
        y13 = R.concat((x0, x0, x0), axis=-1)
        y14 = R.concat((x0, x0), axis=None)
        y15 = R.stack((x0, x0), axis=-1)
        y16 = R.stack((x0, x0), axis=1)
        y17 = R.reshape(x0, (-1, 3))
        y18 = R.reshape(x0, (0, -1))
        t19 = R.split(x0, 3, axis=1)
        r19 = t19[0]
        r20 = t19[1]
        r21 = t19[2]
        t20 = R.split(x0, [1, 2], axis=1)
        r22 = t20[0]
        r23 = t20[1]
        r24 = t20[2]
        y21 = R.strided_slice(x0, (0, 1, 2), (0, -2, 1), (2, 3, 100), (1, 1, 2))
        y22 = R.strided_slice(x0, (2,), (-1,), (-100,), (-1,))
        y23 = R.strided_slice(x0, (1,), (2,), (0,), (-2,))
        y24 = R.strided_slice(x0, (1,), (3,), (9,))
        y25 = R.tril(x0, 1)
        y26 = R.triu(x0)
        y27 = R.triu(x0, -1)
        y28 = R.broadcast_to(x0, (5, 2, 3, 4))
        y29 = R.permute_dims(x1)
        y30 = R.permute_dims(x1, axes=[1, -1, 0])
        y31 = R.flatten(x1)
        y32 = R.expand_dims(x1, axis=[0, -1])
        y33 = R.flip(x1, axis=1)
        y34 = R.flip(x1, axis=-1)
        y35 = R.repeat(x1, 3, axis=1)
        y36 = R.repeat(x1, 2)
        y37 = R.repeat(x1, 0, axis=0)
        y38 = R.tile(x1, (2, 1, 3))
        y39 = R.tile(x1, (2, 1, 1, 2))
        y40 = R.tile(x1, (2,))
        y41 = R.concat((x1, x1), axis=1)
        y42 = R.concat((x1, x1, x1), axis=-1)
        y43 = R.concat((x1, x1), axis=None)
        y44 = R.stack((x1, x1), axis=-1)
        y45 = R.stack((x1, x1), axis=1)
        y46 = R.reshape(x1, (-1, 3))
        y47 = R.reshape(x1, (0, -1))
        t48 = R.split(x1, 3, axis=1)
        r52 = t48[0]
        r53 = t48[1]
        r54 = t48[2]
        t49 = R.split(x1, [1, 2], axis=1)
        r55 = t49[0]
        r56 = t49[1]
        r57 = t49[2]
        y50 = R.strided_slice(x1, (0, 1, 2), (0, -2, 1), (2, 3, 100), (1, 1, 2))
        y51 = R.strided_slice(x1, (2,), (-1,), (-100,), (-1,))
        y52 = R.strided_slice(x1, (1,), (2,), (0,), (-2,))
        y53 = R.strided_slice(x1, (1,), (3,), (9,))
        y54 = R.tril(x1, 1)
        y55 = R.triu(x1)
        y56 = R.triu(x1, -1)
        y57 = R.broadcast_to(x1, (5, a, 3, b))
        t58 = R.split(x2, [2, 6, 4])
        r66 = t58[0]
        r67 = t58[1]
        r68 = t58[2]
        r69 = t58[3]
        t59 = R.split(x2, 4)
        r70 = t59[0]
        r71 = t59[1]
        r72 = t59[2]
        r73 = t59[3]
        y60 = R.squeeze(x3)
        y61 = R.squeeze(x4, axis=[0])
        y62 = R.broadcast_to(x5, (2, 3, 4))
        y63 = R.broadcast_to(x6, (2, 2))
        y64 = R.stack((x6, x6))
        y65 = R.flatten(x6)
        y66 = R.permute_dims(x7)
        y67 = R.concat((x7, x7))
        y68 = R.permute_dims(x8)
        y69 = R.concat((x8, x8))
        y70 = R.permute_dims(x9)
        y71 = R.concat((x9, x9))
        y72 = R.permute_dims(x10)
        y73 = R.concat((x10, x10))
        y74 = R.permute_dims(x11)
        y75 = R.concat((x11, x11))
        y76 = R.concat((x12, x13))
        y77 = R.permute_dims(x12)
        y78 = R.tile(x12, (2, 2))
        y79 = R.take(x0, x14, axis=0)
        y80 = R.take(x1, x14, axis=0)
        y81 = R.take(x0, x15, axis=1)
        y82 = R.take(x1, x15, axis=1)
        y83 = R.take(x0, x16, axis=2)
        y84 = R.take(x1, x16, axis=2)
        y85 = R.take(x0, x17, axis=2, mode="clip")
        y86 = R.take(x0, x17, axis=2, mode="wrap")
        y87 = R.take(x2, x18)
        return (y0, y1, y2, y3, y4, y5, y6, y7, y8, y9, y10, y11, y12, y13, y14, y15, y16, y17, y18, r19, r20, r21, r22, r23, r24, y21, y22, y23, y24, y25, y26, y27, y28, y29, y30, y31, y32, y33, y34, y35, y36, y37, y38, y39, y40, y41, y42, y43, y44, y45, y46, y47, r52, r53, r54, r55, r56, r57, y50, y51, y52, y53, y54, y55, y56, y57, r66, r67, r68, r69, r70, r71, r72, r73, y60, y61, y62, y63, y64, y65, y66, y67, y68, y69, y70, y71, y72, y73, y74, y75, y76, y77, y78, y79, y80, y81, y82, y83, y84, y85, y86, y87,)
