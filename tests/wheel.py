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
import shlex
import shutil
import subprocess
import sys
import sysconfig
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
assert repr(f).startswith("<inlay.Module: x: R.Tensor((n,), dtype=\\"float32\\"), donated; y: "), f
a, (b, again) = f(x, y)
assert a is x and again is x and (x == 3).all() and (y == 2).all() and abs(b - numpy.exp(y)).max() < 1e-5
a, _ = f(y=y, x=x)
assert a is x and (x == 5).all()
''',
    "wrong arguments are refused": REFUSED + '''
f = inlay.compile
for what in (None, b"text", 3):
    refused(TypeError, "path of a .py or .onnx file", what)
f = inlay.compile(DOUBLE)
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
    "all kinds of arguments": REFUSED + '''
HEAD = "from tvm.script import ir as I\\nfrom tvm.script import relax as R\\n@I.ir_module\\nclass Module:\\n    @R.function\\n"
PARTS = 't: R.Tuple(R.Tensor((2, 3), "int64"), R.Tuple(R.Prim("int64"), R.Prim("bool"))), s: R.Shape(["a", "b"]), r: R.Prim("float32")'
g = inlay.compile(HEAD + f"    def main({PARTS}):\\n        return (t[1][0], (t[1][1], t[0]), s, r)\\n")
x = numpy.arange(6).reshape(2, 3)
for t in ((x, (7, True)), [x, [7, True]]):
    n, (b, same), s, r = g(t, (3, 4), 0.5)
    assert n == 7 and b is True and same is x and s == (3, 4) and r == 0.5, (n, b, same, s, r)
f = g
refused(OverflowError, "", (x, (2 ** 63, True)), (3, 4), 0.5)
refused(TypeError, "5 tensors and numbers are needed", (x, (7, True), 1), (3, 4), 0.5)
deep = []
deep.append(deep)
refused(RecursionError, "", deep, (3, 4), 0.5)
dtypes = "bool int8 uint8 int16 uint16 int32 uint32 int64 uint64 float16 float32 float64".split()
for dtype in dtypes:
    for dims in ((), (0, 3), (5,), (2, 1, 2, 1, 2, 1, 2, 1, 2, 1)):
        f = inlay.compile(HEAD + f"    def main(x: R.Tensor({dims}, \\"{dtype}\\")):\\n        return (x, R.flip(x, axis=0))\\n".replace("R.flip(x, axis=0)", "R.flip(x, axis=0)" if dims else "R.copy(x)"))
        x = (numpy.arange(numpy.prod(dims, dtype=int)) % 2).reshape(dims).astype(dtype)
        same, y = f(x)
        assert same is x and y.dtype == x.dtype and y.shape == dims and y.flags.writeable and y.flags.c_contiguous, (dtype, dims, y)
        assert (y == (x[::-1] if dims else x)).all() and not numpy.shares_memory(x, y), (dtype, dims, y)
        x.flags.writeable = False
        assert (f(x)[1] == y).all()
        if dims == (5,):
            refused(inlay.Error, "(5,)", x[:4])
            if x.itemsize > 1:
                refused(TypeError, "`x` cannot be borrowed", x.astype(x.dtype.newbyteorder()))
            odd = numpy.frombuffer(b"." + x.tobytes(), "uint8")[1:].view(x.dtype) if x.itemsize > 1 else None
            odd is None or refused((inlay.Error, TypeError), "align", odd)
    refused((TypeError, inlay.Error), "x", numpy.zeros(dims, "complex64"))
    refused((TypeError, inlay.Error), "x", numpy.zeros(dims, object))
many = ", ".join(f"x{i}: R.Tensor((3,), \\"float32\\")" for i in range(20))
f = inlay.compile(HEAD + f"    def main({many}):\\n        return R.add(x0, x19)\\n")
assert (f(*[ones(3, i) for i in range(20)]) == 19).all() and (f(**{f"x{i}": ones(3, i) for i in range(20)}) == 19).all()
''',
    "results that lie in arguments hold them, and no others": '''
import sys
f = inlay.compile(DOUBLE.replace("return (a, (b, a))", "return (a, R.expand_dims(y, axis=0))").replace("        b = R.exp(y)\\n", "")
                  .replace('        R.func_attr({"relax.inplace_arg": [0]})\\n', ""))
x, y = ones(5), ones(5, 2)
counts = sys.getrefcount(x), sys.getrefcount(y)
a, view = f(x, y)
assert sys.getrefcount(x) == counts[0], "a result of its own holds no argument"
assert not numpy.shares_memory(view, y) or sys.getrefcount(y) == counts[1] + 1
y.flags.writeable = False
a, view = f(x, y)
assert not (numpy.shares_memory(view, y) and view.flags.writeable), "what may not be written cannot be, by another name"
del y
gc.collect()
assert (view == 2).all() and (a == 3).all()
''',
    "results are put where the caller wants them": REFUSED + '''
import sys
x, y = ones(5), ones(5, 2)
want, same = numpy.exp(y), x + y
b, again = ones(5, 7), ones(5, 7)
a, (c, d) = f.into((x, (b, again)), x, y)
assert a is x and c is b and d is again and (x == same).all() and abs(b - want).max() < 1e-5 and (again == same).all()
place = numpy.full(8, 7.0, "float32")
a, (c, d) = f.into([numpy.empty(5, "float32"), [place[2:7], again]], y=y, x=x)
assert (x == same + y).all() and abs(place[2:7] - want).max() < 1e-5 and list(place[[0, 1, 7]]) == [7, 7, 7], "and nowhere else"
def into(wanted, places, *more, is_known=True):
    kinds, what = wanted
    x[:] = 1
    try:
        f.into(places, x, y, *more)
    except kinds as problem:
        assert what in str(problem), problem
        assert (x == 1).all() or not is_known, "nothing is computed first"
        return
    raise AssertionError(f"{what}: accepted")
both = numpy.zeros(10, "float32")
into((inlay.Error, "shares memory with argument 2"), (x, (y, again)))
into((inlay.Error, "shares memory with"), (x, (both[:5], both[4:9])))
into((inlay.Error, "shares memory with"), (x, (b, b)))
into((inlay.Error, "result 2 has 20 bytes, but"), (x, (ones(4), again)), is_known=False)
into((inlay.Error, "dimensions"), (x, (ones(5).reshape(1, 5), again)))
into((inlay.Error, "float64"), (x, (numpy.ones(5), again)))
into((inlay.Error, "strided"), (x, (both[::2], again)))
into(((inlay.Error, TypeError), "align"), (x, (numpy.zeros(21, "uint8")[1:].view("float32"), again)))
into((inlay.Error, "needs a tensor that it is put into"), (x, (None, again)))
into((ValueError, "writable"), (x, (numpy.frombuffer(bytes(20), "float32"), again)))
into((TypeError, "is a float"), (x, (1.5, again)))
into((TypeError, "3 places for results are needed"), (x, (b,)))
into((TypeError, "the arguments are x, y"), (x, (b, again)), y)
assert (y == 2).all()
f.into((x, (b, again)), x, y)
blocks = sys.getallocatedblocks()
for _ in range(1000):
    f.into((x, (b, again)), x, y)
assert sys.getallocatedblocks() < blocks + 10, "a call leaves nothing"
many = ", ".join(f"x{i}: R.Tensor((3,), \\"float32\\")" for i in range(20))
sums = ", ".join(f"R.add(x{i}, x{19 - i})" for i in range(20))
HEAD = "from tvm.script import ir as I\\nfrom tvm.script import relax as R\\n@I.ir_module\\nclass Module:\\n    @R.function\\n"
g = inlay.compile(HEAD + f"    def main({many}):\\n        return ({sums})\\n")
places = tuple(ones(3, 0) for i in range(20))
assert all(result is place and (place == 19).all() for result, place in zip(g.into(places, *[ones(3, i) for i in range(20)]), places))
empty = numpy.zeros((0, 3), "float32")
h = inlay.compile(HEAD + '    def main(x: R.Tensor(("n", 3), "float32"), k: R.Prim("int64")):\\n        return (R.negative(x), k)\\n')
out = numpy.ones((2, 3), "float32")
assert h.into((empty, None), empty.copy(), 4)[0] is empty
result, n = h.into((out, None), numpy.full((2, 3), 2, "float32"), 4)
assert result is out and (out == -2).all() and n == 4
for wrong, what in ((numpy.zeros((0, 4), "float32"), "but has (0, 4)"), (numpy.zeros((1, 3), "float32"), "dimension 0")):
    try:
        h.into((wrong, None), empty, 4)
        raise AssertionError("accepted")
    except inlay.Error as problem:
        assert what in str(problem), problem
''',
    "a call costs little, and leaves nothing": REFUSED + '''
import sys, time
f = inlay.compile(DOUBLE, threads=1)
x, y, odd = ones(16, 0), ones(16), ones(3)
def times(count, call):
    begin = time.process_time()
    for _ in range(count):
        call()
    return (time.process_time() - begin) / count
ratio = sorted(times(3000, lambda: f(x, y)) / times(3000, lambda: (numpy.add(x, y), numpy.exp(y))) for _ in range(7))[3]
assert ratio < 4, f"a call takes {ratio} times as long as NumPy's two"
def resident():
    return int(open("/proc/self/statm").read().split()[1]) * 4096
def state():
    gc.collect()
    return [sys.getrefcount(one) for one in (x, y, odd, f, type(f), DOUBLE)]
def wrong():
    refused(inlay.Error, "dimension 0", x, odd)
    refused(TypeError, "is a str", x, "y")
    refused(TypeError, "the arguments are", x)
for _ in range(100):
    f(x, y), wrong()
before, bytes_before = state(), resident()
for _ in range(100000):
    f(x, y)
for _ in range(500):
    wrong(), f(y=y, x=x)
assert state() == before, (state(), before)
assert resident() - bytes_before < 4 << 20, resident() - bytes_before
''',
    "caches grow in their storage": REFUSED + '''
GROW = DOUBLE.replace('("n",)', '("n", 4)').replace('y: R.Tensor(("n", 4)', "y: R.Tensor((1, 4)").replace("[0]}", '[0], "relax.capacity": {"x": 8}}').replace(
    "R.add(x, y)", "R.concat((x, y), axis=0)")
f = inlay.compile(GROW)
storage, other, row = numpy.zeros((8, 4), "float32"), numpy.zeros((16, 4), "float32"), lambda i: numpy.full((1, 4), i, "float32")
rows = storage[:0]
for i in range(8):
    rows, (e, again) = f(inlay.Room(rows, storage), row(i))
    assert rows.shape == again.shape == (i + 1, 4) and rows.ctypes.data == storage.ctypes.data and rows[-1, 3] == i and abs(e - numpy.exp(i)).max() < 1e-2 * numpy.exp(i)
rows, e = storage[:0], numpy.zeros((1, 4), "float32")
for i in range(8):
    rows, (exps, again) = f.into((storage[:i + 1], (e, storage[:i + 1])), inlay.Room(rows, storage), row(i))
    assert exps is e and rows.shape == again.shape == (i + 1, 4) and rows.ctypes.data == storage.ctypes.data and (rows[:, 1] == numpy.arange(i + 1)).all(), rows
refused(inlay.Error, "has room for 8", inlay.Room(rows, storage), row(8))
refused(inlay.Error, "inlay.Room", storage[:2], row(1))
refused(inlay.Error, "must have room for 128 bytes", inlay.Room(storage[:2], storage[:4]), row(1))
refused(ValueError, "does not begin where it does", inlay.Room(storage[1:2], storage), row(1))
refused(ValueError, "strided", inlay.Room(other[:2], other[:, :2]), row(1))
try:
    inlay.Room(storage, 3)
except TypeError as problem:
    assert "not a int" in str(problem)
else:
    raise AssertionError("no storage is one")
assert (storage[:, 0] == numpy.arange(8)).all()
fixed = storage.view()
fixed.flags.writeable = False
refused(ValueError, "not writable", inlay.Room(storage[:2], fixed), row(1))
storage = numpy.ones((8, 4), "float32")
rows, _ = f(inlay.Room(storage[:0], storage), row(7))
del storage
gc.collect()
assert (rows == 7).all(), "a result holds its storage, also where the argument was empty"
''',
    "options outlive what they were made of": '''
import os
import inlay._library
kept = [inlay.compile(DOUBLE, dims={"n": 4}, cache=os.getcwd() + "/" + "c" * i) for i in range(1, 3)]
for f in kept:
    texts = [os.fsencode("x" * i) for i in range(400)]
    assert f._options.cache.endswith(b"c") and (f(ones(4), ones(4))[0] == 2).all()
''',
    "results are dropped while others call": '''
f = inlay.compile(DOUBLE.replace('        R.func_attr({"relax.inplace_arg": [0]})\\n', ""))
bad = []
def call(number):
    kept = []
    for i in range(300):
        kept.append(f(ones(1000, number), ones(1000, i))[0])
        if i % 3 == 0:
            bad.extend(one[-1] for one in kept[:1] if one[0] - number != one[-1] - number)
            kept.clear()
        f.text, f.decisions
threads = [threading.Thread(target=call, args=(n,)) for n in range(4)]
[t.start() for t in threads]
[t.join() for t in threads]
assert not bad
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
table = found._repr_html_()
assert table.count("<tr>") == 1 + len(found) and "a = R.add(x, y)" in table and "bytes" in str(found), table
assert "<b>" not in inlay.why(DOUBLE.replace("R.add(x, y)", "R.add(x, y) # <b>"))._repr_html_()
nothing = DOUBLE.replace("        a = R.add(x, y)\\n        b = R.exp(y)\\n", "").replace("(a, (b, a))", "x")
assert "nothing" in inlay.why(nothing)._repr_html_() and "nothing" in str(inlay.why(nothing))
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
import copy, sys, time, warnings, torch
def both(f, *args):
    """Results and arguments behind a call, compiled and not."""
    torch._dynamo.reset()
    mine, theirs = copy.deepcopy(args), copy.deepcopy(args)
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        got = torch.compile(f, backend="inlay")(*mine)
    wanted = f(*theirs)
    for a, b in zip(torch.utils._pytree.tree_leaves((got, mine)), torch.utils._pytree.tree_leaves((wanted, theirs))):
        assert a.dtype == b.dtype and torch.allclose(a.cdouble(), b.cdouble(), atol=1e-5), (a, b)
    return [str(item.message) for item in said if "inlay leaves" in str(item.message)]
f = inlay.compile(DOUBLE)
a, b = torch.zeros(5), torch.ones(5)
once, (e, again) = f(a, b)
assert once is a and again is a and type(e) is torch.Tensor and (a == 1).all() and torch.allclose(e, b.exp())
before = sys.getrefcount(a), sys.getrefcount(b), sys.getrefcount(f)
begin = time.process_time()
for _ in range(20000):
    f(a, b)
mine, begin = time.process_time() - begin, time.process_time()
for _ in range(20000):
    torch.add(a, b), torch.exp(b)
assert mine < 4 * (time.process_time() - begin), (mine, time.process_time() - begin)
gc.collect()
assert (sys.getrefcount(a), sys.getrefcount(b), sys.getrefcount(f)) == before
kept = f(torch.zeros(5), b)[1][0]
del f
gc.collect()
assert torch.allclose(kept, b.exp())
f = inlay.compile(DOUBLE.replace('("n",)', '("n", 4)').replace('y: R.Tensor(("n", 4)', "y: R.Tensor((1, 4)").replace("[0]}", '[0], "relax.capacity": {"x": 8}}').replace(
    "R.add(x, y)", "R.concat((x, y), axis=0)"))
storage = torch.zeros(8, 4)
rows = storage[:0]
for i in range(8):
    rows, _ = f(inlay.Room(rows, storage), torch.full((1, 4), float(i)))
assert rows.data_ptr() == storage.data_ptr() and storage[:, 0].tolist() == list(range(8))
f = inlay.compile(DOUBLE.replace("float32", "bfloat16"))
assert f(torch.zeros(3, dtype=torch.bfloat16), torch.ones(3, dtype=torch.bfloat16))[1][0].dtype == torch.bfloat16
f = inlay.compile(DOUBLE.replace("float32", "bool").replace("R.add", "R.logical_or").replace("R.exp", "R.logical_not"))
assert f(torch.tensor([True, False]), torch.tensor([False, False]))[1][0].tolist() == [True, True]
f = inlay.compile(DOUBLE)
opposite = torch.imag(torch.tensor([1 + 2j, 3 - 4j]).conj())
for wrong, what in ((opposite, "opposite signs"), (torch.ones(2, requires_grad=True), "gradient"), (torch.ones(2).to_sparse(), "cannot be borrowed"), (torch.ones(4)[::2], "strided"),
                    (torch.ones(2, device="meta"), "meta")):
    try:
        f(torch.zeros(2), wrong)
    except (TypeError, inlay.Error) as problem:
        assert what in str(problem), problem
    else:
        raise AssertionError(what)
model = torch.nn.Sequential(torch.nn.Linear(8, 16), torch.nn.ReLU(), torch.nn.Linear(16, 4)).eval()
x = torch.rand(4, 6)
said = both(model, torch.rand(2, 8))
assert "gradients" in said[0], said
with torch.no_grad():
    assert not both(model, torch.rand(2, 8))
    assert not both(lambda a, i: (a @ a.t(), a[i], a.argmax(-1), a > 0.5), x, torch.tensor([0, 2]))
    assert not both(lambda a: a * 2, x[:, ::2])
    pair = torch.tensor([1 + 2j, 3 - 4j])
    assert not both(lambda a: a * 2, torch.imag(pair.conj())), "what lies in memory is its opposite"
    layer = torch.nn.TransformerEncoderLayer(16, 2, 32, batch_first=True).eval()
    said = both(layer, torch.rand(2, 3, 16))
    assert all("cannot be exported" in one and "\\x1b" not in one and "step 3/3" not in one for one in said), said
    assert "in place" in both(lambda a: a.add_(1) * 2, x)[0]
    assert "complex" in both(lambda a: torch.fft.fft(a), x)[0]
    assert "complex" in both(lambda a: a * 2, pair)[0]
    assert not both(lambda a: torch.fft.fft(a).abs(), x)
    assert "look" in both(lambda a: (a * 2, a.view(6, 4)), x)[0]
    fast = torch.compile(model, backend="inlay")
    y = torch.rand(3, 8)
    fast(y)
    model[0].weight.add_(1.0)
    assert torch.allclose(fast(y), model(y))
    torch._dynamo.reset()
    try:
        torch.compile(torch.nn.Linear(8, 2), backend="inlay")(torch.ones(2, 8, dtype=torch.float64))
    except RuntimeError as problem:
        assert "same dtype" in str(problem) and "backend" not in type(problem).__name__.lower(), problem
    else:
        raise AssertionError("torch refuses it")
    torch._dynamo.reset()
    fast(y)
    def leaves(fast, *sizes):
        """What is said while @fast is called with each of these numbers of rows."""
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            for rows in sizes:
                assert torch.allclose(fast(torch.ones(rows, 8)), model(torch.ones(rows, 8)), atol=1e-5)
        return [str(item.message) for item in said if "inlay leaves" in str(item.message)]
    assert not leaves(fast, 5, 7, 1, 0, 300), "open sizes are compiled"
    torch._dynamo.reset()
    assert not leaves(torch.compile(model, backend="inlay", dynamic=True), 3, 5, 1, 0, 300)
    torch._dynamo.reset()
    assert not leaves(torch.compile(model, backend="inlay", dynamic=False), 2, 3, 5)
    def at_sizes(f, *calls):
        """What is said while @f is called with each of these arguments; and of how many graphs there is a module."""
        torch._dynamo.reset()
        made, fast, compile = [], torch.compile(f, backend="inlay"), inlay.compile
        inlay.compile = lambda *args, **options: made.append(compile(*args, **options)) or made[-1]
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            for given in calls:
                for a, b in zip(torch.utils._pytree.tree_leaves(fast(*given)), torch.utils._pytree.tree_leaves(f(*given))):
                    assert type(a) is type(b) and (torch.equal(torch.tensor(a.shape), torch.tensor(b.shape)) and a.dtype == b.dtype and torch.allclose(a, b, atol=1e-5)
                                                   if isinstance(a, torch.Tensor) else a == b), (a, b)
        inlay.compile = compile
        return [str(item.message) for item in said if "inlay leaves" in str(item.message)], len(made)
    rows = lambda *sizes: [(torch.rand(n, 4),) for n in sizes]
    assert at_sizes(lambda a: (a.view(a.shape[0], 2, 2) * a.shape[0], a.shape[0]), *rows(3, 5, 4, 1, 0, 70)) == ([], 4), "of the first, of all, of 1 and of 0"
    assert at_sizes(lambda a, b: a.reshape(-1, 4) + b, *[(torch.rand(4 * n), torch.rand(n, 4)) for n in (3, 5, 4, 1, 0)])[0] == [], "a size is four times another"
    assert at_sizes(lambda a, b: a @ b.t(), *[(torch.rand(n, 4), torch.rand(m, 4)) for n, m in ((3, 3), (3, 5), (4, 6), (5, 5), (1, 7), (7, 1), (0, 2))])[0] == []
    assert at_sizes(lambda a: a[::2] * 2 if a.shape[0] % 2 == 0 else a + 1, *rows(3, 5, 4, 6, 7, 8))[0] == [], "what the sizes decide holds for those only"
    said, made = at_sizes(lambda a, k: a * k, *[(torch.rand(3, 4), k) for k in (2, 3, 4)])
    assert len(said) == 1 and "neither a tensor nor a size" in said[0], said
    class Attention(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.make = torch.nn.Linear(8, 24)
        def forward(self, x):
            q, k, v = self.make(x).view(x.shape[0], x.shape[1], 3, 2, 4).permute(2, 0, 3, 1, 4)
            return torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).reshape(x.shape)
    assert at_sizes(Attention(), *[(torch.rand(n, m, 8),) for n, m in ((2, 3), (3, 3), (3, 5), (4, 9), (1, 6), (5, 1), (0, 4))])[0] == []
    odd = torch.tensor([torch.nan, torch.inf, -torch.inf, 0.0, -0.0, 2.5, -1e-40, -200.0, 200.0])
    pairs = torch.meshgrid(odd, odd, indexing="ij")
    def as_torch(f, *args):
        """Is @f compiled or left, but for numbers at the edge right?"""
        torch._dynamo.reset()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            a, b = torch.compile(f, backend="inlay")(*args), f(*args)
        assert a.dtype == b.dtype and torch.equal(torch.nan_to_num(a, 7, 8, 9), torch.nan_to_num(b, 7, 8, 9)), (f, a, b)
    for f in (torch.sign, torch.sgn):
        assert not both(f, torch.tensor([2.0, -3.0, 0.0])) and not both(f, torch.arange(-2, 3)) and not both(f, torch.zeros(0, 2))
        for dtype in (torch.float16, torch.float32, torch.float64):
            as_torch(f, odd.to(dtype))
    as_torch(torch.signbit, odd), as_torch(torch.nn.functional.logsigmoid, odd)
    for f in (torch.atan2, torch.heaviside, torch.logaddexp, torch.logaddexp2, torch.xlogy, torch.special.xlog1py):
        as_torch(f, *pairs)
    torch._dynamo.reset()
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        drop = torch.compile(lambda a: torch.nn.functional.dropout(a, 0.5, True), backend="inlay")(torch.ones(1000))
    assert 200 < (drop == 0).sum() < 800 and "each time" in str(said[-1].message), said
'''


