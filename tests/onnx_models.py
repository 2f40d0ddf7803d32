#!/usr/bin/env python3
"""Models in ONNX's format through the tool: what they compute, and what is said of those that are wrong.

Models are written by onnx_writer.py, results are compared with plain Python.  Prints TAP.

usage: onnx_models.py TOOL
"""
import math
import os
import pathlib
import re
import struct
import subprocess
import sys
import tempfile
import zipfile

from onnx_writer import *

TIMEOUT = 120 * int(os.environ.get("INLAY_SLOW", "1"))


class Bench:
    def __init__(self, tool):
        self.tool, self.count, self.failed = tool, 0, False

    def check(self, name, is_good, why=""):
        self.count += 1
        self.failed |= not is_good
        print(f"{'ok' if is_good else 'not ok'} {self.count} - {name}")
        for line in [] if is_good else str(why).splitlines():
            print("#", line)

    def tell(self, folder, *arguments):
        return subprocess.run([self.tool, *arguments], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True,
                              text=True, errors="replace", timeout=TIMEOUT)

    def run(self, name, content, inputs, wanted, files=(), tolerance=1e-5):
        """@wanted: by output, shape and numbers.  What the importer writes is nothing to warn of."""
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "m.onnx").write_bytes(content)
            for path, data in dict(files).items():
                (pathlib.Path(folder) / path).parent.mkdir(parents=True, exist_ok=True)
                (pathlib.Path(folder) / path).write_bytes(data)
            done = self.tell(folder, "run", "m.onnx", "--out", "r.npz",
                             *(f"--in={key}={spec}" for key, spec in inputs.items()))
            if done.returncode or "warning[" in done.stderr:
                return self.check(name, False, done.stderr)
            found = read_npz(pathlib.Path(folder) / "r.npz")
        same = list(found) == list(wanted) and all(
            found[key][0] == list(shape) and len(found[key][1]) == len(numbers) and
            all(abs(a - b) <= tolerance * max(1, abs(b)) for a, b in zip(found[key][1], numbers))
            for key, (shape, numbers) in wanted.items())
        self.check(name, same, f"{found}\nwanted {wanted}")

    def refuse_run(self, name, content, inputs, says):
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "m.onnx").write_bytes(content)
            done = self.tell(folder, "run", "m.onnx", *(f"--in={key}={spec}" for key, spec in inputs.items()))
        self.check(name, done.returncode == 1 and says in done.stderr, f"exit status {done.returncode}\n{done.stdout}{done.stderr}")

    def refuse(self, name, content, code, says, files=(), links=()):
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "m.onnx").write_bytes(content)
            for path, data in dict(files).items():
                (pathlib.Path(folder) / path).write_bytes(data)
            for path, target in dict(links).items():
                (pathlib.Path(folder) / path).symlink_to(target)
            done = self.tell(folder, "check", "m.onnx")
        text = done.stdout + done.stderr
        is_good = done.returncode == 1 and f"[{code}]" in text and says in text
        self.check(name, is_good, f"exit status {done.returncode}, wanted {code}: {says}\n{text}")


def read_npz(path):
    kinds = {"<f4": "f", "<i8": "q", "<i4": "i", "|b1": "?", "|u1": "B", "|i1": "b"}
    out = {}
    with zipfile.ZipFile(path) as archive:
        for name in archive.namelist():
            data = archive.read(name)
            length = struct.unpack("<H", data[8:10])[0]
            header = data[10:10 + length].decode()
            kind = kinds[re.search(r"'descr': '([^']*)'", header)[1]]
            shape = [int(dim) for dim in re.search(r"'shape': \(([^)]*)\)", header)[1].split(",") if dim.strip()]
            body = data[10 + length:]
            out[name.removesuffix(".npy")] = (shape, list(struct.unpack(
                f"<{len(body) // struct.calcsize(kind)}{kind}", body)))
    return out



def runs(bench):
    x = [1.0, -2.0, 3.0, -4.0, 5.0, -6.0]
    spec = "2x3xf32=1 -2 3 -4 5 -6"
    weights = [0.5, 1.0, -1.0, 2.0, 0.25, 4.0]
    product = [sum(x[3 * i + k] * weights[2 * k + j] for k in range(3)) for i in range(2) for j in range(2)]
    gemm = [node("Gemm", ["x.1", "w", "b"], ["h"]), node("Relu", ["h"], ["out/y"], "last")]
    relu = [max(0, value + bias) for value, bias in zip(product, [1, -1, 1, -1])]
    bench.run("a layer, dynamic batch, names that are no identifiers",
              model(graph(gemm, [value("x.1", FLOAT, ["batch size", 3])], [value("out/y")],
                          [floats("w", [3, 2], weights), floats("b", [2], [1, -1])])),
              {"x.1": spec}, {"out/y": ([2, 2], relu)})
    data = bytes(64) + struct.pack("<6f", *weights)
    bench.run("weights in a file beside the model",
              model(graph(gemm, [value("x.1", FLOAT, [2, 3])], [value("out/y")],
                          [tensor("w", FLOAT, [3, 2], external={"location": "sub/w.bin", "offset": 64, "length": 24}),
                           floats("b", [2], [1, -1])])),
              {"x.1": spec}, {"out/y": ([2, 2], relu)}, {"sub/w.bin": data})
    typed = tensor("b", FLOAT, [2], more=part(4, struct.pack("<2f", 1, -1)))
    sparse = part(1, floats("w", [2], [2.0, 4.0])) + part(2, integers("at", [2], [3, 5])) + number(3, 3) + number(3, 2)
    dense = [0, 0, 0, 2.0, 0, 4.0]
    product = [sum(x[3 * i + k] * dense[2 * k + j] for k in range(3)) for i in range(2) for j in range(2)]
    bench.run("typed and sparse initializers",
              model(graph(gemm, [value("x.1", FLOAT, [2, 3])], [value("out/y")], [typed], [sparse])),
              {"x.1": spec}, {"out/y": ([2, 2], [max(0, v + b) for v, b in zip(product, [1, -1, 1, -1])])})
    shapes = [node("Shape", ["x"], ["s"]), node("Gather", ["s", "zero"], ["n"]), node("Unsqueeze", ["n", "zeros"], ["v"]),
              node("Concat", ["v", "rest"], ["to"], axis=0), node("Reshape", ["x", "to"], ["y"])]
    bench.run("shapes that are computed from shapes",
              model(graph(shapes, [value("x", FLOAT, ["n", 3, 2])], [value("y")],
                          [integers("zero", [], [0]), integers("zeros", [1], [0]), integers("rest", [1], [-1])])),
              {"x": "1x3x2xf32=1 -2 3 -4 5 -6"}, {"y": ([1, 6], x)})
    bench.run("a shape that is an input",
              model(graph([node("Reshape", ["x", "s"], ["y"])],
                          [value("x", FLOAT, ["n", 3]), value("s", INT64, [2])], [value("y")])),
              {"x": spec, "s": "2xi64=3 2"}, {"y": ([3, 2], x)})
    bench.run("an initializer and an input as results",
              model(graph([node("Neg", ["x"], ["y"])], [value("x", FLOAT, [2, 3])],
                          [value("w"), value("x"), value("y")], [floats("w", [1], [7.0])])),
              {"x": spec}, {"w": ([1], [7.0]), "x": ([2, 3], x), "y": ([2, 3], [-v for v in x])})


