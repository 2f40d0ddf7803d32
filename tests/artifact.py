#!/usr/bin/env python3
"""What `inlay compile` writes gives the bits that `inlay run` gives.

Every script is compiled to a shared library; each of its entries is called through both doors (plain pointers,
checked tensors) with an arena of exactly the size that it names, and with bytes around arena and results that must
stay as they are.  A run that ends with an error must be an error of the call, too.  Prints TAP.

usage: artifact.py TOOL ROOT [SCRIPT...]
"""
import ast
import ctypes
import json
import math
import os
import pathlib
import random
import re
import struct
import subprocess
import sys
import tempfile
import zipfile

from json_schema import hold_against
from part import part

SCHEMA = json.loads((pathlib.Path(__file__).resolve().parent.parent / "docs/artifact.schema.json").read_text())
TIMEOUT = 60 * int(os.environ.get("INLAY_SLOW", "1"))
FORMATS = {"float32": ("f", 2, 32), "float64": ("d", 2, 64), "float16": ("e", 2, 16), "bfloat16": ("H", 4, 16),
           "bool": ("?", 6, 8), "int8": ("b", 0, 8), "int16": ("h", 0, 16), "int32": ("i", 0, 32),
           "int64": ("q", 0, 64), "uint8": ("B", 1, 8), "uint16": ("H", 1, 16), "uint32": ("I", 1, 32),
           "uint64": ("Q", 1, 64)}
DIMS = (5, 6, 3, 4)
ROOM, GUARD = 1 << 20, 64
# Why a script may be refused; anything else is a mistake.
REFUSED = ("E0740", "E0743", "E0744", "an artifact", "E0620", "E0621", "E0688")


class Tensor(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("device_type", ctypes.c_int32), ("device_id", ctypes.c_int32),
                ("ndim", ctypes.c_int32), ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8),
                ("lanes", ctypes.c_uint16), ("shape", ctypes.POINTER(ctypes.c_int64)),
                ("strides", ctypes.POINTER(ctypes.c_int64)), ("byte_offset", ctypes.c_uint64)]


class Error(ctypes.Structure):
    _fields_ = [("kind", ctypes.c_int32), ("line", ctypes.c_uint32), ("arena_bytes", ctypes.c_uint64),
                ("message", ctypes.c_char * 496)]


