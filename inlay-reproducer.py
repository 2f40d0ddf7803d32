# build/inlay run --check -O0 /tmp/tmprdaqvoxh/random_1093.py
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T

@I.ir_module
class Module:
    @T.prim_func(private=True)
    def mix_4x1(a: T.Buffer((4, 1), "float32"), b: T.Buffer((4, 1), "float32")):
        for i0, i1 in T.grid(4, 1):
            with T.sblock("mix_4x1"):
                v0 = T.axis.spatial(4, i0)
                v1 = T.axis.spatial(1, i1)
                a[v0, v1] = a[v0, v1] - b[v0, v1]

    @T.prim_func(private=True)
    def scale_4x1(a: T.Buffer((4, 1), "float32")):
        for i0, i1 in T.grid(4, 1):
            with T.sblock("scale_4x1"):
                v0 = T.axis.spatial(4, i0)
                v1 = T.axis.spatial(1, i1)
                a[v0, v1] = a[v0, v1] * T.float32(0.5)

    @T.prim_func(private=True)
    def split_4x1(a: T.Buffer((4, 1), "float32"), b: T.Buffer((4, 1), "float32")):
        for i0, i1 in T.grid(4, 1):
            with T.sblock("split_4x1"):
                v0 = T.axis.spatial(4, i0)
                v1 = T.axis.spatial(1, i1)
                b[v0, v1] = a[v0, v1] + T.float32(1)
                a[v0, v1] = T.float32(0) - a[v0, v1]

    @T.prim_func(private=True)
    def split_4(a: T.Buffer((4,), "float32"), b: T.Buffer((4,), "float32")):
        for i0 in T.grid(4):
            with T.sblock("split_4"):
                v0 = T.axis.spatial(4, i0)
                b[v0] = a[v0] + T.float32(1)
                a[v0] = T.float32(0) - a[v0]

    @R.function(private=True)
    def fresh_2x2(x: R.Tensor((2, 2), "float32")) -> R.Tensor((2, 2), "float32"):
        cls = Module
        y = R.tanh(x)
        return y

    @R.function(private=True)
    def fresh_4x1(x: R.Tensor((4, 1), "float32")) -> R.Tensor((4, 1), "float32"):
        cls = Module
        y = R.tanh(x)
        return y

    @R.function
    def main(x: R.Tensor((4,), "float32"), y: R.Tensor((2, 2), "float32"), z: R.Tensor((3, 4), "float32"), s: R.Tensor((), "float32"), u: R.Tensor((), "float32")):
        R.func_attr({"relax.inplace_arg": [0]})
        cls = Module
        v1 = R.reshape(x, R.shape([4]))
        v2 = cls.fresh_2x2(y)
        v3 = R.reshape(v2, R.shape([4, 1]))
        v4 = R.call_tir_inplace(cls.mix_4x1, (v3, v3,), out_ty=R.Tensor((4, 1), "float32"), inplace_indices=[0])
        v5 = R.call_tir_inplace(cls.scale_4x1, (v3,), out_ty=R.Tensor((4, 1), "float32"), inplace_indices=[0])
        v6 = R.call_tir_inplace(cls.split_4x1, (v5, v4,), out_ty=[R.Tensor((4, 1), "float32"), R.Tensor((4, 1), "float32")], inplace_indices=[1, 0])
        v7 = v6[0]
        v8 = v6[1]
        v9 = R.match_cast(v8, R.Tensor((4, 1), "float32"))
        v10 = R.call_tir_inplace(cls.split_4x1, (v8, v8,), out_ty=[R.Tensor((4, 1), "float32"), R.Tensor((4, 1), "float32")], inplace_indices=[1, 0])
        v11 = v10[0]
        v12 = v10[1]
        v13 = (x, v8)
        v14 = v13[0]
        v15 = v13[1]
        v16 = R.call_tir_inplace(cls.mix_4x1, (v8, v15,), out_ty=R.Tensor((4, 1), "float32"), inplace_indices=[0])
        v17 = cls.fresh_4x1(v9)
        v18 = R.squeeze(v16)
        v19 = (v17, v12)
        v20 = v19[0]
        v21 = v19[1]
        v22 = R.squeeze(v17)
        v23 = R.const([1.99, 1.68, -0.99, -0.08], "float32")
        v24 = R.copy(v12)
        v25 = R.less(s, u)
        if v25:
            v27 = R.call_tir_inplace(cls.split_4, (v23,), out_ty=[R.Tensor((4,), "float32"), R.Tensor((4,), "float32")], inplace_indices=[0, -1])
            v28 = v27[0]
            v29 = v27[1]
            v30 = R.expand_dims(v1, axis=[0])
            v26 = v22
        else:
            v31 = R.const([-1.69, 2.0, 0.86, 1.93], "float32")
            v26 = v14
        return (v7, v11, v14, v18, v20, v21, v24, s,)
