#!/usr/bin/env python3
"""The wheel of scripts/wheel: made, installed, and used as docs/python.md says. Prints TAP.

usage: wheel.py TOOL ROOT
"""
import base64
import csv
import hashlib
import io
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import zipfile

DOUBLE = '''from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n",), "float32"), y: R.Tensor(("n",), "float32")):
        R.func_attr({"relax.inplace_arg": [0]})
        a = R.add(x, y)
        b = R.exp(y)
        return (a, (b, a))
'''
HEAD = f"import gc, threading, numpy, inlay\nDOUBLE = {DOUBLE!r}\nones = lambda n, value=1: numpy.full(n, value, 'float32')\n"
REFUSED = '''
def refused(kinds, what, *args):
    try:
        f(*args)
    except kinds as problem:
        assert what in str(problem), problem
        return
    raise AssertionError(f"{what}: accepted")
f = inlay.compile(DOUBLE)
'''
# What is done by a user; each is a program of its own.
PROGRAMS = {
    "results are new arrays, donated ones the arguments": '''
f = inlay.compile(DOUBLE)
x, y = ones(5), ones(5, 2)
a, (b, again) = f(x, y)
assert a is x and again is x and (x == 3).all() and (y == 2).all() and abs(b - numpy.exp(y)).max() < 1e-5
a, _ = f(y=y, x=x)
assert a is x and (x == 5).all()
''',
    "wrong arguments are refused": REFUSED + '''
refused(TypeError, "the arguments are x, y", ones(4))
refused(TypeError, "the arguments are x, y", ones(4), ones(4), ones(4))
refused(TypeError, "is a str", ones(4), "4")
refused(inlay.Error, "dimension 0 of argument 2", ones(4), ones(5))
refused(inlay.Error, "float64", ones(4), numpy.ones(4))
refused(inlay.Error, "strided", ones(4), ones(8)[::2])
fixed = ones(4)
fixed.flags.writeable = False
refused((ValueError, TypeError), "x", fixed, ones(4))
f(ones(4), ones(4))
''',
    "errors have diagnostics": '''
try:
    inlay.compile(DOUBLE.replace("R.exp", "R.expp"))
except inlay.Error as error:
    first = error.diagnostics[0]
    assert first.severity == "error" and first.line == 10 and first.code.startswith("E") and "expp" in str(error), error
else:
    raise AssertionError("accepted")
''',
    "why says what stands against it": '''
found = inlay.why(DOUBLE)
assert [item.value for item in found] and all(item.reason for item in found) and "x" in str(found), found
''',
    "large results go back with their last array": '''
def resident():
    return int(open("/proc/self/statm").read().split()[1]) * 4096
f = inlay.compile(DOUBLE.replace('        R.func_attr({"relax.inplace_arg": [0]})\\n', ""))
x = ones(4 << 20)
f(x, x)
before = resident()
for _ in range(40):
    a, (b, _) = f(x, x)
assert resident() - before < 200 << 20, resident() - before
kept = [f(x, ones(4 << 20, i))[0] for i in range(4)]
gc.collect()
assert [k[-1] for k in kept] == [1, 2, 3, 4]
del f
gc.collect()
assert [k[0] for k in kept] == [1, 2, 3, 4]
''',
    "threads call one module": '''
f = inlay.compile(DOUBLE)
bad = []
def call(number):
    for i in range(50):
        a, (b, _) = f(ones(1000, number), ones(1000, i))
        if not (a == number + i).all():
            bad.append((number, i))
threads = [threading.Thread(target=call, args=(n,)) for n in range(4)]
[t.start() for t in threads]
[t.join() for t in threads]
assert not bad
''',
}

TORCH = '''
import copy, warnings, torch
def both(f, *args):
    """Results and arguments behind a call, compiled and not."""
    torch._dynamo.reset()
    mine, theirs = copy.deepcopy(args), copy.deepcopy(args)
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        got = torch.compile(f, backend="inlay")(*mine)
    wanted = f(*theirs)
    for a, b in zip(torch.utils._pytree.tree_leaves((got, mine)), torch.utils._pytree.tree_leaves((wanted, theirs))):
        assert a.dtype == b.dtype and torch.allclose(a.double(), b.double(), atol=1e-5), (a, b)
    return [str(item.message) for item in said if "inlay leaves" in str(item.message)]
model = torch.nn.Sequential(torch.nn.Linear(8, 16), torch.nn.ReLU(), torch.nn.Linear(16, 4)).eval()
x = torch.rand(4, 6)
said = both(model, torch.rand(2, 8))
assert "gradients" in said[0], said
with torch.no_grad():
    assert not both(model, torch.rand(2, 8))
    assert not both(lambda a, i: (a @ a.t(), a[i], a.argmax(-1), a > 0.5), x, torch.tensor([0, 2]))
    assert not both(lambda a: a * 2, x[:, ::2])
    assert "in place" in both(lambda a: a.add_(1) * 2, x)[0]
    assert "look" in both(lambda a: (a * 2, a.view(6, 4)), x)[0]
    fast = torch.compile(model, backend="inlay")
    y = torch.rand(3, 8)
    fast(y)
    model[0].weight.add_(1.0)
    assert torch.allclose(fast(y), model(y))
    for rows in (5, 7):
        assert torch.allclose(fast(torch.ones(rows, 8)), model(torch.ones(rows, 8)), atol=1e-5)
    torch._dynamo.reset()
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        drop = torch.compile(lambda a: torch.nn.functional.dropout(a, 0.5, True), backend="inlay")(torch.ones(1000))
    assert 200 < (drop == 0).sum() < 800 and "each time" in str(said[-1].message), said
'''


