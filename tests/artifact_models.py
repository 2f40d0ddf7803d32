#!/usr/bin/env python3
"""Whole models as artifacts on threads: the same bits for any number of them, call after call, and the numbers of somebody else.

Small models of each kind (small_models.py) and examples/ are compiled for 1, 2 and 3 threads. Each library is called with
inputs of several sizes one after the other and then with the first ones again, in an arena that has what the last call left there,
of the size that it says and with room for more slices of scratch; by two threads of the host at once; and with the pieces of
each loop one behind the other, the last one first, by a host that says so. Results have the bits of one thread, and are within 1e-4 of the largest number of
what NumPy computes in float64 (small models; quantised ones: equal), ONNX Runtime (--zoo), or the interpreter. And what a schedule meant for threads is
left to them, and for vectors to these: no such loop is serial in the end. Prints TAP.

usage: artifact_models.py TOOL ROOT [--all] [--zoo FOLDER] [NAME...]

--all: vectors of 16 and 32 bytes and the machine's for each model, not one of them in turn. --zoo: the models of FOLDER instead, made by
tests/models/make.py or bench/models/extra.py, with a Python that has ONNX Runtime. NAME may be a shell pattern.
"""
import argparse
import fnmatch
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import threading
import traceback

from gen import numpy_first  # noqa: F401 (in front of what needs it)
import numpy

from artifact_calls import Function
from small_models import MODELS

TIMEOUT = 300 * int(os.environ.get("INLAY_SLOW", "1"))
WIDTHS, THREADS = ("target", "16", "32"), (1, 2, 3)
SPARE = 8 << 20  # of an arena: scratch for all pieces
ROOM = 1 << 20
CLOSE = 1e-4  # as docs/models.md has it
SCALARS = {"kv_cache": {"pos": 40}, "generate": {"given": 5, "last": 45}}
#: a loop that is marked, and must not be what it is marked as
SERIAL = """from tvm.script import ir as I, relax as R, tirx as T

@I.ir_module
class Module:
    @T.prim_func(private=True)
    def halve(x: T.Buffer((64,), "float32"), y: T.Buffer((64,), "float32")):
        for i in T.{kind}(64):
            y[i] = x[i] + y[i * 2 % 64]

    @R.function
    def main(x: R.Tensor((64,), "float32")):
        y = R.call_tir(Module.halve, (x,), out_ty=R.Tensor((64,), "float32"))
        return y
"""
#: the pieces of a loop in the order in which nobody expects them
HOST = """#include <stdint.h>
void inlay_host_parallel(void (*piece)(void *, int32_t), void *state, int32_t count);
int loops;
void inlay_host_parallel(void (*piece)(void *, int32_t), void *state, int32_t count)
{
    loops++;
    while (count-- > 0)
        piece(state, count);
}
"""


class Case:
    """A model: @file is compiled with @options; @feeds are inputs by name, @wanted results for each of them, or None."""

    def __init__(self, name, file, feeds, wanted, options=(), tolerance=CLOSE):
        self.name, self.file, self.feeds, self.wanted, self.options, self.tolerance = name, file, feeds, wanted, options, tolerance


def tell(*command):
    done = subprocess.run([str(part) for part in command], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=TIMEOUT, check=False)
    assert done.returncode == 0, f"{' '.join(map(str, command[1:3]))}: {done.stderr[:2000]}"
    return done.stdout


def build_host(folder):
    """A library that takes the loops of those that are loaded behind it."""
    (folder / "host.c").write_text(HOST)
    tell(*os.environ.get("CC", "cc").split(), "-O1", "-shared", "-fPIC", "-o", folder / "host.so", folder / "host.c")
    return folder / "host.so"


# ---- models ----


def small_case(tool, name, folder):
    make, sizes = MODELS[name]
    model = make()
    feeds = [model.feed(i, size) for i, size in enumerate(sizes)]
    file, options = folder / f"{name}.onnx", ()
    file.write_bytes(model.content())
    if model.donated:
        tell(tool, "import", file, "-o", folder / f"{name}.py", "--donate", model.donated, "--bound", model.bound)
        file, options = folder / f"{name}.py", ("-p", f'BindParams(file="{folder / name}.safetensors"),default')
    return Case(name, file, feeds, [model.wanted(feed) for feed in feeds], options, model.tolerance)


