# Made by scripts/make-op-values.py.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T

@I.ir_module
class Module:
    @R.function
    def main(
        x0: R.Tensor((2, 3, 5), dtype="float32"),
        x1: R.Tensor((4, 5), dtype="float32"),
        x2: R.Tensor((4,), dtype="float32"),
        x3: R.Tensor(("a", "b", "c"), dtype="float32"),
        x4: R.Tensor(("d", "c"), dtype="float32"),
        x5: R.Tensor(("d",), dtype="float32"),
        x6: R.Tensor((2, 3, 5), dtype="float16"),
        x7: R.Tensor((4, 5), dtype="float16"),
        x8: R.Tensor((5,), dtype="float32"),
        x9: R.Tensor(("e", "f"), dtype="float32"),
        x10: R.Tensor(("f", "g"), dtype="float32"),
        x11: R.Tensor((5, 4), dtype="float32"),
        x12: R.Tensor((3, 3), dtype="float32"),
        x13: R.Tensor((4,), dtype="float32"),
        x14: R.Tensor((3,), dtype="float32"),
        x15: R.Tensor((3, 5), dtype="float32"),
        x16: R.Tensor((4, 2), dtype="float32"),
        x17: R.Tensor((2, 3, 2, 4), dtype="float32"),
        x18: R.Tensor((2, 5, 2, 4), dtype="float32"),
        x19: R.Tensor((2, 5, 2, 6), dtype="float32"),
        x20: R.Tensor(("h", "i", "j", "k"), dtype="float32"),
        x21: R.Tensor(("h", "l", "j", "k"), dtype="float32"),
        x22: R.Tensor(("h", "l", "j", "m"), dtype="float32"),
        x23: R.Tensor((2, 1, 3, 5), dtype="float32"),
        x24: R.Tensor((2, 3, 6, 4), dtype="float32"),
        x25: R.Tensor((2, 5, 2, 4), dtype="float32"),
        x26: R.Tensor((2, 5, 3, 6), dtype="float32"),
        x27: R.Tensor((2, 3, 2, 4), dtype="float16"),
        x28: R.Tensor((2, 5, 2, 4), dtype="float16"),
        x29: R.Tensor((2, 5, 2, 6), dtype="float16"),
        x30: R.Tensor((1, 9, 2, 4), dtype="float32"),
        x31: R.Tensor((1, 11, 2, 4), dtype="float32"),
        x32: R.Tensor((1, 11, 2, 6), dtype="float32"),
        x33: R.Tensor((5,), dtype="int32"),
        x34: R.Tensor((), dtype="int32"),
        x35: R.Tensor((5,), dtype="int32"),
        x36: R.Tensor((1, "rows", "n", "size"), dtype="float32"),
        x37: R.Tensor((1, "keys", "n", "size"), dtype="float32"),
        x38: R.Tensor((1, "keys", "n", "width"), dtype="float32"),
        x39: R.Tensor(("ends",), dtype="int32"),
        x40: R.Tensor(("ends",), dtype="int32"),
        x41: R.Tensor((1, 9, 4, 4), dtype="float32"),
        x42: R.Tensor((1, 9, 2, 4), dtype="float16"),
        x43: R.Tensor((1, 9, 2, 4), dtype="float16"),
        x44: R.Tensor((1, 9, 2, 6), dtype="float16"),
    ):
        a = T.int64()
        b = T.int64()
        c = T.int64()
        d = T.int64()
        e = T.int64()
        ends = T.int64()
        f = T.int64()
        g = T.int64()
        h = T.int64()
        i = T.int64()
        j = T.int64()
        k = T.int64()
        keys = T.int64()
        l = T.int64()
        m = T.int64()
        n = T.int64()
        rows = T.int64()
        size = T.int64()
        width = T.int64()
        y0 = R.linear(x0, x1)
        y1 = R.linear(x0, x1, x2)
        y2 = R.linear(x3, x4)
        y3 = R.linear(x3, x4, x5)
        y4 = R.linear(x6, x7)
        y5 = R.outer(x2, x8)
        y6 = R.einsum((x9, x10,), subscripts="ij,jk->ik")
        y7 = R.einsum((x0, x11,), subscripts="bij,jk->bki")
        y8 = R.einsum((x0,), subscripts="bij->jb")
        y9 = R.einsum((x12,), subscripts="ii->i")
        y10 = R.einsum((x12,), subscripts="ii")
        y11 = R.einsum((x12, x12,), subscripts="ij,ij->")
        y12 = R.einsum((x12, x12,), subscripts="ij,jk")
        y13 = R.einsum((x2, x13, x14,), subscripts="i,j,k->ikj")
        y14 = R.einsum((x15, x11, x16,), subscripts="ij,jk,kl->il")
        y15 = R.nn.attention(x17, x18, x19)
        y16 = R.nn.attention(x17, x18, x19, scale=0.25, causal_mask="BottomRight")
        y17 = R.nn.attention(x20, x21, x22)
        y18 = R.nn.attention(x20, x21, x22, scale=0.25, causal_mask="BottomRight")
        y19 = R.nn.attention(x17, x18, x19, causal_mask="TopLeft")
        y20 = R.nn.attention_bias(x17, x18, x19, x23)
        y21 = R.nn.attention(x24, x25, x26, causal_mask="BottomRight")
        y22 = R.nn.attention(x27, x28, x29)
        y23 = R.nn.attention_var_len(x30, x31, x32, x33, x34, x35, x34)
        y24 = R.nn.attention_var_len(x36, x37, x38, x39, x34, x40, x34)
        y25 = R.nn.attention_var_len(x30, x31, x32, x33, x34, x35, x34, scale=0.5, causal_mask="TopLeft")
        y26 = R.nn.attention_var_len(x30, x31, x32, x33, x34, x35, x34, scale=0.5, causal_mask="BottomRight")
        y27 = R.nn.attention_var_len(x30, x31, x32, x33, x34, x35, x34, causal_mask="BottomRight", window_size=2)
        y28 = R.nn.attention_var_len(x41, x31, x32, x33, x34, x35, x34)
        y29 = R.nn.attention_var_len(x42, x43, x44, x33, x34)
        return (y0, y1, y2, y3, y4, y5, y6, y7, y8, y9, y10, y11, y12, y13, y14, y15, y16, y17, y18, y19, y20, y21, y22, y23, y24, y25, y26, y27, y28, y29,)