def sizes(bench):
    """Extents of different names that operands must have in common."""
    product = graph([node("Concat", ["past", "x"], ["all"], axis=0), node("Concat", ["past2", "x"], ["more"], axis=0),
                     node("MatMul", ["x", "t"], ["s"]), node("Transpose", ["all"], ["t"])][:2] +
                    [node("Transpose", ["all"], ["t"]), node("MatMul", ["x", "t"], ["s"]), node("MatMul", ["s", "more"], ["y"])],
                    [value("x", FLOAT, ["n", 1]), value("past", FLOAT, ["p", 1]), value("past2", FLOAT, ["q", 1])], [value("y")])
    bench.run("two names for what a product sums over", model(product),
              {"x": "1x1xf32=2", "past": "2x1xf32=1 3", "past2": "2x1xf32=1 10"}, {"y": ([1, 1], [70.0])})
    bench.refuse_run("... which are one", model(product), {"x": "1x1xf32=2", "past": "2x1xf32=1 3", "past2": "1x1xf32=1"}, "p")
    add = model(graph([node("Add", ["a", "b"], ["c"]), node("Where", ["m", "c", "a"], ["y"])],
                      [value("a", FLOAT, ["n", "k"]), value("b", FLOAT, ["batch", "k"]), value("m", BOOL, ["other", 2])],
                      [value("y", FLOAT, ["n", "k"])]))
    given = {"a": "2x2xf32=1 2 3 4", "b": "1x2xf32=10 20", "m": "1x2xbool=1 0"}
    bench.run("names of extents that may be 1, which are", add, given, {"y": ([2, 2], [11.0, 2.0, 13.0, 4.0])})
    bench.run("... and are not", add, {**given, "b": "2x2xf32=10 20 30 40", "m": "2x2xbool=1 0 0 1"}, {"y": ([2, 2], [11.0, 2.0, 3.0, 44.0])})
    bench.refuse_run("... and are others", add, {**given, "b": "3x2xf32=10 20 30 40 50 60"}, "neither 1")
    total = model(graph([node("Concat", ["past", "x"], ["all"], axis=1), node("Mul", ["all", "mask"], ["y"])],
                        [value("mask", FLOAT, ["batch", "past + new"]), value("x", FLOAT, ["batch", "new"]), value("past", FLOAT, ["batch", "past"])], [value("y")]))
    bench.run("a dim that is arithmetic on those of later inputs", total,
              {"mask": "1x3xf32=1 0 2", "x": "1x2xf32=5 6", "past": "1x1xf32=4"}, {"y": ([1, 3], [4.0, 0.0, 12.0])})


    pads = [node("Concat", ["some", "none"], ["c"], axis=0), node("Reshape", ["c", "pairs"], ["r"]),
            node("Slice", ["r", "minus", "least", "zero", "minus"], ["s"]), node("Transpose", ["s"], ["t"], perm=[1, 0]),
            node("Reshape", ["t", "minus"], ["p"]), node("Pad", ["x", "p"], ["y"])]
    bench.run("pads in the order of torch, turned round as its exporter does it",
              model(graph(pads, [value("x", FLOAT, ["n", "k"])], [value("y")],
                          [integers("some", [2], [0, 1]), integers("none", [2], [2, 0]), integers("pairs", [2], [-1, 2]), integers("zero", [1], [0]),
                           integers("minus", [1], [-1]), integers("least", [1], [-(1 << 63) + 1])])),
              {"x": "1x2xf32=1 2"}, {"y": ([3, 3], [0.0] * 6 + [1.0, 2.0, 0.0])})


