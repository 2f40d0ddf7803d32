"""Runs of scripts against what Python computes of them (script_values.py): inputs, results, and what differs."""
import ast
import math
import os
import re
import struct
import subprocess
import zipfile

import orders
import script_values

TIMEOUT = 120 * int(os.environ.get("INLAY_SLOW", "1"))
HEAD = """from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
"""
NPY = {"<f4": "float32", "<f8": "float64", "<i4": "int32", "<i8": "int64", "|b1": "bool", "|i1": "int8", "|u1": "uint8"}
SHORT = {"float32": "f32", "float64": "f64", "int32": "i32", "int64": "i64", "bool": "bool"}


# ---- inputs and results


def shape_of(annotation, variant):
    """Sizes of symbols differ from variant to variant."""
    return tuple((4, 1, 0, 5)[variant] if isinstance(size, str) else size for size in annotation.shape)


def input_of(index, annotation, variant):
    """The input for a parameter, small whole numbers."""
    shape = shape_of(annotation, variant)
    size = math.prod(shape)
    if annotation.dtype == "bool":
        return [bool((variant >> index % 2) & 1)] * size
    if size == 1 and annotation.dtype == "int32" and shape == ():
        return [2]
    return [((index + variant) * 7 + i * 5) % 13 - 3 for i in range(size)]


def spec_of(shape, dtype, data):
    dims = "x".join(map(str, shape)) + "x" if shape else ""
    return f"{dims}{SHORT[dtype]}=" + " ".join("01"[v] if dtype == "bool" else str(v) for v in data)


def leaves(value, name="result"):
    """Results by the names that the tool gives them."""
    if isinstance(value, tuple):
        for i, field in enumerate(value):
            yield from leaves(field, f"{name}.{i}")
    else:
        yield name, (tuple(value.shape), value.dtype, list(value.data))


def read_npy(raw):
    assert raw[:6] == b"\x93NUMPY"
    wide = raw[6] > 1
    (size,) = struct.unpack_from("<I" if wide else "<H", raw, 8)
    header = ast.literal_eval(raw[8 + (4 if wide else 2):][:size].decode())
    dtype = NPY[header["descr"]]
    data = struct.unpack_from(f"<{math.prod(header['shape'])}{script_values.CODES[dtype]}", raw, 8 + (4 if wide else 2) + size)
    return header["shape"], dtype, list(data)


def inputs_of(main, variant):
    """(--in option, value) of each parameter."""
    for index, name in enumerate(main.names):
        annotation = main.python.__annotations__[name]
        data, shape = input_of(index, annotation, variant), shape_of(annotation, variant)
        yield f"--in={name}={spec_of(shape, annotation.dtype, data)}", script_values.Tensor(shape, annotation.dtype, data)


class Script:
    """A module, its inputs, and what its entry returns."""

    def __init__(self, text, variant):
        self.text = text
        main = script_values.load(text).main
        self.args, inputs = zip(*inputs_of(main, variant)) if main.names else ((), ())
        self.args = list(self.args)
        self.expected = dict(leaves(main(*inputs)))


# ---- runs


def outputs(tool, options, args, folder):
    """Of script.py in @folder: (results by name or None, exit status, messages)."""
    out = folder / "out.npz"
    out.unlink(missing_ok=True)
    again = [] if "--interpret" in options else ["--repeat=2"]
    command = [tool, "run", *options, *again, *args, f"--out={out}", "script.py"]
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, cwd=folder, timeout=TIMEOUT)
    except subprocess.TimeoutExpired:
        return None, 1, "no end"
    errors = done.stderr.decode(errors="replace")
    if done.returncode != 0:
        return None, done.returncode, errors
    with zipfile.ZipFile(out) as archive:
        return {name.removesuffix(".npy"): read_npy(archive.read(name)) for name in archive.namelist()}, 0, errors


def without_warnings(errors):
    return "\n\n".join(part for part in errors.split("\n\n") if not part.startswith("warning"))


def run(tool, script, options, folder):
    """What is wrong with a run; "" if nothing is."""
    (folder / "script.py").write_text(script.text)
    found, status, errors = outputs(tool, options, script.args, folder)
    order = options[options.index("-p") + 1] if "-p" in options else None
    if found is None:
        codes = set(re.findall(r"error\[(E\d+)\]", errors))
        if order:
            return orders.problem(order, status, errors) or ""
        if "--inplace=strict" in options and status == 1 and codes and all(code.startswith("E03") for code in codes):
            return ""
        return f"exit status {status}\n{without_warnings(errors)[:1500]}"
    wrong = [f"{name}: {found.get(name)}, expected {value}" for name, value in script.expected.items() if found.get(name) != value]
    return "\n".join(wrong[:5])
