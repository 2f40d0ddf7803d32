#!/usr/bin/env python3
"""Products, attention, rows and movements of data beside ONNX Runtime, one thread, in turn.

A row is one kernel of a network as an ONNX model, weights constant. A figure is the least of the rounds'
medians of 15 runs, the ratio that of the peer over ours: above 1 Inlay takes less time.

usage: kernels.py TOOL [--only REGEX] [--rounds N] [--export FILE.json]
Needs onnx and onnxruntime (scripts/peers).
"""
import argparse
import json
import math
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
    sys.exit(f"kernels.py: {missing}")

from own_run import run_ms

RANDOM = np.random.default_rng(0)
KINDS = {np.dtype(np.float32): TensorProto.FLOAT, np.dtype(np.float16): TensorProto.FLOAT16,
         np.dtype(np.int64): TensorProto.INT64, np.dtype(np.uint8): TensorProto.UINT8,
         np.dtype(np.int8): TensorProto.INT8}


def floats(*shape):
    return RANDOM.random(shape, np.float32) - np.float32(0.5)


def node(operator, inputs, outputs, **attributes):
    domain = "com.microsoft" if operator in ("MatMulNBits", "QuickGelu") else ""
    return helper.make_node(operator, inputs, outputs, domain=domain, **attributes)


def model(nodes, inputs, outputs, weights=None, symbols=None):
    """@inputs: name -> array; @symbols: name -> dims in its place."""
    values = [helper.make_tensor_value_info(name, KINDS[array.dtype], (symbols or {}).get(name, array.shape))
              for name, array in inputs.items()]
    graph = helper.make_graph(nodes, "kernel", values, [helper.make_empty_tensor_value_info(n) for n in outputs],
                              [numpy_helper.from_array(array, name) for name, array in (weights or {}).items()])
    sets = [helper.make_opsetid("", 17), helper.make_opsetid("com.microsoft", 1)]
    return helper.make_model(graph, opset_imports=sets, ir_version=8), inputs


def product(m, k, n, extra="", symbols=None):
    weights = {"w": floats(k, n)}
    nodes = [node("MatMul", ["x", "w"], ["c"])]
    if extra:
        weights["b"] = floats(n)
        nodes += [node("Add", ["c", "b"], ["d"]), node(extra, ["d"], ["y"])]
    return model(nodes, {"x": floats(m, k)}, ["y" if extra else "c"], weights, symbols)


def attention(heads, rows, past, depth, masked=False):
    scale = np.array(1 / math.sqrt(depth), np.float32)
    inputs = {"q": floats(1, heads, rows, depth), "k": floats(1, heads, past, depth), "v": floats(1, heads, past, depth)}
    nodes = [node("Transpose", ["k"], ["kt"], perm=[0, 1, 3, 2]), node("MatMul", ["q", "kt"], ["s"]),
             node("Mul", ["s", "scale"], ["t"])]
    last = "t"
    if masked:
        inputs["m"] = np.where(np.tril(np.ones((rows, past))), 0, -10000).astype(np.float32)[None, None]
        nodes.append(node("Add", ["t", "m"], ["u"]))
        last = "u"
    nodes += [node("Softmax", [last], ["p"], axis=-1), node("MatMul", ["p", "v"], ["y"])]
    return model(nodes, inputs, ["y"], {"scale": scale})


def unary(operator, shape, **attributes):
    return model([node(operator, ["x"], ["y"], **attributes)], {"x": floats(*shape)}, ["y"])


def norm(rows, columns):
    weights = {"g": floats(columns), "b": floats(columns)}
    return model([node("LayerNormalization", ["x", "g", "b"], ["y"], axis=-1)], {"x": floats(rows, columns)}, ["y"], weights)


