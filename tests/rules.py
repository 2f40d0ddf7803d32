#!/usr/bin/env python3
"""Rewrite rules, each by evaluation: a case for every row of passes/graph/rules.def, and no other.

A case has a program in which the rule must fire, and programs that look like it in which it must not.  Where it
fires, the interpreter runs the script before and after, on numbers that matter (NaN, infinities, zeros of both signs,
subnormals): the same bits for EXACT and MOVES; ROUNDS rules get whole numbers, where rounding does not show.  Prints TAP.

usage: rules.py TOOL PROJECT_FOLDER [FILTER...]
"""
import concurrent.futures
import os
import pathlib
import re
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import npz

F = "float32"
SPECIAL = [0.0, -0.0, float("nan"), float("inf"), float("-inf"), 1e-45, -1.5, 2.5, 3.5, -3.4e38, 1e-39, -7.25]
CODES = {"float64": ("f8", "d"), "float32": ("f4", "f"), "float16": ("f2", "e"), "int8": ("i1", "b"), "uint8": ("u1", "B"),
         "int32": ("i4", "i"), "int64": ("i8", "q"), "bool": ("b1", "?")}


def const(value, dtype=F):
    return f'R.const({value}, "{dtype}")'


# name: (parameters, program, programs to leave alone).  A parameter is a shape (with dtype behind), `y` is the result.
V = {"x": (12, F)}
M = {"x": (3, 4, F)}
CASES = {
    "multiply_by_one": (V, [f"y = R.multiply({const(1.0)}, x)"],
                        [[f"y = R.multiply(x, {const(1.5)})"], [f"y = R.multiply(x, {const([[1.0], [1.0]])})"],
                         ["y = R.multiply(x, x)"]]),
    "divide_by_one": (V, [f"y = R.divide(x, {const(1.0)})"],
                      [[f"y = R.divide({const(1.0)}, x)"], [f"y = R.divide(x, {const(-1.0)})"]]),
    "power_of_one": (V, [f"y = R.power(x, {const(1.0)})"], [[f"y = R.power({const(1.0)}, x)"]]),
    "add_neutral": (V, [f"y = R.add({const(-0.0)}, x)"], [[f"y = R.add(x, {const(0.0)})"], [f"y = R.add(x, {const(1.0)})"]]),
    "subtract_zero": (V, [f"y = R.subtract(x, {const(0.0)})"],
                      [[f"y = R.subtract(x, {const(-0.0)})"], [f"y = R.subtract({const(0.0)}, x)"]]),
    "divide_by_power_of_two": (V, [f"y = R.divide(x, {const(-8.0)})"],
                               [[f"y = R.divide(x, {const(3.0)})"], [f"y = R.divide(x, {const(0.0)})"],
                                [f"y = R.divide(x, {const(1.7014118346046923e38)})"],
                                [f"y = R.divide(x, {const(1e-45)})"]]),
    "negative_twice": (V, ["a = R.negative(x)", "y = R.negative(a)"], [["a = R.negative(x)", "y = R.abs(a)"]]),
    "abs_of_abs": (V, ["a = R.abs(x)", "y = R.abs(a)"], [["a = R.exp(x)", "y = R.abs(a)"]]),
    "abs_of_negative": (V, ["a = R.negative(x)", "y = R.abs(a)"], [["a = R.abs(x)", "y = R.negative(a)"]]),
    "sign_of_sign": (V, ["a = R.sign(x)", "y = R.sign(a)"], [["a = R.abs(x)", "y = R.sign(a)"]]),
    "ceil_of_ceil": (V, ["a = R.ceil(x)", "y = R.ceil(a)"], [["a = R.floor(x)", "y = R.exp(a)"]]),
    "floor_of_floor": (V, ["a = R.floor(x)", "y = R.floor(a)"], [["a = R.negative(x)", "y = R.floor(a)"]]),
    "round_of_round": (V, ["a = R.round(x)", "y = R.round(a)"], [["a = R.negative(x)", "y = R.round(a)"]]),
    "trunc_of_trunc": (V, ["a = R.trunc(x)", "y = R.trunc(a)"], [["a = R.negative(x)", "y = R.trunc(a)"]]),
    "relu_of_relu": (V, ["a = R.nn.relu(x)", "y = R.nn.relu(a)"], [["a = R.nn.silu(x)", "y = R.nn.relu(a)"]]),
    "maximum_of_itself": (V, ["y = R.maximum(x, x)"], [["a = R.negative(x)", "y = R.maximum(x, a)"]]),
    "minimum_of_itself": (V, ["y = R.minimum(x, x)"], [["a = R.negative(x)", "y = R.minimum(x, a)"]]),
    "where_of_equals": ({**V, "c": (12, "bool")}, ["y = R.where(c, x, x)"], [["a = R.negative(x)", "y = R.where(c, x, a)"]]),
    "bitwise_not_twice": ({"x": (6, "int32")}, ["a = R.bitwise_not(x)", "y = R.bitwise_not(a)"],
                          [["a = R.negative(x)", "y = R.bitwise_not(a)"]]),
    "logical_not_twice": ({"x": (6, "bool"), "z": (6, "int32")}, ["a = R.logical_not(x)", "y = R.logical_not(a)"],
                          [["a = R.logical_not(z)", "y = R.logical_not(a)"]]),
    "bitwise_and_of_itself": ({"x": (6, "int8")}, ["y = R.bitwise_and(x, x)"], [["a = R.abs(x)", "y = R.bitwise_and(x, a)"]]),
    "bitwise_or_of_itself": ({"x": (6, "uint8")}, ["y = R.bitwise_or(x, x)"], [["a = R.abs(x)", "y = R.bitwise_or(x, a)"]]),
    "not_of_equal": ({**V, "z": (12, F)}, ["a = R.equal(x, z)", "y = R.logical_not(a)"],
                     [["a = R.less(x, z)", "y = R.logical_not(a)"]]),
    "not_of_not_equal": ({**V, "z": (12, F)}, ["a = R.not_equal(x, z)", "y = R.logical_not(a)"],
                         [["a = R.greater_equal(x, z)", "y = R.logical_not(a)"]]),
    "astype_to_same": (V, ['y = R.astype(x, "float32")'], [['y = R.astype(x, "float16")']]),
    "astype_of_wider": ({**V, "z": (6, "int8"), "h": (12, "float16"), "b": (4, "bool")},
                        ['a = R.astype(z, "int32")', 'b1 = R.astype(a, "float16")', 'c = R.astype(h, "float64")',
                         'd = R.astype(c, "int8")', 'e = R.astype(b, "float32")', 'f = R.astype(e, "int32")',
                         'g = R.astype(x, "float64")', 'i = R.astype(g, "float16")', "y = (b1, d, f, i)"],
                        [['a = R.astype(x, "float16")', 'y = R.astype(a, "float32")'],
                         ['a = R.astype(z, "float32")', 'y = R.astype(a, "uint8")'],
                         ['a = R.astype(z, "uint8")', 'y = R.astype(a, "int32")'],
                         ['a = R.astype(x, "bool")', 'y = R.astype(a, "float32")'],
                         ['a = R.astype(h, "bfloat16")', 'y = R.astype(a, "float32")']]),
    "reshape_to_same": (M, ["y = R.reshape(x, (3, -1))"], [["y = R.reshape(x, (4, 3))"]]),
    "reshape_of_reshape": (M, ["a = R.reshape(x, (2, 6))", "y = R.reshape(a, (0, 3, -1))"],
                           [["a = R.exp(x)", "y = R.reshape(a, (6, 2))"]]),
    "reshape_of_flatten": (M, ["a = R.flatten(x)", "y = R.reshape(a, (6, 2))"], [["a = R.flatten(x)", "y = R.exp(a)"]]),
    "reshape_of_expand_dims": (M, ["a = R.expand_dims(x, 0)", "y = R.reshape(a, (6, 2))"],
                               [["a = R.expand_dims(x, 0)", "y = R.exp(a)"]]),
    "reshape_of_squeeze": ({"x": (3, 1, 4, F)}, ["a = R.squeeze(x, 1)", "y = R.reshape(a, (6, 2))"],
                           [["a = R.squeeze(x, 1)", "y = R.exp(a)"]]),
    "flatten_of_reshape": (M, ["a = R.reshape(x, (6, 2))", "y = R.flatten(a)"], [["a = R.permute_dims(x)", "y = R.flatten(a)"]]),
    "flatten_of_vector": (V, ["y = R.flatten(x)"], [["a = R.reshape(x, (3, 4))", "y = R.flatten(a)"]]),
    "squeeze_of_expand_dims": (M, ["a = R.expand_dims(x, [0, 2])", "y = R.squeeze(a)"],
                               [["a = R.expand_dims(x, [0, 2])", "y = R.squeeze(a, 0)"]]),
    "expand_dims_of_squeeze": ({"x": (3, 1, 4, F)}, ["a = R.squeeze(x, 1)", "y = R.expand_dims(a, 1)"],
                               [["a = R.squeeze(x, 1)", "y = R.expand_dims(a, 0)"]]),
    "permute_dims_to_same": ({"x": (4, 4, F)}, ["y = R.permute_dims(x, (0, -1))"],
                             [["y = R.permute_dims(x)"], ["y = R.permute_dims(x, (1, 0))"]]),
    "permute_dims_twice": ({"x": (2, 3, 4, F)}, ["a = R.permute_dims(x, (1, 2, 0))", "y = R.permute_dims(a, (0, 2, 1))"],
                           [["a = R.permute_dims(x, (1, 2, 0))", "y = R.exp(a)"]]),
    "permute_dims_as_reshape": ({"x": (2, 1, 3, 1, F)}, ["y = R.permute_dims(x, (3, 0, 2, 1))"],
                                [["y = R.permute_dims(x, (2, 1, 0, 3))"]]),
    "permute_dims_between_reshapes": (
        {"x": (1, 2, 3, 4, F)},
        ["a = R.reshape(x, (6, 4))", "b = R.permute_dims(a, (1, 0))", "y = R.reshape(b, (1, 4, 2, 3))"],
        [["a = R.reshape(x, (2, 3, 4))", "b = R.permute_dims(a, (0, 2, 1))", "y = R.reshape(b, (1, 4, 2, 3))"],
         ["a = R.reshape(x, (3, 2, 4))", "b = R.permute_dims(a, (1, 0, 2))", "y = R.reshape(b, (1, 2, 3, 4))"],
         ["a = R.reshape(x, (6, 4))", "b = R.permute_dims(a, (1, 0))", "y = R.reshape(b, (1, 4, 3, 2))"],
         ["a = R.reshape(x, (4, 6))", "b = R.permute_dims(a, (1, 0))", "y = R.reshape(b, (1, 2, 3, 4))"],
         ["a = R.reshape(x, (2, 3, 4))", "b = R.permute_dims(a, (0, 2, 1))", "c = R.reshape(b, (1, 2, 4, 3))", "y = (b, c)"]]),
    "broadcast_to_same": (M, ["y = R.broadcast_to(x, (3, 4))"], [["y = R.broadcast_to(x, (2, 3, 4))"]]),
    "broadcast_to_twice": ({"x": (1, 4, F)}, ["a = R.broadcast_to(x, (3, 4))", "y = R.broadcast_to(a, (2, 3, 4))"],
                           [["a = R.broadcast_to(x, (3, 4))", "y = R.exp(a)"]]),
    "flip_twice": (M, ["a = R.flip(x, axis=1)", "y = R.flip(a, axis=-1)"], [["a = R.flip(x, axis=0)", "y = R.flip(a, axis=1)"]]),
    "repeat_of_groups": (
        {"x": (2, 3, 1, 4, F)}, ["a = R.broadcast_to(x, (2, 3, 5, 4))", "y = R.reshape(a, (2, 15, 4))"],
        [["a = R.broadcast_to(x, (2, 3, 5, 4))", "y = R.reshape(a, (2, 3, 20))"],
         ["a = R.broadcast_to(x, (2, 3, 5, 4))", "y = R.reshape(a, (6, 5, 4))"],
         ["a = R.broadcast_to(x, (7, 2, 3, 1, 4))", "y = R.reshape(a, (14, 3, 1, 4))"]]),
    "repeat_once": (M, ["y = R.repeat(x, 1, axis=0)"], [["y = R.repeat(x, 1)"], ["y = R.repeat(x, 2, axis=0)"]]),
    "tile_once": (M, ["y = R.tile(x, (1, 1))"], [["y = R.tile(x, (1, 1, 1))"], ["y = R.tile(x, (2, 1))"]]),
    "concat_of_one": (M, ["y = R.concat((x,), axis=1)"], [["y = R.concat((x,), axis=None)"], ["y = R.concat((x, x), axis=0)"]]),
    "concat_of_split": (M, ["t = R.split(x, [1, 3], axis=1)", "a = t[0]", "b = t[1]", "c = t[2]",
                            "y = R.concat((a, b, c), axis=-1)"],
                        [["t = R.split(x, [1, 3], axis=1)", "a = t[0]", "b = t[1]", "c = t[2]", "y = R.concat((a, c, b), axis=1)"],
                         ["t = R.split(x, 2, axis=1)", "a = t[0]", "b = t[1]", "y = R.concat((a, b), axis=0)"],
                         ["t = R.split(x, [3, 1], axis=1)", "a = t[0]", "b = t[1]", "c = t[2]",
                          "y = R.concat((a, b, c), axis=1)"],
                         ["t = R.split(x, [1, 3], axis=1)", "a = t[0]", "b = t[1]", "y = R.concat((a, b), axis=1)"]]),
    "split_of_concat": ({"x": (3, 2, F), "z": (3, 5, F)},
                        ["a = R.concat((x, z), axis=1)", "t = R.split(a, [2], axis=-1)", "y = t[1]"],
                        [["a = R.concat((x, z), axis=1)", "t = R.split(a, [3], axis=1)", "y = t[1]"],
                         ["a = R.concat((x, z), axis=1)", "t = R.split(a, [2], axis=0)", "y = t[1]"]]),
    "sum_of_stack": ({**V, "z": (12, F), "i": (5, "int32")},
                     ["a = R.stack((x, z), axis=0)", "b = R.sum(a, axis=[0])", "c = R.stack((i, i), axis=-1)", "d = R.sum(c, axis=1)",
                      "e = R.stack((x, x), axis=1)", "f = R.sum(e, axis=[-1])", "y = (b, d, f)"],
                     [["a = R.stack((x, z), axis=0)", "y = R.sum(a, axis=[1])"], ["a = R.stack((x, z), axis=0)", "y = R.sum(a)"],
                      ["a = R.stack((x, z, x), axis=0)", "y = R.sum(a, axis=[0])"],
                      ["a = R.stack((x, z), axis=0)", "y = R.sum(a, axis=[0], keepdims=True)"],
                      ["a = R.stack((x, z), axis=0)", "y = R.max(a, axis=[0])"]]),
    "reorder_take_after_matmul": ({"x": (2, 3, F), "w": (3, 4, F), "i": (3, "int64")},
                                  ["a = R.take(w, i, axis=1)", "y = R.matmul(x, a)"],
                                  [["a = R.take(w, i, axis=0)", "y = R.matmul(x, a)"],
                                   ["a = R.take(x, i, axis=1)", "y = R.matmul(a, w)"]]),
    "reorder_permute_dims_after_concat": ({"a": (2, 3, F), "b": (4, 3, F)},
                                          ["c = R.permute_dims(a)", "d = R.permute_dims(b, (1, 0))", "y = R.concat((c, d), axis=-1)"],
                                          [["c = R.permute_dims(a)", "d = R.exp(c)", "y = R.concat((c, d), axis=1)"],
                                           ["c = R.permute_dims(a, (0, 1))", "d = R.permute_dims(a, (1, 0))",
                                            "y = R.concat((c, d), axis=None)"]]),
    "expand_matmul_of_sum": ({"x": (2, 3, F), "a": (3, 4, F), "b": (3, 4, F), "v": (4, F)},
                             ["c = R.add(a, b)", "y = R.matmul(x, c)"], [["c = R.add(a, v)", "y = R.matmul(x, c)"]]),
    "expand_matmul_of_permuted_sum": ({"x": (2, 4, F), "a": (3, 4, F), "b": (3, 4, F), "v": (4, F)},
                                      ["c = R.add(a, b)", "d = R.permute_dims(c)", "y = R.matmul(x, d)"],
                                      [["c = R.add(a, v)", "d = R.permute_dims(c)", "y = R.matmul(x, d)"]]),
    "matmul_rhs_first": ({"a": (6, 6, F), "b": (6, 6, F), "c": (6, 1, F), "v": (6, F), "t": (2, 6, 6, F)},
                         ["d = R.matmul(a, b)", "e = R.matmul(d, c)", "f = R.matmul(d, v)", "y = (e, f)"],
                         [["d = R.matmul(a, b)", "y = R.matmul(d, b)"], ["d = R.matmul(a, t)", "y = R.matmul(d, v)"]]),
    "matmul_lhs_first": ({"a": (1, 6, F), "b": (6, 6, F), "c": (6, 6, F)}, ["d = R.matmul(b, c)", "y = R.matmul(a, d)"],
                         [["d = R.matmul(b, c)", "y = R.matmul(b, d)"]]),
    "matmul_permuted_rhs_first": ({"a": (5, 6, F), "b": (4, 5, F), "c": (4, 1, F)},
                                  ["d = R.matmul(b, a)", "e = R.permute_dims(d)", "y = R.matmul(e, c)"],
                                  [["d = R.matmul(b, a)", "e = R.permute_dims(d, (0, 1))", "y = R.matmul(R.permute_dims(c), e)"]]),
    "matmul_permuted_lhs_first": ({"a": (1, 6, F), "b": (5, 6, F), "c": (4, 5, F)},
                                  ["d = R.matmul(c, b)", "e = R.permute_dims(d)", "y = R.matmul(a, e)"],
                                  [["d = R.matmul(b, R.permute_dims(b))", "e = R.permute_dims(d)", "y = R.matmul(e, b)"]]),
}
HEAD = """from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T

@I.ir_module
class Module:
    @R.function
    def main({params}):
        {body}
        return y
"""