def pythons_with_numpy():
    """Of each version of Python that is here, one that has NumPy; of those that INLAY_PYTHONS names, too."""
    found = {}
    for python in (sys.executable, "/usr/bin/python3", *os.environ.get("INLAY_PYTHONS", "").split(":")):
        asked = "import sys, numpy; print(sys.version_info >= (3, 9) and '%d.%d, NumPy %s' % (*sys.version_info[:2], numpy.__version__) or '')"
        version = subprocess.run([python, "-c", asked], capture_output=True, text=True, check=False).stdout.strip() if python and pathlib.Path(python).exists() else ""
        if version:
            found.setdefault(version, python)
    return found


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


def need_beyond(folder):
    """What programs in @folder ask for beyond it but glibc, or a newer one of this than the tag says; "": nothing."""
    tag = next(pathlib.Path(folder).glob("*.dist-info/WHEEL")).read_text()
    least = tuple(map(int, re.search(r"manylinux_(\d+)_(\d+)_", tag).groups()))
    for path in [path for path in pathlib.Path(folder, "inlay").rglob("*.so*") if path.is_file()] + [pathlib.Path(folder, "inlay/_lib/inlay")]:
        for line in subprocess.run(["ldd", path], check=True, capture_output=True, text=True, env={"LD_LIBRARY_PATH": f"{folder}/inlay/_lib"}).stdout.splitlines():
            is_own = str(folder) in line or line.split()[0] == "libinlay.so.0"  # which the package loads first
            if not is_own and not re.match(r"\s*(linux-vdso|/\S+/ld-linux|lib(c|m|dl|rt|pthread)\.so)", line):
                return f"{path.name} needs {line}"
        wanted = re.findall(r"Name: GLIBC_(\d+)\.(\d+)", subprocess.run(["readelf", "-VW", path], check=True, capture_output=True, text=True).stdout)
        if any(tuple(map(int, version)) > least for version in wanted):
            return f"{path.name} needs a newer glibc than {least}: {wanted}"
    names = {path.name for path in pathlib.Path(folder).glob("*.dist-info/licenses/*")}
    return "" if {"libisl23.txt", "llvm-19-dev.txt"} <= names else f"licenses: {names}"


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
    """What docs/python.md shows, as one program; and the part that is for who has torch."""
    return ["\n".join(re.findall(r"```python\n(.*?)```", text, re.S)) for text in (root / "docs/python.md").read_text().split("\n## torch\n")]


