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
    ):
        a = T.int64()
        b = T.int64()
        c = T.int64()
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
        y25 = R.sort(x2, axis=0, descending=False)
        y26 = R.argsort(x2, axis=0, descending=False)
        y27 = R.argsort(x2, axis=0, descending=False, dtype="int64")
        t28 = R.topk(x2, k=2, axis=0, largest=False)
        r33 = t28[0]
        r34 = t28[1]
        y29 = R.topk(x2, k=2, axis=0, largest=False, ret_type="values")
        y30 = R.topk(x2, k=2, axis=0, largest=False, ret_type="indices", dtype="int64")
        y31 = R.sort(x2, axis=0, descending=True)
        y32 = R.argsort(x2, axis=0, descending=True)
        y33 = R.argsort(x2, axis=0, descending=True, dtype="int64")
        t34 = R.topk(x2, k=2, axis=0, largest=True)
        r40 = t34[0]
        r41 = t34[1]
        y35 = R.topk(x2, k=2, axis=0, largest=True, ret_type="values")
        y36 = R.topk(x2, k=2, axis=0, largest=True, ret_type="indices", dtype="int64")
        y37 = R.sort(x2, axis=1, descending=False)
        y38 = R.argsort(x2, axis=1, descending=False)
        y39 = R.argsort(x2, axis=1, descending=False, dtype="int64")
        t40 = R.topk(x2, k=2, axis=1, largest=False)
        r47 = t40[0]
        r48 = t40[1]
        y41 = R.topk(x2, k=2, axis=1, largest=False, ret_type="values")
        y42 = R.topk(x2, k=2, axis=1, largest=False, ret_type="indices", dtype="int64")
        y43 = R.sort(x2, axis=1, descending=True)
        y44 = R.argsort(x2, axis=1, descending=True)
        y45 = R.argsort(x2, axis=1, descending=True, dtype="int64")
        t46 = R.topk(x2, k=2, axis=1, largest=True)
        r54 = t46[0]
        r55 = t46[1]
        y47 = R.topk(x2, k=2, axis=1, largest=True, ret_type="values")
        y48 = R.topk(x2, k=2, axis=1, largest=True, ret_type="indices", dtype="int64")
        t49 = R.median(x2, axis=[-1], keepdims=True)
        r58 = t49[0]
        r59 = t49[1]
        y50 = R.sort(x3, axis=0, descending=False)
        y51 = R.argsort(x3, axis=0, descending=False)
        y52 = R.argsort(x3, axis=0, descending=False, dtype="int64")
        t53 = R.topk(x3, k=2, axis=0, largest=False)
        r63 = t53[0]
        r64 = t53[1]
        y54 = R.topk(x3, k=2, axis=0, largest=False, ret_type="values")
        y55 = R.topk(x3, k=2, axis=0, largest=False, ret_type="indices", dtype="int64")
        y56 = R.sort(x3, axis=0, descending=True)
        y57 = R.argsort(x3, axis=0, descending=True)
        y58 = R.argsort(x3, axis=0, descending=True, dtype="int64")
        t59 = R.topk(x3, k=2, axis=0, largest=True)
        r70 = t59[0]
        r71 = t59[1]
        y60 = R.topk(x3, k=2, axis=0, largest=True, ret_type="values")
        y61 = R.topk(x3, k=2, axis=0, largest=True, ret_type="indices", dtype="int64")
        y62 = R.sort(x3, axis=1, descending=False)
        y63 = R.argsort(x3, axis=1, descending=False)
        y64 = R.argsort(x3, axis=1, descending=False, dtype="int64")
        t65 = R.topk(x3, k=2, axis=1, largest=False)
        r77 = t65[0]
        r78 = t65[1]
        y66 = R.topk(x3, k=2, axis=1, largest=False, ret_type="values")
        y67 = R.topk(x3, k=2, axis=1, largest=False, ret_type="indices", dtype="int64")
        y68 = R.sort(x3, axis=1, descending=True)
        y69 = R.argsort(x3, axis=1, descending=True)
        y70 = R.argsort(x3, axis=1, descending=True, dtype="int64")
        t71 = R.topk(x3, k=2, axis=1, largest=True)
        r84 = t71[0]
        r85 = t71[1]
        y72 = R.topk(x3, k=2, axis=1, largest=True, ret_type="values")
        y73 = R.topk(x3, k=2, axis=1, largest=True, ret_type="indices", dtype="int64")
        t74 = R.median(x3, axis=[-1], keepdims=True)
        r88 = t74[0]
        r89 = t74[1]
        y75 = R.sort(x4, axis=0, descending=False)
        y76 = R.argsort(x4, axis=0, descending=False)
        y77 = R.argsort(x4, axis=0, descending=False, dtype="int64")
        t78 = R.topk(x4, k=2, axis=0, largest=False)
        r93 = t78[0]
        r94 = t78[1]
        y79 = R.topk(x4, k=2, axis=0, largest=False, ret_type="values")
        y80 = R.topk(x4, k=2, axis=0, largest=False, ret_type="indices", dtype="int64")
        y81 = R.sort(x4, axis=0, descending=True)
        y82 = R.argsort(x4, axis=0, descending=True)
        y83 = R.argsort(x4, axis=0, descending=True, dtype="int64")
        t84 = R.topk(x4, k=2, axis=0, largest=True)
        r100 = t84[0]
        r101 = t84[1]
        y85 = R.topk(x4, k=2, axis=0, largest=True, ret_type="values")
        y86 = R.topk(x4, k=2, axis=0, largest=True, ret_type="indices", dtype="int64")
        y87 = R.sort(x4, axis=1, descending=False)
        y88 = R.argsort(x4, axis=1, descending=False)
        y89 = R.argsort(x4, axis=1, descending=False, dtype="int64")
        t90 = R.topk(x4, k=2, axis=1, largest=False)
        r107 = t90[0]
        r108 = t90[1]
        y91 = R.topk(x4, k=2, axis=1, largest=False, ret_type="values")
        y92 = R.topk(x4, k=2, axis=1, largest=False, ret_type="indices", dtype="int64")
        y93 = R.sort(x4, axis=1, descending=True)
        y94 = R.argsort(x4, axis=1, descending=True)
        y95 = R.argsort(x4, axis=1, descending=True, dtype="int64")
        t96 = R.topk(x4, k=2, axis=1, largest=True)
        r114 = t96[0]
        r115 = t96[1]
        y97 = R.topk(x4, k=2, axis=1, largest=True, ret_type="values")
        y98 = R.topk(x4, k=2, axis=1, largest=True, ret_type="indices", dtype="int64")
        t99 = R.median(x4, axis=[-1], keepdims=True)
        r118 = t99[0]
        r119 = t99[1]
        y100 = R.sort(x5, axis=0, descending=False)
        y101 = R.argsort(x5, axis=0, descending=False)
        y102 = R.argsort(x5, axis=0, descending=False, dtype="int64")
        t103 = R.topk(x5, k=2, axis=0, largest=False)
        r123 = t103[0]
        r124 = t103[1]
        y104 = R.topk(x5, k=2, axis=0, largest=False, ret_type="values")
        y105 = R.topk(x5, k=2, axis=0, largest=False, ret_type="indices", dtype="int64")
        y106 = R.sort(x5, axis=0, descending=True)
        y107 = R.argsort(x5, axis=0, descending=True)
        y108 = R.argsort(x5, axis=0, descending=True, dtype="int64")
        t109 = R.topk(x5, k=2, axis=0, largest=True)
        r130 = t109[0]
        r131 = t109[1]
        y110 = R.topk(x5, k=2, axis=0, largest=True, ret_type="values")
        y111 = R.topk(x5, k=2, axis=0, largest=True, ret_type="indices", dtype="int64")
        y112 = R.sort(x6, axis=0, descending=False)
        y113 = R.argsort(x6, axis=0, descending=False)
        y114 = R.argsort(x6, axis=0, descending=False, dtype="int64")
        t115 = R.topk(x6, k=2, axis=0, largest=False)
        r137 = t115[0]
        r138 = t115[1]
        y116 = R.topk(x6, k=2, axis=0, largest=False, ret_type="values")
        y117 = R.topk(x6, k=2, axis=0, largest=False, ret_type="indices", dtype="int64")
        y118 = R.sort(x6, axis=0, descending=True)
        y119 = R.argsort(x6, axis=0, descending=True)
        y120 = R.argsort(x6, axis=0, descending=True, dtype="int64")
        t121 = R.topk(x6, k=2, axis=0, largest=True)
        r144 = t121[0]
        r145 = t121[1]
        y122 = R.topk(x6, k=2, axis=0, largest=True, ret_type="values")
        y123 = R.topk(x6, k=2, axis=0, largest=True, ret_type="indices", dtype="int64")
        y124 = R.sort(x6, axis=1, descending=False)
        y125 = R.argsort(x6, axis=1, descending=False)
        y126 = R.argsort(x6, axis=1, descending=False, dtype="int64")
        t127 = R.topk(x6, k=2, axis=1, largest=False)
        r151 = t127[0]
        r152 = t127[1]
        y128 = R.topk(x6, k=2, axis=1, largest=False, ret_type="values")
        y129 = R.topk(x6, k=2, axis=1, largest=False, ret_type="indices", dtype="int64")
        y130 = R.sort(x6, axis=1, descending=True)
        y131 = R.argsort(x6, axis=1, descending=True)
        y132 = R.argsort(x6, axis=1, descending=True, dtype="int64")
        t133 = R.topk(x6, k=2, axis=1, largest=True)
        r158 = t133[0]
        r159 = t133[1]
        y134 = R.topk(x6, k=2, axis=1, largest=True, ret_type="values")
        y135 = R.topk(x6, k=2, axis=1, largest=True, ret_type="indices", dtype="int64")
        y136 = R.sort(x7, axis=0, descending=False)
        y137 = R.argsort(x7, axis=0, descending=False)
        y138 = R.argsort(x7, axis=0, descending=False, dtype="int64")
        t139 = R.topk(x7, k=2, axis=0, largest=False)
        r165 = t139[0]
        r166 = t139[1]
        y140 = R.topk(x7, k=2, axis=0, largest=False, ret_type="values")
        y141 = R.topk(x7, k=2, axis=0, largest=False, ret_type="indices", dtype="int64")
        y142 = R.sort(x7, axis=0, descending=True)
        y143 = R.argsort(x7, axis=0, descending=True)
        y144 = R.argsort(x7, axis=0, descending=True, dtype="int64")
        t145 = R.topk(x7, k=2, axis=0, largest=True)
        r172 = t145[0]
        r173 = t145[1]
        y146 = R.topk(x7, k=2, axis=0, largest=True, ret_type="values")
        y147 = R.topk(x7, k=2, axis=0, largest=True, ret_type="indices", dtype="int64")
        y148 = R.sort(x7, axis=1, descending=False)
        y149 = R.argsort(x7, axis=1, descending=False)
        y150 = R.argsort(x7, axis=1, descending=False, dtype="int64")
        t151 = R.topk(x7, k=2, axis=1, largest=False)
        r179 = t151[0]
        r180 = t151[1]
        y152 = R.topk(x7, k=2, axis=1, largest=False, ret_type="values")
        y153 = R.topk(x7, k=2, axis=1, largest=False, ret_type="indices", dtype="int64")
        y154 = R.sort(x7, axis=1, descending=True)
        y155 = R.argsort(x7, axis=1, descending=True)
        y156 = R.argsort(x7, axis=1, descending=True, dtype="int64")
        t157 = R.topk(x7, k=2, axis=1, largest=True)
        r186 = t157[0]
        r187 = t157[1]
        y158 = R.topk(x7, k=2, axis=1, largest=True, ret_type="values")
        y159 = R.topk(x7, k=2, axis=1, largest=True, ret_type="indices", dtype="int64")
        t160 = R.median(x7, axis=[-1], keepdims=True)
        r190 = t160[0]
        r191 = t160[1]
        return (y0, y1, y2, r3, r4, y4, y5, y6, y7, y8, r10, r11, y10, y11, y12, y13, y14, r17, r18, y16, y17, y18, y19, y20, r24, r25, y22, y23, r28, r29, y25, y26, y27, r33, r34, y29, y30, y31, y32, y33, r40, r41, y35, y36, y37, y38, y39, r47, r48, y41, y42, y43, y44, y45, r54, r55, y47, y48, r58, r59, y50, y51, y52, r63, r64, y54, y55, y56, y57, y58, r70, r71, y60, y61, y62, y63, y64, r77, r78, y66, y67, y68, y69, y70, r84, r85, y72, y73, r88, r89, y75, y76, y77, r93, r94, y79, y80, y81, y82, y83, r100, r101, y85, y86, y87, y88, y89, r107, r108, y91, y92, y93, y94, y95, r114, r115, y97, y98, r118, r119, y100, y101, y102, r123, r124, y104, y105, y106, y107, y108, r130, r131, y110, y111, y112, y113, y114, r137, r138, y116, y117, y118, y119, y120, r144, r145, y122, y123, y124, y125, y126, r151, r152, y128, y129, y130, y131, y132, r158, r159, y134, y135, y136, y137, y138, r165, r166, y140, y141, y142, y143, y144, r172, r173, y146, y147, y148, y149, y150, r179, r180, y152, y153, y154, y155, y156, r186, r187, y158, y159, r190, r191,)
