#!/usr/bin/env python3
"""Plans of Inlay, TVM, ONNX Runtime and ExecuTorch for the same graphs; README.md has a table and says what is counted.

usage: peers.py TOOL [--peers FOLDER] [--models FOLDER] [--sizes N,N...] [NAME...]

NAME is a network of networks.py, `examples`, or a model that models.py has written to the folder of models.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
TORCH_LIMIT = 1000  # exporting more operators takes PyTorch minutes
COLUMNS = ["program", "bound", "plan", "ratio", "with scratch", "TVM", "ONNX Runtime: plan", "at most", "ExecuTorch", "its greedy on our storages"]


class Bench:
    def __init__(self, tool, peers, folder):
        self.tool, self.python, self.folder = tool, str(pathlib.Path(peers) / "bin/python"), pathlib.Path(folder)
        self.hook, self.workers = self.folder / "high_water.so", {}
        subprocess.run(["cc", "-O2", "-shared", "-fPIC", "-o", self.hook, HERE / "high_water.c"], check=True)

    def worker(self, kind):
        """One process for each library: importing one takes seconds."""
        name = kind if kind in ("tvm", "onnxruntime") else "torch"
        if name not in self.workers or self.workers[name].poll() is not None:
            environment = dict(os.environ, LD_PRELOAD=str(self.hook)) if name == "onnxruntime" else os.environ
            self.workers[name] = subprocess.Popen([self.python, HERE / "measure.py"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                                  stderr=subprocess.DEVNULL, text=True, env=environment)
        return self.workers[name]

    def measure(self, kind, *args):
        """What measure.py says, or None, with its words on standard error."""
        worker = self.worker(kind)
        worker.stdin.write(json.dumps([kind, *[None if a is None else str(a) for a in args]]) + "\n")
        worker.stdin.flush()
        line = next((line for line in worker.stdout if line.startswith("ANSWER ")), 'ANSWER {"problem": "died"}')
        answer = json.loads(line[len("ANSWER "):])
        if "problem" in answer:
            print(f"{kind} {args[0]}: {answer['problem']}", file=sys.stderr)
            return None
        return answer

    def inlay(self, script, command, *more):
        done = subprocess.run([self.tool, command, str(script), *more], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
        if done.returncode:
            print(f"inlay {command} {script}: {done.stderr.strip().splitlines()[0]}", file=sys.stderr)
            return None
        return done.stdout

    def ours(self, script):
        text = self.inlay(script, "plan", "--format=json")
        functions = [f for f in json.loads(text)["functions"] if not f["open"]] if text else []
        stats = self.inlay(script, "run", "--stats=json", "--threads=1") if functions else None
        return functions, json.loads(stats.splitlines()[-1])["arena_bytes"] if stats else None

    def greedy(self, function):
        storages = self.folder / "storages.json"
        storages.write_text(json.dumps(function["storages"]))
        return self.measure("greedy", storages)

    def row(self, name, script, weights=None, model=None, torch=None):
        functions, with_scratch = self.ours(model if weights else script)
        if not functions:
            return
        function = max(functions, key=lambda f: f["lower_bound_bytes"])
        taken, bound = function["arena_bytes"] + function["apart_bytes"], function["lower_bound_bytes"]
        runtime = self.measure("onnxruntime", model) if model else None
        theirs = [self.measure("tvm", script, weights), {"bytes": runtime["plan"]} if runtime else None, runtime,
                  self.measure(*torch) if torch else None, self.greedy(function)]
        cells = [name, bound, taken, f"{taken / bound if bound else 1:.3f}", with_scratch, *[t and t["bytes"] for t in theirs]]
        print("| " + " | ".join("-" if cell is None else str(cell) for cell in cells) + " |", flush=True)

    def network(self, name, size):
        made = subprocess.run([self.python, "-c", "import sys; sys.path.insert(0, sys.argv[1]); from networks import write; write(*sys.argv[2:])",
                               str(HERE), name, str(size), str(self.folder)], check=True)
        assert made.returncode == 0
        script = self.folder / "network.py"
        torch = ("executorch", self.folder / "function.py", script) if size <= TORCH_LIMIT else None
        self.row(f"{name}, {size} operators", script, model=self.folder / "network.onnx", torch=torch)

    def model(self, path):
        exported = path.with_suffix(".pt2")
        self.row(path.stem, path.with_suffix(".py"), path.with_suffix(".npz"), path, ("exported", exported) if exported.exists() else None)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tool")
    parser.add_argument("--peers", default=ROOT / "build/peers")
    parser.add_argument("--models")
    parser.add_argument("--sizes", default="10,100,1000")
    parser.add_argument("names", nargs="*")
    options = parser.parse_intermixed_args()
    from networks import NETWORKS
    models = sorted(pathlib.Path(options.models).glob("*.py")) if options.models else []
    names = options.names or ["examples", *NETWORKS, *[m.stem for m in models]]
    print("| " + " | ".join(COLUMNS) + " |\n" + "|---" * len(COLUMNS) + "|")
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(options.tool, options.peers, folder)
        for name in names:
            if name == "examples":
                for script in sorted((ROOT / "examples").glob("*.py")):
                    bench.row(script.stem, script)
            elif name in NETWORKS:
                for size in map(int, options.sizes.split(",")):
                    bench.network(name, size)
            else:
                bench.model(next(m for m in models if m.stem == name).with_suffix(".onnx"))


if __name__ == "__main__":
    sys.exit(main())