def script(params, body):
    text = ", ".join(f'{name}: R.Tensor({spec[:-1]}, "{spec[-1]}")' for name, spec in params.items())
    return HEAD.format(params=text, body="\n        ".join(body))


def numbers(dtype, count, has_specials, seed):
    if dtype == "bool":
        return [(i * 7 + seed) % 3 == 0 for i in range(count)]
    if dtype.startswith("float") and has_specials:
        return [SPECIAL[(i + seed) % len(SPECIAL)] for i in range(count)]
    if dtype.startswith("float") or dtype == "int64":
        return [(i * 5 + seed * 3) % 3 for i in range(count)]
    low = 0 if dtype.startswith("u") else -128
    return [low + (i * 51 + seed) % 256 for i in range(count)]


def write_npy(path, dtype, shape, values):
    descr, code = CODES[dtype]
    if dtype == "float16":
        values = [max(-65504.0, min(65504.0, v)) if v - v == 0 else v for v in values]
    order = "|" if descr[1] == "1" else "<"
    header = str({"descr": order + descr, "fortran_order": False, "shape": tuple(shape)}).encode()
    header += b" " * (63 - (10 + len(header)) % 64) + b"\n"
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header +
                     struct.pack(f"<{len(values)}{code}", *values))


def differences(expected, actual):
    """As npz.differences(), to the last bit but for which NaN a NaN is."""
    found = []
    expected, actual = npz.read_npz(expected), npz.read_npz(actual)
    if expected.keys() != actual.keys():
        return [f"results are {sorted(actual)}, not {sorted(expected)}"]
    for name, (descr, shape, data) in expected.items():
        if (descr, shape) != actual[name][:2]:
            return [f"`{name}` is {actual[name][:2]}, not {(descr, shape)}"]
        size = int(descr[2:])
        for i, (a, b) in enumerate(zip(npz.values(descr, data), npz.values(descr, actual[name][2]))):
            same_bits = data[i * size:(i + 1) * size] == actual[name][2][i * size:(i + 1) * size]
            if not same_bits and not (a != a and b != b):
                found.append(f"`{name}`: element {i} is {b!r}, not {a!r}")
    return found


