#!/usr/bin/env python3
"""Weights in a file beside an artifact (`inlay compile --weights`): what is written, what each door does with it, and what
is refused, by whom and in which words.  Prints TAP.

usage: artifact_weights.py TOOL ROOT
"""
import json
import os
import pathlib
import random
import re
import shutil
import struct
import subprocess
import sys
import tempfile

TIMEOUT = 60 * int(os.environ.get("INLAY_SLOW", "1"))
ROWS, DEPTH, COLUMNS = 2, 64, 48
SCRIPT = """from tvm.script import ir as I
from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2, 64), "float32"), w: R.Tensor((64, 48), "float32"), b: R.Tensor((48,), "float32"),
             c: R.Tensor((1100,), "float32")) -> R.Tensor((2, 48), "float32"):
        with R.dataflow():
            y = R.matmul(x, w)
            s = R.strided_slice(c, [0], [0], [48])
            t = R.add(b, s)
            z = R.add(y, t)
            R.output(z)
        return z
"""
SIZES = {"F32": 4, "U8": 1}


def run(args, folder, env=None):
    done = subprocess.run([str(arg) for arg in args], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          timeout=TIMEOUT, env={**os.environ, **(env or {})}, check=False)
    return done.returncode, done.stdout + done.stderr


def floats(count, seed):
    rng = random.Random(seed)
    return struct.pack(f"<{count}f", *[rng.randrange(-8, 9) / 8 for _ in range(count)])


def write_safetensors(path, tensors):
    entries, data = {}, b""
    for name, shape, values in tensors:
        entries[name] = {"dtype": "F32", "shape": shape, "data_offsets": [len(data), len(data) + len(values)]}
        data += values
    head = json.dumps(entries).encode()
    path.write_bytes(struct.pack("<Q", len(head)) + head + data)


def read_safetensors(path):
    """{name: (shape, bytes)}, as strict as the format's own reader: without holes, in order, to the end of the file."""
    data = path.read_bytes()
    length = struct.unpack("<Q", data[:8])[0]
    head = json.loads(data[8:8 + length])
    assert all(isinstance(value, str) for value in head.pop("__metadata__").values())
    begin, tensors = 0, {}
    assert data[8 + length - 1:8 + length] in (b" ", b"}")
    for name, entry in sorted(head.items(), key=lambda item: item[1]["data_offsets"]):
        first, end = entry["data_offsets"]
        count = SIZES[entry["dtype"]]
        for dim in entry["shape"]:
            count *= dim
        assert first == begin and end - first == count, (name, entry, begin)
        if not name.startswith("inlay.padding"):
            assert (8 + length + first) % 64 == 0, f"{name} is not aligned"
            tensors[name] = (entry["shape"], data[8 + length + first:8 + length + end])
        begin = end
    assert 8 + length + begin == len(data), "bytes are left at the end"
    return tensors


def compile_to(tool, folder, seed=1, kinds="so,h,o,a,c,json", weights="--weights", script=SCRIPT):
    folder.mkdir(exist_ok=True)
    (folder / "m.py").write_text(script)
    values = {"w": floats(64 * 48, seed), "b": floats(48, seed + 1), "c": floats(1100, seed + 2)}
    write_safetensors(folder / "in.safetensors",
                      [("w", [64, 48], values["w"]), ("b", [48], values["b"]), ("c", [1100], values["c"])])
    # (without passes that compute what depends on weights alone)
    code, output = run([tool, "compile", "m.py", "-p", 'BindParams(file="in.safetensors"),default', "--skip=FoldConstant",
                        "-o", "m.so", f"--emit={kinds}", weights], folder)
    assert code == 0, output
    return values


def build(folder, root, flags=()):
    compiler = os.environ.get("CC", "cc").split()
    subprocess.run([*compiler, "-std=gnu11", "-Wall", "-Werror", "-D_GNU_SOURCE", "-I.", *flags, "-rdynamic",
                    str(root / "tests/artifact/weights.c"), "-o", "host", "-ldl", "-lpthread"], cwd=folder, check=True)


def host(folder, *args, library="./m.so", where=None):
    return run([folder / "host", library, *args], where or folder)


