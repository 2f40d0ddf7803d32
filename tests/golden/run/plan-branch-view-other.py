# RUN: run --dim h=2 --dim w=3 --in mirror=true --in image=iota

# One branch makes its value where the plan has room, the other gives a view of what is there: beside sizes that
# are open both are still known behind the `if`, so that the plan is followed (no E0342), whichever branch comes first.
from typing import TypeVar
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T

h = TypeVar("h")
w = TypeVar("w")
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def flip(src: T.Buffer((1, 2, 2), "float32"), dst: T.Buffer((1, 2, 2), "float32")):
        for y, x in T.grid(2, 2):
            dst[0, y, x] = src[0, y, 1 - x]

    @T.prim_func(private=True, s_tir=True)
    def to_planes(image: T.Buffer((h, w, 1), "uint8"), planes: T.Buffer((1, h, w), "float32")):
        for y, x in T.grid(h, w):
            planes[0, y, x] = T.Cast("float32", image[y, x, 0])

    @R.function
    def main(image: R.Tensor((h, w, 1), dtype="uint8"), mirror: R.Tensor((), dtype="bool")) -> R.Tensor((1, 2, 2), dtype="float16"):
        cls = Module
        planes = R.call_tir(cls.to_planes, (image,), out_ty=R.Tensor((1, h, w), dtype="float32"))
        batch: R.Tensor((1, 1, h, w), dtype="float32") = R.expand_dims(planes, axis=[0])
        small: R.Tensor((1, 1, 2, 2), dtype="float32") = R.image.resize2d(batch, R.shape([2, 2]), roi=None, layout="NCHW", method="linear", coordinate_transformation_mode="half_pixel", rounding_method="round", cubic_alpha=-0.75, cubic_exclude=0, extrapolation_value=0.0, out_dtype=None)
        plain: R.Tensor((1, 2, 2), dtype="float32") = R.squeeze(small, axis=[0])
        if mirror:
            turned: R.Tensor((1, 2, 2), dtype="float32") = plain
        else:
            turned = R.call_tir(cls.flip, (plain,), out_ty=R.Tensor((1, 2, 2), dtype="float32"))
        half: R.Tensor((1, 2, 2), dtype="float16") = R.astype(turned, dtype="float16")
        return half
# OUT:
# result: (1, 2, 2) float16
# [[[0.25 1.75]
#   [3.25 4.75]]]