class Bench:
    def __init__(self, tool, folder):
        self.tool, self.folder = tool, folder

    def call(self, *args):
        done = subprocess.run([self.tool, *map(str, args)], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=300)
        if done.returncode:
            raise RuntimeError(f"{' '.join(map(str, args))}: exit status {done.returncode}\n{done.stdout}{done.stderr}")
        return done.stdout

    def rewritten(self, path, name):
        return self.call("opt", path, "--check-each", "-p", f'SimplifyGraph(rules="{name}")')

    def evaluate(self, path, inputs, out):
        self.call("run", path, "--interpret", *inputs, "--out", out)

    def fires(self, name, kind, params, body):
        before, after = self.folder / "before.py", self.folder / "after.py"
        before.write_text(script(params, body))
        plain = self.call("opt", before)
        after.write_text(self.rewritten(before, name))
        if after.read_text() == plain:
            return ["the rule does not fire in", *body]
        inputs = []
        for seed, (input_name, spec) in enumerate(params.items()):
            path, count = self.folder / f"{input_name}.npy", 1
            for extent in spec[:-1]:
                count *= extent
            write_npy(path, spec[-1], spec[:-1], numbers(spec[-1], count, kind == "EXACT", seed))
            inputs += ["--in", f"{input_name}=@{path}"]
        self.evaluate(before, inputs, self.folder / "before.npz")
        self.evaluate(after, inputs, self.folder / "after.npz")
        return differences(self.folder / "before.npz", self.folder / "after.npz")

    def stays(self, name, params, body):
        path = self.folder / "keep.py"
        path.write_text(script(params, body))
        return [] if self.rewritten(path, name) == self.call("opt", path) else ["the rule must not fire in", *body]


