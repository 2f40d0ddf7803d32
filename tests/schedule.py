#!/usr/bin/env python3
"""Reductions, norms and products of matrices of awkward shapes: `inlay run --check` under the default passes.

Shapes around the widths of registers, tiles and blocks, with and without a rest, empty ones, and open
ones. --check holds the scheduled module against the script (floats within a tolerance, the rest exactly) and
the compiled code against the scheduled module, to the last bit. Each program also runs with vectors of 16
and 32 bytes, whatever the machine has.

usage: schedule.py TOOL [--count N]
"""
import argparse
import os
import random
import re
import subprocess
import sys
import tempfile

PASSES = ("LegalizeOps,AnnotateTIROpPattern,FuseOps,FuseTIR,DeadCodeElimination,ResolveInplace,"
          "ScheduleCPU(vector_bytes={},l2_bytes=65536),LowerIntrin")
ROWS = [1, 7, 33]
COLUMNS = [0, 1, 7, 31, 33, 64, 100, 300]
ROW_CALLS = ["R.nn.softmax(x)", "R.sum(x, axis=[1])", "R.mean(x, axis=[-1])", "R.sum(x)", "R.max(x, axis=[1])",
             "R.min(x, axis=[0])", "R.nn.rms_norm(x, g, axes=[-1])", "R.nn.layer_norm(x, g, g, axes=[-1])"]
# rows, columns and what is summed over
PRODUCTS = [(1, 33, 7), (7, 31, 33), (33, 64, 31), (31, 33, 1), (64, 64, 64), (13, 100, 300), (100, 13, 64), (33, 33, 0),
            (0, 33, 33), (18, 64, 200), (1, 300, 70), (3, 40, 40), (20, 8, 20), (48, 130, 17), (24, 160, 140), (20, 65, 17)]
# heads, queries, keys, depth of attention
HEADS = [(3, 1, 70, 64), (2, 7, 33, 32), (2, 40, 37, 33), (1, 20, 16, 5)]
# batch, heads, queries, keys, depth, depth of values, further operands and attributes of whole attention; rows of blocks
# with a rest and without, fewer than a block, and masks that leave some rows without a key
ATTENTIONS = [
    (1, 2, 150, 70, 16, 16, ""), (2, 1, 24, 33, 32, 8, ""), (1, 3, 131, 100, 33, 33, ", b"), (1, 1, 300, 9, 5, 40, ""),
    (2, 2, 200, 100, 16, 16, ", b"),
    (2, 2, 97, 64, 64, 64, ', causal_mask="TopLeft"'), (1, 2, 120, 65, 16, 16, ', causal_mask="BottomRight"'),
    (1, 1, 72, 72, 8, 8, ', causal_mask="BottomRight", window_size=5'), (1, 2, 23, 40, 16, 16, ", b"), (1, 2, 50, 0, 16, 16, ""),
    (1, 2, "m=40", "t=31", 16, 16, ""), (2, 1, "m=200", "t=300", 16, 16, ", b"), (1, 2, "m=144", 33, 33, 8, ""),
    (1, 2, 131, "t=70", 64, 64, ', causal_mask="TopLeft"'), (1, 3, "m=1", "t=200", 64, 64, ""), (1, 2, "m=23", 64, 16, 40, ""),
    (1, 2, "m=150", 150, 16, 16, ', causal_mask="BottomRight"'), (1, 1, "m=0", "t=9", 16, 16, ""), (1, 1, 300, "t=0", 8, 8, ""),
]
# The same spelled out in operators.  q, k, v: (batch, head, sequence, size); w: (batch, sequence, head, size);
# b: (batch, head, query, key); c: a column of it.  Where a row of the mask is -inf the result is NaN.
KEYS = "R.permute_dims(k, axes=[0, 1, 3, 2])"
SCALED = f'R.multiply(R.matmul(q, {KEYS}), R.const(0.125, "float32"))'
SHARES = f"R.nn.softmax(R.add({SCALED}, b), axis=-1)"
CLEAN = "R.where(R.isnan(p), R.const(0, \"float32\"), p)"
SPELLED = [
    ([f"p = {SHARES}"], "R.matmul(p, v)"),
    ([f"p = R.nn.softmax({SCALED}, axis=-1)"], "R.permute_dims(R.matmul(p, v), axes=[0, 2, 1, 3])"),
    ([f"p = R.nn.softmax(R.matmul(R.divide(q, R.const(3, \"float32\")), {KEYS}), axis=-1)"],
     "R.matmul(p, R.permute_dims(w, axes=[0, 2, 1, 3]))"),
    ([f"p = R.nn.softmax(R.where(R.less(b, R.const(0, \"float32\")), R.const(-1e9, \"float32\"), {SCALED}), axis=3)"], "R.matmul(p, v)"),
    ([f"p = R.nn.softmax(R.add({SCALED}, R.log(R.nn.relu(b))), axis=-1)"], f"R.matmul({CLEAN}, v)"),
    ([f"p = R.nn.softmax(R.add({SCALED}, R.log(R.nn.relu(c))), axis=-1)"], "R.matmul(p, v)"),
    # each key scaled, where it lies
    ([f"s = R.matmul(q, R.multiply({KEYS}, R.const(0.3, \"float32\")))", "p = R.nn.softmax(R.add(s, b), axis=-1)"], f"R.matmul({CLEAN}, v)"),
    # the scores, or the shares, are read elsewhere too
    ([f"s = {SCALED}", "p = R.nn.softmax(s, axis=-1)"], "R.add(R.matmul(p, v), R.sum(s, axis=[-1], keepdims=True))"),
    ([f"p = {SHARES}"], "R.add(R.matmul(p, v), R.max(p, axis=[-1], keepdims=True))"),
    ([f"p = {SHARES}"], "R.add(R.matmul(p, v), R.matmul(p, R.multiply(v, v)))"),
    ([f"p = {SHARES}", "t = R.matmul(p, v)"], f"R.matmul(R.nn.softmax(R.matmul(t, {KEYS}), axis=-1), v)"),
    # not along rows
    ([f"p = R.nn.softmax({SCALED}, axis=2)"], "R.matmul(p, v)"),
    ([f"p = R.nn.softmax({SCALED}, axis=-1)"], "R.matmul(R.permute_dims(p, axes=[0, 1, 3, 2]), q)"),
    ([f"p = R.nn.softmax(R.flip({SCALED}, axis=2), axis=-1)"], "R.matmul(p, v)"),
    ([f"p = R.nn.softmax(R.flip({SCALED}, axis=3), axis=-1)"], "R.matmul(p, v)"),
]
# batch, heads, queries, keys, size, of values
SPELLED_SIZES = [(1, 2, 150, 70, 64, 64), (2, 3, 24, 33, 16, 5), (1, 1, 97, 9, 33, 40), (1, 2, 23, 64, 16, 16),
                 (1, 2, "m=110", "t=65", 16, 16), ("n=2", 2, 97, "t=40", 16, 16), (1, 2, "m=3", 33, 16, 16), ("n=2", 2, "m=1", "t=70", 16, 16)]
