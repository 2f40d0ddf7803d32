# Made by scripts/make-op-values.py.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T

@I.ir_module
class Module:
    @R.function
    def main(
        x0: R.Tensor(("i", "b", 6), dtype="float32"),
        x1: R.Tensor(("i",), dtype="int32"),
        x2: R.Tensor(("i", "b"), dtype="int32"),
        x3: R.Tensor((2, 12, 6), dtype="float32"),
        x4: R.Tensor((2,), dtype="int32"),
        x5: R.Tensor((2, 12), dtype="int32"),
        x6: R.Tensor((2, 12, 6), dtype="float32"),
        x7: R.Tensor((2, 12), dtype="int32"),
        x8: R.Tensor((2, 12, 6), dtype="float32"),
        x9: R.Tensor((2, 12), dtype="int32"),
        x10: R.Tensor((2, 12, 6), dtype="float32"),
        x11: R.Tensor((2, 12), dtype="int32"),
        x12: R.Tensor((2, 12, 6), dtype="float32"),
        x13: R.Tensor((2, 12), dtype="int32"),
        x14: R.Tensor((2, 12, 6), dtype="float32"),
        x15: R.Tensor((2, 12), dtype="int32"),
        x16: R.Tensor((2, 3, 5), dtype="float32"),
        x17: R.Tensor((2, 20), dtype="float32"),
        x18: R.Tensor((1, 5, 4), dtype="float32"),
        x19: R.Tensor((2, 3, 5), dtype="float32"),
        x20: R.Tensor((2, 20), dtype="float32"),
        x21: R.Tensor((1, 5, 4), dtype="float32"),
        x22: R.Tensor((1, 4, 2, 4), dtype="float32"),
        x23: R.Tensor((1, 4, 2, 4), dtype="float32"),
        x24: R.Tensor((1, 4, 2, 4), dtype="float32"),
        x25: R.Tensor((1, 3, 2, 4), dtype="float32"),
        x26: R.Tensor((1, 6, 2, 4), dtype="float32"),
        x27: R.Tensor((1, 6, 2, 4), dtype="float32"),
        x28: R.Tensor((1, 2, 2, 4), dtype="float32"),
        x29: R.Tensor((1, 5, 2, 4), dtype="float32"),
        x30: R.Tensor((1, 5, 2, 4), dtype="float32"),
        x31: R.Tensor(("n", 4), dtype="float32"),
        x32: R.Tensor((2, 2), dtype="int64"),
        x33: R.Tensor((3, 4), dtype="float32"),
        x34: R.Tensor((2,), dtype="int64"),
    ):
        b = T.int64()
        i = T.int64()
        n = T.int64()
        t0 = R.vision.non_max_suppression(x0, x1, x2, iou_threshold=0.3)
        r0 = t0[0]
        r1 = t0[1]
        y1 = R.vision.non_max_suppression(x0, x1, x2, iou_threshold=0.3, return_indices=False)
        y2 = R.vision.non_max_suppression(x0, x1, x2, iou_threshold=0.3, return_indices=False, invalid_to_bottom=True)
        t3 = R.vision.non_max_suppression(x3, x4, x5, iou_threshold=0.3, force_suppress=True)
        r4 = t3[0]
        r5 = t3[1]
        y4 = R.vision.non_max_suppression(x3, x4, x5, iou_threshold=0.3, force_suppress=True, return_indices=False)
        y5 = R.vision.non_max_suppression(x3, x4, x5, iou_threshold=0.3, force_suppress=True, return_indices=False, invalid_to_bottom=True)
        t6 = R.vision.non_max_suppression(x6, x4, x7, iou_threshold=0.3, top_k=5)
        r8 = t6[0]
        r9 = t6[1]
        y7 = R.vision.non_max_suppression(x6, x4, x7, iou_threshold=0.3, top_k=5, return_indices=False)
        y8 = R.vision.non_max_suppression(x6, x4, x7, iou_threshold=0.3, top_k=5, return_indices=False, invalid_to_bottom=True)
        t9 = R.vision.non_max_suppression(x8, x4, x9, iou_threshold=0.3, max_output_size=3)
        r12 = t9[0]
        r13 = t9[1]
        y10 = R.vision.non_max_suppression(x8, x4, x9, iou_threshold=0.3, max_output_size=3, return_indices=False)
        y11 = R.vision.non_max_suppression(x8, x4, x9, iou_threshold=0.3, max_output_size=3, return_indices=False, invalid_to_bottom=True)
        t12 = R.vision.non_max_suppression(x10, x4, x11, iou_threshold=0.3, id_index=-1)
        r16 = t12[0]
        r17 = t12[1]
        y13 = R.vision.non_max_suppression(x10, x4, x11, iou_threshold=0.3, id_index=-1, return_indices=False)
        y14 = R.vision.non_max_suppression(x10, x4, x11, iou_threshold=0.3, id_index=-1, return_indices=False, invalid_to_bottom=True)
        t15 = R.vision.non_max_suppression(x12, x4, x13, iou_threshold=0.3, soft_nms_sigma=0.4, score_threshold=0.15)
        r20 = t15[0]
        r21 = t15[1]
        r22 = t15[2]
        y16 = R.vision.non_max_suppression(x12, x4, x13, iou_threshold=0.3, soft_nms_sigma=0.4, score_threshold=0.15, return_indices=False)
        y17 = R.vision.non_max_suppression(x12, x4, x13, iou_threshold=0.3, soft_nms_sigma=0.4, score_threshold=0.15, return_indices=False, invalid_to_bottom=True)
        t18 = R.vision.non_max_suppression(x14, x4, x15, iou_threshold=0.3, soft_nms_sigma=0.7, max_output_size=4, force_suppress=True)
        r25 = t18[0]
        r26 = t18[1]
        r27 = t18[2]
        y19 = R.vision.non_max_suppression(x14, x4, x15, iou_threshold=0.3, soft_nms_sigma=0.7, max_output_size=4, force_suppress=True, return_indices=False)
        y20 = R.vision.non_max_suppression(x14, x4, x15, iou_threshold=0.3, soft_nms_sigma=0.7, max_output_size=4, force_suppress=True, return_indices=False, invalid_to_bottom=True)
        t21 = R.vision.multibox_transform_loc(x16, x17, x18, clip=False, threshold=0.0, variances=[0.1, 0.2, 0.3, 0.4], keep_background=True)
        r30 = t21[0]
        r31 = t21[1]
        t22 = R.vision.multibox_transform_loc(x19, x20, x21, clip=True, threshold=0.3, variances=[0.1, 0.2, 0.3, 0.4], keep_background=False)
        r32 = t22[0]
        r33 = t22[1]
        y23 = R.nn.attention(x22, x23, x24, causal_mask="BottomRight", window_size=2)
        y24 = R.nn.attention(x25, x26, x27, causal_mask="BottomRight", window_size=3)
        y25 = R.nn.attention(x28, x29, x30, causal_mask="BottomRight", window_size=9)
        y26 = R.take(x31, x32, axis=1, mode="nan")
        y27 = R.take(x33, x34, mode="nan")
        return (r0, r1, y1, y2, r4, r5, y4, y5, r8, r9, y7, y8, r12, r13, y10, y11, r16, r17, y13, y14, r20, r21, r22, y16, y17, r25, r26, r27, y19, y20, r30, r31, r32, r33, y23, y24, y25, y26, y27,)
