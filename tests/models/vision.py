"""Models of timm, of torchvision, and of transformers for images."""
import torch

from make import Model


def of_timm(name, size=224, **more):
    def build():
        import timm
        return timm.create_model(name, pretrained=False, **more), {"x": torch.rand(1, 3, size, size)}
    return build


def of_torchvision(name, size=224, **more):
    def build():
        import torchvision
        return getattr(torchvision.models, name)(weights=None, **more), {"x": torch.rand(1, 3, size, size)}
    return build


class First(torch.nn.Module):
    """A model of transformers by the tensors that are named."""

    def __init__(self, model, names, **arguments):
        super().__init__()
        self.model, self.names, self.arguments = model, names, arguments

    def forward(self, **inputs):
        out = self.model(**inputs, **self.arguments)
        return tuple(out[name] for name in self.names)


class Pixels(First):
    def forward(self, pixel_values):
        return super().forward(pixel_values=pixel_values)


def segformer():
    from transformers import SegformerConfig, SegformerForSemanticSegmentation
    return Pixels(SegformerForSemanticSegmentation(SegformerConfig(num_labels=20)), ["logits"]), {"pixel_values": torch.rand(1, 3, 128, 128)}


def detr():
    """A detector of transformers without a convolutional backbone: YOLOS."""
    from transformers import YolosConfig, YolosForObjectDetection
    config = YolosConfig(hidden_size=96, num_hidden_layers=3, num_attention_heads=3, intermediate_size=192, image_size=[96, 96], num_detection_tokens=20)
    return Pixels(YolosForObjectDetection(config), ["logits", "pred_boxes"]), {"pixel_values": torch.rand(1, 3, 96, 96)}


