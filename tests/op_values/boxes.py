# Made by scripts/make-op-values.py.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T

@I.ir_module
class Module:
    @R.function
    def main(
        x0: R.Tensor(("i", "b", 4), dtype="float32"),
        x1: R.Tensor(("i", "c", "b"), dtype="float32"),
        x2: R.Tensor((2, 12, 4), dtype="float32"),
        x3: R.Tensor((2, 3, 12), dtype="float32"),
        x4: R.Tensor((1,), dtype="int64"),
        x5: R.Tensor((1,), dtype="float32"),
        x6: R.Tensor((1,), dtype="float32"),
        x7: R.Tensor((1, 40, 4), dtype="float32"),
        x8: R.Tensor((1, 1, 40), dtype="float32"),
        x9: R.Tensor((1,), dtype="int64"),
        x10: R.Tensor((1,), dtype="float32"),
        x11: R.Tensor((1,), dtype="float32"),
        x12: R.Tensor((1, 5, 4), dtype="float32"),
        x13: R.Tensor((1, 2, 5), dtype="float32"),
        x14: R.Tensor((1,), dtype="int64"),
        x15: R.Tensor((1,), dtype="float32"),
        x16: R.Tensor((1, 9, 4), dtype="float32"),
        x17: R.Tensor((1, 2, 9), dtype="float32"),
        x18: R.Tensor((1,), dtype="int64"),
        x19: R.Tensor((2, 1, 4), dtype="float32"),
        x20: R.Tensor((2, 1, 1), dtype="float32"),
        x21: R.Tensor((1,), dtype="int64"),
        x22: R.Tensor((2, 6, 6), dtype="float32"),
    ):
        b = T.int64()
        c = T.int64()
        i = T.int64()
        t0 = R.vision.all_class_non_max_suppression(x0, x1, R.const(4, "int64"), R.const(0.3, "float32"), R.const(0.2, "float32"))
        r0 = t0[0]
        r1 = t0[1]
        t1 = R.vision.all_class_non_max_suppression(x2, x3, R.const(4, "int64"), R.const(0.3, "float32"), R.const(0.2, "float32"), output_format="tensorflow")
        r2 = t1[0]
        r3 = t1[1]
        r4 = t1[2]
        t2 = R.vision.all_class_non_max_suppression(x2, x3, x4, x5, x6)
        r5 = t2[0]
        r6 = t2[1]
        t3 = R.vision.all_class_non_max_suppression(x7, x8, R.const(100, "int64"), R.const(0.5, "float32"), R.const(-1.0, "float32"))
        r7 = t3[0]
        r8 = t3[1]
        t4 = R.vision.all_class_non_max_suppression(x7, x8, R.const(100, "int64"), R.const(0.5, "float32"), R.const(-1.0, "float32"), output_format="tensorflow")
        r9 = t4[0]
        r10 = t4[1]
        r11 = t4[2]
        t5 = R.vision.all_class_non_max_suppression(x7, x8, x9, x10, x11)
        r12 = t5[0]
        r13 = t5[1]
        t6 = R.vision.all_class_non_max_suppression(x12, x13, R.const(0, "int64"), R.const(0.5, "float32"), R.const(0.0, "float32"))
        r14 = t6[0]
        r15 = t6[1]
        t7 = R.vision.all_class_non_max_suppression(x12, x13, R.const(0, "int64"), R.const(0.5, "float32"), R.const(0.0, "float32"), output_format="tensorflow")
        r16 = t7[0]
        r17 = t7[1]
        r18 = t7[2]
        t8 = R.vision.all_class_non_max_suppression(x12, x13, x14, x10, x15)
        r19 = t8[0]
        r20 = t8[1]
        t9 = R.vision.all_class_non_max_suppression(x16, x17, R.const(9, "int64"), R.const(0.0, "float32"), R.const(0.5, "float32"))
        r21 = t9[0]
        r22 = t9[1]
        t10 = R.vision.all_class_non_max_suppression(x16, x17, R.const(9, "int64"), R.const(0.0, "float32"), R.const(0.5, "float32"), output_format="tensorflow")
        r23 = t10[0]
        r24 = t10[1]
        r25 = t10[2]
        t11 = R.vision.all_class_non_max_suppression(x16, x17, x18, x15, x10)
        r26 = t11[0]
        r27 = t11[1]
        t12 = R.vision.all_class_non_max_suppression(x19, x20, R.const(3, "int64"), R.const(0.5, "float32"), R.const(0.0, "float32"))
        r28 = t12[0]
        r29 = t12[1]
        t13 = R.vision.all_class_non_max_suppression(x19, x20, R.const(3, "int64"), R.const(0.5, "float32"), R.const(0.0, "float32"), output_format="tensorflow")
        r30 = t13[0]
        r31 = t13[1]
        r32 = t13[2]
        t14 = R.vision.all_class_non_max_suppression(x19, x20, x21, x10, x15)
        r33 = t14[0]
        r34 = t14[1]
        t15 = R.vision.get_valid_counts(x22, score_threshold=0.4, id_index=0)
        r35 = t15[0]
        r36 = t15[1]
        r37 = t15[2]
        t16 = R.vision.get_valid_counts(x22, score_threshold=0.4, id_index=-1)
        r38 = t16[0]
        r39 = t16[1]
        r40 = t16[2]
        t17 = R.vision.get_valid_counts(x22, score_threshold=2.0, id_index=0)
        r41 = t17[0]
        r42 = t17[1]
        r43 = t17[2]
        return (r0, r1, r2, r3, r4, r5, r6, r7, r8, r9, r10, r11, r12, r13, r14, r15, r16, r17, r18, r19, r20, r21, r22, r23, r24, r25, r26, r27, r28, r29, r30, r31, r32, r33, r34, r35, r36, r37, r38, r39, r40, r41, r42, r43,)