def nbits(m, k, n, block=32):
    blocks = k // block
    weights = {"w": RANDOM.integers(0, 256, (n, blocks, block // 2)).astype(np.uint8), "s": floats(n * blocks)}
    return model([node("MatMulNBits", ["x", "w", "s"], ["y"], K=k, N=n, bits=4, block_size=block)],
                 {"x": floats(m, k)}, ["y"], weights)


def integers(m, k, n):
    weights = {"w": RANDOM.integers(-100, 100, (k, n)).astype(np.int8)}
    x = RANDOM.integers(0, 200, (m, k)).astype(np.uint8)
    return model([node("MatMulInteger", ["x", "w"], ["y"])], {"x": x}, ["y"], weights)


def half(m, k, n):
    nodes = [node("Cast", ["w"], ["wf"], to=TensorProto.FLOAT), node("MatMul", ["x", "wf"], ["y"])]
    return model(nodes, {"x": floats(m, k)}, ["y"], {"w": floats(k, n).astype(np.float16)})


def batched(batch, m, k, n):
    return model([node("MatMul", ["x", "w"], ["y"])], {"x": floats(batch, m, k), "w": floats(batch, k, n)}, ["y"])


def top(rows, columns, k):
    return model([node("TopK", ["x", "k"], ["y", "i"], axis=-1)], {"x": floats(rows, columns)}, ["y", "i"],
                 {"k": np.array([k], np.int64)})


def gather(rows, columns, count):
    return model([node("Gather", ["x", "i"], ["y"])],
                 {"i": RANDOM.integers(0, rows, count)}, ["y"], {"x": floats(rows, columns)})


def concat(shape, axis, count=2):
    names = [f"x{i}" for i in range(count)]
    return model([node("Concat", names, ["y"], axis=axis)], {n: floats(*shape) for n in names}, ["y"])


def resize(shape, mode):
    return model([node("Resize", ["x", "", "s"], ["y"], mode=mode, **(
        {"coordinate_transformation_mode": "asymmetric", "nearest_mode": "floor"} if mode == "nearest" else {}))],
                 {"x": floats(*shape)}, ["y"], {"s": np.array([1, 1, 2, 2], np.float32)})


def cumsum(shape, axis):
    return model([node("CumSum", ["x", "a"], ["y"])], {"x": floats(*shape)}, ["y"], {"a": np.array(axis, np.int64)})


def kernels():
    yield "product 1x4096x4096", lambda: product(1, 4096, 4096)
    yield "product 2x4096x4096", lambda: product(2, 4096, 4096)
    yield "product 4x4096x4096", lambda: product(4, 4096, 4096)
    yield "product 8x4096x4096", lambda: product(8, 4096, 4096)
    yield "product 16x4096x4096", lambda: product(16, 4096, 4096)
    yield "product 1x768x3072", lambda: product(1, 768, 3072)
    yield "product 1x768x3072+b, tanh", lambda: product(1, 768, 3072, "Tanh")
    yield "product 32x768x3072+b, tanh", lambda: product(32, 768, 3072, "Tanh")
    yield "product 128x384x1536+b, relu", lambda: product(128, 384, 1536, "Relu")
    yield "product 197x192x768+b, relu", lambda: product(197, 192, 768, "Relu")
    yield "product nx768x3072, n=1", lambda: product(1, 768, 3072, symbols={"x": ["n", 768]})
    yield "product nx768x3072, n=7", lambda: product(7, 768, 3072, symbols={"x": ["n", 768]})
    yield "product nx768x3072, n=64", lambda: product(64, 768, 3072, symbols={"x": ["n", 768]})
    yield "product 512^3", lambda: product(512, 512, 512)
    yield "float16 weights 1x4096x4096", lambda: half(1, 4096, 4096)
    yield "float16 weights 64x1024x1024", lambda: half(64, 1024, 1024)
    yield "integers 1x2048x2048", lambda: integers(1, 2048, 2048)
    yield "integers 64x1024x1024", lambda: integers(64, 1024, 1024)
    yield "4 bits 1x4096x4096", lambda: nbits(1, 4096, 4096)
    yield "4 bits 16x1024x1024", lambda: nbits(16, 1024, 1024)
    yield "batched 64 of 16x16x16", lambda: batched(64, 16, 16, 16)
    yield "batched 12 of 64x64x64", lambda: batched(12, 64, 64, 64)
    yield "attention decode, cache 1k", lambda: attention(12, 1, 1024, 64)
    yield "attention decode, cache 16k", lambda: attention(12, 1, 16384, 64)
    yield "attention 12x128x64", lambda: attention(12, 128, 128, 64)
    yield "attention 12x128x64 masked", lambda: attention(12, 128, 128, 64, True)
    yield "attention 3x197x64", lambda: attention(3, 197, 197, 64)
    yield "attention 8x1024x64", lambda: attention(8, 1024, 1024, 64)
    yield "softmax 1024x1024", lambda: unary("Softmax", (1024, 1024), axis=-1)
    yield "softmax 1536x197", lambda: unary("Softmax", (1536, 197), axis=-1)
    yield "softmax 12000x50", lambda: unary("Softmax", (12000, 50), axis=-1)
    yield "softmax 64x32000", lambda: unary("Softmax", (64, 32000), axis=-1)
    yield "log softmax 1024x1024", lambda: unary("LogSoftmax", (1024, 1024), axis=-1)
    yield "layer norm 4096x768", lambda: norm(4096, 768)
    yield "layer norm 128x384", lambda: norm(128, 384)
    yield "exp 1024x1024", lambda: unary("Exp", (1024, 1024))
    yield "tanh 1024x1024", lambda: unary("Tanh", (1024, 1024))
    yield "erf 1024x1024", lambda: unary("Erf", (1024, 1024))
    yield "transpose 1024x1024", lambda: unary("Transpose", (1024, 1024), perm=[1, 0])
    yield "transpose 1x128x12x64, heads", lambda: unary("Transpose", (1, 128, 12, 64), perm=[0, 2, 1, 3])
    yield "transpose 1x56x56x64, channels", lambda: unary("Transpose", (1, 56, 56, 64), perm=[0, 3, 1, 2])
    yield "concat 2 of 1024x512, axis 1", lambda: concat((1024, 512), 1)
    yield "concat 2 of 512x1024, axis 0", lambda: concat((512, 1024), 0)
    yield "gather 128 of 50000x384", lambda: gather(50000, 384, 128)
    yield "resize nearest 64x56x56", lambda: resize((1, 64, 56, 56), "nearest")
    yield "resize linear 64x56x56", lambda: resize((1, 64, 56, 56), "linear")
    yield "cumsum 1024x1024, axis 1", lambda: cumsum((1024, 1024), 1)
    yield "cumsum 1024x1024, axis 0", lambda: cumsum((1024, 1024), 0)
    yield "argmax 1024x1024", lambda: unary("ArgMax", (1024, 1024), axis=-1)
    yield "argmax 256x32000", lambda: unary("ArgMax", (256, 32000), axis=-1)
    yield "reduce mean 1024x1024, axis 1", lambda: unary("ReduceMean", (1024, 1024), axes=[1])
    yield "reduce max 1024x1024, axis 0", lambda: unary("ReduceMax", (1024, 1024), axes=[0])
    yield "top 10 of 256x10000", lambda: top(256, 10000, 10)
    yield "sort 256x1000 (top 1000)", lambda: top(256, 1000, 1000)


def measure(tool, name, path, inputs, rounds, extra):
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(path, options)
    peer, own = [], []
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(rounds):
            times = []
            for _ in range(15):
                start = time.perf_counter()
                session.run(None, inputs)
                times.append(time.perf_counter() - start)
            peer.append(statistics.median(times) * 1e3)
            own.append(run_ms(tool, path, inputs, folder, extra))
    print(f"{name:32} {min(peer):9.3f} {min(own):9.3f} {min(peer) / min(own):6.2f}", flush=True)
    return {"name": name, "ms": min(own), "ratio": min(peer) / min(own)}


parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("tool")
parser.add_argument("--only", default="")
parser.add_argument("--rounds", type=int, default=5)
parser.add_argument("--export", help="a file of JSON for models/page.py")
arguments, passed = parser.parse_known_args()
print(f"{'one thread':32} {'peer, ms':>9} {'ours, ms':>9}  ratio")
made = []
with tempfile.TemporaryDirectory() as place:
    for title, make in kernels():
        if re.search(arguments.only, title):
            target = os.path.join(place, "kernel.onnx")
            built, values = make()
            onnx.save(built, target)
            made.append(measure(arguments.tool, title, target, values, arguments.rounds, passed))
if arguments.export:
    with open(arguments.export, "w", encoding="utf-8") as file:
        json.dump(made, file)