def sam():
    from transformers import SamConfig, SamModel, SamMaskDecoderConfig, SamPromptEncoderConfig, SamVisionConfig
    vision = SamVisionConfig(num_pos_feats=16, hidden_size=64, output_channels=32, num_hidden_layers=3, num_attention_heads=2, image_size=128, patch_size=16,
                             window_size=4, global_attn_indexes=[1], mlp_dim=128)
    prompt = SamPromptEncoderConfig(hidden_size=32, image_size=128, patch_size=16, mask_input_channels=8)
    decoder = SamMaskDecoderConfig(hidden_size=32, mlp_dim=64, num_hidden_layers=2, num_attention_heads=2, iou_head_hidden_dim=32)
    config = SamConfig(vision_config=vision, prompt_encoder_config=prompt, mask_decoder_config=decoder)

    class Sam(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.model = SamModel(config)

        def forward(self, pixel_values, input_points, input_labels):
            out = self.model(pixel_values=pixel_values, input_points=input_points, input_labels=input_labels)
            return out.iou_scores, out.pred_masks

    return Sam(), {"pixel_values": torch.rand(1, 3, 128, 128), "input_points": torch.rand(1, 1, 2, 2) * 128, "input_labels": torch.ones(1, 1, 2, dtype=torch.int64)}


def dinov2():
    from transformers import Dinov2Config, Dinov2Model
    config = Dinov2Config(hidden_size=96, num_hidden_layers=3, num_attention_heads=3, image_size=112, patch_size=14)
    return Pixels(Dinov2Model(config), ["last_hidden_state"]), {"pixel_values": torch.rand(1, 3, 112, 112)}


def depth():
    from transformers import DPTConfig, DPTForDepthEstimation
    config = DPTConfig(hidden_size=64, num_hidden_layers=4, num_attention_heads=2, intermediate_size=128, image_size=96, backbone_out_indices=[0, 1, 2, 3],
                       neck_hidden_sizes=[16, 24, 32, 48], fusion_hidden_size=32)
    return Pixels(DPTForDepthEstimation(config), ["predicted_depth"]), {"pixel_values": torch.rand(1, 3, 96, 96)}


def deeplab():
    import torchvision
    model = torchvision.models.segmentation.lraspp_mobilenet_v3_large(weights=None, weights_backbone=None)

    class Out(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.model = model

        def forward(self, image):
            return self.model(image)["out"]

    return Out(), {"image": torch.rand(1, 3, 96, 96)}


def detection(name, size):
    """A whole detector of torchvision: anchors, suppression, results whose number only the run knows."""
    def build():
        import torchvision
        model = getattr(torchvision.models.detection, name)(weights=None, weights_backbone=None, num_classes=11)

        class Whole(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.model = model

            def forward(self, image):
                found = self.model([image])[0]
                return found["boxes"], found["scores"], found["labels"]

        return Whole(), {"image": torch.rand(3, size, size)}
    return build


def light(name):
    """One of the graphs in the package `onnx`, whose weights are left out: small random ones instead."""
    def write(folder, model_name):
        import numpy
        import onnx
        import onnx.backend.test
        import pathlib
        path = pathlib.Path(onnx.backend.test.__file__).parent / "data/light" / f"light_{name}.onnx"
        model = onnx.load(path)
        random = numpy.random.default_rng(1)
        shapes = {i.name: onnx.numpy_helper.to_array(i) for i in model.graph.initializer}
        made = []
        for node in list(model.graph.node):
            if node.op_type == "ConstantOfShape":
                shape = tuple(shapes[node.input[0]])
                fan = max(1, int(numpy.prod(shape[1:])))
                values = random.normal(size=shape) / fan**0.5 if len(shape) > 1 else random.random(shape) * 0.2 + 0.9
                made.append(onnx.numpy_helper.from_array(values.astype("float32"), node.output[0]))
                model.graph.node.remove(node)
        used = {key for node in model.graph.node for key in node.input}
        weights = [i for i in model.graph.initializer if i.name in used] + made
        names = {i.name for i in weights}
        inputs = [i for i in model.graph.input if i.name in used and i.name not in names]
        for field, values in ((model.graph.initializer, weights), (model.graph.input, inputs)):
            del field[:]
            field.extend(values)
        large = sum(i.ByteSize() for i in weights) > 64 << 20
        onnx.save(model, folder / f"{model_name}.onnx", save_as_external_data=large, location=f"{model_name}.onnx.data", size_threshold=4096)
        dims = [d.dim_value for d in inputs[0].type.tensor_type.shape.dim]
        numpy.savez(folder / f"{model_name}.inputs.npz", **{inputs[0].name: random.random(dims).astype("float32")})
    return write


MODELS = {
    "resnet18": Model(of_timm("resnet18"), tvm=True),
    "resnet18_dyn": Model(of_timm("resnet18"), {"x": {0: "batch", 2: "height", 3: "width"}}),
    "efficientnet_b0": Model(of_timm("efficientnet_b0"), tvm=True),
    "mobilenetv3_small": Model(of_timm("mobilenetv3_small_100"), tvm=True),
    "mobilenetv3_small_script": Model(of_timm("mobilenetv3_small_100"), script=True, opset=11),
    "convnext_atto": Model(of_timm("convnext_atto"), tvm=True),
    "mobilevit_xxs": Model(of_timm("mobilevit_xxs", 256), tvm=True),
    "swin_tiny": Model(of_timm("swin_tiny_patch4_window7_224"), tvm=True),
    "vit_tiny": Model(of_timm("vit_tiny_patch16_224"), tvm=True),
    "vit_tiny_dyn": Model(of_timm("vit_tiny_patch16_224"), {"x": {0: "batch"}}),
    "ghostnet": Model(of_timm("ghostnet_100")),
    "mixer_s32": Model(of_timm("mixer_s32_224")),
    "regnetx_002": Model(of_timm("regnetx_002")),
    "hrnet_w18_small": Model(of_timm("hrnet_w18_small", 128)),
    "poolformer_s12": Model(of_timm("poolformer_s12")),
    "edgenext_xxs": Model(of_timm("edgenext_xx_small", 256)),
    "efficientvit_b0": Model(of_timm("efficientvit_b0")),
    "mobilenetv4_small": Model(of_timm("mobilenetv4_conv_small")),
    "levit_128s": Model(of_timm("levit_128s")),
    "xcit_nano": Model(of_timm("xcit_nano_12_p16_224")),
    "maxvit_rmlp_nano": Model(of_timm("maxvit_rmlp_pico_rw_256", 256)),
    "densenet121_script": Model(of_torchvision("densenet121", 128), {"x": {0: "batch"}}, script=True),
    "shufflenet_v2": Model(of_torchvision("shufflenet_v2_x0_5")),
    "googlenet": Model(of_torchvision("googlenet", 128, init_weights=False, aux_logits=False)),
    "lraspp": Model(deeplab),
    "segformer_b0": Model(segformer, tvm=True),
    "segformer_b0_dyn": Model(segformer, {"pixel_values": {0: "batch"}}),
    "yolos": Model(detr),
    "sam": Model(sam),
    "dinov2": Model(dinov2),
    "dpt_depth": Model(depth),
    "ssdlite": Model(detection("ssdlite320_mobilenet_v3_large", 160), script=True),
    "faster_rcnn": Model(detection("fasterrcnn_mobilenet_v3_large_320_fpn", 128), script=True),
    **{f"light_{name}": light(name) for name in ("squeezenet", "shufflenet", "inception_v1", "inception_v2", "resnet50", "densenet121", "bvlc_alexnet", "zfnet512", "vgg19")},
}