# batch, heads of keys, heads of queries for each, queries, keys, size
GROUPED = [(1, 2, 4, 1, 70, 16), (2, 3, 2, 5, 33, 33), (1, 2, 2, 30, 33, 8), (1, 8, 2, 1, 300, 24), ("b=2", 2, 3, "m=1", "t=45", 16),
           (1, 2, 2, "m=40", "t=37", 16), (1, 1, 2, 3, 40, 40)]
# channels in, out, groups, extents, windows, strides, dilations, padding
CONVOLUTIONS = [
    (16, 8, 1, [9, 7], [3, 3], [1, 1], [1, 1], 1), (64, 13, 1, [7, 7], [3, 3], [1, 1], [1, 1], 1),
    (200, 110, 1, [5, 5], [3, 3], [1, 1], [1, 1], 1), (3, 20, 1, [33, 31], [7, 7], [2, 2], [1, 1], 3),
    (40, 24, 1, [14, 14], [1, 1], [1, 1], [1, 1], 0), (16, 23, 1, [14, 14], [3, 3], [1, 1], [1, 1], 1),
    (60, 50, 1, [13, 5], [3, 3], [1, 1], [1, 1], 1), (30, 400, 1, [7, 7], [1, 1], [1, 1], [1, 1], 0),
    (5, 6, 1, [60, 70], [1, 3], [1, 2], [1, 1], 0), (8, 12, 1, [20, 17], [3, 3], [1, 1], [2, 3], 2),
    (8, 12, 1, [300], [5], [1], [1], 2), (6, 7, 1, [6, 9, 10], [3, 2, 3], [1, 2, 1], [1, 1, 1], 1),
    (12, 18, 3, [11, 13], [3, 3], [1, 1], [1, 1], 1), (64, 64, 4, [9, 9], [3, 3], [2, 2], [1, 1], 1),
    (9, 9, 9, [30, 37], [3, 3], [1, 1], [1, 1], 1), (20, 40, 20, [15, 15], [5, 5], [2, 2], [1, 1], 2),
    (4, 4, 1, [3, 3], [3, 3], [1, 1], [1, 1], 0), (32, 6, 1, [1, 40], [1, 3], [1, 1], [1, 1], 0),
    # where columns are beside each other in the data: whole panels, a half one, a rest of tasks, channels, groups, blocks
    (24, 32, 1, [8, 8], [1, 1], [1, 1], [1, 1], 0), (60, 17, 1, [6, 6], [1, 1], [1, 1], [1, 1], 0),
    (64, 26, 1, [37, 20], [1, 1], [1, 1], [1, 1], 0), (33, 64, 1, [7, 7], [1, 1], [1, 1], [1, 1], 0),
    (48, 40, 2, [10, 9], [1, 1], [1, 1], [1, 1], 0), (12, 16, 1, [4, 5, 6], [1, 1, 1], [1, 1, 1], [1, 1, 1], 0),
    (400, 20, 1, [6, 8], [1, 1], [1, 1], [1, 1], 0), (390, 40, 1, [5, 7], [1, 1], [1, 1], [1, 1], 0),
]
# bytes, weights, zero points
BYTES = [("uint8", "int8", 0), ("uint8", "int8", 255), ("int8", "int8", -128), ("int8", "int8", 127), ("uint8", "uint8", 128),
         ("int8", "uint8", 3), ("uint8", "int8", "z")]