def resizes(bench):
    """Extents that only the run knows: the same numbers as where they are in the model."""
    x = "1x1x5x7xf32=" + " ".join(str((i * i * 37) % 101 - 50) for i in range(35))
    factors = {"scales": ([floats("f", [4], [1.0, 1.0, 2.0, 1.5])], ["x", "", "f"]), "down": ([floats("f", [4], [1.0, 1.0, 0.4, 0.5])], ["x", "", "f"]),
               "sizes": ([integers("f", [4], [1, 1, 9, 4])], ["x", "", "", "f"]), "one": ([integers("f", [4], [1, 1, 1, 7])], ["x", "", "", "f"])}
    forms = [("nearest", coordinates, nearest) for coordinates in ("half_pixel", "asymmetric", "align_corners", "pytorch_half_pixel")
             for nearest in ("floor", "ceil", "round_prefer_floor", "round_prefer_ceil")]
    forms += [(mode, coordinates, "floor") for mode in ("linear", "cubic") for coordinates in ("half_pixel", "asymmetric", "align_corners", "pytorch_half_pixel")]
    with tempfile.TemporaryDirectory() as folder:
        for kind, (tensors, inputs) in factors.items():
            found = []
            for dims in ([1, 1, 5, 7], ["b", 1, "h", "w"]):
                nodes, results = [], []
                for i, (mode, coordinates, nearest) in enumerate(forms):
                    nodes.append(node("Resize", inputs, [f"y{i}"], mode=mode, coordinate_transformation_mode=coordinates, nearest_mode=nearest))
                    results.append(value(f"y{i}"))
                (pathlib.Path(folder) / "m.onnx").write_bytes(model(graph(nodes, [value("x", FLOAT, dims)], results, tensors), 18))
                done = bench.tell(folder, "run", "m.onnx", f"--in=x={x}", "--out", "r.npz")
                found.append(read_npz(pathlib.Path(folder) / "r.npz") if done.returncode == 0 else done.stderr)
            good = all(isinstance(each, dict) for each in found)
            wrong = [forms[i] for i, key in enumerate(found[0]) if found[0][key][0] != found[1][key][0] or
                     any(abs(a - b) > 1e-4 * max(1, abs(a)) for a, b in zip(found[0][key][1], found[1][key][1]))] if good else found
            bench.check(f"Resize of open extents by {kind}", not wrong, wrong)
    half = [node("Shape", ["x"], ["s"]), node("Div", ["s", "two"], ["h"]), node("Resize", ["x", "", "", "h"], ["y"], mode="nearest", nearest_mode="floor", coordinate_transformation_mode="asymmetric")]
    bench.run("... to sizes that are arithmetic", model(graph(half, [value("x", FLOAT, ["n", "k"])], [value("y")], [integers("two", [2], [1, 2])]), 18),
              {"x": "1x4xf32=1 2 3 4"}, {"y": ([1, 2], [1.0, 3.0])})


def pads(bench):
    """Pads of extents that only the run knows: the same places as where they are in the model."""
    with tempfile.TemporaryDirectory() as folder:
        for extent in (1, 2, 5):
            found = []
            x = f"{extent}x3xf32=" + " ".join(map(str, range(3 * extent)))
            for dims in ([extent, 3], ["n", "k"]):
                nodes = [node("Pad", ["x", "p"], [mode], mode=mode) for mode in ("edge", "wrap", "reflect")]
                (pathlib.Path(folder) / "m.onnx").write_bytes(model(graph(
                    nodes, [value("x", FLOAT, dims)], [value(mode) for mode in ("edge", "wrap", "reflect")], [integers("p", [4], [1, 2, 4, 0])]), 19))
                done = bench.tell(folder, "run", "m.onnx", f"--in=x={x}", "--out", "r.npz")
                found.append(read_npz(pathlib.Path(folder) / "r.npz") if done.returncode == 0 else done.stderr)
            bench.check(f"Pad of open extents, {extent}", isinstance(found[0], dict) and found[0] == found[1], found)


def twice(bench):
    """A constant that is two operands of one node, also by ways of its converter."""
    constant = floats("w", [2, 2], [1.0, 2.0, 3.0, 4.0])
    nodes = [node("Mul", ["w", "w"], ["m"]), node("ReduceL2", ["w"], ["l"], axes=[1], keepdims=1), node("Concat", ["w", "w"], ["c"], axis=1),
             node("MatMul", ["w", "w"], ["p"]), node("Sum", ["x", "m", "l", "p"], ["y"]), node("Neg", ["c"], ["z"])]
    bench.run("a constant twice in a node", model(graph(nodes, [value("x", FLOAT, [2, 2])], [value("y"), value("z")], [constant])), {"x": "2x2xf32=0 0 0 0"},
              {"y": ([2, 2], [8 + 5**0.5, 14 + 5**0.5, 29.0, 43.0]), "z": ([2, 4], [-1.0, -2.0, -1.0, -2.0, -3.0, -4.0, -3.0, -4.0])})


def quantized(bench):
    """What onnxruntime's quantisation writes with its own operators, against plain Python."""
    def clamp(v):
        return max(0, min(255, v))

    a, b = [0, 10, 200, 255, 7, 128], [3, 250, 100, 255, 0, 66]
    ra, rb = [(v - 128) * 0.5 for v in a], [(v - 3) * 0.25 for v in b]
    weights = [1, 2, 3, 250, 0, 9]  # zero point 5, scale 0.125
    rw = [(v - 5) * 0.125 for v in weights]
    gemm = [sum(ra[3 * i + k] * rw[2 * k + j] for k in range(3)) + [7, -9][j] * 0.5 * 0.125 for i in range(2) for j in range(2)]
    wanted = {"add": ([2, 3], [clamp(round((x + y) / 0.75) + 100) for x, y in zip(ra, rb)]), "mul": ([2, 3], [clamp(round(x * y / 20.0) + 100) for x, y in zip(ra, rb)]),
              "cat": ([2, 6], [clamp(round(v / 0.75) + 100) for i in range(2) for v in ra[3 * i:3 * i + 3] + rb[3 * i:3 * i + 3]]),
              "leaky": ([2, 3], [clamp(round((v if v > 0 else 0.125 * v) / 0.75) + 100) for v in ra]),
              "gemm": ([2, 2], [clamp(round(v / 20.0) + 100) for v in gemm])}
    tensors = [floats("sa", [], [0.5]), floats("sb", [], [0.25]), floats("sc", [], [0.75]), floats("sm", [], [20.0]), floats("sw", [], [0.125]),
               *(tensor(name, 2, [], bytes([v])) for name, v in (("za", 128), ("zb", 3), ("zc", 100), ("zw", 5))), tensor("w", 2, [3, 2], bytes(weights)),
               tensor("bias", 6, [2], struct.pack("<2i", 7, -9))]
    of = {"domain": "com.microsoft"}
    nodes = [node("QLinearAdd", ["a", "sa", "za", "b", "sb", "zb", "sc", "zc"], ["add"], **of), node("QLinearMul", ["a", "sa", "za", "b", "sb", "zb", "sm", "zc"], ["mul"], **of),
             node("QLinearConcat", ["sc", "zc", "a", "sa", "za", "b", "sb", "zb"], ["cat"], axis=1, **of), node("QLinearLeakyRelu", ["a", "sa", "za", "sc", "zc"], ["leaky"], alpha=0.125, **of),
             node("QGemm", ["a", "sa", "za", "w", "sw", "zw", "bias", "sm", "zc"], ["gemm"], **of)]
    bench.run("quantised operators of com.microsoft", model(graph(nodes, [value("a", 2, [2, 3]), value("b", 2, [2, 3])], [value(key) for key in wanted], tensors),
                                                            opsets={"": 17, "com.microsoft": 1}),
              {"a": "2x3xu8=" + " ".join(map(str, a)), "b": "2x3xu8=" + " ".join(map(str, b))}, wanted)


