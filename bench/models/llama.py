#!/usr/bin/env python3
"""A step of a decoder beside llama.cpp and ONNX Runtime: float32, 8 and 4 bits in blocks of 32, one thread.

One random model of 124 million parameters (decoder.py), behind a cache of --past tokens, whose keys and values are
float32 in all engines.  Each engine is a process; in a round each makes steps for some time, in an order that turns,
and a figure is the least of the rounds' medians, as processor time.  Logits are compared before anything is timed:
llama.cpp rounds the data of quantised products to 8 bits, so its are not as near.  "Reading" is the time in which
NumPy reads as many bytes as the GGUF file has.

usage: llama.py TOOL [--past N] [--rounds N] [--seconds S] [--vectors BYTES] [--kinds float32,..] [--keep FOLDER] [--export FILE.json]
LLAMA_PLAIN=1 leaves out llama.cpp's repacked weights (AMX among them), with which 0.3.36 crashes on some machines.
Needs onnx, onnxruntime, tvm_ffi (scripts/peers --plans), llama-cpp-python and gguf.
"""
import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

import numpy as np

import decoder

NEAR = {"onnxruntime": 1e-3, "llama.cpp": 3e-2}  # of the largest logit


def tokens(past):
    return np.random.default_rng(1).integers(0, decoder.WORDS, past + 1)


# ---- in the process of an engine: a function that makes a step and gives the logits ----

def start_inlay(folder, past):
    import tvm_ffi
    call = tvm_ffi.load_module(str(folder / "m.so")).main
    inputs = [tvm_ffi.from_dlpack(array) for array in cache(folder, past).values()]
    return lambda: np.from_dlpack(call(*inputs)[0])


def start_onnxruntime(folder, past):
    import onnxruntime
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads, options.inter_op_num_threads = 1, 1
    session = onnxruntime.InferenceSession(folder / "m.onnx", options, providers=["CPUExecutionProvider"])
    inputs = cache(folder, past)
    return lambda: session.run(None, inputs)[0]


def start_llama(folder, past):
    import llama_cpp as llama
    silent = llama.llama_log_callback(lambda level, text, data: None)
    llama.llama_log_set(silent, None)
    settings = llama.llama_context_default_params()
    settings.n_ctx, settings.n_threads, settings.n_threads_batch = past + 32, 1, 1
    settings.type_k = settings.type_v = 0  # float32
    loading = llama.llama_model_default_params()
    loading.use_extra_bufts = "LLAMA_PLAIN" not in os.environ
    model = llama.llama_model_load_from_file(str(folder / "m.gguf").encode(), loading)
    context = llama.llama_init_from_model(model, settings)
    memory, row = llama.llama_get_memory(context), (llama.llama_token * (past + 1))(*tokens(past).tolist())
    one = (llama.llama_token * 1)(row[past])
    if past and llama.llama_decode(context, llama.llama_batch_get_one(row, past)):
        sys.exit("llama_decode failed")

    def step():
        llama.llama_memory_seq_rm(memory, 0, past, -1)
        if llama.llama_decode(context, llama.llama_batch_get_one(one, 1)):
            sys.exit("llama_decode failed")
        return np.ctypeslib.as_array(llama.llama_get_logits(context), (decoder.WORDS,))

    step.keeps = silent  # which llama.cpp calls
    return step


def start_reading(folder, past):
    numbers = np.zeros((folder / "m.gguf").stat().st_size // 4, np.float32)
    numbers[:] = 1
    return lambda: numbers.max()


ENGINES = {"inlay": start_inlay, "onnxruntime": start_onnxruntime, "llama.cpp": start_llama, "reading": start_reading}


def cache(folder, past):
    with np.load(folder / "inputs.npz") as archive:
        return {name: archive[name] for name in archive.files}


def serve(engine, folder, past):
    """Says when it is ready; then for each number of seconds that it reads the median of its steps, in ms."""
    step = ENGINES[engine](folder, past)
    np.save(folder / f"{engine}.npy", np.ravel(step()))
    print("ready", flush=True)
    for line in sys.stdin:
        times, end = [], time.perf_counter() + float(line)
        while len(times) < 3 or time.perf_counter() < end:
            begin = time.process_time()
            step()
            times.append((time.process_time() - begin) * 1e3)
        print(statistics.median(times), flush=True)


# ---- in the process that compares ----

class Engine:
    def __init__(self, name, folder, past):
        command = [sys.executable, __file__, "--serve", name, str(folder), str(past)]
        self.name, self.ms = name, []
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                                        env=dict(os.environ, OMP_NUM_THREADS="1"))
        if self.process.stdout.readline() != "ready\n":
            sys.exit(f"{name}: it did not start")

    def round(self, seconds):
        print(seconds, file=self.process.stdin, flush=True)
        self.ms.append(float(self.process.stdout.readline()))


