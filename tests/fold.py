#!/usr/bin/env python3
"""FoldConstant by compiled code: the same bits as by the interpreter, and what takes much more memory stays.  Prints TAP.

usage: fold.py TOOL ROOT [--quick]
"""
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

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from part import part

TIMEOUT = 300 * int(os.environ.get("INLAY_SLOW", "1"))
HEAD = """from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T

@I.ir_module
class Module:
"""
# What has small results too: both ways can do it.
OPS = {
    "movement": ["R.permute_dims(w)", "R.reshape(w, R.shape([48, 32]))", "R.strided_slice(w, [0], [4], [20])", "R.flip(w, axis=1)",
                 "R.concat((w, w), axis=0)", "R.nn.pad(w, [1, 0, 0, 2])", "R.repeat(w, 2, axis=0)"],
    "arithmetic": ["R.add(w, b)", "R.divide(w, R.add(b, R.const(3.0)))", "R.sqrt(R.abs(w))", "R.rsqrt(R.add(R.abs(w), R.const(0.001)))",
                   "R.maximum(w, b)", "R.where(R.greater(w, b), w, R.negative(w))"],
    "functions": ["R.exp(w)", "R.tanh(w)", "R.log(R.abs(w))", "R.erf(w)", "R.power(R.abs(w), R.const(0.3))"],
    "sums": ["R.sum(w, axis=[1])", "R.mean(w, axis=[0])", "R.max(w, axis=[1])", "R.variance(w, axis=[1])", "R.matmul(w, R.permute_dims(w))",
             "R.cumsum(w, axis=1)", "R.nn.softmax(w, axis=-1)"],
    "dtypes": ['R.astype(w, "float16")', 'R.astype(R.astype(w, "bfloat16"), "float32")', 'R.astype(R.multiply(w, R.const(9.0)), "int8")'],
    "indices": ["R.take(w, R.astype(R.abs(b), \"int32\"), axis=1)", "R.argmax(w, axis=1)"],
}


def run(tool, folder, *args):
    done = subprocess.run([tool, *map(str, args)], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          timeout=TIMEOUT, check=False)
    assert done.returncode == 0, f"{args}: {done.returncode}: {done.stdout[-2000:]}{done.stderr}"
    return done.stdout


def write(path, tensors):
    entries, data = {}, b""
    for name, shape, values in tensors:
        entries[name] = {"dtype": "F32", "shape": shape, "data_offsets": [len(data), len(data) + len(values)]}
        data += values
    head = json.dumps(entries).encode()
    path.write_bytes(struct.pack("<Q", len(head)) + head + data)


def floats(count, seed):
    rng = random.Random(seed)
    return struct.pack(f"<{count}f", *[rng.uniform(-2, 2) for _ in range(count)])


def function(folder, params, body, result):
    names = ", ".join(f'{name}: R.Tensor({tuple(shape)}, "float32")' for name, shape, _ in params)
    (folder / "m.py").write_text(f"{HEAD}    @R.function\n    def main({names}):\n" + "".join(f"        {line}\n" for line in body)
                                 + f"        return {result}\n")
    write(folder / "w.safetensors", [param for param in params if param[2] is not None])


def calls(text):
    return re.findall(r"R\.call_tir\(cls\.(\w+)", text[text.index("@R.function"):])


def same_bits(tool, folder, expressions, lowered):
    """limit=0: all by compiled code; growth=0 and a limit: all by the interpreter."""
    params = [("w", [32, 48], floats(32 * 48, 1)), ("b", [48], floats(48, 2))]
    body = [f"v{i} = {expression}" for i, expression in enumerate(expressions)]
    function(folder, params, body, "(" + ", ".join(f"v{i}" for i in range(len(expressions))) + ",)")
    front = 'BindParams(file="w.safetensors"),' + ("LegalizeOps," if lowered else "")
    back = ",DeadCodeElimination"
    found = []
    for name, options in (("interpreted", "limit=100000000,growth=0"), ("compiled", "limit=0,growth=400")):
        (folder / f"{name}.py").write_text(run(tool, folder, "opt", "m.py", "-p", f"{front}FoldConstant({options}){back}"))
        text = (folder / f"{name}.py").read_text()
        body = text[text.index("def main"):].replace("R.reshape", "")
        assert not re.search(r"= R\.\w|R\.call", body), f"{name}: not all is folded:\n{body}"
        run(tool, folder, "run", f"{name}.py", "-p", "debug", "--out", f"{name}.npz")
        with zipfile.ZipFile(folder / f"{name}.npz") as file:
            found.append({member: file.read(member) for member in file.namelist()})
    assert len(found[0]) == len(expressions) and found[0] == found[1], "the constants differ"


