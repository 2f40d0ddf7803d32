# Made by scripts/make-op-values.py.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T

@I.ir_module
class Module:
    @R.function
    def main(
        x0: R.Tensor((2, 3, "h", "w"), dtype="float32"),
        x1: R.Tensor((2, 2, "p", "q"), dtype="float32"),
        x2: R.Tensor((2, 3, 5, 4), dtype="float32"),
        x3: R.Tensor((2, 2, 3, 6), dtype="float32"),
        x4: R.Tensor((1, 1, 1, 1), dtype="float32"),
        x5: R.Tensor((1, 2, 2, 2), dtype="float32"),
        x6: R.Tensor((1, 2, 3, 4, 2), dtype="float32"),
        x7: R.Tensor((1, 3, 2, 3, 3), dtype="float32"),
        x8: R.Tensor((1, 1, 2, 7), dtype="float32"),
        x9: R.Tensor((1, 2, 1, 1), dtype="float32"),
        x10: R.Tensor((1, 1, 2, 2), dtype="float32"),
        x11: R.Tensor((1, 2, 0, 3), dtype="float32"),
        x12: R.Tensor((2, 2, 3), dtype="float32"),
        x13: R.Tensor((2, 2, 3), dtype="float32"),
        x14: R.Tensor((2, 3, 4), dtype="float32"),
        x15: R.Tensor((1, 2, 5, 6), dtype="float32"),
        x16: R.Tensor((1, 2, "h5", "w5"), dtype="float32"),
        x17: R.Tensor((2, 3, 6, 8), dtype="float32"),
        x18: R.Tensor((5, 5), dtype="float32"),
        x19: R.Tensor((2, 6, 8, 3), dtype="float32"),
        x20: R.Tensor((2, 3, "y", "x"), dtype="float32"),
        x21: R.Tensor(("r", 5), dtype="float32"),
    ):
        h = T.int64()
        h5 = T.int64()
        p = T.int64()
        q = T.int64()
        r = T.int64()
        w = T.int64()
        w5 = T.int64()
        x = T.int64()
        y = T.int64()
        y0 = R.image.grid_sample(x0, x1, method="bilinear", layout="NCHW", padding_mode="zeros", align_corners=False)
        y1 = R.image.grid_sample(x0, x1, method="bilinear", layout="NCHW", padding_mode="zeros", align_corners=True)
        y2 = R.image.grid_sample(x2, x3, method="bilinear", layout="NCHW", padding_mode="border", align_corners=False)
        y3 = R.image.grid_sample(x2, x3, method="bilinear", layout="NCHW", padding_mode="border", align_corners=True)
        y4 = R.image.grid_sample(x2, x3, method="bilinear", layout="NCHW", padding_mode="reflection", align_corners=False)
        y5 = R.image.grid_sample(x2, x3, method="bilinear", layout="NCHW", padding_mode="reflection", align_corners=True)
        y6 = R.image.grid_sample(x0, x1, method="nearest", layout="NCHW", padding_mode="zeros", align_corners=False)
        y7 = R.image.grid_sample(x0, x1, method="nearest", layout="NCHW", padding_mode="zeros", align_corners=True)
        y8 = R.image.grid_sample(x2, x3, method="nearest", layout="NCHW", padding_mode="border", align_corners=False)
        y9 = R.image.grid_sample(x2, x3, method="nearest", layout="NCHW", padding_mode="border", align_corners=True)
        y10 = R.image.grid_sample(x2, x3, method="nearest", layout="NCHW", padding_mode="reflection", align_corners=False)
        y11 = R.image.grid_sample(x2, x3, method="nearest", layout="NCHW", padding_mode="reflection", align_corners=True)
        y12 = R.image.grid_sample(x0, x1, method="bicubic", layout="NCHW", padding_mode="zeros", align_corners=False)
        y13 = R.image.grid_sample(x0, x1, method="bicubic", layout="NCHW", padding_mode="zeros", align_corners=True)
        y14 = R.image.grid_sample(x2, x3, method="bicubic", layout="NCHW", padding_mode="border", align_corners=False)
        y15 = R.image.grid_sample(x2, x3, method="bicubic", layout="NCHW", padding_mode="border", align_corners=True)
        y16 = R.image.grid_sample(x2, x3, method="bicubic", layout="NCHW", padding_mode="reflection", align_corners=False)
        y17 = R.image.grid_sample(x2, x3, method="bicubic", layout="NCHW", padding_mode="reflection", align_corners=True)
        y18 = R.image.grid_sample(x4, x5, method="bilinear", layout="NCHW", padding_mode="zeros", align_corners=False)
        y19 = R.image.grid_sample(x4, x5, method="bilinear", layout="NCHW", padding_mode="zeros", align_corners=True)
        y20 = R.image.grid_sample(x4, x5, method="bilinear", layout="NCHW", padding_mode="border", align_corners=False)
        y21 = R.image.grid_sample(x4, x5, method="bilinear", layout="NCHW", padding_mode="border", align_corners=True)
        y22 = R.image.grid_sample(x4, x5, method="bilinear", layout="NCHW", padding_mode="reflection", align_corners=False)
        y23 = R.image.grid_sample(x4, x5, method="bilinear", layout="NCHW", padding_mode="reflection", align_corners=True)
        y24 = R.image.grid_sample(x4, x5, method="nearest", layout="NCHW", padding_mode="zeros", align_corners=False)
        y25 = R.image.grid_sample(x4, x5, method="nearest", layout="NCHW", padding_mode="zeros", align_corners=True)
        y26 = R.image.grid_sample(x4, x5, method="nearest", layout="NCHW", padding_mode="border", align_corners=False)
        y27 = R.image.grid_sample(x4, x5, method="nearest", layout="NCHW", padding_mode="border", align_corners=True)
        y28 = R.image.grid_sample(x4, x5, method="nearest", layout="NCHW", padding_mode="reflection", align_corners=False)
        y29 = R.image.grid_sample(x4, x5, method="nearest", layout="NCHW", padding_mode="reflection", align_corners=True)
        y30 = R.image.grid_sample(x4, x5, method="bicubic", layout="NCHW", padding_mode="zeros", align_corners=False)
        y31 = R.image.grid_sample(x4, x5, method="bicubic", layout="NCHW", padding_mode="zeros", align_corners=True)
        y32 = R.image.grid_sample(x4, x5, method="bicubic", layout="NCHW", padding_mode="border", align_corners=False)
        y33 = R.image.grid_sample(x4, x5, method="bicubic", layout="NCHW", padding_mode="border", align_corners=True)
        y34 = R.image.grid_sample(x6, x7, method="bilinear", layout="NCDHW", padding_mode="zeros", align_corners=False)
        y35 = R.image.grid_sample(x6, x7, method="bilinear", layout="NCDHW", padding_mode="zeros", align_corners=True)
        y36 = R.image.grid_sample(x6, x7, method="bilinear", layout="NCDHW", padding_mode="border", align_corners=False)
        y37 = R.image.grid_sample(x6, x7, method="bilinear", layout="NCDHW", padding_mode="border", align_corners=True)
        y38 = R.image.grid_sample(x6, x7, method="bilinear", layout="NCDHW", padding_mode="reflection", align_corners=False)
        y39 = R.image.grid_sample(x6, x7, method="bilinear", layout="NCDHW", padding_mode="reflection", align_corners=True)
        y40 = R.image.grid_sample(x6, x7, method="nearest", layout="NCDHW", padding_mode="zeros", align_corners=False)
        y41 = R.image.grid_sample(x6, x7, method="nearest", layout="NCDHW", padding_mode="zeros", align_corners=True)
        y42 = R.image.grid_sample(x6, x7, method="nearest", layout="NCDHW", padding_mode="border", align_corners=False)
        y43 = R.image.grid_sample(x6, x7, method="nearest", layout="NCDHW", padding_mode="border", align_corners=True)
        y44 = R.image.grid_sample(x6, x7, method="nearest", layout="NCDHW", padding_mode="reflection", align_corners=False)
        y45 = R.image.grid_sample(x6, x7, method="nearest", layout="NCDHW", padding_mode="reflection", align_corners=True)
        y46 = R.image.grid_sample(x8, x9, method="bilinear", layout="NCHW", padding_mode="zeros", align_corners=False)
        y47 = R.image.grid_sample(x8, x9, method="bilinear", layout="NCHW", padding_mode="zeros", align_corners=True)
        y48 = R.image.grid_sample(x8, x9, method="bilinear", layout="NCHW", padding_mode="border", align_corners=False)
        y49 = R.image.grid_sample(x8, x9, method="bilinear", layout="NCHW", padding_mode="border", align_corners=True)
        y50 = R.image.grid_sample(x8, x9, method="bilinear", layout="NCHW", padding_mode="reflection", align_corners=False)
        y51 = R.image.grid_sample(x8, x9, method="bilinear", layout="NCHW", padding_mode="reflection", align_corners=True)
        y52 = R.image.grid_sample(x8, x9, method="nearest", layout="NCHW", padding_mode="zeros", align_corners=False)
        y53 = R.image.grid_sample(x8, x9, method="nearest", layout="NCHW", padding_mode="zeros", align_corners=True)
        y54 = R.image.grid_sample(x8, x9, method="nearest", layout="NCHW", padding_mode="border", align_corners=False)
        y55 = R.image.grid_sample(x8, x9, method="nearest", layout="NCHW", padding_mode="border", align_corners=True)
        y56 = R.image.grid_sample(x8, x9, method="nearest", layout="NCHW", padding_mode="reflection", align_corners=False)
        y57 = R.image.grid_sample(x8, x9, method="nearest", layout="NCHW", padding_mode="reflection", align_corners=True)
        y58 = R.image.grid_sample(x8, x9, method="bicubic", layout="NCHW", padding_mode="zeros", align_corners=False)
        y59 = R.image.grid_sample(x8, x9, method="bicubic", layout="NCHW", padding_mode="zeros", align_corners=True)
        y60 = R.image.grid_sample(x8, x9, method="bicubic", layout="NCHW", padding_mode="border", align_corners=False)
        y61 = R.image.grid_sample(x8, x9, method="bicubic", layout="NCHW", padding_mode="border", align_corners=True)
        y62 = R.image.grid_sample(x8, x9, method="bicubic", layout="NCHW", padding_mode="reflection", align_corners=False)
        y63 = R.image.grid_sample(x8, x9, method="bicubic", layout="NCHW", padding_mode="reflection", align_corners=True)
        y64 = R.image.grid_sample(x10, x11, method="bilinear", layout="NCHW", padding_mode="zeros", align_corners=False)
        y65 = R.image.grid_sample(x10, x11, method="bilinear", layout="NCHW", padding_mode="zeros", align_corners=True)
        y66 = R.image.grid_sample(x10, x11, method="bilinear", layout="NCHW", padding_mode="border", align_corners=False)
        y67 = R.image.grid_sample(x10, x11, method="bilinear", layout="NCHW", padding_mode="border", align_corners=True)
        y68 = R.image.grid_sample(x10, x11, method="bilinear", layout="NCHW", padding_mode="reflection", align_corners=False)
        y69 = R.image.grid_sample(x10, x11, method="bilinear", layout="NCHW", padding_mode="reflection", align_corners=True)
        y70 = R.image.grid_sample(x10, x11, method="nearest", layout="NCHW", padding_mode="zeros", align_corners=False)
        y71 = R.image.grid_sample(x10, x11, method="nearest", layout="NCHW", padding_mode="zeros", align_corners=True)
        y72 = R.image.grid_sample(x10, x11, method="nearest", layout="NCHW", padding_mode="border", align_corners=False)
        y73 = R.image.grid_sample(x10, x11, method="nearest", layout="NCHW", padding_mode="border", align_corners=True)
        y74 = R.image.grid_sample(x10, x11, method="nearest", layout="NCHW", padding_mode="reflection", align_corners=False)
        y75 = R.image.grid_sample(x10, x11, method="nearest", layout="NCHW", padding_mode="reflection", align_corners=True)
        y76 = R.image.grid_sample(x10, x11, method="bicubic", layout="NCHW", padding_mode="zeros", align_corners=False)
        y77 = R.image.grid_sample(x10, x11, method="bicubic", layout="NCHW", padding_mode="zeros", align_corners=True)
        y78 = R.image.grid_sample(x10, x11, method="bicubic", layout="NCHW", padding_mode="border", align_corners=False)
        y79 = R.image.grid_sample(x10, x11, method="bicubic", layout="NCHW", padding_mode="border", align_corners=True)
        y80 = R.image.grid_sample(x10, x11, method="bicubic", layout="NCHW", padding_mode="reflection", align_corners=False)
        y81 = R.image.grid_sample(x10, x11, method="bicubic", layout="NCHW", padding_mode="reflection", align_corners=True)
        y82 = R.image.affine_grid(x12, (3, 4), align_corners=False)
        y83 = R.image.affine_grid(x12, (3, 4), align_corners=True)
        y84 = R.image.affine_grid(x13, (1, 5), align_corners=False)
        y85 = R.image.affine_grid(x14, (2, 3, 2), align_corners=False)
        y86 = R.image.affine_grid(x14, (2, 3, 2), align_corners=True)
        y87 = R.image.resize2d(x15, (9, 4), method="cubic", coordinate_transformation_mode="half_pixel")
        y88 = R.image.resize2d(x16, (9, 4), method="cubic", coordinate_transformation_mode="align_corners")
        y89 = R.image.resize2d(x15, (9, 4), method="linear", coordinate_transformation_mode="half_pixel_symmetric")
        y90 = R.image.resize2d(x15, (9, 4), method="cubic", cubic_alpha=-0.5, cubic_exclude=1)
        y91 = R.image.resize2d(x15, (3, 13), method="cubic", coordinate_transformation_mode="half_pixel")
        y92 = R.image.resize2d(x16, (3, 13), method="cubic", coordinate_transformation_mode="align_corners")
        y93 = R.image.resize2d(x15, (3, 13), method="linear", coordinate_transformation_mode="half_pixel_symmetric")
        y94 = R.image.resize2d(x15, (3, 13), method="cubic", cubic_alpha=-0.5, cubic_exclude=1)
        y95 = R.image.resize2d(x15, (5, 6), method="cubic", coordinate_transformation_mode="half_pixel")
        y96 = R.image.resize2d(x16, (5, 6), method="cubic", coordinate_transformation_mode="align_corners")
        y97 = R.image.resize2d(x15, (5, 6), method="linear", coordinate_transformation_mode="half_pixel_symmetric")
        y98 = R.image.resize2d(x15, (5, 6), method="cubic", cubic_alpha=-0.5, cubic_exclude=1)
        y99 = R.vision.roi_align(x17, x18, pooled_size=(2, 3), spatial_scale=1.0, sample_ratio=2, aligned=False, mode="avg")
        y100 = R.vision.roi_align(x19, x18, pooled_size=(2, 3), spatial_scale=1.0, sample_ratio=2, aligned=False, mode="avg", layout="NHWC")
        y101 = R.vision.roi_pool(x17, x18, pooled_size=(2, 3), spatial_scale=1.0)
        y102 = R.vision.roi_align(x20, x21, pooled_size=(3, 2), spatial_scale=0.5, sample_ratio=-1, aligned=False, mode="avg")
        y103 = R.vision.roi_align(x19, x18, pooled_size=(3, 2), spatial_scale=0.5, sample_ratio=-1, aligned=False, mode="avg", layout="NHWC")
        y104 = R.vision.roi_pool(x17, x18, pooled_size=(3, 2), spatial_scale=0.5)
        y105 = R.vision.roi_align(x17, x18, pooled_size=(2, 2), spatial_scale=1.0, sample_ratio=-1, aligned=True, mode="avg")
        y106 = R.vision.roi_align(x19, x18, pooled_size=(2, 2), spatial_scale=1.0, sample_ratio=-1, aligned=True, mode="avg", layout="NHWC")
        y107 = R.vision.roi_pool(x17, x18, pooled_size=(2, 2), spatial_scale=1.0)
        y108 = R.vision.roi_align(x17, x18, pooled_size=(2, 2), spatial_scale=0.75, sample_ratio=3, aligned=True, mode="max")
        y109 = R.vision.roi_align(x19, x18, pooled_size=(2, 2), spatial_scale=0.75, sample_ratio=3, aligned=True, mode="max", layout="NHWC")
        y110 = R.vision.roi_pool(x17, x18, pooled_size=(2, 2), spatial_scale=0.75)
        y111 = R.vision.roi_align(x17, x18, pooled_size=(1, 1), spatial_scale=1.0, sample_ratio=-1, aligned=False, mode="max")
        y112 = R.vision.roi_align(x19, x18, pooled_size=(1, 1), spatial_scale=1.0, sample_ratio=-1, aligned=False, mode="max", layout="NHWC")
        y113 = R.vision.roi_pool(x17, x18, pooled_size=(1, 1), spatial_scale=1.0)
        return (y0, y1, y2, y3, y4, y5, y6, y7, y8, y9, y10, y11, y12, y13, y14, y15, y16, y17, y18, y19, y20, y21, y22, y23, y24, y25, y26, y27, y28, y29, y30, y31, y32, y33, y34, y35, y36, y37, y38, y39, y40, y41, y42, y43, y44, y45, y46, y47, y48, y49, y50, y51, y52, y53, y54, y55, y56, y57, y58, y59, y60, y61, y62, y63, y64, y65, y66, y67, y68, y69, y70, y71, y72, y73, y74, y75, y76, y77, y78, y79, y80, y81, y82, y83, y84, y85, y86, y87, y88, y89, y90, y91, y92, y93, y94, y95, y96, y97, y98, y99, y100, y101, y102, y103, y104, y105, y106, y107, y108, y109, y110, y111, y112, y113,)
