"""Makes models with random weights, each as ONNX, as a script with weights beside it, and as PyTorch's export.

usage: models.py FOLDER [MODEL...]      in the environment of scripts/peers
"""
import pathlib
import re
import sys
import warnings

import numpy


def light(name):
    """The graphs in the package `onnx`, whose weights are left out: small random ones instead."""
    import onnx
    import onnx.backend.test
    path = pathlib.Path(onnx.backend.test.__file__).parent / "data/light" / f"light_{name}.onnx"
    model = onnx.load(path)
    random = numpy.random.default_rng(1)
    made = []
    for node in list(model.graph.node):
        if node.op_type != "ConstantOfShape":
            continue
        shape = numpy.array(next(onnx.numpy_helper.to_array(i) for i in model.graph.initializer if i.name == node.input[0]))
        made.append(onnx.numpy_helper.from_array((random.random(shape) * 0.05 + 0.01).astype("float32"), node.output[0]))
        model.graph.node.remove(node)
    used = {name for node in model.graph.node for name in node.input}
    weights = [i for i in model.graph.initializer if i.name in used] + made  # without the shapes of what was made
    names = {i.name for i in weights}
    inputs = [i for i in model.graph.input if i.name in used and i.name not in names]
    for field, values in ((model.graph.initializer, weights), (model.graph.input, inputs)):
        del field[:]
        field.extend(values)
    return model


def export(module, inputs, path):
    import torch
    module = module.eval()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.onnx.export(module, inputs, str(path), dynamo=False, opset_version=17)
        torch.export.save(torch.export.export(module, inputs), str(path.with_suffix(".pt2")))


def image_model(name):
    import timm
    import torch
    return timm.create_model(name, pretrained=False), (torch.rand(1, 3, 224, 224),)


def bert():
    import torch
    from transformers import BertConfig, BertModel
    config = BertConfig(hidden_size=384, num_hidden_layers=6, num_attention_heads=12, intermediate_size=1536, attn_implementation="eager")
    model = BertModel(config, add_pooling_layer=False)

    class Encoder(torch.nn.Module):
        """From embeddings on, without a mask: what takes memory, in a form that every exporter knows."""

        def __init__(self):
            super().__init__()
            self.model = model

        def forward(self, x):
            for layer in self.model.encoder.layer:
                x = layer(x)
                x = x[0] if isinstance(x, tuple) else x
            return x

    return Encoder(), (torch.rand(1, 128, 384),)


TORCH = {"resnet18": lambda: image_model("resnet18"), "efficientnet_b0": lambda: image_model("efficientnet_b0"), "bert_6x384": bert,
         "mobilenetv3_small": lambda: image_model("mobilenetv3_small_100"), "vit_tiny": lambda: image_model("vit_tiny_patch16_224")}
LIGHT = ["squeezenet", "shufflenet", "inception_v1", "inception_v2", "resnet50", "densenet121", "bvlc_alexnet", "zfnet512", "vgg19"]


def script(model, path):
    """Through TVM's importer, weights as parameters, their values beside them."""
    from tvm.relax.frontend.onnx import from_onnx
    module = from_onnx(model, keep_params_in_input=True)
    function = module["main"]
    weights = [p.numpy() for p in function.attrs["params"]] if "params" in (function.attrs or {}) else []
    names = [re.sub(r"\W", "_", p.name) for p in function.params[-len(weights):]] if weights else []  # as scripts have them
    numpy.savez(path.with_suffix(".npz"), **dict(zip(names, weights)))
    module["main"] = function.without_attr("params") if weights else function
    path.with_suffix(".py").write_text(module.script(show_meta=True) + "\n")


def main():
    import onnx
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for name in sys.argv[2:] or [*TORCH, *LIGHT]:
        path = folder / f"{name}.onnx"
        try:
            if name in TORCH:
                export(*TORCH[name](), path)
            else:
                onnx.save(light(name), path)
            script(onnx.load(path), path)
        except Exception as problem:  # another library's: the model is left out, and said
            print(f"{name}: {type(problem).__name__}: {str(problem)[:200]}", file=sys.stderr)


if __name__ == "__main__":
    main()