def file_is_right(tool, folder, _root):
    values = compile_to(tool, folder)
    tensors = read_safetensors(folder / "m.safetensors")
    assert tensors == {"w": ([64, 48], values["w"]), "c": ([1100], values["c"])}, tensors.keys()
    manifest = json.loads((folder / "m.json").read_text())["weights"]
    assert manifest["file"] == "m.safetensors" and [t["name"] for t in manifest["tensors"]] == ["w", "c"], manifest
    assert manifest["bytes"] == (folder / "m.safetensors").stat().st_size
    for name in ("m.so", "m.o", "m.a"):
        assert values["w"][:256] not in (folder / name).read_bytes(), f"{name} has them, too"
        code, output = run([tool, "inspect", name], folder)
        assert code == 0 and "weights: 2 tensors in m.safetensors" in output, output


def doors_agree(tool, folder, root):
    values = compile_to(tool, folder)
    build(folder, root)
    code, output = host(folder, "all", "m.safetensors")
    assert code == 0, output
    assert output.count("mappings: 1\n") == 1 and output.count("mappings: 0\n") == 1, output
    w = struct.unpack("<3072f", values["w"])
    b, c = struct.unpack("<48f", values["b"]), struct.unpack("<1100f", values["c"])
    found = [float(word) for word in output.splitlines()[-1].split()]
    for i in range(ROWS):
        for k in range(COLUMNS): # exact: all are small multiples of 1/8
            total = sum(((i * DEPTH + j) % 7 - 3) * w[j * COLUMNS + k] for j in range(DEPTH)) + b[k] + c[k]
            assert found[i * COLUMNS + k] == total, (i, k, total)


def main_program(tool, folder, _root):
    compile_to(tool, folder)
    compiler = os.environ.get("CC", "cc").split()
    subprocess.run([*compiler, "-std=c11", "-Wall", "-Wextra", "-Werror", "m_main.c", "m.a", "-lm", "-o", "main"], cwd=folder, check=True)
    code, output = run([folder / "main"], folder)
    assert code == 0 and "the same bits" in output, output
    code, output = run([folder / "main", "none.safetensors"], folder)
    assert code == 1 and "`none.safetensors` cannot be opened" in output, output


def reproducible(tool, folder, _root):
    compile_to(tool, folder / "one", kinds="so,h,json")
    compile_to(tool, folder / "two", kinds="so,h,json")
    for path in (folder / "one").iterdir():
        assert path.read_bytes() == (folder / "two" / path.name).read_bytes(), path.name


def damaged(folder):
    """{name of a bad file: (words of opening, words of verify)}"""
    good = (folder / "m.safetensors").read_bytes()
    head = struct.unpack("<Q", good[:8])[0]
    (folder / "cut.safetensors").write_bytes(good[:-64])
    (folder / "long.safetensors").write_bytes(good + b"\0")
    (folder / "empty.safetensors").write_bytes(b"")
    (folder / "named.safetensors").write_bytes(good.replace(b'"w"', b'"v"'))
    (folder / "moved.safetensors").write_bytes(good.replace(b"[64,48]", b"[48,64]"))
    (folder / "short_head.safetensors").write_bytes(struct.pack("<Q", head - 1) + good[8:])
    other = "is that of another artifact"
    return {"cut": other, "long": other, "empty": other, "named": "those of another artifact, or were changed",
            "moved": "those of another artifact, or were changed", "short_head": "those of another artifact, or were changed"}


def wrong_files(tool, folder, root):
    compile_to(tool, folder)
    compile_to(tool, folder / "other", seed=9) # the same shapes, other numbers
    build(folder, root)
    bad = damaged(folder)
    shutil.copy(folder / "other/m.safetensors", folder / "strange.safetensors")
    bad["strange"] = "those of another artifact, or were changed"
    bad["none"] = "cannot be opened"
    (folder / "folder.safetensors").mkdir()
    bad["folder"] = "cut off, or is that of another artifact"
    for name, words in bad.items():
        path = f"{name}.safetensors"
        code, output = host(folder, "open", path)
        assert code == 0 and words in output and f"`{path}`" in output, f"{name}: {output}"
        assert "the weights are missing, or those of another artifact" in output, output
        code, output = run([tool, "verify", "m.so", f"--weights={path}"], folder)
        assert code == 4 and "E0749" in output and words in output, f"{name}: {code} {output}"