def python_with_numpy():
    for python in (sys.executable, "/usr/bin/python3"):
        if pathlib.Path(python).exists() and subprocess.run([python, "-c", "import numpy"], capture_output=True, check=False).returncode == 0:
            return python
    return None


def is_whole(path):
    """Does each file of the wheel have the digest that RECORD says?"""
    with zipfile.ZipFile(path) as archive:
        record = next(name for name in archive.namelist() if name.endswith("/RECORD"))
        rows = {row[0]: row[1] for row in csv.reader(io.StringIO(archive.read(record).decode())) if row}
        for name in archive.namelist():
            wanted = base64.urlsafe_b64encode(hashlib.sha256(archive.read(name)).digest()).rstrip(b"=").decode()
            if name != record and rows.get(name) != f"sha256={wanted}":
                return False
        return set(rows) == set(archive.namelist())


def install(path, folder):
    """What installing does to the files; by pip where it is there."""
    made = subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--target", folder, path], capture_output=True, text=True,
                          check=False)
    if made.returncode != 0 and "No module named pip" not in made.stderr:
        return made.stderr
    if made.returncode != 0:
        with zipfile.ZipFile(path) as archive:
            for entry in archive.infolist():
                target = archive.extract(entry, folder)
                pathlib.Path(target).chmod(entry.external_attr >> 16)
    return ""


def snippets(root):
    """What docs/python.md shows, as one program; torch is for who has it."""
    text = (root / "docs/python.md").read_text().split("\n## torch\n")[0]
    return "\n".join(re.findall(r"```python\n(.*?)```", text, re.S))


def main():
    if os.environ.get("INLAY_SLOW"):
        print("1..0 # SKIP a library with sanitizers cannot be loaded into Python")
        return 0
    build, root = pathlib.Path(sys.argv[1]).resolve().parent, pathlib.Path(sys.argv[2])
    programs = {**PROGRAMS, "the page's programs run": snippets(root)}
    print(f"1..{len(programs) + 3}")
    failed = 0

    def put(number, title, why, skip=""):
        nonlocal failed
        failed += bool(why)
        print(f"{'not ok' if why else 'ok'} {number} - {title}{' # SKIP ' + skip if skip else ''}", flush=True)
        for line in why.strip().splitlines()[-12:]:
            print("#", line)

    with tempfile.TemporaryDirectory() as folder:
        made = subprocess.run([sys.executable, root / "scripts/wheel", build, folder], capture_output=True, text=True, check=False)
        path = made.stdout.strip()
        put(1, "a wheel is made, whole", made.stderr if made.returncode else "" if is_whole(path) else "RECORD does not fit")
        problem = install(path, f"{folder}/site") if made.returncode == 0 else "there is no wheel"
        if not problem:
            tool = subprocess.run([f"{folder}/site/inlay/_lib/inlay", "--version"], capture_output=True, text=True, check=False)
            problem = "" if tool.stdout.startswith("inlay ") else tool.stderr or "no version"
        put(2, "it is installed, with the tool", problem)
        python = python_with_numpy()
        for number, (title, program) in enumerate(programs.items(), 3):
            if python is None:
                put(number, title, "", "there is no NumPy here: python3-numpy")
                continue
            ran = subprocess.run([python, "-X", "faulthandler", "-c", HEAD + program], capture_output=True, text=True, check=False, timeout=120,
                                 env={"PYTHONPATH": f"{folder}/site", "PATH": "/usr/bin:/bin", "HOME": folder})
            put(number, title, "" if ran.returncode == 0 else f"exit {ran.returncode}\n{ran.stderr}")
        title, environment = "torch.compile takes what it can", {"PYTHONPATH": f"{folder}/site", "PATH": "/usr/bin:/bin", "HOME": folder}
        peers = root / "build/peers/bin/python"
        torch = next((p for p in (python, peers) if p and subprocess.run([p, "-c", "import torch, onnxscript"], capture_output=True, check=False).returncode == 0), None)
        if torch is None:
            put(len(programs) + 3, title, "", "there is no torch with onnxscript here: scripts/peers --plans makes its environment")
        else:
            ran = subprocess.run([torch, "-c", HEAD + TORCH], capture_output=True, text=True, check=False, timeout=600, env=environment)
            put(len(programs) + 3, title, "" if ran.returncode == 0 else f"exit {ran.returncode}\n{ran.stderr}")
    return failed > 0


sys.exit(main())