def interpret(tool, file, feed, folder):
    """What the meaning of the script gives."""
    given = []
    for name, array in feed.items():
        numpy.save(folder / f"in_{name}.npy", array)
        given += [f"--in={name}=@{folder}/in_{name}.npy" if array.ndim else f"--in={name}={array}"]
    tell(tool, "run", file, "--interpret", *given, f"--out={folder}/wanted.npz")
    with numpy.load(folder / "wanted.npz") as archive:
        return [archive[name] for name in archive.files]


def example_case(tool, script, folder):
    """Inputs that lie beside the script, and the same from back to front."""
    beside, options = script.with_suffix(""), ()
    feed = {path.stem: numpy.load(path) for path in beside.glob("*.npy") if not path.stem.startswith("expected_")}
    feed.update({name: numpy.array(number, "int64") for name, number in SCALARS.get(script.stem, {}).items()})
    for path in beside.glob("*.safetensors"):
        options = ("-p", f'BindParams(file="{path}"),default')
    turned = {name: array.reshape(-1)[::-1].reshape(array.shape).copy() for name, array in feed.items()}
    wanted = [numpy.load(path) for path in sorted(beside.glob("expected_*.npy"))]
    return Case(script.stem, script, [feed, turned], [wanted, None if options else interpret(tool, script, turned, folder)], options)


def zoo_case(file):
    """A model of a folder; of two inputs the second is the first from back to front."""
    import onnxruntime
    with numpy.load(file.with_suffix("").with_suffix(".inputs.npz") if file.name.endswith(".onnx") else file) as archive:
        feed = {name: archive[name] for name in archive.files}
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads, options.log_severity_level = 1, 3
    session = onnxruntime.InferenceSession(str(file), options, providers=["CPUExecutionProvider"])
    feed = {put.name: feed[put.name] for put in session.get_inputs()}
    feeds = [feed, {name: numpy.ascontiguousarray(array.reshape(-1)[::-1].reshape(array.shape)) for name, array in feed.items()}]
    return Case(file.stem, file, feeds, [session.run(None, given) for given in feeds])


# ---- what is asked ----


def hold(found, wanted, tolerance):
    """Are the results what they should be?"""
    assert [a.shape for a in found] == [b.shape for b in wanted], f"shapes {[a.shape for a in found]}, not {[b.shape for b in wanted]}"
    for i, (a, b) in enumerate(zip(found, wanted)):
        a, b = a.astype("float64"), b.astype("float64")
        assert (numpy.isfinite(a) == numpy.isfinite(b)).all(), f"result {i} has other infinities, or what is no number"
        off = numpy.abs(a - b)[numpy.isfinite(b)]
        most = numpy.abs(b[numpy.isfinite(b)]).max(initial=0) * tolerance
        assert off.max(initial=0) <= most, f"result {i} is off by {off.max(initial=0):.3g}, more than {most:.3g}, in {(off > most).sum()} of {off.size} elements"


def same(found, bits, what):
    for i, (a, b) in enumerate(zip(found, bits)):
        count = (a.reshape(-1).view("uint8") != b.reshape(-1).view("uint8")).sum() if a.shape == b.shape else "all"
        assert not count, f"{what}: result {i} has other bits, {count} bytes of {a.nbytes}"


