#!/usr/bin/env python3
"""Convolutions and pooling of real networks beside ONNX Runtime, one thread, in turn, as ratios of medians.

A row is one layer, with its bias and activation, weights constant, batch 1. Above 1: Inlay takes less time.
Whole models may be named instead: then their figures are printed.

usage: convolution.py TOOL [--only REGEX] [--rounds N] [MODEL.onnx ...]
Needs onnx and onnxruntime (scripts/peers).
"""
import argparse
import os
import re
import statistics
import sys
import tempfile
import time

try:
    import numpy as np
    import onnx
    import onnxruntime
    from onnx import TensorProto, helper, numpy_helper
except ImportError as missing:
    sys.exit(f"convolution.py: {missing}")

from own_run import run_ms

# name, channels in and out, extent, window, stride, groups
CONVOLUTIONS = [
    ("3x3, 64 channels, 56x56", 64, 64, 56, 3, 1, 1), ("3x3, 128 channels, 28x28", 128, 128, 28, 3, 1, 1),
    ("3x3, 256 channels, 14x14", 256, 256, 14, 3, 1, 1), ("3x3, 512 channels, 7x7", 512, 512, 7, 3, 1, 1),
    ("3x3/2, 128 channels, 56x56", 128, 128, 56, 3, 2, 1), ("7x7/2, 3 to 64, 224x224", 3, 64, 224, 7, 2, 1),
    ("1x1, 576 to 160, 14x14", 576, 160, 14, 1, 1, 1), ("1x1, 256 to 64, 56x56", 256, 64, 56, 1, 1, 1),
    ("1x1, 64 to 256, 56x56", 64, 256, 56, 1, 1, 1), ("1x1, 512 to 2048, 7x7", 512, 2048, 7, 1, 1, 1),
    ("1x1/2, 256 to 512, 56x56", 256, 512, 56, 1, 2, 1),
    ("depthwise 3x3, 144, 56x56", 144, 144, 56, 3, 1, 144), ("depthwise 3x3/2, 144, 56x56", 144, 144, 56, 3, 2, 144),
    ("depthwise 5x5, 240, 28x28", 240, 240, 28, 5, 1, 240), ("depthwise 3x3, 960, 7x7", 960, 960, 7, 3, 1, 960),
    ("3x3, 32 groups of 4, 56x56", 128, 128, 56, 3, 1, 32), ("3x3, 2 groups of 64, 28x28", 128, 128, 28, 3, 1, 2),
]
# name, operator, channels, extent, window, stride, padding
POOLS = [
    ("max 3x3/2, 64, 112x112", "MaxPool", 64, 112, 3, 2, 1), ("max 2x2/2, 64, 112x112", "MaxPool", 64, 112, 2, 2, 0),
    ("average 3x3, 64, 56x56", "AveragePool", 64, 56, 3, 1, 1),
]


# The same of bytes, quantised by channel
QUANTISED = [
    ("8 bits: 3x3, 64 channels, 56x56", 64, 64, 56, 3, 1, 1), ("8 bits: 3x3, 256 channels, 14x14", 256, 256, 14, 3, 1, 1),
    ("8 bits: 1x1, 576 to 160, 14x14", 576, 160, 14, 1, 1, 1), ("8 bits: 1x1, 48 to 288, 6x6", 48, 288, 6, 1, 1, 1),
    ("8 bits: depthwise 3x3, 96, 24x24", 96, 96, 24, 3, 1, 96), ("8 bits: depthwise 3x3/2, 48, 48x48", 48, 48, 48, 3, 2, 48),
]


