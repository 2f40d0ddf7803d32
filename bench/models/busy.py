#!/usr/bin/env python3
"""Whole models beside a process that keeps a core busy: is more than one thread slower than one?

usage: busy.py TOOL FOLDER --peers PYTHON [--threads N] [--rounds N] [--seconds S] [--only ENGINE,..] NAME...

Each engine is two processes, with one thread and with N; all are called in turn as in run.py, first with the machine to
themselves, then beside a loop that never waits. Every thread more than the machine has cores wants one of them, so N threads
get N / (N + 1) of N cores at most. Leaves FOLDER/NAME.busy.json, of which page.py makes a table.
"""
import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

import run


class NeverWaits:
    """A process that never waits, while the block runs."""

    def __enter__(self):
        self.process = subprocess.Popen([sys.executable, "-c", "while True: pass"])

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()


def start(options, name, folder):
    """{(engine, threads): Engine}, each of which has made its first call."""
    model, engines = options.folder / f"{name}.onnx", {}
    for engine in options.only:
        for threads in (1, options.threads):
            own = argparse.Namespace(**dict(vars(options), threads=threads, vectors="target"))
            where = folder / f"{engine}{threads}"
            where.mkdir()
            artifact = run.compile_inlay(own, model, where) if engine == "inlay" else None
            engines[engine, threads] = run.Engine(engine, own, model, where, artifact)
            engines[engine, threads].read()
    return engines


def rounds(options, engines):
    """The medians, in ms."""
    alive = [engine for engine in engines.values() if not engine.problem]
    for engine in alive:
        engine.rounds.clear()
    for turn in range(options.rounds):
        for engine in alive[turn % len(alive):] + alive[:turn % len(alive)]:
            engine.round(options.seconds)
    return {key: statistics.median(engine.rounds) for key, engine in engines.items() if engine.rounds}


def measure(options, name):
    with tempfile.TemporaryDirectory() as folder:
        engines = start(options, name, pathlib.Path(folder))
        try:
            alone = rounds(options, engines)
            with NeverWaits():
                beside = rounds(options, engines)
        finally:
            for engine in engines.values():
                engine.end()
    row = {"name": name, "threads": options.threads, "load": os.getloadavg()[0],
           "engines": {engine: {"alone": [alone[engine, 1], alone[engine, options.threads]], "beside": [beside[engine, 1], beside[engine, options.threads]]}
                       for engine in options.only if (engine, 1) in beside and (engine, options.threads) in beside}}
    (options.folder / f"{name}.busy.json").write_text(json.dumps(row))
    return row


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tool")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("names", nargs="+")
    parser.add_argument("--peers", required=True, help="the Python of scripts/peers --plans")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--seconds", type=float, default=0.3)
    parser.add_argument("--only", type=lambda text: text.split(","), default=["inlay", "onnxruntime", "openvino"])
    options = parser.parse_intermixed_args()
    for name in options.names:
        cells = [f"{engine}: alone {said['alone'][1] / said['alone'][0]:.2f}, beside {said['beside'][1] / said['beside'][0]:.2f}"
                 for engine, said in measure(options, name)["engines"].items()]
        print(f"{name:20} {options.threads} threads over one: {'; '.join(cells)}", flush=True)


main()
