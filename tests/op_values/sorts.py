# Made by scripts/make-op-values.py.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T

@I.ir_module
class Module:
    @R.function
    def main(
        x0: R.Tensor(("a", "b", "c"), dtype="float32"),
        x1: R.Tensor((2, 7, 3), dtype="float32"),
        x2: R.Tensor((4, 9), dtype="int8"),
        x3: R.Tensor((2, 8), dtype="float32"),
        x4: R.Tensor((2, 5), dtype="bool"),
        x5: R.Tensor((1,), dtype="float16"),
        x6: R.Tensor((0, 3), dtype="float32"),
        x7: R.Tensor((3, 4), dtype="uint64"),
        x8: R.Tensor((3, 200), dtype="float32"),
        x9: R.Tensor(("s", "t"), dtype="float32"),
        x10: R.Tensor((3, 200), dtype="float32"),
        x11: R.Tensor((3, 65), dtype="float32"),
        x12: R.Tensor((3, 1), dtype="float32"),
        x13: R.Tensor((3, 129), dtype="float32"),
        x14: R.Tensor((3, 33), dtype="float32"),
    ):
        a = T.int64()
        b = T.int64()
        c = T.int64()
        s = T.int64()
        t = T.int64()
        y0 = R.sort(x0, axis=0, descending=False)
        y1 = R.argsort(x0, axis=0, descending=False)
        y2 = R.argsort(x1, axis=0, descending=False, dtype="int64")
        t3 = R.topk(x1, k=2, axis=0, largest=False)
        r3 = t3[0]
        r4 = t3[1]
        y4 = R.topk(x1, k=2, axis=0, largest=False, ret_type="values")
        y5 = R.topk(x1, k=2, axis=0, largest=False, ret_type="indices", dtype="int64")
        y6 = R.sort(x0, axis=0, descending=True)
        y7 = R.argsort(x0, axis=0, descending=True)
        y8 = R.argsort(x1, axis=0, descending=True, dtype="int64")
        t9 = R.topk(x1, k=2, axis=0, largest=True)
        r10 = t9[0]
        r11 = t9[1]
        y10 = R.topk(x1, k=2, axis=0, largest=True, ret_type="values")
        y11 = R.topk(x1, k=2, axis=0, largest=True, ret_type="indices", dtype="int64")
        y12 = R.sort(x0, axis=2, descending=False)
        y13 = R.argsort(x0, axis=2, descending=False)
        y14 = R.argsort(x1, axis=2, descending=False, dtype="int64")
        t15 = R.topk(x1, k=2, axis=2, largest=False)
        r17 = t15[0]
        r18 = t15[1]
        y16 = R.topk(x1, k=2, axis=2, largest=False, ret_type="values")
        y17 = R.topk(x1, k=2, axis=2, largest=False, ret_type="indices", dtype="int64")
        y18 = R.sort(x0, axis=2, descending=True)
        y19 = R.argsort(x0, axis=2, descending=True)
        y20 = R.argsort(x1, axis=2, descending=True, dtype="int64")
        t21 = R.topk(x1, k=2, axis=2, largest=True)
        r24 = t21[0]
        r25 = t21[1]
        y22 = R.topk(x1, k=2, axis=2, largest=True, ret_type="values")
        y23 = R.topk(x1, k=2, axis=2, largest=True, ret_type="indices", dtype="int64")
        t24 = R.median(x0, axis=[-1], keepdims=True)
        r28 = t24[0]
        r29 = t24[1]
        y25 = R.median(x0)
        y26 = R.median(x0, axis=[0, 1], keepdims=True)
        y27 = R.sort(x2, axis=0, descending=False)
        y28 = R.argsort(x2, axis=0, descending=False)
        y29 = R.argsort(x2, axis=0, descending=False, dtype="int64")
        t30 = R.topk(x2, k=2, axis=0, largest=False)
        r35 = t30[0]
        r36 = t30[1]
        y31 = R.topk(x2, k=2, axis=0, largest=False, ret_type="values")
        y32 = R.topk(x2, k=2, axis=0, largest=False, ret_type="indices", dtype="int64")
        y33 = R.sort(x2, axis=0, descending=True)
        y34 = R.argsort(x2, axis=0, descending=True)
        y35 = R.argsort(x2, axis=0, descending=True, dtype="int64")
        t36 = R.topk(x2, k=2, axis=0, largest=True)
        r42 = t36[0]
        r43 = t36[1]
        y37 = R.topk(x2, k=2, axis=0, largest=True, ret_type="values")
        y38 = R.topk(x2, k=2, axis=0, largest=True, ret_type="indices", dtype="int64")
        y39 = R.sort(x2, axis=1, descending=False)
        y40 = R.argsort(x2, axis=1, descending=False)
        y41 = R.argsort(x2, axis=1, descending=False, dtype="int64")
        t42 = R.topk(x2, k=2, axis=1, largest=False)
        r49 = t42[0]
        r50 = t42[1]
        y43 = R.topk(x2, k=2, axis=1, largest=False, ret_type="values")
        y44 = R.topk(x2, k=2, axis=1, largest=False, ret_type="indices", dtype="int64")
        y45 = R.sort(x2, axis=1, descending=True)
        y46 = R.argsort(x2, axis=1, descending=True)
        y47 = R.argsort(x2, axis=1, descending=True, dtype="int64")
        t48 = R.topk(x2, k=2, axis=1, largest=True)
        r56 = t48[0]
        r57 = t48[1]
        y49 = R.topk(x2, k=2, axis=1, largest=True, ret_type="values")
        y50 = R.topk(x2, k=2, axis=1, largest=True, ret_type="indices", dtype="int64")
        t51 = R.median(x2, axis=[-1], keepdims=True)
        r60 = t51[0]
        r61 = t51[1]
        y52 = R.median(x2)
        y53 = R.median(x2, axis=[0, 1], keepdims=True)
        y54 = R.sort(x3, axis=0, descending=False)
        y55 = R.argsort(x3, axis=0, descending=False)
        y56 = R.argsort(x3, axis=0, descending=False, dtype="int64")
        t57 = R.topk(x3, k=2, axis=0, largest=False)
        r67 = t57[0]
        r68 = t57[1]
        y58 = R.topk(x3, k=2, axis=0, largest=False, ret_type="values")
        y59 = R.topk(x3, k=2, axis=0, largest=False, ret_type="indices", dtype="int64")
        y60 = R.sort(x3, axis=0, descending=True)
        y61 = R.argsort(x3, axis=0, descending=True)
        y62 = R.argsort(x3, axis=0, descending=True, dtype="int64")
        t63 = R.topk(x3, k=2, axis=0, largest=True)
        r74 = t63[0]
        r75 = t63[1]
        y64 = R.topk(x3, k=2, axis=0, largest=True, ret_type="values")
        y65 = R.topk(x3, k=2, axis=0, largest=True, ret_type="indices", dtype="int64")
        y66 = R.sort(x3, axis=1, descending=False)
        y67 = R.argsort(x3, axis=1, descending=False)
        y68 = R.argsort(x3, axis=1, descending=False, dtype="int64")
        t69 = R.topk(x3, k=2, axis=1, largest=False)
        r81 = t69[0]
        r82 = t69[1]
        y70 = R.topk(x3, k=2, axis=1, largest=False, ret_type="values")
        y71 = R.topk(x3, k=2, axis=1, largest=False, ret_type="indices", dtype="int64")
        y72 = R.sort(x3, axis=1, descending=True)
        y73 = R.argsort(x3, axis=1, descending=True)
        y74 = R.argsort(x3, axis=1, descending=True, dtype="int64")
        t75 = R.topk(x3, k=2, axis=1, largest=True)
        r88 = t75[0]
        r89 = t75[1]
        y76 = R.topk(x3, k=2, axis=1, largest=True, ret_type="values")
        y77 = R.topk(x3, k=2, axis=1, largest=True, ret_type="indices", dtype="int64")
        t78 = R.median(x3, axis=[-1], keepdims=True)
        r92 = t78[0]
        r93 = t78[1]
        y79 = R.median(x3)
        y80 = R.median(x3, axis=[0, 1], keepdims=True)
        y81 = R.sort(x4, axis=0, descending=False)
        y82 = R.argsort(x4, axis=0, descending=False)
        y83 = R.argsort(x4, axis=0, descending=False, dtype="int64")
        t84 = R.topk(x4, k=2, axis=0, largest=False)
        r99 = t84[0]
        r100 = t84[1]
        y85 = R.topk(x4, k=2, axis=0, largest=False, ret_type="values")
        y86 = R.topk(x4, k=2, axis=0, largest=False, ret_type="indices", dtype="int64")
        y87 = R.sort(x4, axis=0, descending=True)
        y88 = R.argsort(x4, axis=0, descending=True)
        y89 = R.argsort(x4, axis=0, descending=True, dtype="int64")
        t90 = R.topk(x4, k=2, axis=0, largest=True)
        r106 = t90[0]
        r107 = t90[1]
        y91 = R.topk(x4, k=2, axis=0, largest=True, ret_type="values")
        y92 = R.topk(x4, k=2, axis=0, largest=True, ret_type="indices", dtype="int64")
        y93 = R.sort(x4, axis=1, descending=False)
        y94 = R.argsort(x4, axis=1, descending=False)
        y95 = R.argsort(x4, axis=1, descending=False, dtype="int64")
        t96 = R.topk(x4, k=2, axis=1, largest=False)
        r113 = t96[0]
        r114 = t96[1]
        y97 = R.topk(x4, k=2, axis=1, largest=False, ret_type="values")
        y98 = R.topk(x4, k=2, axis=1, largest=False, ret_type="indices", dtype="int64")
        y99 = R.sort(x4, axis=1, descending=True)
        y100 = R.argsort(x4, axis=1, descending=True)
        y101 = R.argsort(x4, axis=1, descending=True, dtype="int64")
        t102 = R.topk(x4, k=2, axis=1, largest=True)
        r120 = t102[0]
        r121 = t102[1]
        y103 = R.topk(x4, k=2, axis=1, largest=True, ret_type="values")
        y104 = R.topk(x4, k=2, axis=1, largest=True, ret_type="indices", dtype="int64")
        t105 = R.median(x4, axis=[-1], keepdims=True)
        r124 = t105[0]
        r125 = t105[1]
        y106 = R.median(x4)
        y107 = R.median(x4, axis=[0, 1], keepdims=True)
        y108 = R.sort(x5, axis=0, descending=False)
        y109 = R.argsort(x5, axis=0, descending=False)
        y110 = R.argsort(x5, axis=0, descending=False, dtype="int64")
        t111 = R.topk(x5, k=2, axis=0, largest=False)
        r131 = t111[0]
        r132 = t111[1]
        y112 = R.topk(x5, k=2, axis=0, largest=False, ret_type="values")
        y113 = R.topk(x5, k=2, axis=0, largest=False, ret_type="indices", dtype="int64")
        y114 = R.sort(x5, axis=0, descending=True)
        y115 = R.argsort(x5, axis=0, descending=True)
        y116 = R.argsort(x5, axis=0, descending=True, dtype="int64")
        t117 = R.topk(x5, k=2, axis=0, largest=True)
        r138 = t117[0]
        r139 = t117[1]
        y118 = R.topk(x5, k=2, axis=0, largest=True, ret_type="values")
        y119 = R.topk(x5, k=2, axis=0, largest=True, ret_type="indices", dtype="int64")
        y120 = R.sort(x6, axis=0, descending=False)
        y121 = R.argsort(x6, axis=0, descending=False)
        y122 = R.argsort(x6, axis=0, descending=False, dtype="int64")
        t123 = R.topk(x6, k=2, axis=0, largest=False)
        r145 = t123[0]
        r146 = t123[1]
        y124 = R.topk(x6, k=2, axis=0, largest=False, ret_type="values")
        y125 = R.topk(x6, k=2, axis=0, largest=False, ret_type="indices", dtype="int64")
        y126 = R.sort(x6, axis=0, descending=True)
        y127 = R.argsort(x6, axis=0, descending=True)
        y128 = R.argsort(x6, axis=0, descending=True, dtype="int64")
        t129 = R.topk(x6, k=2, axis=0, largest=True)
        r152 = t129[0]
        r153 = t129[1]
        y130 = R.topk(x6, k=2, axis=0, largest=True, ret_type="values")
        y131 = R.topk(x6, k=2, axis=0, largest=True, ret_type="indices", dtype="int64")
        y132 = R.sort(x6, axis=1, descending=False)
        y133 = R.argsort(x6, axis=1, descending=False)
        y134 = R.argsort(x6, axis=1, descending=False, dtype="int64")
        t135 = R.topk(x6, k=2, axis=1, largest=False)
        r159 = t135[0]
        r160 = t135[1]
        y136 = R.topk(x6, k=2, axis=1, largest=False, ret_type="values")
        y137 = R.topk(x6, k=2, axis=1, largest=False, ret_type="indices", dtype="int64")
        y138 = R.sort(x6, axis=1, descending=True)
        y139 = R.argsort(x6, axis=1, descending=True)
        y140 = R.argsort(x6, axis=1, descending=True, dtype="int64")
        t141 = R.topk(x6, k=2, axis=1, largest=True)
        r166 = t141[0]
        r167 = t141[1]
        y142 = R.topk(x6, k=2, axis=1, largest=True, ret_type="values")
        y143 = R.topk(x6, k=2, axis=1, largest=True, ret_type="indices", dtype="int64")
        y144 = R.sort(x7, axis=0, descending=False)
        y145 = R.argsort(x7, axis=0, descending=False)
        y146 = R.argsort(x7, axis=0, descending=False, dtype="int64")
        t147 = R.topk(x7, k=2, axis=0, largest=False)
        r173 = t147[0]
        r174 = t147[1]
        y148 = R.topk(x7, k=2, axis=0, largest=False, ret_type="values")
        y149 = R.topk(x7, k=2, axis=0, largest=False, ret_type="indices", dtype="int64")
        y150 = R.sort(x7, axis=0, descending=True)
        y151 = R.argsort(x7, axis=0, descending=True)
        y152 = R.argsort(x7, axis=0, descending=True, dtype="int64")
        t153 = R.topk(x7, k=2, axis=0, largest=True)
        r180 = t153[0]
        r181 = t153[1]
        y154 = R.topk(x7, k=2, axis=0, largest=True, ret_type="values")
        y155 = R.topk(x7, k=2, axis=0, largest=True, ret_type="indices", dtype="int64")
        y156 = R.sort(x7, axis=1, descending=False)
        y157 = R.argsort(x7, axis=1, descending=False)
        y158 = R.argsort(x7, axis=1, descending=False, dtype="int64")
        t159 = R.topk(x7, k=2, axis=1, largest=False)
        r187 = t159[0]
        r188 = t159[1]
        y160 = R.topk(x7, k=2, axis=1, largest=False, ret_type="values")
        y161 = R.topk(x7, k=2, axis=1, largest=False, ret_type="indices", dtype="int64")
        y162 = R.sort(x7, axis=1, descending=True)
        y163 = R.argsort(x7, axis=1, descending=True)
        y164 = R.argsort(x7, axis=1, descending=True, dtype="int64")
        t165 = R.topk(x7, k=2, axis=1, largest=True)
        r194 = t165[0]
        r195 = t165[1]
        y166 = R.topk(x7, k=2, axis=1, largest=True, ret_type="values")
        y167 = R.topk(x7, k=2, axis=1, largest=True, ret_type="indices", dtype="int64")
        t168 = R.median(x7, axis=[-1], keepdims=True)
        r198 = t168[0]
        r199 = t168[1]
        y169 = R.median(x7)
        y170 = R.median(x7, axis=[0, 1], keepdims=True)
        y171 = R.sort(x8)
        y172 = R.argsort(x9, dtype="int64")
        t173 = R.topk(x8, k=5, largest=False, dtype="int64")
        r204 = t173[0]
        r205 = t173[1]
        y174 = R.sort(x10)
        y175 = R.argsort(x10, dtype="int64")
        t176 = R.topk(x10, k=33, largest=False, dtype="int64")
        r208 = t176[0]
        r209 = t176[1]
        y177 = R.sort(x11)
        y178 = R.argsort(x11, dtype="int64")
        t179 = R.topk(x11, k=64, largest=False, dtype="int64")
        r212 = t179[0]
        r213 = t179[1]
        y180 = R.sort(x12)
        y181 = R.argsort(x12, dtype="int64")
        t182 = R.topk(x12, k=1, largest=False, dtype="int64")
        r216 = t182[0]
        r217 = t182[1]
        y183 = R.sort(x13)
        y184 = R.argsort(x13, dtype="int64")
        t185 = R.topk(x13, k=200, largest=False, dtype="int64")
        r220 = t185[0]
        r221 = t185[1]
        y186 = R.sort(x14)
        y187 = R.argsort(x14, dtype="int64")
        t188 = R.topk(x14, k=32, largest=False, dtype="int64")
        r224 = t188[0]
        r225 = t188[1]
        t189 = R.median(x6, axis=[0])
        r226 = t189[0]
        r227 = t189[1]
        return (y0, y1, y2, r3, r4, y4, y5, y6, y7, y8, r10, r11, y10, y11, y12, y13, y14, r17, r18, y16, y17, y18, y19, y20, r24, r25, y22, y23, r28, r29, y25, y26, y27, y28, y29, r35, r36, y31, y32, y33, y34, y35, r42, r43, y37, y38, y39, y40, y41, r49, r50, y43, y44, y45, y46, y47, r56, r57, y49, y50, r60, r61, y52, y53, y54, y55, y56, r67, r68, y58, y59, y60, y61, y62, r74, r75, y64, y65, y66, y67, y68, r81, r82, y70, y71, y72, y73, y74, r88, r89, y76, y77, r92, r93, y79, y80, y81, y82, y83, r99, r100, y85, y86, y87, y88, y89, r106, r107, y91, y92, y93, y94, y95, r113, r114, y97, y98, y99, y100, y101, r120, r121, y103, y104, r124, r125, y106, y107, y108, y109, y110, r131, r132, y112, y113, y114, y115, y116, r138, r139, y118, y119, y120, y121, y122, r145, r146, y124, y125, y126, y127, y128, r152, r153, y130, y131, y132, y133, y134, r159, r160, y136, y137, y138, y139, y140, r166, r167, y142, y143, y144, y145, y146, r173, r174, y148, y149, y150, y151, y152, r180, r181, y154, y155, y156, y157, y158, r187, r188, y160, y161, y162, y163, y164, r194, r195, y166, y167, r198, r199, y169, y170, y171, y172, r204, r205, y174, y175, r208, r209, y177, y178, r212, r213, y180, y181, r216, r217, y183, y184, r220, r221, y186, y187, r224, r225, r226, r227,)
