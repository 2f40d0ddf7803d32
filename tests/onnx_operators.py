#!/usr/bin/env python3
"""Operators of ONNX one by one, against plain Python: those that are more than one operator of Relax.  Prints TAP.

usage: onnx_operators.py TOOL
"""
import pathlib
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


def main(tool):
    bench = Bench(str(pathlib.Path(tool).resolve()))
    for test in [sized, small_floats]:
        test(bench)
    print(f"1..{bench.count}")
    return bench.failed


sys.exit(main(*sys.argv[1:]))
