#!/usr/bin/env python3
"""Whole models beside ONNX Runtime, OpenVINO, torch eager, Inductor and TVM: rounds in turn.

usage: run.py TOOL FOLDER --peers PYTHON [--threads N] [--vectors BYTES] [--rounds N] [--seconds S] [--only ENGINE,..] NAME...

FOLDER: models of tests/models/make.py and extra.py. Each engine is a process that has loaded the model and waits; in a
round each calls it for some seconds, one after the other, in an order that turns. A figure is the median of the rounds'
medians. Inlay runs what `inlay compile` made. Results are compared with ONNX Runtime's before anything is timed: those
of its last run with the machine's vectors, kept in FOLDER, since on AVX2 its sums of bytes saturate. As a machine with AVX2 alone has it:
scripts/avx2 bench/models/run.py .. --vectors 32.
Prints a row as it goes, and leaves FOLDER/NAME.THREADS.VECTORS.bench.json, of which page.py makes docs/performance.md.
"""
import argparse
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile

import numpy

HERE = pathlib.Path(__file__).resolve().parent
ENGINES = ["inlay", "onnxruntime", "openvino", "torch", "inductor", "tvm"]
SAME = 2e-3  # of the largest number of a result; engines differ in the order of sums


class Engine:
    def __init__(self, name, options, model, folder, artifact=None):
        self.name, self.rounds, self.mib, self.problem = name, [], None, None
        self.results = folder / f"{name}.npz"
        command = [options.peers, HERE / "engines.py", name, model, model.with_suffix(".inputs.npz"), options.threads,
                   self.results, *([artifact] if artifact else [])]
        self.log = open(folder / f"{name}.log", "w+", encoding="utf-8")
        self.process = subprocess.Popen([str(part) for part in command], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=self.log, text=True, env=dict(os.environ, PYTHONWARNINGS="ignore"))

    def read(self):
        """What it says next; None: it is dead."""
        for line in self.process.stdout:
            if line.startswith('{"'):
                return json.loads(line)
        self.log.seek(0)
        self.problem = (self.log.read().strip().splitlines() or ["it died"])[-1][:160]
        return None

    def round(self, seconds):
        self.process.stdin.write(f"{seconds}\n")
        self.process.stdin.flush()
        said = self.read()
        if said:
            self.rounds.append(statistics.median(said["ms"]))
            self.mib = said["mib"]

    def end(self):
        self.process.kill()
        self.process.wait()


def difference(path, wanted):
    """The largest |a - b| of a tensor over its largest |b|; None: other results."""
    with numpy.load(path) as archive:
        found = [archive[name] for name in archive.files]
    if [a.shape for a in found] != [a.shape for a in wanted]:
        return None
    worst = 0.0
    for a, b in zip(found, wanted):
        a, b = a.astype("float64"), b.astype("float64")
        if not numpy.isfinite(a).all():
            return None
        if b.size:
            worst = max(worst, float(numpy.abs(a - b).max() / max(1e-30, numpy.abs(b).max())))
    return worst


def reference_results(path, engine):
    """What ONNX Runtime computes with the machine's own vectors, kept for the runs under scripts/avx2."""
    if "LD_PRELOAD" not in os.environ and engine:
        shutil.copyfile(engine.results, path)
    return list(numpy.load(path).values()) if path.exists() else None


def compile_inlay(options, model, folder):
    out = folder / "m.so"
    command = [options.tool, "compile", model, "-o", out, f"--vectors={options.vectors}"]
    command += [f"--threads={options.threads}"] if options.threads > 1 else []
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{model.stem}: {done.stderr.strip().splitlines()[0]}")
    return out


def measure(options, name):
    model = options.folder / f"{name}.onnx"
    with tempfile.TemporaryDirectory() as where:
        folder = pathlib.Path(where)
        artifact = compile_inlay(options, model, folder)
        engines = []
        try:
            for engine in options.only:  # one after the other: compiling takes memory
                engines.append(Engine(engine, options, model, folder, artifact if engine == "inlay" else None))
                engines[-1].read()
            reference = next((e for e in engines if e.name == "onnxruntime" and not e.problem), None)
            wanted = reference_results(options.folder / f"{name}.reference.npz", reference)
            row = {"name": name, "threads": options.threads, "vectors": options.vectors, "load": os.getloadavg()[0], "engines": {}}
            for engine in engines:
                if wanted and not engine.problem:
                    off = difference(engine.results, wanted)
                    engine.problem = None if off is not None and off < SAME else f"another result ({off})"
            for turn in range(options.rounds):
                alive = [e for e in engines if not e.problem]
                for engine in alive[turn % len(alive):] + alive[:turn % len(alive)]:
                    engine.round(options.seconds)
            row["load"] = max(row["load"], os.getloadavg()[0])
            for engine in engines:
                rounds = sorted(engine.rounds)
                row["engines"][engine.name] = {"problem": engine.problem} if engine.problem else {
                    "ms": statistics.median(rounds), "low": rounds[len(rounds) // 4], "high": rounds[(3 * len(rounds)) // 4], "mib": engine.mib}
        finally:
            for engine in engines:
                engine.end()
    (options.folder / f"{name}.{options.threads}.{options.vectors}.bench.json").write_text(json.dumps(row))
    return row


def line(row):
    ours, cells = row["engines"]["inlay"].get("ms"), []
    for engine in ENGINES[1:]:
        ms = row["engines"].get(engine, {}).get("ms")
        cells.append(f"{ms:9.2f} {ms / ours:5.2f}" if ms and ours else f"{'-':>9} {'-':>5}")
    return f"{row['name']:20} {ours or 0:9.2f} " + " ".join(cells)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tool")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("names", nargs="+")
    parser.add_argument("--peers", required=True, help="the Python of scripts/peers --plans")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--vectors", default="target")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--seconds", type=float, default=0.5)
    parser.add_argument("--only", type=lambda text: text.split(","), default=ENGINES)
    options = parser.parse_intermixed_args()
    print(f"{'ms, then over ours':20} {'inlay':>9} " + " ".join(f"{engine:>15}" for engine in ENGINES[1:]), flush=True)
    for name in options.names:
        row = measure(options, name)
        print(line(row), flush=True)
        for engine, said in row["engines"].items():
            if "problem" in said:
                print(f"    {engine}: {said['problem']}", flush=True)


if __name__ == "__main__":
    main()
