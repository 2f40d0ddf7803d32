# Made by scripts/make-op-values.py.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T

@I.ir_module
class Module:
    @R.function
    def main(
        x0: R.Tensor((4, 3), dtype="float32"),
        x1: R.Tensor((4, 3), dtype="float32"),
        x2: R.Tensor((3,), dtype="float32"),
        x3: R.Tensor((3,), dtype="float32"),
        x4: R.Tensor((2, 4, 3, 2), dtype="float32"),
        x5: R.Tensor((2, 3, 2), dtype="int64"),
        x6: R.Tensor((2, 3, 2), dtype="float32"),
        x7: R.Tensor((), dtype="float32"),
        x8: R.Tensor((), dtype="float32"),
        x9: R.Tensor((2, 3, 2), dtype="float32"),
        x10: R.Tensor((), dtype="float32"),
        x11: R.Tensor((), dtype="float32"),
        x12: R.Tensor((4,), dtype="float32"),
        x13: R.Tensor((2, 3, 2), dtype="float32"),
        x14: R.Tensor((), dtype="float32"),
        x15: R.Tensor((), dtype="float32"),
        x16: R.Tensor((2, 3, 2), dtype="float32"),
        x17: R.Tensor((), dtype="float32"),
        x18: R.Tensor((), dtype="float32"),
        x19: R.Tensor((4,), dtype="float32"),
        x20: R.Tensor((), dtype="int64"),
    ):
        y0 = R.nn.cross_entropy_with_logits(x0, x1)
        y1 = R.nn.cross_entropy_with_logits(x2, x3)
        y2 = R.nn.nll_loss(x4, x5, reduction="none", ignore_index=-100)
        y3 = R.grad.nll_loss_backward(x6, x4, x5, reduction="none", ignore_index=-100)
        y4 = R.nn.nll_loss(x4, x5, reduction="sum", ignore_index=-100)
        y5 = R.grad.nll_loss_backward(x7, x4, x5, reduction="sum", ignore_index=-100)
        y6 = R.nn.nll_loss(x4, x5, reduction="mean", ignore_index=-100)
        y7 = R.grad.nll_loss_backward(x8, x4, x5, reduction="mean", ignore_index=-100)
        y8 = R.nn.nll_loss(x4, x5, reduction="none", ignore_index=1)
        y9 = R.grad.nll_loss_backward(x9, x4, x5, reduction="none", ignore_index=1)
        y10 = R.nn.nll_loss(x4, x5, reduction="sum", ignore_index=1)
        y11 = R.grad.nll_loss_backward(x10, x4, x5, reduction="sum", ignore_index=1)
        y12 = R.nn.nll_loss(x4, x5, reduction="mean", ignore_index=1)
        y13 = R.grad.nll_loss_backward(x11, x4, x5, reduction="mean", ignore_index=1)
        y14 = R.nn.nll_loss(x4, x5, x12, reduction="none", ignore_index=-100)
        y15 = R.grad.nll_loss_backward(x13, x4, x5, x12, reduction="none", ignore_index=-100)
        y16 = R.nn.nll_loss(x4, x5, x12, reduction="sum", ignore_index=-100)
        y17 = R.grad.nll_loss_backward(x14, x4, x5, x12, reduction="sum", ignore_index=-100)
        y18 = R.nn.nll_loss(x4, x5, x12, reduction="mean", ignore_index=-100)
        y19 = R.grad.nll_loss_backward(x15, x4, x5, x12, reduction="mean", ignore_index=-100)
        y20 = R.nn.nll_loss(x4, x5, x12, reduction="none", ignore_index=1)
        y21 = R.grad.nll_loss_backward(x16, x4, x5, x12, reduction="none", ignore_index=1)
        y22 = R.nn.nll_loss(x4, x5, x12, reduction="sum", ignore_index=1)
        y23 = R.grad.nll_loss_backward(x17, x4, x5, x12, reduction="sum", ignore_index=1)
        y24 = R.nn.nll_loss(x4, x5, x12, reduction="mean", ignore_index=1)
        y25 = R.grad.nll_loss_backward(x18, x4, x5, x12, reduction="mean", ignore_index=1)
        y26 = R.nn.nll_loss(x19, x20)
        return (y0, y1, y2, y3, y4, y5, y6, y7, y8, y9, y10, y11, y12, y13, y14, y15, y16, y17, y18, y19, y20, y21, y22, y23, y24, y25, y26,)