class Memory:
    """@data in aligned storage of @room bytes, between guards."""

    def __init__(self, data, room=None, align=64, offset=0):
        self.size, self.room = len(data), len(data) if room is None else room
        self.block = ctypes.create_string_buffer(b"\xa5" * (self.room + 2 * GUARD + align + offset))
        base = ctypes.addressof(self.block)
        self.begin = ((base + GUARD + align - 1) // align) * align - base + offset
        self.address = base + self.begin
        ctypes.memmove(self.address, bytes(data), self.size)

    def bytes(self):
        return ctypes.string_at(self.address, self.size)

    def is_intact(self):
        raw = self.block.raw
        return (set(raw[:self.begin]) | set(raw[self.begin + self.room:-1])) <= {0xa5}


def elements(shape):
    return math.prod(shape)


def in_python(text):
    """An expression of C, `n > 0 ? n : 0` among them, in Python."""
    out, inner, depth = "", "", 0
    for sign in text:
        depth -= sign == ")"
        if depth:
            inner += sign
        else:
            out += (in_python(inner) if sign == ")" else "") + sign
            inner = ""
        depth += sign == "("
    if "?" not in out:
        return out
    condition, choice = out.split("?", 1)
    first, second = choice.split(":", 1)
    return f"({first}) if ({condition}) else ({in_python(second)})"


def value_of(expr, dims):
    return expr if isinstance(expr, int) else int(eval(in_python(str(expr)).replace("/", "//"), {}, dims))  # pylint: disable=eval-used


def random_bytes(rng, dtype, count):
    letter = FORMATS[dtype][0]
    if dtype == "bfloat16":
        values = [struct.unpack("<I", struct.pack("<f", rng.uniform(-1, 1)))[0] >> 16 for _ in range(count)]
    elif letter in "efd":
        values = [rng.uniform(-1, 1) for _ in range(count)]
    else:
        values = [rng.randrange(2 if dtype == "bool" else 10) for _ in range(count)]
    return struct.pack(f"<{count}{letter}", *values)


def npy(dtype, shape, data):
    kinds = {0: "i", 1: "u", 2: "f", 4: "V", 6: "b"}
    _, code, bits = FORMATS[dtype]
    descr = "|b1" if dtype == "bool" else f"{'|' if bits == 8 or code == 4 else '<'}{kinds[code]}{bits // 8}"
    head = repr({"descr": descr, "fortran_order": False, "shape": tuple(shape)}).encode()
    head += b" " * (-(len(head) + 11) % 64) + b"\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head + data


def read_npy(data):
    start = 10 + struct.unpack("<H", data[8:10])[0]
    header = ast.literal_eval(data[10:start].decode())
    return tuple(header["shape"]), data[start:]


def symbols_of(function):
    return [p["name"] for p in function["parameters"] if p["kind"] == "symbol"]


def make_inputs(function, rng, dims):
    """By argument: its bytes and shape; a number has the shape ()."""
    inputs = []
    for arg in function["arguments"]:
        shape = () if arg["kind"] == "number" else tuple(
            DIMS[0] if d is None else value_of(d, dims) for d in arg["shape"])
        if arg["kind"] == "shape":
            inputs.append((struct.pack(f"<{len(shape)}q", *shape), shape))
        else:
            inputs.append((random_bytes(rng, arg["dtype"], elements(shape)), shape))
    return inputs


def run(tool, script, function, inputs, dims, folder):
    """What `inlay run` gives: a list of (shape, bytes), or None if it fails."""
    out = folder / "out.npz"
    args = [tool, "run", script, "--entry", function["name"], "--out", out]
    known = {str(d) for a in function["arguments"] if a["kind"] != "number" for d in a["shape"]}
    for name in symbols_of(function):
        args += ["--dim", f"{name}={dims[name]}"] if name in known or known else []
    for i, (arg, (data, shape)) in enumerate(zip(function["arguments"], inputs)):
        if arg["kind"] == "tensor":
            path = folder / f"{i}.npy"
            path.write_bytes(npy(arg["dtype"], shape, data))
            args += ["--in", f"{arg['name']}=@{path}"]
        elif arg["kind"] == "number":
            value = struct.unpack(f"<{FORMATS[arg['dtype']][0]}", data)[0]
            args += ["--in", f"{arg['name']}={str(value).lower()}"]
        else:
            args += ["--in", f"{arg['name']}={'x'.join(map(str, shape))}"]
    out.unlink(missing_ok=True)
    done = subprocess.run(list(map(str, args)), stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=TIMEOUT)
    if done.returncode == 1:
        return None, done.stderr
    assert done.returncode == 0, done.stderr
    if not out.exists():  # one result: an .npy under the name that was given
        return [], ""
    raw = out.read_bytes()
    if raw[:6] == b"\x93NUMPY":
        return [read_npy(raw)], ""
    with zipfile.ZipFile(out) as archive:
        return [read_npy(archive.read(name)) for name in archive.namelist()], ""


def pad(data):
    return data if data else b""


def make_memories(function, inputs, dims):
    memories = []
    for arg, (data, _) in zip(function["arguments"], inputs):
        memories.append(Memory(pad(data), ROOM if arg["inplace"] else None, 64 if arg["inplace"] else 8))
    results = {}
    for i, result in enumerate(function["results"]):
        if result["argument"] is None:
            shape = () if result["kind"] == "number" else tuple(value_of(d, dims) for d in result["shape"])
            if result["kind"] == "shape":
                shape = (len(shape),)
            size = elements(shape) * FORMATS[result["dtype"]][2] // 8
            element = max(FORMATS[result["dtype"]][2] // 8, 1)
            results[i] = (Memory(b"\x5a" * size, offset=element), shape)  # that much must do
    return memories, results


def collect(function, dims, memories, results):
    """The bytes of each result; one that lies in an argument may be larger than that."""
    found = []
    for i, result in enumerate(function["results"]):
        if result["argument"] is None:
            found.append(results[i][0].bytes())
        else:
            size = elements([value_of(d, dims) for d in result["shape"]]) * FORMATS[result["dtype"]][2] // 8
            found.append(ctypes.string_at(memories[result["argument"]].address, size))
    return found


def number(dtype, data):
    kinds = {0: {8: ctypes.c_int8, 16: ctypes.c_int16, 32: ctypes.c_int32, 64: ctypes.c_int64},
             1: {8: ctypes.c_uint8, 16: ctypes.c_uint16, 32: ctypes.c_uint32, 64: ctypes.c_uint64},
             2: {32: ctypes.c_float, 64: ctypes.c_double, 16: ctypes.c_uint16}, 4: {16: ctypes.c_uint16},
             6: {8: ctypes.c_bool}}
    letter, code, bits = FORMATS[dtype]
    letter = "H" if bits == 16 and code in (2, 4) else letter
    return kinds[code][bits](struct.unpack(f"<{letter}", data)[0])


def call_plain(library, function, inputs, dims, arena):
    """(status, results); asserts that nothing beside them was written."""
    memories, results = make_memories(function, inputs, dims)
    args = []
    keep = []
    for param in function["parameters"]:
        if param["kind"] == "data":
            args.append(ctypes.c_void_p(memories[param["argument"]].address))
        elif param["kind"] == "shape":
            shape = inputs[param["argument"]][1]
            keep.append((ctypes.c_int64 * max(len(shape), 1))(*shape))
            args.append(keep[-1])
        elif param["kind"] == "number":
            args.append(number(function["arguments"][param["argument"]]["dtype"], inputs[param["argument"]][0]))
        elif param["kind"] == "result":
            args.append(ctypes.c_void_p(results[param["result"]][0].address))
        elif param["kind"] == "symbol":
            args.append(ctypes.c_int64(dims[param["name"]]))
        else:
            args.append(ctypes.c_void_p(arena.address if arena else None))
    status = getattr(library, function["symbol"])(*args)
    check_memory(function, inputs, memories, results, arena)
    return status, collect(function, dims, memories, results)


def tensor(dtype, shape, memory):
    _, code, bits = FORMATS[dtype]
    return Tensor(memory.address, 1, 0, len(shape), code, bits, 1, (ctypes.c_int64 * max(len(shape), 1))(*shape), None, 0)


def call_tensors(library, function, inputs, dims, arena, size):
    memories, results = make_memories(function, inputs, dims)
    args = []
    for arg, memory, (_, shape) in zip(function["arguments"], memories, inputs):
        args.append(tensor("int64", (len(shape),), memory) if arg["kind"] == "shape"
                    else tensor(arg["dtype"], shape, memory))
    outs = [tensor("int64" if function["results"][i]["kind"] == "shape" else function["results"][i]["dtype"], shape, memory)
            for i, (memory, shape) in results.items()]
    rows = [(ctypes.POINTER(Tensor) * max(len(row), 1))(*map(ctypes.pointer, row)) for row in (args, outs)]
    error = Error()
    status = getattr(library, function["symbol"] + "_dl")(
        rows[0], (ctypes.c_size_t * max(len(args), 1))(*[memory.room for memory in memories]), len(args), rows[1], len(outs), ctypes.c_void_p(arena.address if arena else None), ctypes.c_size_t(size),
        ctypes.byref(error))
    check_memory(function, inputs, memories, results, arena)
    assert (status % 16, status // 16) == (error.kind, error.line), "status and error differ"
    assert error.arena_bytes == size or status != 0, "the size of the arena differs"
    assert (error.message != b"") == (status != 0), "an error without words"
    return status, collect(function, dims, memories, results), error.message.decode()


def check_memory(function, inputs, memories, results, arena):
    for arg, memory, (data, _) in zip(function["arguments"], memories, inputs):
        assert memory.is_intact(), f"bytes beside `{arg['name']}` were written"
        assert arg["inplace"] or memory.bytes() == data, f"`{arg['name']}` was written"
    assert all(memory.is_intact() for memory, _ in results.values()), "bytes beside a result were written"
    assert not arena or arena.is_intact(), "bytes beside the arena were written"


def arena_of(library, function, dims):
    """An arena of the size that the artifact says, which must be the size of the manifest."""
    sizer = getattr(library, function["symbol"] + "_arena_bytes")
    sizer.restype = ctypes.c_size_t
    size = sizer(*[ctypes.c_int64(dims[p["name"]]) for p in function["parameters"] if p.get("size")])
    if isinstance(function["arena_bytes"], int):
        assert size == function["arena_bytes"], "the size of the arena differs"
    return (Memory(b"\xee" * size) if size else None), size


def check_bounds(library, script, function, header):
    """An arena that the header says is enough for all sizes within their upper bounds is."""
    said = re.search(rf"#define {function['symbol'].upper()}_ARENA_BYTES (\d+)u /\*", header)
    bounds = re.search(r'"tir_var_upper_bound": (\{[^}]*\})', script.read_text())
    if bounds and not isinstance(function["arena_bytes"], int):
        assert said, "the header has no arena for the upper bounds"
    for part in range(9) if said else ():
        dims = {name: bound * part // 8 for name, bound in ast.literal_eval(bounds[1]).items()}
        assert arena_of(library, function, dims)[1] <= int(said[1]), f"the arena of the header is too small for {dims}"


def check_arenas(script, manifest):
    """A script may say what the arena of a function is to be."""
    arenas = {function["name"]: function["arena_bytes"] for function in manifest["functions"]}
    for name, size in re.findall(r"# arena of `(\w+)`: (.+)", script.read_text()):
        assert str(arenas[name]) == size, f"the arena of `{name}` is {arenas[name]}, and not {size}"


def check_function(tool, script, library, function, folder):
    rng = random.Random(script.name)
    names = symbols_of(function)
    dims = {name: DIMS[i % len(DIMS)] for i, name in enumerate(names)}
    numbers = {}
    for arg in function["arguments"]:  # one may stand for a dimension
        if arg["kind"] == "number" and FORMATS[arg["dtype"]][1] == 0:
            numbers[arg["name"]] = rng.randrange(1, 6)
    dims.update(numbers)
    inputs = make_inputs(function, rng, dims)
    for i, arg in enumerate(function["arguments"]):
        if arg["name"] in numbers:
            inputs[i] = (struct.pack(f"<{FORMATS[arg['dtype']][0]}", numbers[arg["name"]]), ())
    expected, why = run(tool, script, function, inputs, dims, folder)
    if expected is None and not re.search(r"error\[E080", why):
        return False  # inputs that the entry does not take
    arena, size = arena_of(library, function, dims)
    plain, plain_results = call_plain(library, function, inputs, dims, arena)
    checked, checked_results, message = call_tensors(library, function, inputs, dims, arena, size)
    if expected is None:
        assert plain != 0 and checked != 0, f"`{function['name']}` runs, but `inlay run` fails: {why}"
        return True
    assert plain == 0, f"`{function['name']}` fails with status {plain}"
    assert checked == 0, f"`{function['name']}` fails: {message}"
    for i, (_, data) in enumerate(expected):
        assert plain_results[i] == data, f"result {i} of `{function['name']}` differs"
        assert checked_results[i] == data, f"result {i} of `{function['name']}_dl` differs"
    return True


def check_program(folder):
    """The test program compiles without a warning, runs with the object, and finds the same bits."""
    program = folder / "program"
    subprocess.run([*os.environ.get("CC", "cc").split(), "-std=c11", "-pedantic", "-Wall", "-Wextra", "-Werror",
                    folder / "m_main.c", folder / "m.o", "-lm", "-o", program], check=True)
    done = subprocess.run([program], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=TIMEOUT)
    assert done.returncode == 0, f"the test program fails: {done.stdout}"
    assert "nearly" not in done.stdout, f"not the same bits: {done.stdout}"


def check(tool, script, folder):
    """How many entries were compared."""
    library = folder / "m.so"
    done = subprocess.run([tool, "compile", script, "-o", library, "--emit=o,so,json,h,c"], stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, timeout=TIMEOUT)
    is_wrong = script.read_text().startswith("# FAIL")
    if done.returncode == 1 and (is_wrong or any(word in done.stderr for word in REFUSED)):
        assert not list(folder.glob("m.*")), "a failure left files"
        return 0
    assert done.returncode == 0, done.stderr
    manifest = json.loads((folder / "m.json").read_text())
    hold_against(SCHEMA, manifest, "manifest")
    check_arenas(script, manifest)
    check_program(folder)
    loaded = ctypes.CDLL(str(library))
    for function in manifest["functions"]:
        check_bounds(loaded, script, function, (folder / "m.h").read_text())
    return sum(check_function(tool, script, loaded, f, folder) for f in manifest["functions"])


def main():
    tool, root = sys.argv[1], pathlib.Path(sys.argv[2])
    scripts = [pathlib.Path(arg) for arg in sys.argv[3:]]
    if not scripts:
        scripts = sorted((root / "examples").glob("*.py"))
        scripts += [path for path in sorted((root / "tests/golden/run").glob("*.py"))
                    if re.match(r"# (RUN|FAIL): run\b", path.read_text())]
        scripts = list(part(scripts))
    print(f"1..{len(scripts) + 1}")
    compared = failed = 0
    for i, script in enumerate(scripts, 1):
        with tempfile.TemporaryDirectory() as folder:
            try:
                count = check(tool, script, pathlib.Path(folder))
                compared += count
                print(f"ok {i} - {script.name}: {count}")
            except AssertionError as error:
                failed += 1
                print(f"not ok {i} - {script.name}")
                print("\n".join("# " + line for line in str(error).splitlines()))
    least = len(scripts) // 2
    print(f"{'ok' if compared >= least else 'not ok'} {len(scripts) + 1} - {compared} entries were compared")
    return failed > 0 or compared < least


sys.exit(main())