def fill_cache(folder, past):
    """Inputs of the step: a cache that ONNX Runtime has filled, token by token, as llama.cpp fills its own."""
    import onnxruntime
    size = decoder.WIDTH // decoder.HEADS
    empty = np.zeros((1, decoder.HEADS, 0, size), np.float32)
    values = {f"{name}{number}": empty for number in range(decoder.LAYERS) for name in "kv"}
    session = onnxruntime.InferenceSession(folder / "open.onnx", providers=["CPUExecutionProvider"])
    row = tokens(past)
    for place in range(past + 1):
        inputs = {"token": np.full((1, 1), row[place]), "place": np.full((1, 1), place), **values}
        if place < past:
            values = dict(zip(values, session.run(None, inputs)[1:]))
    np.savez(folder / "inputs.npz", **inputs)


def make(options, kind, folder):
    made = decoder.weights(kind)
    decoder.write_gguf(made, kind, folder / "m.gguf")
    decoder.write_onnx(made, options.past, folder / "m.onnx")
    decoder.write_onnx(decoder.as_floats(made), None, folder / "open.onnx")
    del made
    fill_cache(folder, options.past)
    (folder / "open.onnx").unlink()


def compare(folder):
    """How far other engines' logits are from ours, over the largest; ends the program where one is not near."""
    ours, off = np.load(folder / "inlay.npy"), {}
    for name, most in NEAR.items():
        theirs = np.load(folder / f"{name}.npy")
        off[name] = float(np.abs(theirs - ours).max() / np.abs(theirs).max())
        if not off[name] <= most:
            sys.exit(f"{name}: other logits ({off[name]:.3g})")
    return off


def measure(options, kind, folder):
    engines = []
    try:
        for name in ENGINES:
            engines.append(Engine(name, folder, options.past))
        off = compare(folder)
        for turn in range(options.rounds):
            turned = turn % len(engines)
            for engine in engines[turned:] + engines[:turned]:
                engine.round(options.seconds)
    finally:
        for engine in engines:
            engine.process.kill()
            engine.process.wait()
    return {"kind": kind, "past": options.past, "load": os.getloadavg()[0], "off": off, "plain": "LLAMA_PLAIN" in os.environ,
            "mb": (folder / "m.gguf").stat().st_size / 1e6, "ms": {engine.name: min(engine.ms) for engine in engines}}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tool")
    parser.add_argument("--past", type=int, default=127)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--seconds", type=float, default=0.5)
    parser.add_argument("--vectors", default="target")
    parser.add_argument("--kinds", type=lambda text: text.split(","), default=list(decoder.BITS))
    parser.add_argument("--keep", type=pathlib.Path, help="a folder whose models are made if they are not there, and left")
    parser.add_argument("--export", help="a file of JSON for page.py")
    options = parser.parse_args()
    print(f"{'ms a step':10} {'MB':>6} " + " ".join(f"{name:>12}" for name in ENGINES) + "  llama.cpp/ours  ours/reading   off", flush=True)
    rows = []
    for kind in options.kinds:
        with tempfile.TemporaryDirectory() as place:
            folder = options.keep / kind if options.keep else pathlib.Path(place)
            if not (folder / "inputs.npz").exists():
                folder.mkdir(parents=True, exist_ok=True)
                make(options, kind, folder)
            subprocess.run([options.tool, "compile", folder / "m.onnx", "-o", folder / "m.so", f"--vectors={options.vectors}"], check=True)
            rows.append(row := measure(options, kind, folder))
        ms = row["ms"]
        print(f"{kind:10} {row['mb']:6.0f} " + " ".join(f"{ms[name]:12.2f}" for name in ENGINES) +
              f" {ms['llama.cpp'] / ms['inlay']:15.2f} {ms['inlay'] / ms['reading']:13.2f}   " +
              " ".join(f"{off:.1e}" for off in row["off"].values()), flush=True)
    if options.export:
        pathlib.Path(options.export).write_text(json.dumps(rows))


if sys.argv[1:2] == ["--serve"]:
    serve(sys.argv[2], pathlib.Path(sys.argv[3]), int(sys.argv[4]))
else:
    main()
