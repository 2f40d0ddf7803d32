#!/usr/bin/env python3
"""ONNX's backend tests as Debian packages them (libonnx-testdata): models and tensors as files, no onnx package.

One case in STRIDE is run by the meaning of the text, and one in STRIDE_COMPILED compiled; which ones, says the hash of
their names.  What an operator must know when a model is read is made an initializer.  A case that fails and is not in
onnx_differences.txt is an error.  Prints TAP; skips where the package is missing.

usage: onnx_slice.py TOOL [--all] [--folder FOLDER]
"""
import argparse
import concurrent.futures
import math
import os
import pathlib
import re
import struct
import subprocess
import sys
import tempfile
import zipfile
import zlib

from onnx_writer import number, part

FOLDER = pathlib.Path("/usr/share/libonnx-testdata/data")
STRIDE, STRIDE_COMPILED = 4, 24
SLOW = int(os.environ.get("INLAY_SLOW", "1"))
UNKNOWN = re.compile(r"what `([^`]*)` holds must be known|(a dimension is) -|a tensor of (0) elements cannot be seen|(the interpreter cannot)")
#: what differs in this release of the tests besides
DIFFERENT = {"test_adam(_multiple)?": "computed with another epsilon than the node has"}
#: by ONNX's number: NumPy's, Python's letter, the field of a tensor that has them if there are no raw bytes, its letter
KINDS = {1: ("<f4", "f", 4, "f"), 2: ("|u1", "B", 5, "i"), 3: ("|i1", "b", 5, "i"), 4: ("<u2", "H", 5, "i"), 5: ("<i2", "h", 5, "i"),
         6: ("<i4", "i", 5, "i"), 7: ("<i8", "q", 7, "q"), 9: ("|b1", "?", 5, "i"), 10: ("<f2", "e", 5, "e"), 11: ("<f8", "d", 10, "d"),
         12: ("<u4", "I", 11, "Q"), 13: ("<u8", "Q", 11, "Q")}


def fields(data):
    """(number, kind, content) of each field of a message."""
    at = 0

    def varint():
        nonlocal at
        value = shift = 0
        while True:
            byte = data[at]
            at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    while at < len(data):
        key = varint()
        if key & 7 == 0:
            yield key >> 3, 0, varint()
            continue
        size = {1: 8, 2: None, 5: 4}[key & 7]
        size = varint() if size is None else size
        yield key >> 3, key & 7, data[at:at + size]
        at += size


def numbers_of(kind, content):
    """The numbers of a repeated field, packed or not."""
    if kind == 0:
        return [content]
    out, value, shift = [], 0, 0
    for byte in content:
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            out.append(value)
            value = shift = 0
    return out


def signed(value):
    return value - (1 << 64) if value >= 1 << 63 else value


class Tensor:
    """A TensorProto; `dtype` is None if it is none of numbers."""

    def __init__(self, data):
        self.data, self.dims, kind, raw, listed = data, [], 0, None, []
        parts = list(fields(data))
        for field, wire, content in parts:
            if field == 1:
                self.dims += [signed(v) for v in numbers_of(wire, content)]
            elif field == 2:
                kind = content
            elif field == 9:
                raw = content
        self.dtype, self.letter, place, letter = KINDS.get(kind, (None,) * 4)
        if self.dtype is None:
            return
        for field, wire, content in parts:
            if field != place:
                continue
            if place in (4, 10):
                listed += struct.unpack(f"<{len(content) // struct.calcsize(letter)}{letter}", content)
            else:
                listed += [signed(v) if letter in "iq" else v for v in numbers_of(wire, content)]
        if raw is None and self.letter == "e":
            raw = struct.pack(f"<{len(listed)}H", *listed)
        self.raw = raw if raw is not None else struct.pack(f"<{len(listed)}{self.letter}", *listed)

    def values(self):
        return struct.unpack(f"<{len(self.raw) // struct.calcsize(self.letter)}{self.letter}", self.raw)

    def npy(self):
        shape = "".join(f"{d}, " for d in self.dims)
        header = f"{{'descr': '{self.dtype}', 'fortran_order': False, 'shape': ({shape}), }}"
        header += " " * (63 - (len(header) + 10) % 64) + "\n"
        return b"\x93NUMPY\1\0" + struct.pack("<H", len(header)) + header.encode() + self.raw


def read_graph(model):
    """The names of the inputs that are given, and of the outputs; are all tensors of numbers that Python has?"""
    graph = next(content for field, _, content in fields(model) if field == 7)
    name = lambda info: next((c.decode() for f, _, c in fields(info) if f == 1), "")
    initial = {next((c.decode() for f, _, c in fields(content) if f == 8), "") for field, _, content in fields(graph) if field == 5}
    infos = [(field, name(content)) for field, _, content in fields(graph) if field in (11, 12)]
    kinds = [[c for f, _, c in fields(t) if f == 1] for field, _, content in fields(graph) if field in (11, 12)
             for f, _, value in fields(content) if f == 2 for g, _, t in fields(value) if g == 1]
    are_plain = len(kinds) == len(infos) and all(kind and kind[0] in KINDS for kind in kinds)
    return [n for field, n in infos if field == 11 and n not in initial], [n for field, n in infos if field == 12], are_plain