def together(library, case, bits, spare):
    """Two threads of this process, each with an input, an arena and results of its own."""
    told = []

    def one(i):
        try:
            function = Function(library, room=ROOM)
            for _ in range(2):
                same(function.call(case.feeds[i], spare), bits[i], f"two threads of the host, input {i}")
        except AssertionError as error:
            told.append(str(error))

    threads = [threading.Thread(target=one, args=(i,)) for i in (0, 1)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not told, told[0]


def hold_library(library, case, bits, host):
    """Bits of each input; those that are there already are what they must be."""
    for spare in (0, SPARE):
        function = Function(library, room=ROOM)
        for turn, i in enumerate([*range(len(case.feeds)), 0]):
            found = function.call(case.feeds[i], spare)
            if i >= len(bits):
                bits.append(found)
                if case.wanted[i] is not None:
                    hold(found, case.wanted[i], case.tolerance)
            same(found, bits[i], f"call {turn}, input {i}, {spare} bytes to spare")
    if not host:
        together(library, case, bits, spare)


def hold_width(tool, case, width, folder, host):
    bits = []
    for threads in THREADS:
        library = folder / f"m{threads}.so"
        tell(tool, "compile", case.file, "-o", library, "--emit=so,json", f"--threads={threads}", f"--vectors={width}", *case.options)
        try:
            hold_library(library, case, bits, None)
        except AssertionError as error:
            raise AssertionError(f"--threads={threads}: {error}") from None
    return bits


def hold_host(case, folder, bits, host):
    """From here on loops of libraries that are loaded are this host's."""
    import ctypes
    ctypes.CDLL(str(host), ctypes.RTLD_GLOBAL)
    for suffix in (".so", ".json"):
        shutil.copy(folder / f"m{THREADS[-1]}{suffix}", folder / f"hosted{suffix}")
    try:
        hold_library(folder / "hosted.so", case, bits, host)
    except AssertionError as error:
        raise AssertionError(f"pieces from the last one on: {error}") from None


def hold_loops(tool, case, width):
    """How many loops threads share, and none that was meant for them is serial."""
    remarks = json.loads(tell(tool, "why", case.file, "--loops", "--all", "--format=json", f"--vectors={width}", *case.options))["remarks"]
    shared = 0
    for remark in remarks:
        shared += remark["parts"][0]["code"] in ("LP003", "LP004")
        for part in remark["parts"]:
            assert (part["pass"], part["verdict"]) != ("CodeGeneration", "missed"), \
                f"loop `{remark['subject']}` of `{remark['function']}` is marked, and without {part['without']}: {part['code']} {part['reason']}"
    return shared


def in_child(work):
    """What is wrong, by a process that may die, and whose libraries go with it; "": nothing."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        text = ""
        try:
            os.close(read)
            work()
        except AssertionError as error:
            text = str(error) or traceback.format_exc()
        except BaseException:  # told by the parent
            text = traceback.format_exc()
        os.write(write, text.encode()[:60000])
        os._exit(bool(text))
    os.close(write)
    with os.fdopen(read) as pipe:
        text = pipe.read()
    status = os.waitpid(child, 0)[1]
    return text or (f"it died with status {status}" if status else "")


class Bench:
    def __init__(self, options, folder):
        self.options, self.folder, self.count, self.failed, self.shared = options, folder, 0, 0, 0
        self.host = build_host(folder)

    def put(self, text, why):
        self.count += 1
        self.failed += bool(why)
        print(f"{'not ok' if why else 'ok'} {self.count} - {text}", flush=True)
        print("".join(f"# {line}\n" for line in why.splitlines()[:30]), end="")

    def loops(self, case, width):
        try:
            self.shared += hold_loops(self.options.tool, case, width)
            return ""
        except AssertionError as error:
            return str(error)

    def control(self):
        """Is a loop that cannot be what it is marked as found?"""
        for kind in ("parallel", "vectorized"):
            (self.folder / "serial.py").write_text(SERIAL.format(kind=kind))
            why = self.loops(Case("serial", self.folder / "serial.py", [], []), "target")
            self.put(f"a loop marked T.{kind} that is serial is found", "" if "halve" in why and "LP011" in why else why or "it is not")

    def model(self, case, widths):
        for width in widths:
            def work():
                bits = hold_width(self.options.tool, case, width, self.folder, None)
                hold_host(case, self.folder, bits, self.host)
            self.put(f"{case.name}, vectors of {width}", in_child(work))
            self.put(f"{case.name}, vectors of {width}: loops for threads stay so", self.loops(case, width))


def names(options):
    """(name, what makes its case)"""
    if options.zoo:
        for file in sorted(options.zoo.glob("*.onnx")):
            yield file.stem, lambda _, file=file: zoo_case(file)
        return
    for name in MODELS:
        yield name, lambda folder, name=name: small_case(options.tool, name, folder)
    for script in sorted((options.root / "examples").glob("*.py")):
        yield script.stem, lambda folder, script=script: example_case(options.tool, script, folder)


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("tool", type=lambda path: pathlib.Path(path).resolve())
    parser.add_argument("root", type=pathlib.Path)
    parser.add_argument("names", nargs="*", default=["*"])
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--zoo", type=pathlib.Path)
    options = parser.parse_intermixed_args()
    with tempfile.TemporaryDirectory() as where:
        bench = Bench(options, pathlib.Path(where))
        for turn, (name, make) in enumerate(names(options)):
            if any(fnmatch.fnmatch(name, pattern) for pattern in options.names):
                bench.model(make(bench.folder), WIDTHS if options.all else WIDTHS[turn % len(WIDTHS):][:1])
        bench.control()
        bench.put(f"threads share {bench.shared} loops", "" if bench.shared else "none is shared: nothing was compared")
    print(f"1..{bench.count}")
    return bench.failed > 0


if __name__ == "__main__":
    sys.exit(main())