# The same of channels in blocks: channels in a block of the data (0: plain) and in all, those of the result, groups, ..
BLOCKED = [
    (0, 3, 16, 16, 1, [17, 33], [3, 3], [2, 2], [1, 1], 1), (16, 32, 16, 48, 1, [9, 14], [3, 3], [1, 1], [1, 1], 1),
    (8, 16, 8, 40, 1, [7, 7], [1, 1], [1, 1], [1, 1], 0), (4, 12, 8, 16, 1, [5, 29], [3, 2], [1, 2], [2, 1], 1),
    (8, 24, 4, 20, 1, [6, 13], [3, 3], [1, 1], [1, 1], 1), (16, 32, 8, 8, 1, [4, 56], [1, 1], [1, 1], [1, 1], 0),
    (16, 48, 16, 48, 48, [15, 13], [3, 3], [1, 1], [1, 1], 1), (8, 24, 8, 24, 24, [60, 50], [5, 5], [2, 2], [1, 1], 2),
    (4, 8, 4, 8, 8, [9, 9], [3, 3], [1, 1], [2, 2], 2), (16, 32, 16, 32, 2, [9, 9], [3, 3], [1, 1], [1, 1], 1),
    (8, 16, 8, 16, 1, [40], [5], [1], [1], 2), (4, 8, 4, 12, 1, [4, 5, 6], [3, 2, 3], [1, 1, 1], [1, 1, 1], 1),
    (16, 16, 16, 16, 16, [70, 90], [3, 3], [3, 2], [1, 1], 1), (0, 5, 8, 24, 1, [3, 4], [2, 2], [1, 1], [1, 1], 0),
    # rows of an image so short that a tile has several
    (8, 16, 8, 64, 1, [7, 7], [3, 3], [1, 1], [1, 1], 1), (4, 8, 4, 32, 1, [9, 4], [2, 3], [1, 1], [1, 1], 1),
    (16, 32, 16, 128, 1, [7, 7], [1, 1], [1, 1], [1, 1], 0), (8, 16, 8, 72, 1, [5, 6], [3, 3], [2, 2], [1, 2], 1),
    (16, 16, 16, 256, 1, [14, 13], [3, 3], [2, 2], [1, 1], 1), (4, 4, 4, 48, 1, [3, 5, 2], [3, 1, 1], [1, 1, 1], [1, 1, 1], 1),
    (8, 8, 8, 64, 1, [1, 5], [1, 1], [1, 1], [1, 1], 0), (0, 3, 8, 80, 1, [16, 2], [1, 1], [1, 1], [1, 1], 0),
]
# channels in, out, groups, extents, windows, strides, padding, more behind the result
TRANSPOSED = [
    (16, 12, 1, [9, 7], [4, 4], [2, 2], 1, [0, 0]), (20, 3, 1, [14, 14], [3, 3], [2, 2], 1, [1, 1]),
    (9, 14, 1, [11, 13], [3, 2], [3, 2], 0, [2, 0]), (16, 8, 1, [5, 20], [2, 2], [2, 2], 0, [0, 1]),
    (24, 7, 1, [40], [5], [3], 2, [1]), (6, 7, 1, [4, 5, 6], [3, 2, 3], [2, 1, 2], 0, [0, 0, 1]),
    (12, 6, 3, [9, 9], [4, 4], [2, 2], 1, [0, 0]), (30, 1, 1, [17, 9], [1, 5], [2, 2], 0, [1, 1]),
]
# shape, windows, strides, dilations, padding, ceil_mode
POOLS = [
    ([1, 5, 30, 37], [3, 3], [2, 2], [1, 1], 1, False), ([2, 3, 17, 64], [2, 2], [2, 2], [1, 1], 0, False),
    ([2, 3, 9, 70], [3, 3], [1, 1], [1, 1], 1, True), ([1, 3, 20, 21], [3, 2], [3, 1], [2, 3], 1, True),
    ([2, 4, 100], [5], [2], [1], 2, False), ([1, 2, 8, 9, 20], [2, 3, 3], [1, 2, 1], [1, 1, 1], 1, False),
    ([1, 3, 7, 7], [7, 7], [1, 1], [1, 1], 3, False), ([1, 2, 12, 40], [3, 3], [5, 4], [1, 1], 1, False),
]
TEXT = '''from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T

@I.ir_module
class Module:
    @R.function
    def main({params}):
{symbols}        with R.dataflow():
            {before}y = {call}
            R.output(y)
        return y
'''


def tensor(name, dims, dtype="float32"):
    shape = ", ".join(f'"{d}"' if isinstance(d, str) else str(d) for d in dims)
    return f'{name}: R.Tensor(({shape}{"," if len(dims) == 1 else ""}), "{dtype}")'


