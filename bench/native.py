"""Reference kernels in C (bench/reference.c), OpenBLAS where it is installed, and samples of `inlay run`.

Everything of one line of a table is sampled in turn, several rounds, and the medians are compared: on a
shared machine only ratios of the same minute mean something.
"""
import ctypes
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

from measure import once

HERE = pathlib.Path(__file__).resolve().parent
ROUNDS = int(os.environ.get("BENCH_ROUNDS", "7"))

HEAD = '''from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T

@I.ir_module
class Module:
'''


def build_reference():
    """reference.c as a library for this machine; None where there is no compiler or no 32-byte vectors."""
    compiler = next((c for c in ("clang-19", "clang", "gcc", "cc") if shutil.which(c)), None)
    if compiler is None:
        print("no C compiler: nothing to compare with", file=sys.stderr)
        return None
    folder = tempfile.mkdtemp(prefix="inlay-bench-")
    path = os.path.join(folder, "reference.so")
    command = [compiler, "-O3", "-march=native", "-ffp-contract=fast", "-fno-math-errno", "-shared", "-fPIC",
               "-pthread", "-Wno-psabi", "-o", path, str(HERE / "reference.c"), "-lm"]
    subprocess.run(command, check=True)
    library = ctypes.CDLL(path)
    shutil.rmtree(folder)
    library.buffer.restype = ctypes.c_void_p
    library.buffer.argtypes = [ctypes.c_size_t]
    library.peak.restype = ctypes.c_double
    library.peak.argtypes = [ctypes.c_long]
    return library


def find_openblas():
    """With the kernels that it chooses itself, whatever the environment says."""
    for name in [name for name in os.environ if name.startswith("OPENBLAS_")]:
        del os.environ[name]
    for name in ("libopenblas.so.0", "libopenblas.so"):
        try:
            return ctypes.CDLL(name)
        except OSError:
            pass
    return None


def floats(library, count):
    pointer = library.buffer(count * 4)
    if not pointer:
        raise SystemExit("out of memory")
    return ctypes.c_void_p(pointer)


def call_ms(function, *args, repeat=7):
    """Median milliseconds of a call, after one that does not count."""
    function(*args)
    times = []
    for _ in range(repeat):
        begin = time.perf_counter()
        function(*args)
        times.append((time.perf_counter() - begin) * 1e3)
    return statistics.median(times)


class Script:
    """A module in a file, run by the tool."""

    def __init__(self, tool, text, passes=None):
        self.tool = tool
        self.passes = ["-p", passes] if passes else []
        with tempfile.NamedTemporaryFile("w", suffix=".py", delete=False) as file:
            file.write(HEAD + text)
        self.path = file.name

    def run(self, threads=1, repeat=7):
        """run_ms (the median of @repeat runs) and compile_ms."""
        args = [self.tool, "run", self.path, f"--threads={threads}", f"--repeat={repeat}", "--stats=json",
                *self.passes]
        _, _, status, output = once(args)
        if status != 0:
            raise SystemExit(f"failed: {' '.join(args)}")
        stats = json.loads(output.decode().rstrip().split("\n")[-1])
        return stats["run_ms"], stats["compile_ms"]

    def kernels(self):
        """How many kernels the default passes leave."""
        _, _, status, output = once([self.tool, "opt", self.path, "-p", "default"])
        return output.decode().count("@T.prim_func") if status == 0 else 0

    def remove(self):
        os.unlink(self.path)


def in_turn(**samplers):
    """Each function several times, in turn; the median of what each gave (of tuples: field by field)."""
    samples = {name: [] for name in samplers}
    for _ in range(ROUNDS):
        for name, sampler in samplers.items():
            samples[name].append(sampler())
    medians = {}
    for name, values in samples.items():
        if isinstance(values[0], tuple):
            medians[name] = tuple(statistics.median(v[i] for v in values) for i in range(len(values[0])))
        else:
            medians[name] = statistics.median(values)
    return medians
