# Made by scripts/make-op-values.py.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T

@I.ir_module
class Module:
    @R.function
    def main(
        x0: R.Tensor((2, 3, 5), dtype="float32"),
        x1: R.Tensor((2, "n", 5), dtype="float32"),
        x2: R.Tensor((3, 40), dtype="float16"),
        x3: R.Tensor((), dtype="float32"),
        x4: R.Tensor((3,), dtype="float32"),
        x5: R.Tensor((1, 4096), dtype="float16"),
        x6: R.Tensor((4, 6), dtype="int8"),
        x7: R.Tensor((4, 6), dtype="uint8"),
        x8: R.Tensor((4, 6), dtype="int32"),
        x9: R.Tensor((4, 6), dtype="int64"),
        x10: R.Tensor((2, 3), dtype="int32"),
        x11: R.Tensor((3, 0), dtype="float32"),
        x12: R.Tensor((3, "z"), dtype="float32"),
        x13: R.Tensor((2, 0), dtype="int8"),
        x14: R.Tensor((2, 0), dtype="uint8"),
        x15: R.Tensor((4, 4), dtype="float32"),
        x16: R.Tensor(("p", "q"), dtype="float32"),
        x17: R.Tensor((2, 2), dtype="bool"),
        x18: R.Tensor((2, 2), dtype="int8"),
    ):
        n = T.int64()
        p = T.int64()
        q = T.int64()
        z = T.int64()
        y0 = R.sum(x0, axis=None, keepdims=False)
        y1 = R.sum(x1, axis=1, keepdims=False)
        y2 = R.sum(x0, axis=[0, 2], keepdims=True)
        y3 = R.sum(x1, axis=-1, keepdims=True)
        y4 = R.sum(x0, axis=[], keepdims=False)
        y5 = R.sum(x2, axis=1)
        y6 = R.sum(x3)
        y7 = R.sum(x4)
        y8 = R.prod(x0, axis=None, keepdims=False)
        y9 = R.prod(x1, axis=1, keepdims=False)
        y10 = R.prod(x0, axis=[0, 2], keepdims=True)
        y11 = R.prod(x1, axis=-1, keepdims=True)
        y12 = R.prod(x0, axis=[], keepdims=False)
        y13 = R.prod(x2, axis=1)
        y14 = R.prod(x3)
        y15 = R.prod(x4)
        y16 = R.max(x0, axis=None, keepdims=False)
        y17 = R.max(x1, axis=1, keepdims=False)
        y18 = R.max(x0, axis=[0, 2], keepdims=True)
        y19 = R.max(x1, axis=-1, keepdims=True)
        y20 = R.max(x0, axis=[], keepdims=False)
        y21 = R.max(x2, axis=1)
        y22 = R.max(x3)
        y23 = R.max(x4)
        y24 = R.min(x0, axis=None, keepdims=False)
        y25 = R.min(x1, axis=1, keepdims=False)
        y26 = R.min(x0, axis=[0, 2], keepdims=True)
        y27 = R.min(x1, axis=-1, keepdims=True)
        y28 = R.min(x0, axis=[], keepdims=False)
        y29 = R.min(x2, axis=1)
        y30 = R.min(x3)
        y31 = R.min(x4)
        y32 = R.mean(x0, axis=None, keepdims=False)
        y33 = R.mean(x1, axis=1, keepdims=False)
        y34 = R.mean(x0, axis=[0, 2], keepdims=True)
        y35 = R.mean(x1, axis=-1, keepdims=True)
        y36 = R.mean(x0, axis=[], keepdims=False)
        y37 = R.mean(x2, axis=1)
        y38 = R.mean(x3)
        y39 = R.mean(x4)
        y40 = R.variance(x0, axis=None, keepdims=False)
        y41 = R.variance(x1, axis=1, keepdims=False)
        y42 = R.variance(x0, axis=[0, 2], keepdims=True)
        y43 = R.variance(x1, axis=-1, keepdims=True)
        y44 = R.variance(x0, axis=[], keepdims=False)
        y45 = R.variance(x2, axis=1)
        y46 = R.variance(x3)
        y47 = R.variance(x4)
        y48 = R.std(x0, axis=None, keepdims=False)
        y49 = R.std(x1, axis=1, keepdims=False)
        y50 = R.std(x0, axis=[0, 2], keepdims=True)
        y51 = R.std(x1, axis=-1, keepdims=True)
        y52 = R.std(x0, axis=[], keepdims=False)
        y53 = R.std(x2, axis=1)
        y54 = R.std(x3)
        y55 = R.std(x4)
        y56 = R.sum(x5, axis=1)
        y57 = R.sum(x6, axis=1)
        y58 = R.prod(x6, axis=1)
        y59 = R.max(x6, axis=1)
        y60 = R.min(x6, axis=1)
        y61 = R.sum(x7, axis=1)
        y62 = R.prod(x7, axis=1)
        y63 = R.max(x7, axis=1)
        y64 = R.min(x7, axis=1)
        y65 = R.sum(x8, axis=1)
        y66 = R.prod(x8, axis=1)
        y67 = R.max(x8, axis=1)
        y68 = R.min(x8, axis=1)
        y69 = R.sum(x9, axis=1)
        y70 = R.prod(x9, axis=1)
        y71 = R.max(x9, axis=1)
        y72 = R.min(x9, axis=1)
        y73 = R.mean(x10, axis=1)
        y74 = R.sum(x11, axis=1)
        y75 = R.sum(x12, axis=1)
        y76 = R.sum(x11, axis=0)
        y77 = R.prod(x11, axis=1)
        y78 = R.prod(x12, axis=1)
        y79 = R.prod(x11, axis=0)
        y80 = R.max(x11, axis=1)
        y81 = R.max(x12, axis=1)
        y82 = R.max(x11, axis=0)
        y83 = R.min(x11, axis=1)
        y84 = R.min(x12, axis=1)
        y85 = R.min(x11, axis=0)
        y86 = R.mean(x11, axis=1)
        y87 = R.mean(x12, axis=1)
        y88 = R.mean(x11, axis=0)
        y89 = R.variance(x11, axis=1)
        y90 = R.variance(x12, axis=1)
        y91 = R.variance(x11, axis=0)
        y92 = R.std(x11, axis=1)
        y93 = R.std(x12, axis=1)
        y94 = R.std(x11, axis=0)
        y95 = R.max(x13, axis=1)
        y96 = R.min(x14, axis=1)
        y97 = R.argmax(x15, axis=1)
        y98 = R.argmax(x16, axis=0, keepdims=True)
        y99 = R.argmax(x0)
        y100 = R.argmax(x17, axis=1)
        y101 = R.argmax(x18, axis=1)
        y102 = R.argmin(x15, axis=1)
        y103 = R.argmin(x16, axis=0, keepdims=True)
        y104 = R.argmin(x0)
        y105 = R.argmin(x17, axis=1)
        y106 = R.argmin(x18, axis=1)
        return (y0, y1, y2, y3, y4, y5, y6, y7, y8, y9, y10, y11, y12, y13, y14, y15, y16, y17, y18, y19, y20, y21, y22, y23, y24, y25, y26, y27, y28, y29, y30, y31, y32, y33, y34, y35, y36, y37, y38, y39, y40, y41, y42, y43, y44, y45, y46, y47, y48, y49, y50, y51, y52, y53, y54, y55, y56, y57, y58, y59, y60, y61, y62, y63, y64, y65, y66, y67, y68, y69, y70, y71, y72, y73, y74, y75, y76, y77, y78, y79, y80, y81, y82, y83, y84, y85, y86, y87, y88, y89, y90, y91, y92, y93, y94, y95, y96, y97, y98, y99, y100, y101, y102, y103, y104, y105, y106,)