def dequantized(bench):
    """Products of what DequantizeLinear makes are sums of integers, rounded once: -213 * 0.5000000261 is -107, which sums of floats miss."""
    def reals(name, dims, zero):
        return node("DequantizeLinear", [name, "s", zero], [name + "_real"], axis=0)

    scales = [floats("s", [], [0.1]), floats("t", [], [0.02]), floats("both", [1], [0.1 * 0.1]), floats("other", [1], [0.103])]
    x, w = [4, -21, -26], [124, 61, -22]
    data = [tensor("zx", 3, [], bytes([1])), tensor("zy", 3, [], bytes([2])), tensor("w", 3, [3, 1], struct.pack("3b", *w)), tensor("wt", 3, [1, 3], struct.pack("3b", *w)),
            tensor("wc", 3, [1, 3, 1, 1], struct.pack("3b", *w)), tensor("b", 6, [1], struct.pack("<i", 206)), tensor("c", 6, [1], struct.pack("<i", 10))]
    integers_ = [node("DequantizeLinear", ["b", "both"], ["b_real"]), node("DequantizeLinear", ["c", "other"], ["c_real"])]
    wants = {"matmul": -105, "gemm": -2, "conv": -105, "bias": -2, "above": 2, "float": -53}
    nodes = [reals("x", 2, "zx"), node("DequantizeLinear", ["w", "s"], ["w_real"]), node("DequantizeLinear", ["wt", "s"], ["wt_real"]), node("DequantizeLinear", ["wc", "s"], ["wc_real"]),
             *integers_, node("Reshape", ["x", "four"], ["x4"]), node("DequantizeLinear", ["x4", "s", "zx"], ["x4_real"]),
             node("MatMul", ["x_real", "w_real"], ["m0"]), node("Gemm", ["x_real", "wt_real", "b_real"], ["m1"], transB=1), node("Conv", ["x4_real", "wc_real"], ["m2"]),
             node("Conv", ["x4_real", "wc_real", "b_real"], ["m3"]), node("Relu", ["m3"], ["m4"]), node("Conv", ["x4_real", "wc_real", "c_real"], ["m5"]),
             *(node("QuantizeLinear", [f"m{i}", "t", "zy"], [name]) for i, name in enumerate(wants))]
    content = model(graph(nodes, [value("x", 3, [1, 3])], [value(name) for name in wants], [*scales, *data, integers("four", [4], [1, 3, 1, 1])]))
    shapes = {"matmul": [1, 1], "gemm": [1, 1]}
    bench.run("products of dequantised bytes", content, {"x": "1x3xi8=" + " ".join(str(v + 1) for v in x)},
              {name: (shapes.get(name, [1, 1, 1, 1]), [number]) for name, number in wants.items()})


def ranks(bench):
    """An If whose branches differ in rank, as torch's squeeze() of an open extent is written."""
    squeeze = graph([node("Squeeze", ["x", "one"], ["t"])], [], [value("t")])
    keep = graph([node("Identity", ["x"], ["e"])], [], [value("e")])
    head = [node("Shape", ["x"], ["s"]), node("Gather", ["s", "one"], ["d"]), node("Equal", ["d", "one"], ["c"]),
            node("If", ["c"], ["m"], then_branch={"graph": squeeze}, else_branch={"graph": keep})]
    tensors = [integers("one", [1], [1]), floats("w", [2, 1], [1.0, 10.0]), integers("axes", [3], [0, 1, 2])]
    io_ = ([value("x", FLOAT, ["n", "k", 2])], [value("y")], tensors)
    product = model(graph([*head, node("Gemm", ["m", "w"], ["y"])], *io_))
    bench.run("an If of which the rest wants one rank", product, {"x": "2x1x2xf32=1 2 3 4"}, {"y": ([2, 1], [21.0, 43.0])})
    bench.refuse_run("... and a run the other", product, {"x": "1x2x2xf32=1 2 3 4"}, "is 0, not 1")
    sums = model(graph([*head, node("ReduceMean", ["m"], ["r"], axes=[2], keepdims=0), node("Relu", ["r"], ["y"])], *io_))
    bench.run("... or the other branch", sums, {"x": "1x2x2xf32=1 2 3 4"}, {"y": ([1, 2], [1.5, 3.5])})
    bench.refuse("... or none", model(graph([*head, node("Gemm", ["m", "w"], ["g"]), node("ReduceMean", ["m"], ["r"], axes=[2], keepdims=0),
                                            node("Add", ["g", "r"], ["y"])], *io_)), "E0866", "is not known")


def imports(bench):
    weights = [float(i % 7 - 3) for i in range(64 * 64)]
    content = model(graph([node("MatMul", ["x", "fc.weight"], ["y"])], [value("x", FLOAT, ["n", 64])], [value("y")],
                          [floats("fc.weight", [64, 64], weights)]))
    x = [float(i % 5) for i in range(64)]
    wanted = [sum(x[k] * weights[64 * k + j] for k in range(64)) for j in range(64)]
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "m.onnx").write_bytes(content)
        done = bench.tell(folder, "import", "m.onnx", "-o", "m.py")
        text = (pathlib.Path(folder) / "m.py").read_text() if done.returncode == 0 else ""
        bench.check("import writes a script with weights as parameters",
                    "fc_weight: R.Tensor((64, 64)" in text and "BindParams" in text.splitlines()[0], done.stderr + text)
        spec = "1x64xf32=" + " ".join(map(str, x))
        done = bench.tell(folder, "run", "m.py", "-p", 'BindParams(file="m.safetensors"),default', "--in", f"x={spec}",
                          "--out", "r.npz")
        found = read_npz(pathlib.Path(folder) / "r.npz") if done.returncode == 0 else {}
        bench.check("... that runs with them", found == {"y": ([1, 64], wanted)}, done.stderr + str(found))
        done = bench.tell(folder, "import", "m.onnx", "-o", "missing/m.py")
        bench.check("import into no folder", done.returncode == 1 and "[E0702]" in done.stderr, done.stderr)
        norm = model(graph([node("LayerNormalization", ["x", "g", "b"], ["y"], axis=1)], [value("x", FLOAT, ["n", 4, 8])], [value("y")],
                           [floats("g", [4, 8], [1.0] * 32), floats("b", [4, 8], [0.0] * 32)]), opset=17)
        (pathlib.Path(folder) / "l.onnx").write_bytes(norm)
        done = bench.tell(folder, "import", "l.onnx", "-o", "l.py")
        text = (pathlib.Path(folder) / "l.py").read_text() if done.returncode == 0 else ""
        bench.check("a normalisation of which one result is wanted is one operator", "R.nn.layer_norm(" in text and "R.mean(" not in text, done.stderr + text)
        # the signature may not name what only the body knows
        sized = model(graph([node("NonZero", ["x"], ["at"])], [value("x", FLOAT, [3, "n"])], [value("at")]))
        (pathlib.Path(folder) / "s.onnx").write_bytes(sized)
        done = bench.tell(folder, "import", "s.onnx", "-o", "s.py")
        again = bench.tell(folder, "check", "s.py")
        bench.check("what is imported can be read, also with results of unknown sizes", done.returncode == again.returncode == 0, again.stderr)