def large(tool, folder):
    """A transpose, and what is behind it, of 2 MB: gone, with the result that the interpreter gives without passes."""
    params = [("x", [2, 512], None), ("w", [1024, 512], floats(1024 * 512, 3)), ("s", [1024], floats(1024, 4))]
    function(folder, params, ["t = R.permute_dims(w)", "u = R.multiply(t, s)", "y = R.matmul(x, u)", "z = R.add(y, R.sum(u, axis=[0]))"], "z")
    passes = 'BindParams(file="w.safetensors"),default'
    found = calls(run(tool, folder, "opt", "m.py", "-p", 'BindParams(file="w.safetensors"),LegalizeOps,FoldConstant(limit=65536)'))
    assert found == ["matmul", "add"], found
    stats = json.loads(run(tool, folder, "run", "m.py", "-p", passes, "--check", "--stats=json").splitlines()[-1])
    assert stats["arena_bytes"] < 65536, stats["arena_bytes"]
    stays = json.loads(run(tool, folder, "run", "m.py", "-p", passes, "--skip=FoldConstant", "--check", "--stats=json").splitlines()[-1])
    assert stays["arena_bytes"] > 512 * 1024, stays["arena_bytes"]


def stays(tool, folder, body, result, kernels, options=""):
    params = [("x", [4], None), ("w", [64, 1024], floats(64 * 1024, 5)), ("r", [1024], floats(1024, 6))]
    function(folder, params, body, result)
    text = run(tool, folder, "opt", "m.py", "-p", f'BindParams(file="w.safetensors"),LegalizeOps,FoldConstant(limit=1024{options})')
    assert calls(text) == kernels, calls(text)


def outputs(tool, folder, *args):
    run(tool, folder, "run", "m.py", *args, "--out", "out.npz")
    with zipfile.ZipFile(folder / "out.npz") as file:
        return [file.read(name) for name in sorted(file.namelist())]


PACKED = {
    "a product": ([("x", [100, 96]), ("w", [96, 640])], ["z = R.matmul(x, w)"], "z", True),
    "with what is behind it": ([("x", [100, 96]), ("w", [96, 640]), ("b", [640])],
                               ["y = R.add(R.matmul(x, w), b)", "z = R.nn.relu(y)"], "z", True),
    "two products by one kernel": ([("x", [100, 320]), ("w", [320, 320]), ("v", [320, 320])],
                                   ["y = R.matmul(x, w)", "z = R.matmul(y, v)"], "z", True),
    "batches": ([("x", [3, 100, 96]), ("w", [96, 640])], ["z = R.matmul(x, w)"], "z", True),
    "a transpose in front": ([("x", [100, 96]), ("w", [640, 96])], ["z = R.matmul(x, R.permute_dims(w))"], "z", True),
    "a convolution": ([("x", [1, 16, 24, 24]), ("w", [32, 16, 3, 3])], ["z = R.nn.conv2d(x, w, padding=[1, 1, 1, 1])"], "z", None),
    "float64": ([("x", [100, 96]), ("w", [96, 640])],
                ['z = R.matmul(R.astype(x, "float64"), R.astype(w, "float64"))'], "z", None),
    "weights that are a result, too": ([("x", [100, 96]), ("w", [96, 640])], ["z = R.matmul(x, w)"], "(z, w)", True),
    "few rows": ([("x", [1, 96]), ("w", [96, 640])], ["z = R.matmul(x, w)"], "z", None),
    "weights that are no constant": ([("x", [100, 96]), ("y", [96, 640])], ["z = R.matmul(x, y)"], "z", False),
    "now weights, now values": ([("x", [320, 320]), ("w", [320, 320])],
                                ["y = R.matmul(x, w)", "z = R.matmul(y, x)"], "z", None),
}


def packed(tool, folder, params, body, result, is_packed):
    """The bits of a run that packs itself, in less memory."""
    rows = [(name, shape, floats(math.prod(shape), 11 + i) if name in "wvb" else None) for i, (name, shape) in enumerate(params)]
    function(folder, rows, body, result)
    passes = ("-p", 'BindParams(file="w.safetensors"),default') if any(row[2] for row in rows) else ("-p", "default")
    run(tool, folder, "run", "m.py", *passes, "--check")
    run(tool, folder, "run", "m.py", *passes, "--check-memory")
    assert outputs(tool, folder, *passes) == outputs(tool, folder, *passes, "--skip=PackConstants"), "the results differ"
    text = run(tool, folder, "opt", "m.py", *passes)
    assert "_pack(" not in text, "packing is left to the run"
    if is_packed is not None:
        assert ("panels = T.alloc_buffer" not in text) == is_packed, text[text.index("class Module"):][:6000]


def repeatable(tool, folder):
    params = [("w", [256, 512], floats(256 * 512, 3)), ("v", [512, 256], floats(256 * 512, 4))]
    function(folder, params, ["t = R.permute_dims(w)", "u = R.add(t, v)", "z = R.tanh(u)"], "(z, u)")
    passes = 'BindParams(file="w.safetensors"),FoldConstant(limit=0)'
    texts = {run(tool, folder, "opt", "m.py", "-p", passes, *args) for args in ((), ("--verify-each",), ("--vectors=16",))}
    assert len(texts) == 1, "the texts differ"