def model(nodes, shape, weights, kind=TensorProto.FLOAT):
    graph = helper.make_graph(nodes, "layer", [helper.make_tensor_value_info("x", kind, shape)],
                              [helper.make_empty_tensor_value_info("y")],
                              [numpy_helper.from_array(array, name) for name, array in weights.items()])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def layers():
    random = np.random.default_rng(0)
    for name, inputs, outputs, extent, window, stride, groups in CONVOLUTIONS:
        weights = {"w": random.random((outputs, inputs // groups, window, window), np.float32) - np.float32(0.5),
                   "b": random.random(outputs, np.float32)}
        nodes = [helper.make_node("Conv", ["x", "w", "b"], ["c"], pads=[window // 2] * 4, strides=[stride] * 2,
                                  group=groups, kernel_shape=[window] * 2), helper.make_node("Relu", ["c"], ["y"])]
        yield name, model(nodes, [1, inputs, extent, extent], weights)
    for name, inputs, outputs, extent, window, stride, groups in QUANTISED:
        scales = random.random(outputs, np.float32) * np.float32(0.01) + np.float32(0.001)
        weights = {"sx": np.float32(0.02), "zx": np.uint8(7), "sy": np.float32(0.5), "sw": scales, "sb": np.float32(0.02) * scales,
                   "w": random.integers(-127, 128, (outputs, inputs // groups, window, window)).astype(np.int8),
                   "b": random.integers(-999, 999, outputs).astype(np.int32)}
        nodes = [helper.make_node("DequantizeLinear", ["x", "sx", "zx"], ["xr"]), helper.make_node("DequantizeLinear", ["w", "sw"], ["wr"], axis=0),
                 helper.make_node("DequantizeLinear", ["b", "sb"], ["br"], axis=0), helper.make_node("Conv", ["xr", "wr", "br"], ["c"], pads=[window // 2] * 4, strides=[stride] * 2,
                                                                                                       group=groups, kernel_shape=[window] * 2), helper.make_node("QuantizeLinear", ["c", "sy", "zx"], ["y"])]
        weights = {key: np.asarray(array) for key, array in weights.items()}
        yield name, model(nodes, [1, inputs, extent, extent], weights, TensorProto.UINT8)
    for name, operator, channels, extent, window, stride, pad in POOLS:
        node = helper.make_node(operator, ["x"], ["y"], kernel_shape=[window] * 2, strides=[stride] * 2, pads=[pad] * 4)
        yield name, model([node], [1, channels, extent, extent], {})


def measure(tool, name, path, rounds):
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(path, options)
    random, inputs, peer, own = np.random.default_rng(1), {}, [], []
    for each in session.get_inputs():
        shape = [d if isinstance(d, int) else 1 for d in each.shape]
        inputs[each.name] = (random.random(shape, np.float32) if "float" in each.type
                             else random.integers(0, 256, shape, np.uint8) if "uint8" in each.type else random.integers(0, 100, shape, np.int64 if "64" in each.type else np.int32))
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(rounds):
            times = []
            for _ in range(15):
                start = time.perf_counter()
                session.run(None, inputs)
                times.append(time.perf_counter() - start)
            peer.append(statistics.median(times) * 1e3)
            own.append(run_ms(tool, path, inputs, folder))
    ratios = sorted(p / o for p, o in zip(peer, own))
    print(f"{name:30} {statistics.median(peer):9.3f} {statistics.median(own):9.3f} {statistics.median(ratios):6.2f} "
          f"({ratios[0]:.2f} to {ratios[-1]:.2f})", flush=True)


parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("tool")
parser.add_argument("models", nargs="*")
parser.add_argument("--only", default="")
parser.add_argument("--rounds", type=int, default=5)
arguments = parser.parse_args()
print(f"{'one thread':30} {'peer, ms':>9} {'ours, ms':>9}  ratio")
for given in arguments.models:
    measure(arguments.tool, os.path.basename(given), given, arguments.rounds)
with tempfile.TemporaryDirectory() as place:
    for title, layer in layers() if not arguments.models else ():
        if re.search(arguments.only, title):
            target = os.path.join(place, "layer.onnx")
            onnx.save(layer, target)
            measure(arguments.tool, title, target, arguments.rounds)