def recurrent(bench):
    """An LSTM of one unit, whose gates all have weight 1 and no bias, in plain Python."""
    from math import exp, tanh

    def sigmoid(v):
        return 1 / (1 + exp(-v))

    h = c = 0.0
    wanted = []
    for x in [0.5, -1.0, 2.0]:
        s = x + h
        c = sigmoid(s) * c + sigmoid(s) * tanh(s)
        h = sigmoid(s) * tanh(c)
        wanted.append(h)
    content = model(graph([node("LSTM", ["x", "w", "r"], ["y", "", "last"], hidden_size=1)],
                          [value("x", FLOAT, ["steps", 1, 1])], [value("y"), value("last")],
                          [floats("w", [1, 4, 1], [1.0] * 4), floats("r", [1, 4, 1], [1.0] * 4)]))
    bench.run("LSTM with any number of steps", content, {"x": "3x1x1xf32=0.5 -1 2"},
              {"y": ([3, 1, 1, 1], wanted), "last": ([1, 1, 1], [c])})


def both_directions(bench):
    """An LSTM in both directions, which differ in their activations, over sequences of three lengths, in plain Python."""
    steps, batch, units, lengths = 4, 3, 2, [4, 2, 3]

    def sigmoid(v):
        return 1 / (1 + math.exp(-v))

    def relu(v):
        return max(v, 0.0)

    def numbers(count, seed):
        return [((i * 37 + seed * 11) % 23 - 11) / 16 for i in range(count)]

    x, w, r = numbers(steps * batch, 1), numbers(2 * 4 * units, 2), numbers(2 * 4 * units * units, 3)
    b = numbers(2 * 8 * units, 4)
    y, last, cells = [0.0] * (steps * 2 * batch * units), [], []
    for d, functions in enumerate([(sigmoid, math.tanh, math.tanh), (sigmoid, relu, math.tanh)]):
        for n in range(batch):
            h, c = [0.0] * units, [0.0] * units
            for t in range(lengths[n]):
                at = lengths[n] - 1 - t if d else t
                sums = [x[at * batch + n] * w[d * 4 * units + g] + b[d * 8 * units + g] + b[d * 8 * units + 4 * units + g] +
                        sum(h[k] * r[(d * 4 * units + g) * units + k] for k in range(units)) for g in range(4 * units)]
                f, g, last_of = functions
                i, o, keep, new = (sums[k * units:(k + 1) * units] for k in range(4))
                c = [f(keep[j]) * c[j] + f(i[j]) * g(new[j]) for j in range(units)]
                h = [f(o[j]) * last_of(c[j]) for j in range(units)]
                for j in range(units):
                    y[((at * 2 + d) * batch + n) * units + j] = h[j]
            last += h
            cells += c
    sequences = node("LSTM", ["x", "w", "r", "b", "lengths"], ["y", "last", "cells"], hidden_size=units, direction="bidirectional",
                     activations=["Sigmoid", "Tanh", "Tanh", "Sigmoid", "Relu", "Tanh"])
    constants = [floats("w", [2, 4 * units, 1], w), floats("r", [2, 4 * units, units], r), floats("b", [2, 8 * units], b)]
    for name, extent in ("an open number of", "batch"), ("three", batch):
        content = model(graph([sequences], [value("x", FLOAT, ["steps", extent, 1]), value("lengths", INT32, [extent])],
                              [value("y"), value("last"), value("cells")], constants))
        bench.run(f"LSTM in both directions of {name} sequences", content,
                  {"x": f"{steps}x{batch}x1xf32=" + " ".join(map(str, x)), "lengths": "3xi32=" + " ".join(map(str, lengths))},
                  {"y": ([steps, 2, batch, units], y), "last": ([2, batch, units], last), "cells": ([2, batch, units], cells)})


def tasks(bench):
    """What threads share of a recurrence: directions and pairs of sequences, or where weights are many, products."""
    for units, extent, wanted, name in ((32, "batch", "T.parallel((a0_1 + T.int64(1)) // T.int64(2) * T.int64(2))", "pairs of sequences in each direction"),
                                        (32, 2, "task0 in T.parallel(2)", "directions"), (32, 5, "task0 in T.parallel(6)", "... of five sequences"),
                                        (512, 4, "for task0 in range(2)", "products of each step, where weights are many")):
        node_ = node("LSTM", ["x", "w", "r"], ["y"], hidden_size=units, direction="bidirectional")
        content = model(graph([node_], [value("x", FLOAT, ["steps", extent, 8])], [value("y")],
                              [floats("w", [2, 4 * units, 8], [0.25] * (2 * 4 * units * 8)), floats("r", [2, 4 * units, units], [0.25] * (8 * units * units))]))
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "m.onnx").write_bytes(content)
            done = bench.tell(folder, "opt", "m.onnx", "-p", "default", "-o", "m.py")
            text = (pathlib.Path(folder) / "m.py").read_text() if done.returncode == 0 else ""
        kernel = text[text.find("def recurrent("):text.find("def main(")]
        bench.check(f"threads share {name}", wanted in kernel, done.stderr + kernel[:3000])
        bench.check("... and find the weights packed, once for each direction",
                    kernel.splitlines()[0].count("panels") == 2 and "panels = T.alloc" not in kernel, kernel[:3000])


