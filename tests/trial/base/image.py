@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def to_planes(image: T.Buffer(("h", "w", 3), "uint8"), planes: T.Buffer((3, "h", "w"), "float32")):
        h = T.int64()
        w = T.int64()
        for c, y, x in T.grid(3, h, w):
            with T.sblock("to_planes"):
                vc, vy, vx = T.axis.remap("SSS", [c, y, x])
                planes[vc, vy, vx] = T.Cast("float32", image[vy, vx, vc]) / T.float32(255)

    @T.prim_func(private=True, s_tir=True)
    def flip(src: T.Buffer((3, 4, 6), "float32"), dst: T.Buffer((3, 4, 6), "float32")):
        for c, y, x in T.grid(3, 4, 6):
            with T.sblock("flip"):
                vc, vy, vx = T.axis.remap("SSS", [c, y, x])
                dst[vc, vy, vx] = src[vc, vy, 5 - vx]

    @R.function
    def main(image: R.Tensor(("h", "w", 3), "uint8"), mirror: R.Tensor((), "bool")) -> R.Tensor((1, 3, 4, 6), "float16"):
        h = T.int64()
        w = T.int64()
        cls = Module
        mean = R.const([0.485, 0.456, 0.406], "float32")
        std = R.const([0.229, 0.224, 0.225], "float32")
        planes = R.call_tir(cls.to_planes, (image,), out_ty=R.Tensor((3, h, w), "float32"))
        batch = R.expand_dims(planes, axis=0)
        small = R.image.resize2d(batch, (4, 6), layout="NCHW", method="linear", coordinate_transformation_mode="half_pixel")
        plain = R.squeeze(small, axis=[0])
        if mirror:
            turned = R.call_tir(cls.flip, (plain,), out_ty=R.Tensor((3, 4, 6), "float32"))
        else:
            turned = plain
        with R.dataflow():
            centred = turned - R.reshape(mean, (3, 1, 1))
            scaled = R.divide(centred, R.reshape(std, (3, 1, 1)))
            clipped = R.clip(scaled, -2, 2)
            half = R.astype(clipped, "float16")
            result = R.reshape(half, (1, 3, 4, 6))
            R.output(result)
        return result
