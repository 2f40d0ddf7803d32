#!/usr/bin/env python3
"""BindParams: names of PyTorch, files that are mapped, wherever their tensors lie.  Prints TAP.

usage: bind_params.py TOOL
"""
import json
import os
import pathlib
import struct
import subprocess
import sys
import tempfile

TIMEOUT = 60 * int(os.environ.get("INLAY_SLOW", "1"))
IS_SANITIZED = "ASAN_OPTIONS" in os.environ
HEAD = """from tvm.script import ir as I
from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
"""
NAMES = HEAD + """    def main(x: R.Tensor((4,), "float32"), fc_0_weight: R.Tensor((4,), "float32"), _0_bias: R.Tensor((4,), "float32")):
        y = R.multiply(x, fc_0_weight)
        z = R.add(y, _0_bias)
        return z
"""
WIDE = HEAD + """    def main(x: R.Tensor((3, 512), "float32"), w: R.Tensor((512, 300), "float32"), b: R.Tensor((300,), "float32")):
        y = R.matmul(x, w)
        z = R.add(y, b)
        return (z, w)
"""
LARGE = HEAD + """    def main(x: R.Tensor((1, 4096), "float32"), w: R.Tensor((4096, 16384), "float32")):
        y = R.matmul(x, w)
        return y
"""


def run(tool, folder, *args):
    return subprocess.run([tool, *map(str, args)], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          timeout=TIMEOUT, check=False)


def write(path, tensors, spaces=0):
    """@spaces move all elements by so many bytes."""
    entries, at = {}, 0
    for name, shape, values in tensors:
        entries[name] = {"dtype": "F32", "shape": shape, "data_offsets": [at, at + len(values)]}
        at += len(values)
    head = json.dumps(entries).encode()
    head += b" " * (-(len(head) + 8) % 64 + spaces)
    path.write_bytes(struct.pack("<Q", len(head)) + head + b"".join(values for _, _, values in tensors))


def floats(*values):
    return struct.pack(f"<{len(values)}f", *values)


def by_words(tool, folder):
    (folder / "m.py").write_text(NAMES)
    write(folder / "w.safetensors", [("fc.0.weight", [4], floats(1, 2, 3, 4)), ("0.bias", [4], floats(10, 20, 30, 40))])
    for check in ((), ("--check",)): # the script as it was read gets them, too
        done = run(tool, folder, "run", "m.py", "-p", 'BindParams(file="w.safetensors"),default', "--in", "x=ones", *check)
        assert done.returncode == 0 and "[11. 22. 33. 44.]" in done.stdout, done.stdout + done.stderr


def exact_first(tool, folder):
    (folder / "m.py").write_text(NAMES)
    write(folder / "w.safetensors", [("fc_0_weight", [4], floats(1, 1, 1, 1)), ("_0_bias", [4], floats(1, 2, 3, 4))])
    done = run(tool, folder, "run", "m.py", "-p", 'BindParams(file="w.safetensors"),default', "--in", "x=ones")
    assert done.returncode == 0 and "[2. 3. 4. 5.]" in done.stdout, done.stdout + done.stderr


def twice(tool, folder):
    (folder / "m.py").write_text(NAMES)
    for names in (("fc.0.weight", "fc_0_weight"), ("fc_0_weight", "fc.0.weight"), ("fc.0-weight", "fc.0.weight")):
        write(folder / "w.safetensors", [(name, [4], floats(1, 2, 3, 4)) for name in names])
        done = run(tool, folder, "opt", "m.py", "-p", 'BindParams(file="w.safetensors")')
        first, second = sorted(names)
        assert done.returncode == 1 and "E0691" in done.stderr, done.stderr
        assert f"`{first}` and `{second}` of `w.safetensors` are both parameter `fc_0_weight`" in done.stderr, done.stderr
    write(folder / "w.safetensors", [("fc.1.weight", [4], floats(1, 2, 3, 4))])
    done = run(tool, folder, "opt", "m.py", "-p", 'BindParams(file="w.safetensors")')
    assert done.returncode == 1 and "E0922" in done.stderr and "`fc.1.weight`" in done.stderr, done.stderr


def anywhere(tool, folder):
    """Elements at multiples of 64, of 4 only, and of nothing: the same results, compiled and interpreted."""
    (folder / "m.py").write_text(WIDE)
    w = floats(*[(i * 7 % 31 - 15) / 8 for i in range(512 * 300)])
    b = floats(*[i / 4 for i in range(300)])
    found = set()
    for spaces in (0, 4, 8, 36, 3):
        write(folder / "w.safetensors", [("w", [512, 300], w), ("b", [300], b)], spaces)
        for passes in ("default", "debug"):
            done = run(tool, folder, "run", "m.py", "-p", f'BindParams(file="w.safetensors"),{passes}', "--check", "--in", "x=ones",
                       "--check-memory")
            assert done.returncode == 0, f"{spaces} {passes}: {done.stdout}{done.stderr}"
            found.add(done.stdout)
        before = (folder / "w.safetensors").read_bytes()
        done = run(tool, folder, "compile", "m.py", "-p", 'BindParams(file="w.safetensors"),default', "-o", "m.so", "--weights")
        assert done.returncode == 0, done.stderr
        assert w in (folder / "m.safetensors").read_bytes()
        assert before == (folder / "w.safetensors").read_bytes()
    assert len(found) == 1, found


def mapped(tool, folder):
    """256 MB are bound without being read."""
    (folder / "m.py").write_text(LARGE)
    head = json.dumps({"w": {"dtype": "F32", "shape": [4096, 16384], "data_offsets": [0, 1 << 28]}}).encode()
    head += b" " * (-len(head) % 8) # as PyTorch writes it
    with open(folder / "w.safetensors", "wb") as file:
        file.write(struct.pack("<Q", len(head)) + head)
        file.truncate(8 + len(head) + (1 << 28))
    child = subprocess.Popen([tool, "plan", "m.py", "-p", 'BindParams(file="w.safetensors"),unscheduled'], cwd=folder,
                             stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    assert status == 0, status
    assert IS_SANITIZED or usage.ru_maxrss < 96 * 1024, f"{usage.ru_maxrss} KB"


def damaged(tool, folder):
    (folder / "m.py").write_text(NAMES)
    write(folder / "w.safetensors", [("fc.0.weight", [4], floats(1, 2, 3, 4))])
    data = (folder / "w.safetensors").read_bytes()
    for bad in (b"", data[:7], data[:40], data[:-1], data.replace(b"[4]", b"[5]"), struct.pack("<Q", 1 << 60) + data[8:]):
        (folder / "w.safetensors").write_bytes(bad)
        done = run(tool, folder, "opt", "m.py", "-p", 'BindParams(file="w.safetensors")')
        assert done.returncode == 1 and "E0920" in done.stderr, f"{len(bad)}: {done.returncode} {done.stderr}"


def main():
    tool = os.path.abspath(sys.argv[1])
    tests = [("names of PyTorch", by_words), ("names as they are", exact_first), ("two tensors for one parameter", twice),
             ("elements anywhere in the file", anywhere), ("mapped, not read", mapped), ("damaged files", damaged)]
    print(f"1..{len(tests)}")
    failed = 0
    for i, (name, test) in enumerate(tests, 1):
        with tempfile.TemporaryDirectory() as folder:
            try:
                test(tool, pathlib.Path(folder))
                print(f"ok {i} - {name}", flush=True)
            except AssertionError as error:
                failed += 1
                print(f"not ok {i} - {name}")
                print("\n".join("# " + line for line in str(error).splitlines()), flush=True)
    return failed > 0


sys.exit(main())