def neighbours(bench):
    """LRN of any rank, in plain Python; and as one kernel, which holds nothing besides the result."""
    for dims, size in (([2, 5], 3), ([1, 5, 3], 4), ([2, 5, 2, 2], 3), ([1, 5, 2, 1, 3], 4), ([1, 5, 2, 1, 2, 1], 3)):
        rest = math.prod(dims[2:])
        x = [(7 * i % 11 - 5) / 4 for i in range(math.prod(dims))]

        def norm(i):
            channel, first = i // rest % dims[1], i - i // rest % dims[1] * rest
            near = range(max(0, channel - (size - 1) // 2), min(dims[1], channel + size // 2 + 1))
            return x[i] / (1.5 + 0.5 / size * sum(x[first + k * rest] ** 2 for k in near)) ** 0.75

        content = model(graph([node("LRN", ["x"], ["y"], size=size, alpha=0.5, beta=0.75, bias=1.5)],
                              [value("x", FLOAT, dims)], [value("y")]))
        bench.run(f"LRN of rank {len(dims)}", content, {"x": "x".join(map(str, dims)) + "xf32=" + " ".join(map(str, x))},
                  {"y": (dims, [norm(i) for i in range(len(x))])})
        if not 3 <= len(dims) <= 5:
            continue
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "m.onnx").write_bytes(content)
            done = bench.tell(folder, "opt", "m.onnx", "-p", "default")
        bench.check("... as one kernel", done.stdout.count("@T.prim_func") == 1, done.stderr + done.stdout)


def control(bench):
    then = graph([node("Add", ["x", "x"], ["t"])], [], [value("t")])
    other = graph([node("Neg", ["x"], ["e"])], [], [value("e")])
    content = model(graph([node("ReduceSum", ["x"], ["s"], keepdims=0), node("Greater", ["s", "zero"], ["c"]),
                           node("If", ["c"], ["y"], then_branch={"graph": then}, else_branch={"graph": other}),
                           node("Relu", ["y"], ["z"])],
                          [value("x", FLOAT, ["n"])], [value("z")], [floats("zero", [], [0.0])]))
    bench.run("If, taken", content, {"x": "2xf32=1 2"}, {"z": ([2], [2.0, 4.0])})
    bench.run("If, not taken", content, {"x": "2xf32=-1 -2"}, {"z": ([2], [1.0, 2.0])})
    body = graph([node("Add", ["s", "x"], ["s2"]), node("Identity", ["s2"], ["o"]), node("Identity", ["c"], ["c2"])],
                 [value("i", INT64, []), value("c", BOOL, []), value("s")], [value("c2"), value("s2"), value("o")])
    content = model(graph([node("Loop", ["m", "", "x"], ["y", "all"], body={"graph": body})],
                          [value("x", FLOAT, [2])], [value("y"), value("all")], [integers("m", [], [3])]))
    bench.run("Loop of three turns", content, {"x": "2xf32=1 2"},
              {"y": ([2], [4.0, 8.0]), "all": ([3, 2], [2.0, 4.0, 3.0, 6.0, 4.0, 8.0])})
    twice = function("Twice", "mine", ["a"], ["b"], [node("Add", ["a", "a"], ["b"])])
    content = model(graph([node("Twice", ["x"], ["y"], domain="mine")], [value("x", FLOAT, [2])], [value("y")]),
                    opsets={"": 17, "mine": 1}, functions=[twice])
    bench.run("a function of the model", content, {"x": "2xf32=1 2"}, {"y": ([2], [2.0, 4.0])})
    endless = function("F", "mine", ["a"], ["b"], [node("F", ["a"], ["b"], domain="mine")])
    endless += part(9, part(1, "mine") + number(2, 1))
    content = model(graph([node("F", ["x"], ["y"], domain="mine")], [value("x", FLOAT, [2])], [value("y")]),
                    opsets={"": 17, "mine": 1}, functions=[endless])
    bench.refuse("a function that calls itself", content, "E0866", "without end")


def refusals(bench):
    io_ = ([value("x", FLOAT, [2])], [value("y")])
    relu = model(graph([node("Relu", ["x"], ["y"], "act")], *io_))
    bench.refuse("an empty file", b"", "E0860", "it is empty")
    bench.refuse("a file cut short", relu[:-3], "E0860", "byte ")
    bench.refuse("a length beyond the file", b"\x3a\xff\xff\xff\xff\x07abc", "E0860", "longer than what is there")
    bench.refuse("a text", b"import onnx\n", "E0860", "byte 9")
    bench.refuse("a number where a message should be", number(7, 5) + part(8, number(2, 17)), "E0860", "another type")
    deep = b""
    for _ in range(100):
        deep = graph([node("If", ["c"], ["y"], "n", then_branch={"graph": deep})], [], [])
    bench.refuse("graphs in graphs", model(deep), "E0860", "nest too deep")
    bench.refuse("no graph", part(8, number(2, 17)), "E0860", "no graph")
    bench.refuse("no opset", model(graph([node("Relu", ["x"], ["y"])], *io_), opsets={}), "E0860", "opset_import")
    bench.refuse("no outputs", model(graph([], [], [])), "E0860", "no outputs")
    bench.refuse("an opset of the future", model(graph([node("Relu", ["x"], ["y"])], *io_), 99), "E0862", "opset 99")
    bench.refuse("an old opset", model(graph([node("Relu", ["x"], ["y"])], *io_), 3), "E0862", "opset 3")
    unknown = model(graph([node("Frob", ["x"], ["a"], "first"), node("Frob", ["a"], ["b"]),
                           node("Twist", ["b"], ["y"], "t", domain="my.ops")], *io_))
    bench.refuse("an unknown operator", unknown, "E0861", "`Frob` of opset 17 (2 nodes, the first is `first`)")
    bench.refuse("... and all others", unknown, "E0861", "`my.ops.Twist`")
    cycle = [node("Add", ["x", "b"], ["a"], "one"), node("Relu", ["a"], ["b"], "two"), node("Relu", ["b"], ["y"])]
    bench.refuse("a cycle", model(graph(cycle, *io_)), "E0863", "`b` is read, but made by a later node")
    bench.refuse("a name that nothing makes", model(graph([node("Relu", ["z"], ["y"])], *io_)), "E0863", "nothing makes it")
    bench.refuse("a name made twice", model(graph([node("Relu", ["x"], ["y"]), node("Relu", ["x"], ["y"])], *io_)),
                 "E0863", "`y` is made twice")
    add = [node("Add", ["x", "w"], ["y"], "sum")]
    bench.refuse("too few bytes", model(graph(add, *io_, [tensor("w", FLOAT, [2], bytes(4))])), "E0864", "another size")
    bench.refuse("too few elements", model(graph(add, *io_, [tensor("w", FLOAT, [2])])), "E0864", "number of elements")
    as_int = part(5, b"\x80\x80\x80\xfc\x03\1")
    bench.refuse("floats in the field of integers", model(graph(add, *io_, [tensor("w", FLOAT, [2], more=as_int)])),
                 "E0864", "another type")
    mixed = part(4, struct.pack("<f", 1)) + part(5, b"\1\2\3")  # one number of each field would be four
    bench.refuse("elements in two fields", model(graph(add, *io_, [tensor("w", FLOAT, [4], more=mixed)])), "E0864", "several fields")
    bench.refuse("a dim of 2**40", model(graph(add, *io_, [tensor("w", FLOAT, [1 << 40, 1 << 40])])), "E0864", "too large")
    bench.refuse("a negative dim", model(graph(add, *io_, [tensor("w", FLOAT, [-1], b"")])), "E0864", "negative")
    bench.refuse("strings", model(graph(add, *io_, [tensor("w", STRING, [1])])), "E0864", "strings")
    bench.refuse("an unknown data type", model(graph(add, *io_, [tensor("w", 77, [1])])), "E0864", "data type 77")
    for place in ["../../etc/passwd", "/etc/passwd", "sub/../w.bin", "link.bin", "dir", ""]:
        content = model(graph(add, *io_, [tensor("w", FLOAT, [2], external={"location": place})]))
        bench.refuse(f"data in `{place}`", content, "E0865", f"`{place}`", {"w.bin": bytes(8)},
                     {"link.bin": "w.bin", "dir": "."})
    content = model(graph(add, *io_, [tensor("w", FLOAT, [2], external={"location": "w.bin", "offset": 4})]))
    bench.refuse("data beyond their file", content, "E0865", "shorter", {"w.bin": bytes(8)})
    content = model(graph(add, *io_, [tensor("w", FLOAT, [2], external={"location": "w.bin", "length": 12})]))
    bench.refuse("data of another length", content, "E0864", "another size", {"w.bin": bytes(12)})
    content = model(graph(add, *io_, [tensor("w", FLOAT, [2], external={"location": "w.bin", "offset": "x"})]))
    bench.refuse("an offset that is no number", content, "E0864", "no number", {"w.bin": bytes(12)})
    bench.refuse("a node's place and name", model(graph([node("Gemm", ["x", "x"], ["y"], "dense_3")], *io_)),
                 "E0866", "node `dense_3` (Gemm): its operands are no matrices")
    bench.refuse("shapes that do not fit", model(graph([node("MatMul", ["x", "w"], ["y"], "mm")], *io_,
                                                       [floats("w", [3, 1], [1, 2, 3])])), "E0610", "node `mm`")
    bench.refuse("an axis that is none", model(graph([node("Concat", ["x", "x"], ["y"], "cat", axis=3)], *io_)),
                 "E0866", "axis 3")
    bench.refuse("an input without type", model(graph([node("Relu", ["x"], ["y"])], [value("x", None)], io_[1])),
                 "E0867", "`x`")


def peak(bench, folder, *arguments):
    """Exit status and the most resident memory in MiB of a run of the tool."""
    process = subprocess.Popen([bench.tool, *arguments], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = status
    return status, usage.ru_maxrss / 1024


def weights(bench):
    """64 MiB: their own size where they are not at a multiple of their elements' size, and next to nothing where they are."""
    nodes, io_ = [node("Gemm", ["x", "w"], ["y"])], ([value("x", FLOAT, ["n", 4096])], [value("y")])
    with tempfile.TemporaryDirectory() as folder:
        tiny = model(graph([node("Relu", ["x"], ["y"])], *io_))
        (pathlib.Path(folder) / "m.onnx").write_bytes(tiny)
        _, base = peak(bench, folder, "check", "m.onnx")
        for name, offset, most in (("where elements may begin", 4, 8), ("where none may", 3, 1.2 * 64)):
            with open(pathlib.Path(folder) / "w.bin", "wb") as file:
                file.truncate(offset + (64 << 20))
            external = tensor("w", FLOAT, [4096, 4096], external={"location": "w.bin", "offset": offset, "length": 64 << 20})
            (pathlib.Path(folder) / "m.onnx").write_bytes(model(graph(nodes, *io_, [external])))
            status, found = peak(bench, folder, "check", "m.onnx")
            bench.check(f"64 MiB of weights in a file, {name}", status == 0 and found - base < most, f"{status}, {found - base} MiB")
        for shift in range(4):  # by another process: what this one holds would be counted
            subprocess.run([sys.executable, __file__, "--large", f"{folder}/m.onnx", str(shift)], check=True)
            status, found = peak(bench, folder, "check", "m.onnx")
            bench.check(f"64 MiB of weights in the model, shifted by {shift}", status == 0 and found - base < 1.2 * 64, f"{status}, {found - base} MiB")


def write_large(path, shift):
    content = model(graph([node("Gemm", ["x", "w"], ["y"])], [value("x", FLOAT, ["n", 4096])], [value("y")],
                          [tensor("v" * (1 + int(shift)), FLOAT, [1], bytes(4)), tensor("w", FLOAT, [4096, 4096], bytes(64 << 20))]))
    pathlib.Path(path).write_bytes(content)


def large(bench):
    nodes = [node("Neg", [f"v{i}"], [f"v{i + 1}"]) for i in range(10000)]
    content = model(graph(nodes, [value("v0", FLOAT, [2])], [value("v10000")]))
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "m.onnx").write_bytes(content)
        done = bench.tell(folder, "check", "m.onnx")
        bench.check("10,000 nodes deep", done.returncode == 0, done.stderr)


def promises(bench):
    """What who imports a model promises of its inputs ends in the script, and caches stay where they are."""
    cache = model(graph([node("Concat", ["past.0", "x"], ["now"], axis=2)], [value("past.0", FLOAT, [1, 2, "n", 2]), value("x", FLOAT, [1, 2, 1, 2])], [value("now")]))
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "m.onnx").write_bytes(cache)
        done = bench.tell(folder, "import", "m.onnx", "-o", "m.py", "--donate", "y,past.*", "--bound=n=64")
        bench.check("an input that is not there is not promised", done.returncode == 1 and "[E0868]: no input is called `y`" in done.stderr and not (pathlib.Path(folder) / "m.py").exists(), done.stderr)
        for given, says in [("m=64", "no dim of an input is called `m`"), ("n=0", "no NAME=NUMBER is `n=0`"), ("n", "no NAME=NUMBER is `n`")]:
            done = bench.tell(folder, "import", "m.onnx", "-o", "m.py", "--bound", given)
            bench.check(f"--bound {given}", done.returncode == 1 and says in done.stderr, done.stderr)
        done = bench.tell(folder, "import", "m.onnx", "-o", "m.py", "--donate", "past.*", "--bound", "n=64")
        bench.check("import with promises", done.returncode == 0, done.stderr)
        done = bench.tell(folder, "why", "m.py")
        bench.check("a cache that is given up grows where it is", "`past_0` is elided" in done.stdout + done.stderr, done.stdout + done.stderr)
        done = bench.tell(folder, "run", "m.py", "--out", "r.npz", "--in=past_0=1x2x2x2xf32=1 2 3 4 5 6 7 8", "--in=x=1x2x1x2xf32=9 10 11 12")
        found = read_npz(pathlib.Path(folder) / "r.npz") if done.returncode == 0 and (pathlib.Path(folder) / "r.npz").exists() else {}
        wanted = ([1, 2, 3, 2], [1.0, 2.0, 3.0, 4.0, 9.0, 10.0, 5.0, 6.0, 7.0, 8.0, 11.0, 12.0])
        bench.check("and has what it should", list(found.values()) == [wanted], f"{found}\n{done.stderr}")


