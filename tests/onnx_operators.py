#!/usr/bin/env python3
"""Operators of ONNX one by one, against plain Python: those that are more than one operator of Relax.  Prints TAP.

usage: onnx_operators.py TOOL
"""
import cmath
import math
import pathlib
import struct
import sys

from onnx_models import Bench
from onnx_writer import *


def sized(bench):
    """Results whose size only the run knows."""
    spec = "2x3xf32=0 2 0 3 0 4"
    content = model(graph([node("NonZero", ["x"], ["at"]), node("Greater", ["x", "two"], ["big"]),
                           node("Reshape", ["big", "all"], ["flat"]), node("Compress", ["x", "flat"], ["y"]),
                           node("ReduceSum", ["y"], ["s"], keepdims=0)],
                          [value("x", FLOAT, ["n", 3])], [value("at"), value("y"), value("s")],
                          [floats("two", [], [2.5]), integers("all", [1], [-1])]))
    bench.run("NonZero, Compress, and what is made of them", content, {"x": spec},
              {"at": ([2, 3], [0, 1, 1, 1, 0, 2]), "y": ([2], [3.0, 4.0]), "s": ([], [7.0])})
    content = model(graph([node("Greater", ["x", "two"], ["big"]), node("NonZero", ["big"], ["at"]),
                           node("Transpose", ["at"], ["tuples"], perm=[1, 0]), node("GatherND", ["x", "tuples"], ["y"]),
                           node("ScatterND", ["x", "tuples", "y"], ["z"], reduction="add")],
                          [value("x", FLOAT, ["n", 3])], [value("y"), value("z")], [floats("two", [], [1.5])]), 18)
    bench.run("tuples of NonZero as indices", content, {"x": spec}, {"y": ([3], [2.0, 3.0, 4.0]), "z": ([2, 3], [0, 4.0, 0, 6.0, 0, 8.0])})
    content = model(graph([node("Shape", ["x"], ["all"]), node("Min", ["all", "two"], ["k"]), node("TopK", ["x", "k"], ["y", "at"]),
                           node("TopK", ["x", "given"], ["low", "low_at"], largest=0), node("TopK", ["x", "zero"], ["none", "none_at"])],
                          [value("x", FLOAT, ["n"]), value("given", 7, [1])], [value(name) for name in ["y", "at", "low", "low_at", "none"]],
                          [integers("two", [1], [2]), integers("zero", [1], [0])]))
    bench.run("TopK of as many as the run knows, and of none", content, {"x": "4xf32=2 7 7 1", "given": "1xi64=3"},
              {"y": ([2], [7.0, 7.0]), "at": ([2], [1, 2]), "low": ([3], [1.0, 2.0, 7.0]), "low_at": ([3], [3, 0, 1]), "none": ([0], [])})
    content = model(graph([node("Unique", ["x"], ["y", "first", "back", "count"], axis=0), node("Gather", ["y", "back"], ["again"]),
                           node("Sub", ["again", "x"], ["none"]), node("Mul", ["first", "count"], ["both"])],
                          [value("x", FLOAT, ["n", 2])], [value("y"), value("none"), value("both")]))
    bench.run("Unique rows, and what is made of them", content, {"x": "3x2xf32=2 1 1 2 2 1"},
              {"y": ([2, 2], [1.0, 2.0, 2.0, 1.0]), "none": ([3, 2], [0.0] * 6), "both": ([2], [1, 0])})
    content = model(graph([node("Unique", ["x"], ["y", "first", "back", "count"], sorted=0)],
                          [value("x", FLOAT, ["n"])], [value("y"), value("first"), value("back"), value("count")]))
    bench.run("Unique, unsorted", content, {"x": "5xf32=2 1 2 3 1"},
              {"y": ([3], [2.0, 1.0, 3.0]), "first": ([3], [0, 1, 3]), "back": ([5], [0, 1, 0, 2, 1]),
               "count": ([3], [2, 2, 1])})
    boxes = "1x4x4xf32=0 0 2 2 0 0.2 2 2.2 5 5 7 7 1 1 1.5 1.5"
    for center, wanted in [(0, [0, 0, 2, 0, 0, 0, 0, 0, 3]), (1, [0, 0, 2, 0, 0, 0])]:
        content = model(graph([node("NonMaxSuppression", ["b", "s", "most", "iou", "least"], ["y"], center_point_box=center)],
                              [value("b", FLOAT, [1, "n", 4]), value("s", FLOAT, [1, 1, "n"])], [value("y")],
                              [integers("most", [1], [3]), floats("iou", [1], [0.5]), floats("least", [1], [0.1])]))
        scores = "0.8 0.7 0.9 0.3" if not center else "0.8 0.7 0.9 0.05"
        bench.run(f"NonMaxSuppression, center_point_box={center}", content, {"b": boxes, "s": f"1x1x4xf32={scores}"},
                  {"y": ([len(wanted) // 3, 3], wanted)})


#: by number of the type: bits of exponent and mantissa, bias, code of the largest number, of what is larger, of NaN
SMALL = {17: (4, 3, 7, 0x7e, 0x7f, 0x7f), 18: (4, 3, 8, 0x7f, 0x80, 0x80), 19: (5, 2, 15, 0x7b, 0x7c, 0x7e),
         20: (5, 2, 16, 0x7f, 0x80, 0x80), 23: (2, 1, 1, 7, 7, None), 27: (2, 3, 1, 31, 31, None), 28: (3, 2, 3, 31, 31, None)}


def small_floats(bench):
    """Floats of a byte and less: each code is read, and each number goes to the nearest code, of two to the even one."""
    for kind, (exponents, mantissa, bias, largest, over, nan) in SMALL.items():
        numbers = []
        for code in range(largest + 1):
            exponent, fraction = code >> mantissa, code & (1 << mantissa) - 1
            numbers.append((fraction + (exponent > 0) * 2 ** mantissa) * 2.0 ** (max(exponent, 1) - bias - mantissa))
        sign = 1 << exponents + mantissa
        codes = list(range(largest + 1)) + [code | sign for code in range(1, largest + 1)]
        content = model(graph([node("Reshape", ["w", "all"], ["v"]), node("DequantizeLinear", ["v", "one"], ["y"])], [],
                              [value("y")], [tensor("w", kind, [len(codes)], more=part(5, b"".join(map(varint, packed(kind, codes))))),
                                             integers("all", [2], [1, -1]), floats("one", [], [1.0])]), 25)
        bench.run(f"reading type {kind}", content, {}, {"y": ([1, len(codes)], numbers + [-v for v in numbers[1:]])}, tolerance=0)
        given, wanted = [], []
        for code, (low, high) in enumerate(zip(numbers, numbers[1:])):
            middle = (low + high) / 2
            given += [low, middle, middle * (1 - 2 ** -23), middle * (1 + 2 ** -23), -middle]
            even = code + code % 2
            wanted += [code, even, code, code + 1, even | sign if even or not (nan == 0x80) else 0]
        top = numbers[-1]
        step = top - numbers[-2]
        given += [top + step / 4, top + step * 8, -1e30]
        for saturate in [1, 0]:
            ends = [largest, largest if saturate else over, largest | sign if saturate or over < largest + 1 else over | (sign if over != sign else 0)]
            content = model(graph([node("Cast", ["x"], ["y"], to=kind, saturate=saturate)], [value("x", FLOAT, ["n"])], [value("y")]), 25)
            bench.run(f"writing type {kind}, saturate={saturate}", content,
                      {"x": f"{len(given)}xf32=" + " ".join(f"{v:.9g}" for v in given)},
                      {"y": ([len(given)], wanted + ends)}, tolerance=0)
    eight = graph([node("Add", ["w", "w"], ["y"], "sum")], [value("w", 17, [2])], [value("y")])
    bench.refuse("arithmetic with a float of 8 bits", model(eight, 25), "E0866", "stored, and not computed with")


def packed(kind, codes):
    """The entries of int32_data: two codes in one where they have four bits."""
    if kind != 23:
        return codes
    codes = codes + [0] * (len(codes) % 2)
    return [low | high << 4 for low, high in zip(codes[::2], codes[1::2])]


def numbers(count, seed=1):
    """@count numbers from -2 to 2 that a float32 holds."""
    return [((seed + i) * 7919 % 257 - 128) / 64 for i in range(count)]


def spec(dims, values):
    return f"{'x'.join(map(str, dims))}xf32=" + " ".join(f"{v:.9g}" for v in values)


def signals(bench):
    """Transforms by their sums."""
    def dft(x, length, sign=-1):
        return [sum(v * cmath.exp(sign * 2j * cmath.pi * k * i / length) for i, v in enumerate(x[:length])) for k in range(length)]

    def parts(values):
        return [part for v in values for part in (v.real, v.imag)]

    x = numbers(6)
    for length, onesided in [(6, 0), (6, 1), (8, 1), (5, 0)]:
        content = model(graph([node("DFT", ["x", "n", "axis"], ["y"], onesided=onesided)], [value("x", FLOAT, [1, "time", 1])],
                              [value("y")], [integers("n", [], [length]), integers("axis", [], [1])]), 20)
        y = dft(x, length)[:length // 2 + 1 if onesided else length]
        bench.run(f"DFT of length {length}, onesided={onesided}", content, {"x": spec([1, 6, 1], x)},
                  {"y": ([1, len(y), 2], parts(y))}, tolerance=1e-5)
    pairs = numbers(12, 5)
    z = [complex(a, b) for a, b in zip(pairs[::2], pairs[1::2])]
    content = model(graph([node("DFT", ["x"], ["y"], axis=0, inverse=1)], [value("x", FLOAT, ["n", 1, 2])], [value("y")]), 19)
    bench.run("the inverse, of any length", content, {"x": spec([6, 1, 2], pairs)},
              {"y": ([6, 1, 2], parts(v / 6 for v in dft(z, 6, 1)))}, tolerance=1e-5)
    half = dft(x, 6)[:4]
    content = model(graph([node("DFT", ["x"], ["y"], axis=1, inverse=1, onesided=1)], [value("x", FLOAT, [1, 4, 2])], [value("y")]), 19)
    bench.run("the inverse of one side", content, {"x": spec([1, 4, 2], parts(half))}, {"y": ([1, 6, 1], x)}, tolerance=1e-5)
    x, window = numbers(11, 3), [0.5, 1.0, 1.0, 0.25]
    content = model(graph([node("STFT", ["x", "step", "w"], ["y"])], [value("x", FLOAT, [1, "n", 1])], [value("y")],
                          [integers("step", [], [3]), floats("w", [4], window)]), 17)
    frames = [dft([v * w for v, w in zip(x[3 * f:], window)], 4)[:3] for f in range(3)]
    bench.run("STFT", content, {"x": spec([1, 11, 1], x)}, {"y": ([1, 3, 3, 2], parts(v for f in frames for v in f))}, tolerance=1e-5)


def linear_attention(bench):
    """The rule with decay and correction, two heads of queries to one of keys."""
    steps, size = 3, 2
    q, k, v = numbers(steps * 4), numbers(steps * size, 9), numbers(steps * size, 4)
    decay, beta, state = [-0.5, -0.25, -1.0], [0.5, 1.0, 0.75], [[1.0, 0.5], [-1.0, 2.0]]
    past, out = [e for row in state for e in row], []
    for t in range(steps):
        state = [[e * math.exp(decay[t]) for e in row] for row in state]
        key = k[t * size:(t + 1) * size]
        new = [beta[t] * (v[t * size + e] - sum(state[d][e] * key[d] for d in range(size))) for e in range(size)]
        state = [[state[d][e] + key[d] * new[e] for e in range(size)] for d in range(size)]
        out += [sum(q[t * 4 + h * 2 + d] * state[d][e] for d in range(size)) / math.sqrt(size) for h in range(2) for e in range(size)]
    content = model(graph([node("LinearAttention", ["q", "k", "v", "s", "decay", "beta"], ["y", "s2"], q_num_heads=2, kv_num_heads=1)],
                          [value("q", FLOAT, [1, "t", 4]), value("k", FLOAT, [1, "t", 2]), value("v", FLOAT, [1, "t", 2]),
                           value("s", FLOAT, [1, 1, 2, 2]), value("decay", FLOAT, [1, "t", 1]), value("beta", FLOAT, [1, "t", 1])],
                          [value("y"), value("s2")]), 27)
    bench.run("LinearAttention", content,
              {"q": spec([1, 3, 4], q), "k": spec([1, 3, 2], k), "v": spec([1, 3, 2], v), "s": spec([1, 1, 2, 2], past),
               "decay": spec([1, 3, 1], decay), "beta": spec([1, 3, 1], beta)},
              {"y": ([1, 3, 4], out), "s2": ([1, 1, 2, 2], [e for row in state for e in row])})


def states(bench):
    x, past, weight = numbers(8), numbers(4, 20), [[0.5, -1.0, 2.0], [1.0, 0.25, -0.5]]
    lines = [past[2 * c:2 * c + 2] + x[4 * c:4 * c + 4] for c in range(2)]
    y = [sum(w * lines[c][i + k] for k, w in enumerate(weight[c])) + b for c, b in enumerate([1, -1]) for i in range(4)]
    y = [v / (1 + math.exp(-v)) for v in y]
    content = model(graph([node("CausalConvWithState", ["x", "w", "b", "p"], ["y", "p2"], activation="silu")],
                          [value("x", FLOAT, [1, 2, "n"]), value("p", FLOAT, [1, 2, 2])], [value("y"), value("p2")],
                          [floats("w", [2, 1, 3], weight[0] + weight[1]), floats("b", [2], [1.0, -1.0])]), 27)
    bench.run("CausalConvWithState", content, {"x": spec([1, 2, 4], x), "p": spec([1, 2, 2], past)},
              {"y": ([1, 2, 4], y), "p2": ([1, 2, 2], lines[0][4:] + lines[1][4:])})
    cache = [float(i) for i in range(16)]
    content = model(graph([node("TensorScatter", ["c", "u", "at"], ["y"], mode="circular")],
                          [value("c", FLOAT, [2, 4, 2]), value("u", FLOAT, [2, 2, 2])], [value("y")], [integers("at", [2], [3, 1])]), 24)
    update = [-float(i + 1) for i in range(8)]
    wanted = update[2:4] + cache[2:6] + update[:2] + cache[8:10] + update[4:] + cache[14:]
    bench.run("TensorScatter, around the end", content, {"c": spec([2, 4, 2], cache), "u": spec([2, 2, 2], update)}, {"y": ([2, 4, 2], wanted)})


def training(bench):
    x, g, v, h = 1.5, -0.5, 0.25, 0.75
    for turn in [0, 2]:
        grad = 0.1 * x + g
        v2, h2 = 0.9 * v + 0.1 * grad, 0.95 * h + 0.05 * grad * grad
        rate = 0.1 * math.sqrt(1 - 0.95 ** turn) / (1 - 0.9 ** turn) if turn else 0.1
        wanted = 0.8 * (x - rate * v2 / (math.sqrt(h2) + 0.01))
        content = model(graph([node("Adam", ["r", "t", "x", "g", "v", "h"], ["x2", "v2", "h2"], domain="ai.onnx.preview.training", alpha=0.9,
                                    beta=0.95, epsilon=0.01, norm_coefficient=0.1, norm_coefficient_post=0.2)],
                              [value("t", INT64, []), *(value(each, FLOAT, [1]) for each in "xgvh")],
                              [value("x2"), value("v2"), value("h2")], [floats("r", [], [0.1])]), opsets={"": 17, "ai.onnx.preview.training": 1})
        bench.run(f"Adam, turn {turn}", content, {"t": f"i64={turn}", **{n: spec([1], [e]) for n, e in zip("xgvh", [x, g, v, h])}},
                  {"x2": ([1], [wanted]), "v2": ([1], [v2]), "h2": ([1], [h2])})


def patches(bench):
    x = numbers(4 * 4)
    content = model(graph([node("Col2Im", ["x", "image", "block"], ["y"], strides=[1, 2], pads=[0, 1, 0, 0])],
                          [value("x", FLOAT, ["n", 4, 4])], [value("y")], [integers("image", [2], [3, 3]), integers("block", [2], [2, 2])]), 18)
    image = [0.0] * 9
    for i, v in enumerate(x):
        (p, q), (r, c) = divmod(i // 4, 2), divmod(i % 4, 2)
        row, column = r + p, 2 * c + q - 1
        if column >= 0:
            image[3 * row + column] += v
    bench.run("Col2Im", content, {"x": spec([1, 4, 4], x)}, {"y": ([1, 1, 3, 3], image)})
    content = model(graph([node("MaxUnpool", ["x", "at"], ["y"], kernel_shape=[2, 2], strides=[2, 2])],
                          [value("x", FLOAT, [1, 1, 2, 2])], [value("y")], [integers("at", [1, 1, 2, 2], [5, 7, 8, 15])]))
    wanted = [0.0] * 16
    wanted[5], wanted[7], wanted[8], wanted[15] = 1.0, 2.0, 3.0, 4.0
    bench.run("MaxUnpool", content, {"x": "1x1x2x2xf32=1 2 3 4"}, {"y": ([1, 1, 4, 4], wanted)})
    content = model(graph([node("Det", ["x"], ["y"])], [value("x", FLOAT, ["n", 3, 3])], [value("y")]))
    bench.run("Det", content, {"x": "2x3x3xf32=0 2 1 1 1 0 3 0 1 1 2 3 2 4 6 0 1 1"}, {"y": ([2], [-5.0, 0.0])})


def bilinear(plane, height, width, y, x):
    out, low, left = 0.0, math.floor(y), math.floor(x)
    for i, wy in ((low, 1 - (y - low)), (low + 1, y - low)):
        for j, wx in ((left, 1 - (x - left)), (left + 1, x - left)):
            if 0 <= i < height and 0 <= j < width:
                out += wy * wx * plane[i * width + j]
    return out


def deformed(bench):
    """Two groups of channels, two of offsets, a mask and a bias."""
    x, offset, mask, weight = numbers(2 * 9), numbers(2 * 4 * 2 * 4, 11), numbers(2 * 4 * 4, 7), numbers(2 * 4, 2)
    y = []
    for c in range(2):
        for i in range(2):
            for j in range(2):
                total = [0.5, -0.5][c]
                for tap in range(4):
                    p, q = divmod(tap, 2)
                    at = [offset[((c * 4 + tap) * 2 + axis) * 4 + i * 2 + j] for axis in range(2)]
                    total += bilinear(x[9 * c:], 3, 3, i + p + at[0], j + q + at[1]) * weight[c * 4 + tap] * mask[(c * 4 + tap) * 4 + i * 2 + j]
                y.append(total)
    content = model(graph([node("DeformConv", ["x", "w", "o", "b", "m"], ["y"], kernel_shape=[2, 2], group=2, offset_group=2)],
                          [value("x", FLOAT, ["n", 2, 3, 3]), value("o", FLOAT, ["n", 16, 2, 2]), value("m", FLOAT, ["n", 8, 2, 2])],
                          [value("y")], [floats("w", [2, 1, 2, 2], weight), floats("b", [2], [0.5, -0.5])]), 19)
    bench.run("DeformConv", content, {"x": spec([1, 2, 3, 3], x), "o": spec([1, 16, 2, 2], offset), "m": spec([1, 8, 2, 2], mask)},
              {"y": ([1, 2, 2, 2], y)})


def regions(bench):
    """RoiAlign: one sample in each cell, whose four neighbours are weighted; the largest of them, or their sum."""
    x, roi = [float(i * i % 17) for i in range(16)], [0.5, 0.25, 3.0, 2.75]
    for mode in ["avg", "max"]:
        wanted = []
        for cell in range(4):
            row, column = divmod(cell, 2)
            at = [roi[1] - 0.5 + (row + 0.5) * (roi[3] - roi[1]) / 2, roi[0] - 0.5 + (column + 0.5) * (roi[2] - roi[0]) / 2]
            at = [min(max(v, 0), 3) for v in at]
            low = [math.floor(v) for v in at]
            four = [(1 - abs(at[0] - i)) * (1 - abs(at[1] - j)) * x[4 * i + j] for i in (low[0], low[0] + 1) for j in (low[1], low[1] + 1)]
            wanted.append(sum(four) if mode == "avg" else max(four))
        content = model(graph([node("RoiAlign", ["x", "r", "i"], ["y"], mode=mode, output_height=2, output_width=2, sampling_ratio=1)],
                              [value("x", FLOAT, [1, 1, 4, 4]), value("r", FLOAT, ["n", 4])], [value("y")], [integers("i", [1], [0])]))
        bench.run(f"RoiAlign, mode={mode}", content, {"x": spec([1, 1, 4, 4], x), "r": spec([1, 4], roi)}, {"y": ([1, 1, 2, 2], wanted)})


def loops(bench):
    """Loops of which only the run knows how often they go round."""
    body = graph([node("Add", ["s", "x"], ["s2"]), node("ReduceSum", ["s2"], ["t"], keepdims=0), node("Less", ["t", "top"], ["c2"]),
                  node("Cast", ["i"], ["fi"], to=1), node("Mul", ["s2", "fi"], ["o"])],
                 [value("i", INT64, []), value("c", BOOL, []), value("s")], [value("c2"), value("s2"), value("o")])
    content = model(graph([node("Loop", ["m", "", "x"], ["y", "all"], body={"graph": body}), node("Neg", ["all"], ["z"])],
                          [value("x", FLOAT, ["n"]), value("m", INT64, [])], [value("y"), value("z")], [floats("top", [], [100.0])]))
    bench.run("Loop to a limit", content, {"x": "2xf32=1 2", "m": "i64=3"},
              {"y": ([2], [4.0, 8.0]), "z": ([3, 2], [0.0, 0.0, -3.0, -6.0, -8.0, -16.0])})
    bench.run("... until its condition is false", content, {"x": "2xf32=30 20", "m": "i64=9"}, {"y": ([2], [60.0, 40.0]), "z": ([1, 2], [0.0, 0.0])})
    bench.run("... not once", content, {"x": "2xf32=30 20", "m": "i64=0"}, {"y": ([2], [30.0, 20.0]), "z": ([0, 2], [])})
    endless = model(graph([node("Loop", ["", "", "x"], ["y", "all"], body={"graph": body})], [value("x", FLOAT, ["n"])], [value("y")],
                          [floats("top", [], [100.0])]))
    bench.run("Loop without a limit", endless, {"x": "1xf32=1"}, {"y": ([1], [100.0])})
    grow = graph([node("Concat", ["s", "x"], ["s2"], axis=0), node("Identity", ["c"], ["c2"])],
                 [value("i", INT64, []), value("c", BOOL, []), value("s")], [value("c2"), value("s2")])
    content = model(graph([node("Loop", ["m", "", "x"], ["y"], body={"graph": grow})],
                          [value("x", FLOAT, ["n"]), value("m", INT64, [])], [value("y")]))
    bench.run("a state that grows", content, {"x": "2xf32=1 2", "m": "i64=2"}, {"y": ([6], [1.0, 2.0] * 3)})
    inner = graph([node("Add", ["t", "s"], ["t2"]), node("Identity", ["t2"], ["ti"]), node("Identity", ["c"], ["c3"])],
                  [value("j", INT64, []), value("c", BOOL, []), value("t")], [value("c3"), value("t2"), value("ti")])
    outer = graph([node("Loop", ["k", "", "x"], ["t9", "rows"], body={"graph": inner}), node("ReduceSum", ["rows"], ["sum"], keepdims=0),
                   node("Add", ["s", "sum"], ["s2"]), node("Identity", ["c"], ["c2"])],
                  [value("i", INT64, []), value("c", BOOL, []), value("s")], [value("c2"), value("s2"), value("sum")])
    content = model(graph([node("Loop", ["m", "", "x"], ["y", "sums"], body={"graph": outer})],
                          [value("x", FLOAT, ["n"]), value("m", INT64, []), value("k", INT64, [])], [value("y"), value("sums")]))
    bench.run("a loop in a loop", content, {"x": "2xf32=1 2", "m": "i64=3", "k": "i64=2"},
              {"y": ([2], [856.0, 857.0]), "sums": ([3], [15.0, 105.0, 735.0])})
    body = graph([node("Add", ["s", "x"], ["s2"]), node("Identity", ["s2"], ["o"])], [value("s"), value("x")], [value("s2"), value("o")])
    content = model(graph([node("Scan", ["z", "x"], ["y", "all"], num_scan_inputs=1, scan_input_directions=[1], scan_output_axes=[1],
                                scan_output_directions=[1], body={"graph": body})],
                          [value("x", FLOAT, ["n", 2]), value("z", FLOAT, [2])], [value("y"), value("all")]))
    bench.run("Scan of any length, backwards", content, {"x": "3x2xf32=1 2 3 4 5 6", "z": "2xf32=0 0"},
              {"y": ([2], [9.0, 12.0]), "all": ([2, 3], [9.0, 8.0, 5.0, 12.0, 10.0, 6.0])})
    then, other = graph([node("Concat", ["x", "x"], ["t"], axis=0)], [], [value("t")]), graph([node("Neg", ["x"], ["e"])], [], [value("e")])
    content = model(graph([node("ReduceSum", ["x"], ["s"], keepdims=0), node("Greater", ["s", "zero"], ["c"]),
                           node("If", ["c"], ["y"], then_branch={"graph": then}, else_branch={"graph": other}), node("Relu", ["y"], ["z"])],
                          [value("x", FLOAT, ["n"])], [value("z")], [floats("zero", [], [0.0])]))
    bench.run("If of different shapes", content, {"x": "2xf32=1 2"}, {"z": ([4], [1.0, 2.0, 1.0, 2.0])})


def sequences(bench):
    nodes = [node("SplitToSequence", ["x", "two"], ["s"], axis=0), node("SequenceInsert", ["s", "x", "one"], ["s2"]),
             node("SequenceErase", ["s2", "zero"], ["s3"]), node("SequenceLength", ["s3"], ["n"]), node("SequenceAt", ["s3", "last"], ["y"]),
             node("ConcatFromSequence", ["s3"], ["all"], axis=0)]
    content = model(graph(nodes, [value("x", FLOAT, [3])], [value("n"), value("y"), value("all")],
                          [integers("two", [], [2]), integers("one", [], [1]), integers("zero", [], [0]), integers("last", [], [-1])]))
    bench.run("sequences", content, {"x": "3xf32=1 2 3"}, {"n": ([], [2]), "y": ([1], [3.0]), "all": ([4], [1.0, 2.0, 3.0, 3.0])})
    content = model(graph([node("SequenceAt", ["s", "at"], ["y"])], [value("at", INT64, [])], [value("y")]))
    bench.refuse("a sequence that nothing makes", content, "E0863", "nothing makes it")
    body = graph([node("Neg", ["e"], ["o"])], [value("e")], [value("o")])
    content = model(graph([node("SequenceConstruct", ["x", "z"], ["s"]), node("SequenceMap", ["s"], ["t"], body={"graph": body}),
                           node("ConcatFromSequence", ["t"], ["y"], axis=0, new_axis=1)], [value("x", FLOAT, [2]), value("z", FLOAT, [2])], [value("y")]))
    bench.run("SequenceMap", content, {"x": "2xf32=1 2", "z": "2xf32=3 4"}, {"y": ([2, 2], [-1.0, -2.0, -3.0, -4.0])})
    has = [node("Optional", ["x"], ["o"]), node("OptionalHasElement", ["o"], ["h"]), node("OptionalGetElement", ["o"], ["y"]),
           node("Optional", [], ["e"]), node("OptionalHasElement", ["e"], ["g"])]
    content = model(graph(has, [value("x", FLOAT, [2])], [value("h"), value("y"), value("g")]), 18)
    bench.run("optional values", content, {"x": "2xf32=1 2"}, {"h": ([], [True]), "y": ([2], [1.0, 2.0]), "g": ([], [False])})


def randoms(bench):
    """Means of what is drawn, and of its squares; two nodes draw different numbers, one seed the same."""
    for kind, attributes, mean, square in [("RandomNormal", {}, 0.0, 1.0), ("RandomNormal", {"mean": 2.0, "scale": 0.5}, 2.0, 4.25),
                                           ("RandomUniform", {}, 0.5, 1 / 3), ("RandomUniform", {"low": -1.0, "high": 3.0}, 1.0, 7 / 3)]:
        nodes = [node(kind, [], ["x"], shape=[200, 100], **attributes), node(kind, [], ["other"], shape=[200, 100], **attributes)]
        nodes += [node("Mul", ["x", "x"], ["xx"]), node("Mul", ["x", "other"], ["xo"])]
        nodes += [node("ReduceMean", [each], [f"mean_{each}"], keepdims=0) for each in ["x", "xx", "xo"]]
        content = model(graph(nodes, [], [value("mean_x"), value("mean_xx"), value("mean_xo")]))
        bench.run(f"{kind} {attributes}", content, {}, {"mean_x": ([], [mean]), "mean_xx": ([], [square]), "mean_xo": ([], [mean * mean])}, tolerance=0.03)
    nodes = [node("RandomUniform", [], ["a"], shape=[5], seed=7.0), node("RandomUniform", [], ["b"], shape=[5], seed=7.0), node("Sub", ["a", "b"], ["y"])]
    bench.run("one seed", model(graph(nodes, [], [value("y")])), {}, {"y": ([5], [0.0] * 5)})
    nodes = [node("Expand", ["p", "shape"], ["x"]), node("Bernoulli", ["x"], ["y"]), node("ReduceMean", ["y"], ["m"], keepdims=0),
             node("Log", ["q"], ["l"]), node("Multinomial", ["l"], ["z"], sample_size=20000, dtype=7), node("Cast", ["z"], ["zf"], to=1),
             node("ReduceMean", ["zf"], ["mz"], axes=[1], keepdims=0)]
    content = model(graph(nodes, [value("p", FLOAT, [1]), value("q", FLOAT, [2, 3])], [value("m"), value("mz")], [integers("shape", [1], [20000])]))
    bench.run("Bernoulli and Multinomial", content, {"p": "1xf32=0.3", "q": "2x3xf32=1 1 2 5 5 0.0001"},
              {"m": ([], [0.3]), "mz": ([2], [1.25, 0.5])}, tolerance=0.03)
    nodes = [node("Expand", ["p", "shape"], ["x"]), node("Dropout", ["x", "ratio", "yes"], ["y", "kept"]), node("ReduceMean", ["y"], ["m"], keepdims=0),
             node("Cast", ["kept"], ["k"], to=1), node("ReduceMean", ["k"], ["mk"], keepdims=0)]
    content = model(graph(nodes, [value("p", FLOAT, [1])], [value("m"), value("mk")],
                          [integers("shape", [1], [20000]), floats("ratio", [], [0.25]), tensor("yes", BOOL, [], b"\1")]))
    bench.run("Dropout in training", content, {"p": "1xf32=2"}, {"m": ([], [2.0]), "mk": ([], [0.75])}, tolerance=0.03)


def edges(bench):
    """What stands at the edge of an operator."""
    content = model(graph([node("Mod", ["x", "y"], ["z"])], [value("x", FLOAT, [6]), value("y", FLOAT, [6])], [value("z")]), 28)
    bench.run("Mod of floats", content, {"x": "6xf32=-3 3 -1 5.5 -5.5 3e38", "y": "6xf32=1e38 inf -inf -2 2 3"},
              {"z": ([6], [1e38, 3.0, -1.0, -0.5, 0.5, math.fmod(struct.unpack("f", struct.pack("f", 3e38))[0], 3)])})
    for kind, wanted in [("ReduceMax", False), ("ReduceMin", True)]:
        content = model(graph([node(kind, ["x", "axes"], ["y"], keepdims=0)], [value("x", BOOL, [2, 0])], [value("y")], [integers("axes", [1], [1])]), 20)
        bench.run(f"{kind} of no bools", content, {"x": "2x0xbool="}, {"y": ([2], [wanted] * 2)})
    content = model(graph([node("Reshape", ["x", "s"], ["y"])], [value("x", FLOAT, ["a", "b", 2]), value("s", INT64, [3])], [value("y")]))
    bench.run("Reshape to 0 and -1 that only the run knows", content, {"x": spec([2, 3, 2], numbers(12)), "s": "3xi64=-1 0 1"},
              {"y": ([4, 3, 1], numbers(12))})
    content = model(graph([node("Div", ["extent", "by"], ["part"]), node("Ceil", ["part"], ["up"]), node("Clip", ["up", "least", "most"], ["some"]), node("Cast", ["some"], ["pads"], to=INT64),
                           node("Pad", ["x", "pads"], ["y"])], [value("x", FLOAT, ["n"])], [value("y")],
                          [floats("extent", [2], [-7.0, 9.0]), floats("by", [], [2.0]), floats("least", [], [1.0]), floats("most", [], [2.0])]))
    bench.run("Pad by what Clip makes of numbers", content, {"x": "2xf32=3 4"}, {"y": ([5], [0.0, 3.0, 4.0, 0.0, 0.0])})
    content = model(graph([node("ConvInteger", ["x", "w", "zero"], ["y"])], [value("x", 2, ["a", "b", "c", "d"]), value("w", 2, ["e", "f", "g", "h"]), value("zero", 2, ["i"])], [value("y")]))
    bench.refuse("ConvInteger of a kernel of open extents, less a zero point of an open one", content, "E0866", "")
    content = model(graph([node("Pow", ["x", "y"], ["z"])], [value("x", INT64, [3]), value("y", INT64, [3])], [value("z")]))
    bench.run("Pow of integers, exact", content, {"x": "3xi64=3 -3 7", "y": "3xi64=39 33 0"}, {"z": ([3], [3 ** 39, -3 ** 33, 1])}, tolerance=0)


def fused(bench):
    """What ONNX Runtime's optimisers make, against the operators that it stands for."""
    def wave(name, dims, seed):
        return floats(name, dims, [math.sin(1.7 * i + seed) for i in range(math.prod(dims))])

    def own(kind, inputs, outputs, **attributes):
        return node(kind, inputs, outputs, domain="com.microsoft", **attributes)

    def same(name, nodes, pairs, dims, tensors, *more):
        """@nodes make, of input x, what is equal by @pairs; it is not all 0."""
        ends, outputs, wanted = [], [], {}
        for i, (a, b) in enumerate(pairs):
            ends += [node("Sub", [a, b], [f"s{i}"]), node("Abs", [f"s{i}"], [f"a{i}"]), node("ReduceMax", [f"a{i}"], [f"d{i}"], keepdims=0),
                     node("Cast", [b], [f"f{i}"], to=FLOAT), node("Cast", [f"f{i}"], [f"t{i}"], to=BOOL), node("Cast", [f"t{i}"], [f"n{i}"], to=FLOAT), node("ReduceMax", [f"n{i}"], [f"m{i}"], keepdims=0)]
            outputs += [value(f"d{i}"), value(f"m{i}")]
            wanted.update({f"d{i}": ([], [0.0]), f"m{i}": ([], [1.0])})
        content = model(graph(nodes + ends, [value("x", FLOAT, dims), *more], outputs, tensors), opsets={"": 23, "com.microsoft": 1})
        bench.run(name, content, {"x": spec([2, 3, 8], numbers(48))}, wanted)

    norm = [wave("gamma", [8], 1), wave("beta", [8], 2), wave("bias", [8], 3), wave("skip", [3, 8], 4)]
    same("products, activations and normalisations of com.microsoft",
         [own("FusedMatMul", ["x", "w"], ["p"], transB=1, alpha=0.5), node("Transpose", ["w"], ["wt"]), node("MatMul", ["x", "wt"], ["q"]), node("Mul", ["q", "half"], ["p0"]),
          own("BiasGelu", ["x", "bias"], ["g"]), own("FastGelu", ["x", "bias"], ["h"]), node("Add", ["x", "bias"], ["xb"]), node("Gelu", ["xb"], ["g0"]),
          node("Gelu", ["xb"], ["h0"], approximate="tanh"),
          own("QuickGelu", ["x"], ["k"], alpha=2.0), node("Mul", ["x", "two"], ["x2"]), node("Sigmoid", ["x2"], ["gate"]), node("Mul", ["x", "gate"], ["k0"]),
          own("SkipLayerNormalization", ["x", "skip", "gamma", "beta", "bias"], ["l", "", "", "sum"], epsilon=1e-5), node("Add", ["xb", "skip"], ["sum0"]),
          node("LayerNormalization", ["sum0", "gamma", "beta"], ["l0"], epsilon=1e-5), node("LayerNormalization", ["sum0", "gamma", "beta"], ["l1", "", "spread"], epsilon=1e-5),
          node("LayerNormalization", ["sum0", "two"], ["l2"], epsilon=1e-5), node("Mul", ["l2", "half"], ["l3"]), node("Mul", ["l3", "gamma"], ["l4"]), node("Add", ["l4", "beta"], ["l5"]),
          own("SkipSimplifiedLayerNormalization", ["x", "skip", "gamma"], ["r"], epsilon=1e-5), node("Add", ["x", "skip"], ["xs"]),
          node("RMSNormalization", ["xs", "gamma"], ["r0"], epsilon=1e-5), node("SimplifiedLayerNormalization", ["xs", "gamma"], ["o"], epsilon=1e-5)],
         [("p", "p0"), ("g", "g0"), ("h", "h0"), ("k", "k0"), ("l", "l0"), ("l1", "l0"), ("l5", "l0"), ("sum", "sum0"), ("r", "r0"), ("o", "r0")], ["b", 3, 8],
         [wave("w", [5, 8], 0), floats("half", [], [0.5]), floats("two", [], [2.0]), *norm])
    image = [node("Unsqueeze", ["x", "first"], ["image"])]
    same("convolutions and products of com.microsoft with activations",
         image + [own("FusedConv", ["image", "f", "c", "image"], ["y"], activation="LeakyRelu", activation_params=[0.25], pads=[1, 1, 1, 1]),
                  node("Conv", ["image", "f", "c"], ["v"], pads=[1, 1, 1, 1]), node("Add", ["v", "image"], ["vi"]), node("LeakyRelu", ["vi"], ["y0"], alpha=0.25),
                  own("FusedConv", ["image", "f", "c"], ["z"], activation="Clip", activation_params=[-0.5, 0.5], pads=[1, 1, 1, 1]), node("Clip", ["v", "low", "half"], ["z0"]),
                  node("Reshape", ["x", "rows"], ["m"]), own("FusedGemm", ["m", "w", "b"], ["e"], transB=1, activation="Relu"), node("Gemm", ["m", "w", "b"], ["n"], transB=1), node("Relu", ["n"], ["e0"]),
                  own("DynamicQuantizeMatMul", ["x", "i8", "scale", "", "b"], ["u"]), node("DynamicQuantizeLinear", ["x"], ["xq", "xs", "xz"]),
                  own("MatMulIntegerToFloat", ["xq", "i8", "xs", "scale", "xz", "", "b"], ["u1"]), node("MatMulInteger", ["xq", "i8", "xz"], ["ui"]), node("Cast", ["ui"], ["uf"], to=FLOAT),
                  node("Mul", ["xs", "scale"], ["us"]), node("Mul", ["uf", "us"], ["um"]), node("Add", ["um", "b"], ["u0"])],
         [("y", "y0"), ("z", "z0"), ("e", "e0"), ("u", "u0"), ("u1", "u0")], [2, 3, 8],
         [integers("first", [1], [0]), wave("f", [2, 2, 3, 3], 5), wave("c", [2], 6), floats("low", [], [-0.5]), floats("half", [], [0.5]), integers("rows", [2], [-1, 8]),
          wave("w", [5, 8], 0), wave("b", [5], 7), tensor("i8", 3, [8, 5], bytes(i * 37 % 256 for i in range(40))), wave("scale", [5], 8)])
    cache = [wave("pk", [2, 2, 4, 4], 1), wave("pv", [2, 2, 4, 4], 2)]
    plain = {"q_num_heads": 2, "kv_num_heads": 2}
    same("attention of com.microsoft",
         [node("Unsqueeze", ["pk", "zero"], ["pk1"]), node("Unsqueeze", ["pv", "zero"], ["pv1"]), node("Concat", ["pk1", "pv1"], ["past"], axis=0),
          own("Attention", ["x", "w", "b", "seen", "past"], ["y", "now"], num_heads=2, unidirectional=1), node("MatMul", ["x", "w"], ["xw"]), node("Add", ["xw", "b"], ["qkv"]),
          node("Split", ["qkv"], ["q", "k", "v"], axis=2, num_outputs=3),
          node("Attention", ["q", "k", "v", "mask", "pk", "pv"], ["y0", "k0", "v0"], is_causal=1, **plain), node("Gather", ["now", "one"], ["v1"], axis=0),
          own("MultiHeadAttention", ["q", "k", "v", "b", "seen", "", "pk", "pv"], ["z", "zk"], num_heads=2), node("Split", ["b"], ["bq", "bk", "bv"], num_outputs=3),
          node("Add", ["q", "bq"], ["q2"]), node("Add", ["k", "bk"], ["k2"]), node("Add", ["v", "bv"], ["v2"]), node("Attention", ["q2", "k2", "v2", "mask", "pk", "pv"], ["z0", "zk0"], **plain)],
         [("y", "y0"), ("v1", "v0"), ("z", "z0"), ("zk", "zk0")], ["b", "s", 8],
         [wave("w", [8, 24], 3), wave("b", [24], 4), *cache, integers("zero", [1], [0]), integers("one", [], [1]), tensor("seen", 6, [2, 7], struct.pack("<14i", *[1] * 6 + [0] + [0] + [1] * 6)),
          floats("mask", [2, 1, 1, 7], [0.0] * 6 + [-10000.0] * 2 + [0.0] * 6)])
    groups = {"num_heads": 4, "kv_num_heads": 2, "do_rotary": 1}
    query = [node("MatMul", ["x", "w"], ["packed"]), node("Split", ["packed", "parts"], ["q", "k", "v"], axis=2)]
    turned = [node("RotaryEmbedding", [each, "cos", "sin", "places"], [each + "r"], num_heads=heads) for each, heads in [("q", 4), ("k", 2)]]
    tables = [wave("w", [8, 32], 3), integers("parts", [3], [16, 8, 8]), wave("cos", [9, 2], 5), wave("sin", [9, 2], 6), integers("places", [2, 3], [4, 5, 6] * 2), *cache]
    lengths = [tensor("last", 6, [2], struct.pack("<2i", 6, 6)), tensor("total", 6, [], struct.pack("<i", 7))]
    same("GroupQueryAttention and RotaryEmbedding of com.microsoft",
         query + turned + [own("GroupQueryAttention", ["packed", "", "", "pk", "pv", "last", "total", "cos", "sin"], ["y", "yk"], **groups),
                           node("Attention", ["qr", "kr", "v", "", "pk", "pv"], ["y0", "yk0"], is_causal=1, q_num_heads=4, kv_num_heads=2),
                           own("GroupQueryAttention", ["q", "k", "v", "pk", "pv", "last", "total", "cos", "sin"], ["z"], local_window_size=2, softcap=3.0, **groups),
                           node("Attention", ["qr", "kr", "v", "near", "pk", "pv"], ["z0"], softcap=3.0, q_num_heads=4, kv_num_heads=2),
                           own("RotaryEmbedding", ["q", "at", "cos", "sin"], ["r"]), own("RotaryEmbedding", ["q", "places", "cos", "sin"], ["r1"])],
         [("y", "y0"), ("yk", "yk0"), ("z", "z0"), ("r", "qr"), ("r1", "qr")], ["b", "s", 8],
         [*tables, *lengths, integers("at", [1], [4]), tensor("near", BOOL, [3, 7], bytes(i - 2 < j - 4 <= i for i in range(3) for j in range(7)))])
    content = model(graph([own("GroupQueryAttention", ["x", "x", "x", "pk", "pv", "last", "total"], ["y"], num_heads=2, kv_num_heads=2)], [value("x", FLOAT, [2, 1, 8])], [value("y")], [*cache, *lengths]),
                    opsets={"": 23, "com.microsoft": 1})
    bench.refuse_run("GroupQueryAttention of another length than its cache", content, {"x": spec([2, 1, 8], numbers(16))}, "E0802")
    content = model(graph([own("FusedConv", ["x", "f"], ["y"], activation="Swish")], [value("x", FLOAT, [1, 2, 3, 8])], [value("y")], [wave("f", [2, 2, 3, 3], 5)]), opsets={"": 23, "com.microsoft": 1})
    bench.refuse("FusedConv with an activation that is not known", content, "E0866", "activation `Swish` is not known")


def main(tool):
    bench = Bench(str(pathlib.Path(tool).resolve()))
    for test in [fused, sized, small_floats, signals, linear_attention, states, training, patches, deformed, regions, loops, sequences, randoms, edges]:
        test(bench)
    print(f"1..{bench.count}")
    return bench.failed


sys.exit(main(*sys.argv[1:]))