def wrong_bytes(tool, folder, root):
    compile_to(tool, folder)
    build(folder, root)
    damaged(folder)
    for path, shift, words in (("m", 8, "multiple of 64"), ("m", 32, "multiple of 64"), ("cut", 0, "have"),
                               ("named", 0, "those of another artifact")):
        code, output = host(folder, "use", f"{path}.safetensors", shift)
        assert code == 0 and words in output and "m.safetensors" in output, f"{path}: {output}"


def wrong_calls(tool, folder, root):
    compile_to(tool, folder)
    build(folder, root)
    code, output = host(folder, "entry", "m.safetensors")
    assert code == 0, output
    assert output.count("open `m.safetensors` first") == 2 and output.count("those of another artifact, not `m.safetensors`") == 1, output


def beside(tool, folder, root):
    """The door of tvm-ffi looks beside the library, wherever the process is."""
    compile_to(tool, folder)
    build(folder, root)
    place = folder / "elsewhere"
    place.mkdir()
    code, output = host(folder, "ffi", library="../m.so", where=place)
    assert code == 0 and "fine" in output, output
    for name in ("cut", "strange"):
        target = folder / name
        target.mkdir()
        shutil.copy(folder / "m.so", target / "m.so")
        data = (folder / "m.safetensors").read_bytes()
        (target / "m.safetensors").write_bytes(data[:-1] if name == "cut" else data.replace(b'"w"', b'"u"'))
        code, output = host(folder, "ffi", library=target / "m.so", where=place)
        assert code == 1 and f"RuntimeError: the weights `{target}/m.safetensors`" in output, output
    shutil.copy(folder / "m.so", place / "m.so")
    code, output = host(folder, "ffi", library="./m.so", where=place)
    assert code == 1 and re.search(r"RuntimeError: the weights `.*m.safetensors` cannot be opened", output), output


def threads(tool, folder, root, flags=()):
    compile_to(tool, folder)
    try:
        build(folder, root, flags)
    except subprocess.CalledProcessError:
        return # there is no such sanitizer
    code, output = host(folder, "threads")
    assert code == 0 and "mappings: 1\n" in output, output


def verified(tool, folder, _root):
    compile_to(tool, folder)
    passes = ["-p", 'BindParams(file="in.safetensors")']
    for name in ("m.so", "m.o", "m.a"):
        code, output = run([tool, "verify", name], folder)
        assert code == 0, output
        code, output = run([tool, "verify", name, "--against", "m.py", *passes], folder)
        assert code == 0, output
    path = folder / "m.safetensors"
    data = bytearray(path.read_bytes())
    data[-4000] ^= 1 # of an element: whoever opens it does not see that
    path.write_bytes(data)
    code, output = run([tool, "verify", "m.so"], folder)
    assert code == 4 and "E0749" in output and "tensor `c` was changed" in output, output
    code, output = run([tool, "verify", "m.so", "--weights=in.safetensors"], folder)
    assert code == 4 and "`in.safetensors`" in output, output


def refused(tool, folder, _root):
    compile_to(tool, folder)
    before = sorted((path.name, path.read_bytes()) for path in folder.iterdir())
    passes = ["-p", 'BindParams(file="in.safetensors"),default']
    (folder / "link.safetensors").symlink_to("in.safetensors")
    for args, words in ((["--weights=in.safetensors"], "E0750"), (["--weights=link.safetensors"], "E0750"),
                        (["--weights=none/w.safetensors"], "none/w.safetensors"), (["--weights=/dev/full"], "cannot be written")):
        code, output = run([tool, "compile", "m.py", *passes, "-o", "new.so", *args], folder)
        assert code == 1 and words in output, f"{args}: {code} {output}"
    (folder / "link.safetensors").unlink()
    assert sorted((path.name, path.read_bytes()) for path in folder.iterdir()) == before, "files were changed or left"
    clash = SCRIPT.replace("def main", "def weights_open")
    (folder / "clash.py").write_text(clash)
    code, output = run([tool, "compile", "clash.py", "-o", "m.o", "--weights"], folder)
    assert code == 1 and "E0741" in output and "a function for weights" in output, output
    code, output = run([tool, "compile", "clash.py", "-o", "clash.o", "--prefix=m"], folder)
    assert code == 0, output
    code, output = run([tool, "verify", "clash.o"], folder)
    assert code == 2 and "against which script" in output, output