def main():
    if os.environ.get("INLAY_SLOW"):
        print("1..0 # SKIP a library with sanitizers cannot be loaded into Python")
        return 0
    if not any((pathlib.Path(folder) / "Python.h").exists() for folder in (sysconfig.get_paths()["include"], *pathlib.Path("/usr/include").glob("python3*"))):
        print("1..0 # SKIP there is no Python.h here: libpython3-dev")
        return 0
    if not shutil.which("patchelf"):
        print("1..0 # SKIP there is no patchelf here: patchelf")
        return 0
    build, root = pathlib.Path(sys.argv[1]).resolve().parent, pathlib.Path(sys.argv[2])
    programs = {**PROGRAMS, "the page's programs run": snippets(root)[0]}
    pythons = pythons_with_numpy()
    ways = [(f"{title} ({version})", python, program) for version, python in pythons.items() for title, program in programs.items()]
    if not pythons:
        ways = [(title, None, program) for title, program in programs.items()]
    print(f"1..{len(ways) + 5}")
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
            script = next(iter([*pathlib.Path(folder, "site").glob("bin/inlay"), *pathlib.Path(folder, "site").glob("*.data/scripts/inlay")]))
            environment = {"PYTHONPATH": f"{folder}/site", "PATH": "/usr/bin:/bin"}
            ran = subprocess.run([sys.executable, "-X", "importtime", script, "--version"], capture_output=True, text=True, check=False, env=environment)
            piped = subprocess.run(f"{shlex.quote(sys.executable)} {shlex.quote(str(script))} list ops | head -1", shell=True, capture_output=True, text=True, check=False, env=environment)
            if piped.stderr:
                problem = f"behind a pipe: {piped.stderr}"
            elif not ran.stdout.startswith("inlay ") or "numpy" in ran.stderr:
                problem = f"no version, or NumPy is imported: {ran.stdout}{ran.stderr}"
        put(2, "it is installed, with the tool", problem)
        put(3, "it needs nothing of the system but glibc", problem or need_beyond(f"{folder}/site"))
        for number, (title, python, program) in enumerate(ways, 4):
            if python is None:
                put(number, title, "", "there is no NumPy here: python3-numpy")
                continue
            ran = subprocess.run([python, "-X", "faulthandler", "-c", HEAD + program], capture_output=True, text=True, check=False, timeout=300, cwd=folder,
                                 env={"PYTHONPATH": f"{folder}/site", "PATH": "/usr/bin:/bin", "HOME": folder})
            put(number, title, "" if ran.returncode == 0 else f"exit {ran.returncode}\n{ran.stderr}")
        title, environment = "torch.compile takes what it can", {"PYTHONPATH": f"{folder}/site", "PATH": "/usr/bin:/bin", "HOME": folder}
        peers = root / "build/peers/bin/python"
        torch = next((p for p in (*pythons.values(), peers) if pathlib.Path(p).exists() and subprocess.run([p, "-c", "import torch, onnxscript"], capture_output=True, check=False).returncode == 0), None)
        if torch is None:
            put(len(ways) + 4, title, "", "there is no torch with onnxscript here: scripts/peers --plans makes its environment")
        else:
            ran = subprocess.run([torch, "-c", HEAD + TORCH + snippets(root)[1]], capture_output=True, text=True, check=False, timeout=600, env=environment)
            put(len(ways) + 4, title, "" if ran.returncode == 0 else f"exit {ran.returncode}\n{ran.stderr}")
        number, library = len(ways) + 5, next(pathlib.Path(folder, "site/inlay/_lib").glob("libzip-*"), None)
        if library and pythons:
            library.unlink()
            ran = subprocess.run([*pythons.values()][:1] + ["-c", "import inlay"], capture_output=True, text=True, check=False, env=environment)
            problem = problem or "" if "ImportError: libinlay cannot be loaded" in ran.stderr and "--force-reinstall" in ran.stderr else ran.stderr
        put(number, "a library that is missing is named", problem, "" if pythons else "there is no NumPy here: python3-numpy")
    return failed > 0


sys.exit(main())