def endless(tool, folder):
    """A kernel whose text does not say when it ends is not run while something is compiled."""
    function(folder, [("w", [64, 1024], floats(64 * 1024, 7))], ['y = R.call_tir(cls.spin, (w,), out_ty=R.Tensor((64, 1024), "float32"))'], "y")
    text = (folder / "m.py").read_text().replace("        y = ", "        cls = Module\n        y = ")
    kernel = """    @T.prim_func(private=True)
    def spin(w: T.Buffer((64, 1024), "float32"), y: T.Buffer((64, 1024), "float32")):
        i = T.alloc_buffer((1,), "int32")
        i[0] = 0
        while i[0] < 10:
            y[0, 0] = w[0, 0]

"""
    (folder / "m.py").write_text(text.replace("    @R.function", kernel + "    @R.function"))
    found = calls(run(tool, folder, "opt", "m.py", "-p", 'BindParams(file="w.safetensors"),FoldConstant(limit=1024)'))
    assert found == ["spin"], found


def foreign(tool, folder):
    """Compiled for another machine, folded by this one."""
    params = [("x", [512, 1024], None), ("w", [1024, 512], floats(1024 * 512, 3))]
    function(folder, params, ["t = R.permute_dims(w)", "y = R.multiply(x, t)"], "y")
    run(tool, folder, "compile", "m.py", "-p", 'BindParams(file="w.safetensors"),default', "--target=aarch64", "-o", "m.o", "--weights")
    data = (folder / "m.safetensors").read_bytes()
    length = struct.unpack("<Q", data[:8])[0]
    head = json.loads(data[8:8 + length])
    head.pop("__metadata__")
    assert [entry["shape"] for entry in head.values()] == [[512, 1024]], head
    values, found = struct.unpack(f"<{1024 * 512}f", params[1][2]), struct.unpack(f"<{1024 * 512}f", data[8 + length:])
    assert all(found[i * 1024 + k] == values[k * 512 + i] for i in range(0, 512, 37) for k in range(1024)), "it is no transpose"


def main():
    tool, root = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2]).resolve()
    assert root.exists()
    tests = [(f"the interpreter's bits: {name}, {'lowered' if lowered else 'operators'}",
              lambda folder, e=expressions, lowered=lowered: same_bits(tool, folder, e, lowered))
             for name, expressions in OPS.items() for lowered in ((True,) if "--quick" in sys.argv else (False, True))]
    tests += [(f"packed: {name}", lambda folder, row=row: packed(tool, folder, *row)) for name, row in part(PACKED.items(), 4)]
    tests += [
        ("large results", lambda folder: large(tool, folder)),
        ("a broadcast stays", lambda folder: stays(tool, folder, ["z = R.broadcast_to(r, R.shape([64, 1024]))"], "z", ["broadcast_to"])),
        ("an outer product stays", lambda folder: stays(
            tool, folder, ["a = R.reshape(r, R.shape([1024, 1]))", "z = R.multiply(a, r)"], "z", ["multiply"])),
        ("zeros stay", lambda folder: stays(tool, folder, ['z = R.zeros(R.shape([64, 1024]), "float32")'], "z", ["zeros"])),
        ("doubling again and again stays", lambda folder: stays(
            tool, folder, ["a = R.concat((w, w), axis=0)", "b = R.concat((a, a), axis=0)", "z = R.concat((b, b), axis=0)"], "z",
            ["concat_1", "concat_2"], ",growth=100")),
        ("wider elements stay", lambda folder: stays(tool, folder, ['z = R.astype(w, "float64")'], "z", ["cast"])),
        ("growth=100 folds them", lambda folder: stays(tool, folder, ['z = R.astype(w, "float64")'], "z", [], ",growth=100")),
        ("what the run reads stays", lambda folder: stays(
            tool, folder, ["a = R.permute_dims(w)", "z = R.add(R.take(a, R.const([1, 2, 3, 4]), axis=0), R.reshape(x, R.shape([4, 1])))"], "z",
            ["add"])),
        ("the same constants again", lambda folder: repeatable(tool, folder)),
        ("loops without a bound stay", lambda folder: endless(tool, folder)),
        ("for another machine", lambda folder: foreign(tool, folder)),
    ]
    print(f"1..{len(tests)}")
    failed = 0
    for i, (name, test) in enumerate(tests, 1):
        with tempfile.TemporaryDirectory() as folder:
            try:
                test(pathlib.Path(folder))
                print(f"ok {i} - {name}", flush=True)
            except (AssertionError, subprocess.TimeoutExpired) as error:
                failed += 1
                print(f"not ok {i} - {name}")
                print("\n".join("# " + line for line in str(error).splitlines()), flush=True)
    return failed > 0


sys.exit(main())