def without_any(tool, folder, root):
    """Nothing is large enough: the file is there all the same, and so are its functions."""
    script = SCRIPT.replace("(64, 48)", "(64, 8)").replace("(2, 48)", "(2, 8)").replace("(48,)", "(8,)").replace("[48]", "[8]").replace("(1100,)", "(9,)")
    (folder / "m.py").write_text(script)
    write_safetensors(folder / "in.safetensors", [("w", [64, 8], floats(512, 1)), ("b", [8], floats(8, 1)), ("c", [9], floats(9, 1))])
    code, output = run([tool, "compile", "m.py", "-p", 'BindParams(file="in.safetensors"),default', "-o", "m.so", "--emit=so,c,h", "--weights"], folder)
    assert code == 0, output
    assert not read_safetensors(folder / "m.safetensors")
    code, output = run([tool, "verify", "m.so"], folder)
    assert code == 0, output


TIED = SCRIPT[:SCRIPT.index("    @R.function")] + """    @R.function
    def main(x: R.Tensor((64, 48), "float32"), w: R.Tensor((64, 48), "float32"), v: R.Tensor((64, 48), "float32"),
             f: R.Tensor((3072,), "float32")) -> R.Tensor((64, 48), "float32"):
        return R.add(R.add(x, w), R.multiply(v, R.sum(R.multiply(f, R.sum(x)))))
"""


def tied(tool, folder, _root):
    """One tensor under several names and in another shape is there once, in the object or in the file."""
    (folder / "m.py").write_text(TIED)
    values = floats(64 * 48, 1)
    write_safetensors(folder / "in.safetensors", [("w", [64, 48], values), ("v", [64, 48], values), ("f", [3072], values)])
    passes = ["-p", 'BindParams(file="in.safetensors"),default', "--skip=FoldConstant"]
    for more in ([], ["--weights"]):
        code, output = run([tool, "compile", "m.py", *passes, "-o", "m.o", *more], folder)
        assert code == 0, output
        count = (folder / "m.o").read_bytes().count(values)
        assert count == (0 if more else 1), f"{more}: {count}"
        code, output = run([tool, "verify", "m.o", "--against", "m.py", *passes[:2]], folder)
        assert code == 0, output
    found = read_safetensors(folder / "m.safetensors")
    assert [data for _, data in found.values()] == [values], [(name, shape) for name, (shape, _) in found.items()]


def main():
    tool, root = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2]).resolve()
    tests = [
        ("the file", file_is_right),
        ("every door has the same bits", doors_agree),
        ("the test program", main_program),
        ("the same bytes again", reproducible),
        ("wrong files", wrong_files),
        ("wrong bytes in memory", wrong_bytes),
        ("calls without weights, or with others", wrong_calls),
        ("tvm-ffi: beside the library", beside),
        ("tvm-ffi: opened once", threads),
        ("tvm-ffi: opened once, under TSan", lambda *args: threads(*args, ["-fsanitize=thread"])),
        ("verify", verified),
        ("what compile refuses", refused),
        ("no large constants", without_any),
        ("tied weights", tied),
    ]
    print(f"1..{len(tests)}")
    failed = 0
    for i, (name, test) in enumerate(tests, 1):
        with tempfile.TemporaryDirectory() as folder:
            try:
                test(tool, pathlib.Path(folder), root)
                print(f"ok {i} - {name}")
            except (AssertionError, subprocess.CalledProcessError) as error:
                failed += 1
                print(f"not ok {i} - {name}")
                print("\n".join("# " + line for line in str(error).splitlines()))
    return failed > 0


sys.exit(main())