def with_initializer(model, name, tensor):
    out = b""
    for field, wire, content in fields(model):
        if field == 7:
            content += part(5, tensor.data + part(8, name))
        out += number(field, content) if wire == 0 else part(field, content)
    return out


def results(path, names):
    with zipfile.ZipFile(path) as archive:
        for name in names:
            data = archive.read(name + ".npy")
            end = 10 + struct.unpack("<H", data[8:10])[0]
            header = data[10:end].decode()
            dims = re.search(r"'shape': \(([^)]*)\)", header)[1]
            yield re.search(r"'descr': '([^']*)'", header)[1], [int(d) for d in dims.split(",") if d.strip()], data[end:]


def differs(found, wanted):
    dtype, dims, raw = found
    if dims != wanted.dims or dtype != wanted.dtype:
        return f"{dtype} {dims} for {wanted.dtype} {wanted.dims}"
    values = struct.unpack(f"<{len(raw) // struct.calcsize(wanted.letter)}{wanted.letter}", raw)
    for a, b in zip(values, wanted.values()):
        if a != b and not (a != a and b != b) and not abs(a - b) <= 1e-7 + 1e-3 * abs(b):
            return f"{a} for {b}"
    return None


def run_set(tool, folder, data, ways):
    model = (folder / "model.onnx").read_bytes()
    names, outputs, are_plain = read_graph(model)
    if not are_plain:
        return None  # strings, sequences, bfloat16
    tensors = {kind: [Tensor((data / f"{kind}_{i}.pb").read_bytes()) for i in range(len(list(data.glob(f"{kind}_*.pb"))))] for kind in ("input", "output")}
    if len(names) < len(tensors["input"]):
        return None
    given = dict(zip(names, tensors["input"]))
    with tempfile.TemporaryDirectory() as work:
        work = pathlib.Path(work)
        while True:
            (work / "m.onnx").write_bytes(model)
            command = [tool, "run", "m.onnx", "--out", "r.npz", *ways]
            for i, (name, tensor) in enumerate(given.items()):
                (work / f"{i}.npy").write_bytes(tensor.npy())
                command.append(f"--in={name}=@{i}.npy")
            done = subprocess.run(command, cwd=work, capture_output=True, text=True, errors="replace", timeout=60 * SLOW, check=False)
            match = done.returncode and UNKNOWN.search(done.stderr)
            if not match or not given:
                break
            name = match[1] if match[1] in given else next((n for n, t in given.items() if t.letter in "qi?" and len(t.raw) <= 512), None)
            if name is None:
                break
            model = with_initializer(model, name, given.pop(name))
        if "[E0862]" in done.stderr:
            return None  # opset 1
        if done.returncode:
            return f"exit {done.returncode}: " + next((line for line in done.stderr.splitlines() if "[E" in line), done.stderr[:200])
        for found, wanted in zip(results(work / "r.npz", outputs), tensors["output"]):
            why = differs(found, wanted)
            if why:
                return why
    return ""


def run_case(tool, folder, ways):
    out = None
    for data in sorted(folder.glob("test_data_set_*")):
        try:
            out = run_set(tool, folder, data, ways)
        except subprocess.TimeoutExpired:
            out = "no answer"
        if out:
            break
    return out


def explained(name):
    lines = (pathlib.Path(__file__).resolve().parent / "onnx_differences.txt").read_text().splitlines()
    return any(re.fullmatch(line, name) for line in [*DIFFERENT, *(row.split(": ")[0] for row in lines if row and row[0] != "#")])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tool")
    parser.add_argument("--folder", type=pathlib.Path, default=FOLDER)
    parser.add_argument("--all", action="store_true")
    options = parser.parse_args()
    if not options.folder.exists():
        print(f"1..0 # skip {options.folder} is missing: libonnx-testdata")
        return 0
    tool, cases = str(pathlib.Path(options.tool).resolve()), []
    for folder in sorted(options.folder.glob("*/*")):
        name, chance = f"{folder.parent.name}/{folder.name}".removeprefix("node/"), zlib.crc32(folder.name.encode())
        if not (folder / "model.onnx").exists():
            continue
        if options.all or chance % (STRIDE * SLOW) == 0:
            cases.append((name, folder, ["--interpret"]))
        if options.all or chance % (STRIDE_COMPILED * SLOW) == 1:
            cases.append((name, folder, []))
    failed = count = 0
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for (name, _, ways), why in zip(cases, pool.map(lambda case: run_case(tool, *case[1:]), cases)):
            if why is None:
                continue
            count += 1
            is_good = not why or explained(name)
            failed += not is_good
            print(f"{'ok' if is_good else 'not ok'} {count} - {name}{'' if ways else ', compiled'}")
            if not is_good:
                print("#", why)
    print(f"1..{count}")
    return failed > 0


sys.exit(main())