def names(bench):
    """Decisions call a constant as the model does; one without a name is told by its type."""
    nodes = [node("Transpose", ["w"], ["t"]), node("Constant", [], ["c"], value=floats("", [1, 80], [5] * 80)), node("Concat", ["b", "t", "x", "c"], ["y"], axis=0)]
    weights = model(graph(nodes, [value("x", FLOAT, [1, 80])], [value("y")], [floats("w", [80, 80], range(6400)), floats("b", [1, 80], range(80))]))
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "m.onnx").write_bytes(weights)
        done = bench.tell(folder, "why", "--all", "m.onnx")
        for says in ("`b` is copied", "`t` is copied", "`constant (1, 80) float32` is copied"):
            bench.check(f"why: {says}", says in done.stderr + done.stdout, done.stderr + done.stdout)


def normalized(bench):
    """LayerNormalization, in plain Python; one kernel, where nothing broadcasts and nobody asks for the mean."""
    for title, first, scale_dims, has_bias, outputs, is_one in (
            ("", 2, [4], True, ["y"], True), (" without a bias", 2, [4], False, ["y"], True), (" over two axes", 1, [3, 4], True, ["y"], True),
            (", and its mean", 2, [4], True, ["y", "mean"], False), (" with one scale for all", 2, [1], True, ["y"], False)):
        dims, count = [2, 3, 4], math.prod([2, 3, 4][first:])
        x = [(7 * i % 11 - 5) / 4 for i in range(24)]
        scale = [1 + i % 3 for i in range(math.prod(scale_dims))]
        bias = [i % 5 - 2 for i in range(count)]
        y, means = [], []
        for row in range(0, 24, count):
            part = x[row:row + count]
            mean = sum(part) / count
            root = math.sqrt(sum((v - mean) ** 2 for v in part) / count + 0.125)
            means.append(mean)
            y += [(v - mean) / root * scale[i % len(scale)] + has_bias * bias[i] for i, v in enumerate(part)]
        operands = ["x", "scale", "bias"] if has_bias else ["x", "scale"]
        content = model(graph([node("LayerNormalization", operands, outputs, axis=first, epsilon=0.125)],
                              [value("x", FLOAT, dims)], [value(name) for name in outputs],
                              [floats("scale", scale_dims, scale), floats("bias", dims[first:], bias)]))
        wanted = {"y": (dims, y), "mean": (dims[:first] + [1] * (3 - first), means)}
        bench.run(f"LayerNormalization{title}", content, {"x": "2x3x4xf32=" + " ".join(map(str, x))}, {name: wanted[name] for name in outputs})
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "m.onnx").write_bytes(content)
            done = bench.tell(folder, "opt", "m.onnx", "-p", "default")
        bench.check("... as one kernel" if is_one else "... of operators",
                    done.returncode == 0 and ("def layer_norm(" in done.stdout) == is_one and (done.stdout.count("@T.prim_func") == 1) == is_one,
                    done.stderr + done.stdout)


def main(tool):
    bench = Bench(str(pathlib.Path(tool).resolve()))
    runs(bench)
    names(bench)
    sizes(bench)
    resizes(bench)
    pads(bench)
    ranks(bench)
    twice(bench)
    quantized(bench)
    dequantized(bench)
    imports(bench)
    promises(bench)
    recurrent(bench)
    both_directions(bench)
    tasks(bench)
    neighbours(bench)
    normalized(bench)
    control(bench)
    refusals(bench)
    large(bench)
    weights(bench)
    print(f"1..{bench.count}")
    return bench.failed


if __name__ == "__main__":
    sys.exit(write_large(*sys.argv[2:]) if sys.argv[1] == "--large" else main(*sys.argv[1:]))