def check(tool, name, kind, case):
    """(what is checked, problems) of one rule."""
    if case is None:
        return [(name, ["there is no case for this rule in tests/rules.py"])]
    if kind is None:
        return [(name, ["there is no such rule in rules.def"])]
    params, body, others = case
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(tool, pathlib.Path(folder))
        try:
            results = [(f"{name} fires and changes nothing", bench.fires(name, kind, params, body))]
            results += [(f"{name} leaves {other[-1]}", bench.stays(name, params, other)) for other in others]
        except RuntimeError as error:
            results = [(name, str(error).splitlines())]
    return results


def main():
    tool, project, filters = str(pathlib.Path(sys.argv[1]).resolve()), pathlib.Path(sys.argv[2]), sys.argv[3:]
    table = (project / "passes" / "graph" / "rules.def").read_text()
    kinds = dict(re.findall(r"^RULE\((\w+), *(\w+),", table, re.MULTILINE))
    names = sorted(n for n in kinds.keys() | CASES.keys() if not filters or any(f in n for f in filters))
    number = failed = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for results in pool.map(lambda n: check(tool, n, kinds.get(n), CASES.get(n)), names):
            for what, problems in results:
                number += 1
                failed += bool(problems)
                print(f"{'not ok' if problems else 'ok'} {number} - {what}")
                for line in problems:
                    print(f"# {line}")
    print(f"1..{number}")
    return 1 if failed else 0


sys.exit(main())
