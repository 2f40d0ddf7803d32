# Kernels of different intensity, for docs/roofline.svg: `inlay bench bench/roofline/kernels.py --threads 1 --export bench/roofline/measured.json`,
# then `python3 scripts/pictures.py build/inlay .`.
from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(
        big: R.Tensor((4096, 1024), "float32"),
        square: R.Tensor((512, 512), "float32"),
        row: R.Tensor((1, 512), "float32"),
        weights: R.Tensor((512, 2048), "float32"),
        rows: R.Tensor((128, 512), "float32"),
        scale: R.Tensor((512,), "float32"),
    ):
        with R.dataflow():
            chain = R.multiply(big, R.sigmoid(big))
            soft = R.nn.softmax(square)
            product = R.matmul(square, square)
            vector = R.matmul(row, weights)
            thin = R.matmul(rows, weights)
            norm = R.nn.rms_norm(rows, scale)
            R.output(chain, soft, product, vector, thin, norm)
        return (chain, soft, product, vector, thin, norm)