def programs():
    """Name, script and --dim arguments of each."""
    def program(params, call, dims=None, before=()):
        dims = dims or {}
        symbols = "".join(f"        {d} = T.int64()\n" for d in dims)
        name = "; ".join([*before, call]) + f" of {'; '.join(params)}" + "".join(f", {d}={v}" for d, v in dims.items())
        lines = "".join(f"{line}\n            " for line in before)
        yield name, TEXT.format(params=", ".join(params), symbols=symbols, call=call, before=lines), dims

    for call in ROW_CALLS:
        vectors = (lambda c: [tensor("g", [c])]) if "g" in call.split("(x")[1] else (lambda c: [])
        for rows in ROWS:
            for columns in COLUMNS:
                if columns == 0 and ("max" in call or "min" in call):
                    continue
                yield from program([tensor("x", [rows, columns]), *vectors(columns)], call)
                if columns % 2:
                    yield from program([tensor("x", ["r", "c"]), *vectors("c")], call, {"r": rows, "c": columns})
    for dtype in ("float16", "bfloat16", "float64", "int8", "int32", "uint8", "int64"):
        for call in ("R.sum(x, axis=[1])", "R.max(x, axis=[1])", "R.sum(x, axis=[0])", "R.min(x)"):
            yield from program([tensor("x", [5, 133], dtype)], call)
    for dtype in ("float32", "float64", "int32", "int8"):
        for shape in ([2, 5, 14, 14], [2, 3, 7, 3], [1, 3, 9, 33], [2, 3, 100, 70], [3, 4, 0, 5], [2, 3, 1, 1]):
            for call in ("R.sum(x, axis=[2, 3])", "R.sum(x)", "R.sum(x, axis=[0, 1])", "R.sum(x, axis=[0, 2])",
                         "R.min(x, axis=[1, 2, 3])"):
                if "sum" in call or 0 not in shape:
                    yield from program([tensor("x", shape, dtype)], call)
        for call in ("R.sum(x)", "R.max(x)", "R.sum(x, axis=[0])"):
            for shape in ([70000], [300, 1000], [3, 200, 600], [1000, 130], [600, 512]):
                yield from program([tensor("x", shape, dtype)], call)
    yield from program([tensor("x", [2, 5, 14, 14])], "R.mean(x, axis=[2, 3])")
    yield from program([tensor("x", [2, 5, "h", "w"])], "R.mean(x, axis=[2, 3])", {"h": 13, "w": 37})
    for rows, columns in ((33, 70), (64, 64), (100, 32), (31, 90), (0, 40)):
        for dtype in ("float32", "float64", "int8", "float16"):
            yield from program([tensor("x", [rows, columns], dtype)], "R.permute_dims(x)")
        yield from program([tensor("x", ["r", "c"])], "R.nn.relu(R.permute_dims(x))", {"r": rows, "c": columns})
        yield from program([tensor("x", [rows, columns]), tensor("w", [columns, rows])], "R.add(R.permute_dims(x), w)")
        for axes in ("[0, 2, 1]", "[2, 0, 1]", "[2, 1, 0]", "[1, 0, 2]"):
            yield from program([tensor("x", [3, rows, columns])], f"R.permute_dims(x, axes={axes})")
    for m, n, k in PRODUCTS:
        for dtype in ("float32", "float64", "float16", "int32"):
            yield from program([tensor("x", [m, k], dtype), tensor("w", [k, n], dtype)], "R.matmul(x, w)")
        yield from program([tensor("x", [m, k]), tensor("w", [n, k])], "R.matmul(x, R.permute_dims(w))")
        yield from program([tensor("x", [k, m]), tensor("w", [k, n])], "R.matmul(R.permute_dims(x), w)")
        yield from program([tensor("x", [2, m, k]), tensor("w", [2, k, n])], "R.matmul(x, w)")
        yield from program([tensor("x", [2, m, k]), tensor("w", [k, n])], "R.nn.relu(R.matmul(x, w))")
        # one matrix for a whole batch, whose loops may count the rows
        for batch, rows in ((9, "m"), ("b", "m"), ("b", 3), (17, 5)):
            yield from program([tensor("x", [2, batch, rows, k]), tensor("w", [k, n]), tensor("c", [n])], "R.add(R.matmul(x, w), c)",
                               {name: size for name, size in (("b", 5), ("m", m)) if name in (batch, rows)})
        yield from program([tensor("x", ["m", k]), tensor("w", [k, n])], "R.matmul(x, w)", {"m": m})
        yield from program([tensor("x", ["m", "k"]), tensor("w", ["k", "n"])], "R.matmul(x, w)",
                           {"m": m, "n": n, "k": k})
        yield from program([tensor("x", [2, m, k]), tensor("w", [2, n, k])],
                           "R.multiply(R.matmul(x, R.permute_dims(w, axes=[0, 2, 1])), R.const(0.5, \"float32\"))")
        yield from program([tensor("x", ["m", k]), tensor("w", [k, n]), tensor("b", [n])],
                           "R.nn.relu(R.add(R.matmul(x, w), b))", {"m": m})
        yield from program([tensor("x", [m, k]), tensor("w", [k, n]), tensor("r", [m, n])],
                           "R.add(R.nn.gelu(R.matmul(x, w)), r)")
        yield from program([tensor("x", [m, k]), tensor("w", [k, n])], "R.nn.relu(R.abs(R.matmul(x, w)))")
        if 0 < n * k < 8000:
            rows = ", ".join(str([(7 * r + 3 * c) % 11 - 5 for c in range(n)]) for r in range(k))
            yield from program([tensor("x", ["m", k])], f"R.nn.relu(R.matmul(x, R.const([{rows}], \"float32\")))", {"m": m})
            yield from program([tensor("x", [m, k])], f"R.matmul(x, R.const([{rows}], \"float32\"))")
        for of_x, of_w in (("int8", "int8"), ("uint8", "uint8")):
            yield from program([tensor("x", [m, k], of_x), tensor("w", [k, n], of_w)], "R.matmul(x, w, out_dtype=\"int32\")")
            yield from program([tensor("x", ["m", k], of_x), tensor("w", [n, k], of_w)],
                               "R.nn.relu(R.astype(R.matmul(x, R.permute_dims(w), out_dtype=\"int32\"), \"float32\"))", {"m": m})
        yield from program([tensor("x", [m, k], "uint8"), tensor("w", [k, n], "int8"), tensor("z", [m, 1], "uint8"), tensor("v", [n], "int8")],
                           "R.matmul(R.subtract(R.astype(x, \"int32\"), R.astype(z, \"int32\")), "
                           "R.subtract(R.astype(w, \"int32\"), R.astype(v, \"int32\")))")
        for half in ("float16", "bfloat16"):
            wide = "R.matmul(x, R.astype(w, \"float32\"))"
            yield from program([tensor("x", [m, k]), tensor("w", [k, n], half)], wide)
            yield from program([tensor("x", ["m", k]), tensor("w", [k, n], half)], f"R.nn.relu({wide})", {"m": m})
    for m, n, blocks in ((1, 40, 3), (4, 64, 2), (7, 33, 5), (16, 130, 4), (17, 20, 2)):
        halves = "R.concat((R.bitwise_and(b, R.const(15, \"uint8\")), R.right_shift(b, R.const(4, \"uint8\"))), axis=1)"
        whole = f"R.astype(R.reshape({halves}, R.shape([{blocks}, 16, {n}])), \"float32\")"
        scaled = f"R.reshape(R.multiply(R.subtract({whole}, z), s), R.shape([{blocks * 16}, {n}]))"
        weights = [tensor("b", [blocks * 8, 1, n], "uint8"), tensor("z", [blocks, 1, n]), tensor("s", [blocks, 1, n])]
        yield from program([tensor("x", [m, blocks * 16]), *weights], f"R.matmul(x, {scaled})")
        yield from program([tensor("x", [2, "m", blocks * 16]), *weights], f"R.nn.relu(R.matmul(x, {scaled}))", {"m": m})
    for heads, queries, keys, depth in HEADS:
        axes = "axes=[0, 2, 1, 3]"
        yield from program([tensor("x", [1, queries, heads, depth]), tensor("w", [1, keys, heads, depth])],
                           f"R.matmul(R.permute_dims(x, {axes}), R.permute_dims(w, axes=[0, 2, 3, 1]))")
        yield from program([tensor("x", [1, heads, queries, "t"]), tensor("w", [1, "t", heads, depth])],
                           f"R.matmul(x, R.permute_dims(w, {axes}))", {"t": keys})
    for sizes in ATTENTIONS:
        (batch, heads, queries, keys, depth, values, more), known = bound(sizes)
        yield from program([tensor("q", [batch, queries, heads, depth]), tensor("k", [batch, keys, heads, depth]),
                            tensor("v", [batch, keys, heads, values]), tensor("b", [batch, heads, queries, keys])],
                           f"R.nn.attention(q, k, v{more})", known)
    for queries in (3, 50):
        yield from program([tensor("q", [2, queries, 6, 16]), tensor("k", [2, 40, 2, 16]), tensor("v", [2, 40, 3, 8])],
                           "R.nn.attention(q, k, v)")
    for sizes in GROUPED:
        (batch, heads, group, queries, keys, depth), known = bound(sizes)
        wide = [f"R.reshape(R.broadcast_to({x}, R.shape([{batch}, {heads}, {group}, {keys}, {depth}])), R.shape([{batch}, {heads * group}, {keys}, {depth}]))"
                for x in "kv"]
        params = [tensor("q", [batch, heads * group, queries, depth]), *(tensor(x, [batch, heads, 1, keys, depth]) for x in "kv")]
        for scores in (f"R.matmul(q, R.permute_dims({wide[0]}, axes=[0, 1, 3, 2]))", f"R.matmul(q, {wide[0]})"):
            if "permute" in scores or keys == depth:
                yield from program(params, f"R.matmul(R.nn.softmax({scores}, axis=-1), {wide[1]})", known)
                yield from program(params, scores, known)
    for before, call in SPELLED:
        for sizes in SPELLED_SIZES:
            (batch, heads, queries, keys, depth, values), known = bound(sizes)
            params = [tensor("q", [batch, heads, queries, depth]), tensor("k", [batch, heads, keys, depth]),
                      tensor("v", [batch, heads, keys, values]), tensor("w", [batch, keys, heads, values]),
                      tensor("b", [batch, heads, queries, keys]), tensor("c", [batch, 1, queries, 1])]
            fits = (", q)" not in call or values == depth) and ("t = " not in "".join(before) or values == depth)
            if fits:
                yield from program(params, call, known, before)
    for dtype in ("float32", "int8", "float16"):
        for shape in ([1, 1], [5, 133], [3, 7, 40]):
            for call in ("R.argmax(x, axis=-1)", "R.argmin(x, axis=0)", "R.argmax(x)"):
                yield from program([tensor("x", shape, dtype)], call)
    for index, (inputs, outputs, groups, extents, window, strides, dilation, pad) in enumerate(CONVOLUTIONS):
        rank = len(extents)
        call = (f"R.nn.conv{rank}d(x, w, strides={strides}, dilation={dilation}, groups={groups}, "
                f"padding={[pad] * (2 * rank)})")
        dtype = ("float32", "float64", "int32")[index % 3]
        weight, bias = [outputs, inputs // groups, *window], tensor("b", [1, outputs] + [1] * rank)
        yield from program([tensor("x", [3 - index % 2, inputs, *extents], dtype), tensor("w", weight, dtype)], call)
        yield from quantised(program, index, call, [3 - index % 2, inputs, *extents], weight)
        dims, known = opened(extents, index)
        batch = 1 if known and index % 8 < 4 else "n"
        yield from program([tensor("x", [batch, inputs, *dims]), tensor("w", weight), bias],
                           f"R.nn.relu(R.add({call}, b))", {**known, **({"n": 2} if batch == "n" else {})})
    for index, (block, inputs, own, outputs, groups, extents, window, strides, dilation, pad) in enumerate(BLOCKED):
        rank = len(extents)
        letters = "NC" + "DHW"[3 - rank:]
        data = [2, inputs // block, *extents, block] if block else [2, inputs, *extents]
        layouts = f'data_layout="{letters}{f"{block}c" if block else ""}", out_layout="{letters}{own}c"'
        call = (f"R.nn.conv{rank}d(x, w, strides={strides}, dilation={dilation}, groups={groups}, "
                f"padding={[pad] * (2 * rank)}, {layouts})")
        weight = [outputs, inputs // groups, *window]
        yield from program([tensor("x", data, ("float32", "float32", "float64", "int32")[index % 4]),
                            tensor("w", weight, ("float32", "float32", "float64", "int32")[index % 4])], call)
        yield from program([tensor("x", ["n", *data[1:]]), tensor("w", weight), tensor("b", [1, outputs // own, *[1] * rank, own])],
                           f"R.sigmoid(R.add({call}, b))", {"n": 2})
    for index, (inputs, outputs, groups, extents, window, strides, pad, more) in enumerate(TRANSPOSED):
        rank = len(extents)
        call = (f"R.nn.conv{rank}d_transpose(x, w, strides={strides}, groups={groups}, padding={[pad] * (2 * rank)}, "
                f"output_padding={more})")
        weight, bias = [inputs, outputs // groups, *window], tensor("b", [1, outputs] + [1] * rank)
        dtype = ("float32", "float64", "float16", "int32")[index % 4]
        yield from program([tensor("x", [2, inputs, *extents], dtype), tensor("w", weight, dtype)], call)
        dims, known = opened(extents, index)
        yield from program([tensor("x", [1, inputs, *dims]), tensor("w", weight), bias],
                           f"R.nn.relu(R.add({call}, b))", known)
    for index, (shape, window, strides, dilation, pad, ceil) in enumerate(POOLS):
        rank = len(shape) - 2
        dims, known = opened(shape[2:], index)
        options = (f"pool_size={window}, strides={strides}, dilation={dilation}, padding={[pad] * (2 * rank)}, "
                   f"ceil_mode={ceil}")
        for kind, dtype in (("max", "float32"), ("avg", "float32"), ("max", "int32"), ("avg", "float64")):
            yield from program([tensor("x", shape, dtype)], f"R.nn.{kind}_pool{rank}d(x, {options})")
        block = (4, 8, 16)[index % 3]
        for kind in ("max", "avg"):
            yield from program([tensor("x", [*shape, block])],
                               f'R.nn.{kind}_pool{rank}d(x, {options}, layout="NC{"DHW"[3 - rank:]}{block}c")')
        if known:
            yield from program([tensor("x", [*shape[:2], *dims])], f"R.nn.avg_pool{rank}d(x, {options})", known)
            yield from program([tensor("x", ["n", shape[1], *dims])], f"R.nn.max_pool{rank}d(x, {options})",
                               {**known, "n": shape[0]})


def quantised(program, index, call, data, weight):
    """The convolution @call of bytes less a zero point, in int32, and what QLinearConv makes of it."""
    of_x, of_w, zero = BYTES[index % len(BYTES)]
    centre = 'R.astype(z, "int32")' if zero == "z" else f'R.const({zero}, "int32")'
    before = [f'xi = R.subtract(R.astype(x, "int32"), {centre})', 'wi = R.astype(w, "int32")']
    params = [tensor("x", data, of_x), tensor("w", weight, of_w), tensor("z", [], of_x)]
    call = call.replace("(x, w", "(xi, wi")
    yield from program(params, call, None, before)
    column = [1, weight[0]] + [1] * (len(data) - 2)
    scaled = 'R.add(R.round(R.multiply(R.astype(s, "float32"), f)), R.const(3, "float32"))'
    before += [f"s = R.add({call}, b)", f"r = {scaled}"]
    low, high = (0, 255) if of_x == "uint8" else (-128, 127)
    yield from program([*params, tensor("b", column, "int32"), tensor("f", column)],
                       f'R.astype(R.minimum(R.maximum(r, R.const({low}, "float32")), R.const({high}, "float32")), "{of_x}")', None, before)


def bound(sizes):
    """@sizes with symbols for those that are given as "m=3", and what these stand for."""
    parts = [str(size).split("=", 1) if re.fullmatch(r"\w=\d+", str(size)) else [size] for size in sizes]
    return tuple(part[0] for part in parts), {part[0]: int(part[1]) for part in parts if len(part) == 2}


def opened(extents, index):
    """Some of @extents as symbols, by @index: none, the last, the first, all of them."""
    chosen = [[], [len(extents) - 1], [0], range(len(extents))][index % 4]
    known = {"ucd"[i]: extents[i] for i in chosen}
    return ["ucd"[i] if i in chosen else extent for i, extent in enumerate(extents)], known


def failure(tool, script, dims):
    """What went wrong, or ""."""
    with tempfile.NamedTemporaryFile("w", suffix=".py", delete=False) as file:
        file.write(script)
    try:
        for width in ("", "16", "32"):
            command = [tool, "run", file.name, "--check", *(a for d, v in dims.items() for a in ("--dim", f"{d}={v}"))]
            if width:
                command += ["-p", PASSES.format(width), "--verify-each", "--roundtrip-each"]
            result = subprocess.run(command, capture_output=True, text=True, timeout=120)
            if result.returncode != 0:
                return f"{' '.join(command)}: exit {result.returncode}\n{result.stderr}\n{script}"
    finally:
        os.unlink(file.name)
    return ""


def zeroed(tool):
    """What is wrong where scratch that a row fills before it is read is zeroed first, or ""."""
    with tempfile.TemporaryDirectory() as folder:
        script, code = os.path.join(folder, "rows.py"), os.path.join(folder, "rows.ll")
        with open(script, "w") as file:
            file.write(TEXT.format(params=tensor("x", [33, 1000], "float16"), symbols="", before="", call="R.nn.softmax(x)"))
        result = subprocess.run([tool, "run", script, "--no-cache", f"--dump-llvm={code}"], capture_output=True, text=True)
        if result.returncode != 0:
            return result.stderr
        with open(code) as file:
            return "\n".join(line for line in file if "call void @llvm.memset" in line and "i64 4000" in line)


def with_scratch(tool):
    """What softmax has in scratch of its rows, or ""."""
    with tempfile.TemporaryDirectory() as folder:
        script = os.path.join(folder, "rows.py")
        with open(script, "w") as file:
            file.write(TEXT.format(params=tensor("x", [33, 1000]), symbols="", before="", call="R.nn.softmax(x)"))
        result = subprocess.run([tool, "opt", "-p", "LegalizeOps,ScheduleCPU", script], capture_output=True, text=True)
    lines = [line for line in result.stdout.split("\n") if "alloc_buffer" in line and "T.int64(1000)" in line]
    return result.stderr + "\n".join(lines)


def large_plane(tool):
    """The plane of a pooling that does not fit L1, or ""."""
    with tempfile.TemporaryDirectory() as folder:
        script = os.path.join(folder, "pool.py")
        call = "R.nn.max_pool2d(x, pool_size=[3, 3], strides=[2, 2], padding=[1, 1, 1, 1])"
        with open(script, "w") as file:
            file.write(TEXT.format(params=tensor("x", [1, 64, 112, 112]), symbols="", before="", call=call))
        result = subprocess.run([tool, "opt", "-p", "LegalizeOps,ScheduleCPU(vector_bytes=64)", script], capture_output=True, text=True)
    planes = re.findall(r"plane = T.alloc_buffer\(\(T.int64\((\d+)\), T.int64\((\d+)\)\)\)", result.stdout)
    return "" if planes and all(4 * int(u) * int(v) <= 24 << 10 for u, v in planes) else f"{result.stderr}{planes}"


def uncut(tool, scores, call, before, shape):
    """What attention makes of its scores, unless they are those of some rows, or ""."""
    with tempfile.TemporaryDirectory() as folder:
        script = os.path.join(folder, "rows.py")
        params = ", ".join([*(tensor(name, shape) for name in "qkv"), tensor("b", [1, 2, 150, 150])])
        with open(script, "w") as file:
            file.write(TEXT.format(params=params, symbols="", before=before, call=call))
        passes = "LegalizeOps,AnnotateTIROpPattern,FuseOps,FuseTIR,DeadCodeElimination,ScheduleCPU(vector_bytes=32,l2_bytes=131072)"
        result = subprocess.run([tool, "opt", "-p", passes, script], capture_output=True, text=True)
    rows = re.findall(rf"^ *{scores}\w* = T.alloc_buffer\(.*T.int64\((\d+)\), T.int64\(152\)\)\)$", result.stdout, re.MULTILINE)
    # 54 rows are a quarter of L2: two blocks of these, in tiles of 6, and one of 42; rows are whole vectors
    return "" if set(rows) == {"54", "42"} else f"{result.stderr}{rows}"


def uncut_operator(tool):
    return uncut(tool, "weights", "R.nn.attention(q, k, v)", "", [1, 150, 2, 16])


def uncut_spelled(tool):
    return uncut(tool, "lv", f"R.matmul({SHARES}, v)", "", [1, 2, 150, 16])


def packed_once(tool, symbols):
    """What is wrong where blocks of rows do not have their panels of keys and of values in common, or ""."""
    with tempfile.TemporaryDirectory() as folder:
        script = os.path.join(folder, "rows.py")
        dims = {name: symbols.get(name, size) for name, size in (("m", 500), ("t", 300))}
        params = ", ".join([tensor("q", [1, dims["m"], 2, 64]), tensor("k", [1, dims["t"], 2, 64]), tensor("v", [1, dims["t"], 2, 64])])
        with open(script, "w") as file:
            file.write(TEXT.format(params=params, symbols="", before="", call="R.nn.attention(q, k, v)"))
        result = subprocess.run([tool, "opt", "-p", "LegalizeOps,ScheduleCPU(vector_bytes=32,l2_bytes=262144)", script],
                                capture_output=True, text=True)
    panels = re.findall(r"^( *)panels\w* = T.alloc_buffer", result.stdout, re.MULTILINE)
    blocks = re.findall(r"^( *)for (?:ib|t) in .*\n(?: *if .*\n)?(?: *\w+ = T.alloc_buffer.*\n)* *for jb ", result.stdout, re.MULTILINE)
    is_good = result.returncode == 0 and len(panels) == 2 and blocks and all(len(p) <= len(blocks[0]) for p in panels)
    return "" if is_good else f"{result.stderr}{len(panels)} panels\n{result.stdout}"


def tasks_of(tool, heads, rows):
    """Lines of the loop whose iterations are blocks of rows of one of @heads, or ""; what is printed in its place if that fails."""
    with tempfile.TemporaryDirectory() as folder:
        script = os.path.join(folder, "tasks.py")
        params = ", ".join(tensor(name, [1, rows, heads, 64]) for name in "qkv")
        with open(script, "w") as file:
            file.write(TEXT.format(params=params, symbols="", before="", call="R.nn.attention(q, k, v)"))
        passes = "LegalizeOps,ScheduleCPU(vector_bytes=32,l2_bytes=2097152)"
        result = subprocess.run([tool, "opt", "-p", passes, script], capture_output=True, text=True)
        printed = os.path.join(folder, "printed.py")
        with open(printed, "w") as file:
            file.write(result.stdout)
        checked = subprocess.run([tool, "check", printed], capture_output=True, text=True)
    return result.stderr + checked.stdout + checked.stderr + "".join(re.findall(r"^ *for t in .*$", result.stdout, re.MULTILINE))


def loops_of(tool, rows):
    """Heads of the loops around the tiles of full rows, in a product of so many rows with weights that do not fit into L2."""
    with tempfile.TemporaryDirectory() as folder:
        script = os.path.join(folder, "tall.py")
        weights = f'R.reshape(R.const({[i % 7 for i in range(800 * 192)]}, "float32"), R.shape([800, 192]))'
        with open(script, "w") as file:
            file.write(TEXT.format(params=tensor("x", [rows, 800]), symbols="", before="", call=f"R.matmul(x, {weights})"))
        passes = 'LegalizeOps,FoldConstant(limit=1000000),ScheduleCPU(vector_bytes=64,l2_bytes=1048576),PackConstants,DeadCodeElimination'
        result = subprocess.run([tool, "opt", "-p", passes, script], capture_output=True, text=True)
    loops = re.findall(r"^ *for (\w+(?:, \w+)*) in", result.stdout, re.MULTILINE)
    return loops[:loops.index("r")] if "r" in loops else result.stderr + result.stdout


def tall(tool):
    """What is wrong where a block of many rows stays in L2 while weights come by: then k is not cut, and threads share rows; or ""."""
    many, few = loops_of(tool, 576), loops_of(tool, 575)
    return "" if many == ["jb", "ib"] and few == ["jb", "kk", "ic", "ib"] else f"{many}\n{few}"


def bounded_blocks(tool):
    """What is wrong where a place of full blocks could be one behind them: each row would be asked whether it is there; or ""."""
    with tempfile.TemporaryDirectory() as folder:
        script = os.path.join(folder, "tasks.py")
        params = ", ".join(tensor(name, [1, 1500, 6, 64]) for name in "qkv")
        with open(script, "w") as file:
            file.write(TEXT.format(params=params, symbols="", before="", call="R.nn.attention(q, k, v)"))
        passes = "LegalizeOps,ScheduleCPU(vector_bytes=32,l2_bytes=2097152)"
        result = subprocess.run([tool, "opt", "-p", passes, script], capture_output=True, text=True)
    places = set(re.findall(r"T.min\(t % T.int64\(18\), T.int64\(16\)\) \* T.int64\(84\)|t % T.int64\(18\) \* T.int64\(84\)", result.stdout))
    return "" if len(places) == 1 and "T.min" in places.pop() else f"{result.stderr}{result.stdout}"


def shared_blocks(tool):
    """What is wrong where blocks of rows of few heads are not one loop, that threads share, or ""."""
    few, long, many = tasks_of(tool, 3, 197), tasks_of(tool, 6, 1500), tasks_of(tool, 12, 1500)
    is_good = few.strip() == "for t in T.parallel(T.int64(6)):" and long.strip() == "for t in T.parallel(T.int64(108)):" and not many
    return "" if is_good else f"{few}\n{long}\n{many}"


def packed_before(tool, name, data, weight, call):
    """What is wrong where weights of bytes are not packed when the program is compiled, or ""."""
    count = 1
    for extent in weight:
        count *= extent
    numbers = f"R.reshape(R.const({[(7 * i) % 251 - 125 for i in range(count)]}, \"int8\"), R.shape({weight}))"
    with tempfile.TemporaryDirectory() as folder:
        script = os.path.join(folder, "weights.py")
        with open(script, "w") as file:
            file.write(TEXT.format(params=tensor("x", data, "uint8"), symbols="", before="", call=call.format(numbers)))
        result = subprocess.run([tool, "opt", "-p", "default", "--vectors=16", script], capture_output=True, text=True)
    is_good = result.returncode == 0 and f"{name}: T.Buffer(" in result.stdout and f" {name} = T.alloc_buffer" not in result.stdout
    return "" if is_good else f"{result.stderr}{result.stdout}"


def packed_last(tool):
    return packed_before(tool, "panels", [1, 64], [64, 84], 'R.matmul(x, {}, out_dtype="int32")')


def packed_small(tool):
    return packed_before(tool, "tiles", [1, 8, 20, 20], [8, 8, 3, 3], 'R.nn.conv2d(x, {}, out_dtype="int32")')


parser = argparse.ArgumentParser()
parser.add_argument("tool")
parser.add_argument("--count", type=int, default=0, help="only so many, chosen by a fixed seed")
arguments = parser.parse_args()
chosen = list(programs())
if arguments.count and arguments.count < len(chosen):
    chosen = random.Random(1).sample(chosen, arguments.count)
shown = [("scratch is not zeroed", zeroed, None), ("attention has scratch for some rows", uncut_operator, None),
         ("attention that is spelled out has scratch for some rows", uncut_spelled, None),
         ("a row of softmax has no scratch", with_scratch, None), ("the plane of windows fits L1", large_plane, None),
         ("the last panel of a few rows of bytes is packed before", packed_last, None), ("weights of a few hundred bytes are packed before", packed_small, None),
         ("blocks of rows of few heads are shared in one loop", shared_blocks, None),
         ("all of k for many rows", tall, None),
         ("full blocks of rows are known to have all of theirs", bounded_blocks, None),
         ("blocks of rows share their panels", lambda tool: packed_once(tool, {}), None),
         ("and those of open rows and keys", lambda tool: packed_once(tool, {"m": "m", "t": "t"}), None)]
print(f"1..{len(chosen) + len(shown)}")
failed = 0
for index, (title, text, sizes) in enumerate([*chosen, *shown], 1):
    why = text(arguments.tool) if callable(text) else failure(arguments.tool, text, sizes)
    failed += bool(why)
    print(f"{'not ok' if why else 'ok'} {index} - {title}")
    for line in why.split("\n") if why else []:
        print("#", line)
sys.exit(failed > 0)
