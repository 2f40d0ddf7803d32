#!/usr/bin/env python3
"""The same programs by ONNX Runtime, OpenVINO, TVM, AOTInductor and IREE: what run.py measures of Inlay. README.md has a table.

Each measurement is a process of its own, on one thread: what was compiled before is loaded, called once, and then called for about a
second with arrays that lie where they lay.  Compile time is that of processors, all of them together.  Prints a row for each; a peer that fails says why on standard error.

usage: peers.py --peers FOLDER [--more FOLDER] [--models FOLDER] [--timeout SECONDS] [PROGRAM...]
       FOLDER: environments of scripts/peers (--plans, --artifacts), models of bench/plan/models.py; PROGRAM: add, block, kv_cache, or a model
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve()
PEERS = ["onnxruntime", "openvino", "tvm", "aotinductor", "iree"]
WEIGHTS = {"wq": (256, 256), "wk": (256, 256), "wv": (256, 256), "wo": (256, 256), "w1": (256, 1024), "w2": (1024, 256)}
NODES = """q MatMul x wq; k MatMul x wk; v MatMul x wv; t Transpose k; s MatMul q t; m Mul s scale; p Softmax m; c MatMul p v; o MatMul c wo; a Add x o;
h MatMul a w1; d Div h root; e Erf d; f Add e one; g Mul h f; u Mul g half; r MatMul u w2; y Add a r"""


ROWS, WINDOW = 1024, 32  # of kv_cache: examples/kv_cache.py without donations, which none of these has
STEP = """at Reshape pos one_one; k_new ScatterND k_cache at k; v_new ScatterND v_cache at v; first Sub pos reach; rows Add first range; seen GreaterOrEqual rows zero;
clamped Max rows zero; keys Gather k_new clamped; values Gather v_new clamped; turned Transpose keys; products MatMul q turned; scaled Mul products eighth;
masked Where seen scaled least; weights Softmax masked; out MatMul weights values"""


# --- programs: as ONNX, and for those that read other forms ---

def write_kv_cache(path):
    import numpy
    from onnx import TensorProto, checker, helper, numpy_helper, save
    constants = {"one_one": numpy.array([1, 1]), "reach": numpy.array([WINDOW - 1]), "range": numpy.arange(WINDOW), "zero": numpy.array([0]),
                 "eighth": numpy.float32(0.125), "least": numpy.float32(-numpy.inf)}
    nodes = [helper.make_node(op, inputs, [name]) for name, op, *inputs in (line.split() for line in STEP.split(";"))]
    inputs = [helper.make_tensor_value_info(n, TensorProto.FLOAT, (ROWS if "cache" in n else 1, 64)) for n in ("k_cache", "v_cache", "q", "k", "v")]
    graph = helper.make_graph(nodes, "kv_cache", [*inputs, helper.make_tensor_value_info("pos", TensorProto.INT64, (1,))],
                              [helper.make_tensor_value_info(n, TensorProto.FLOAT, (ROWS if n != "out" else 1, 64)) for n in ("k_new", "v_new", "out")],
                              [numpy_helper.from_array(v, n) for n, v in constants.items()])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    checker.check_model(model)
    save(model, path)


def write_onnx(program, path):
    import numpy
    from onnx import TensorProto, checker, helper, numpy_helper, save
    if program == "kv_cache":
        return write_kv_cache(path)
    shapes = {"x": (16,), "y": (16,)} if program == "add" else {"x": (64, 256), **WEIGHTS}
    constants = {"scale": 0.0625, "root": 2.0 ** 0.5, "one": 1.0, "half": 0.5} if program == "block" else {}
    lines = [line.split() for line in (NODES if program == "block" else "z Add x y").split(";")]
    nodes = [helper.make_node(op, inputs, [name]) for name, op, *inputs in lines]
    result = lines[-1][0], (64, 256) if program == "block" else (16,)
    graph = helper.make_graph(nodes, program, [helper.make_tensor_value_info(n, TensorProto.FLOAT, s) for n, s in shapes.items()],
                              [helper.make_tensor_value_info(result[0], TensorProto.FLOAT, result[1])],
                              [numpy_helper.from_array(numpy.float32(v), n) for n, v in constants.items()])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    checker.check_model(model)
    save(model, path)


def inputs_of(path):
    import numpy
    import onnx
    model = onnx.load(path, load_external_data=False)
    held = {i.name for i in model.graph.initializer}
    random = numpy.random.default_rng(1)
    return {i.name: numpy.array([100]) if i.type.tensor_type.elem_type == onnx.TensorProto.INT64 else
            (random.random([d.dim_value for d in i.type.tensor_type.shape.dim]) * 0.1 - 0.05).astype("float32")
            for i in model.graph.input if i.name not in held}


def torch_module(program, exported):
    import torch
    if exported.exists():
        return torch.export.load(str(exported))

    class Add(torch.nn.Module):
        def forward(self, x, y):
            return x + y

    class Block(torch.nn.Module):
        def forward(self, x, wq, wk, wv, wo, w1, w2):
            q, k, v = x @ wq, x @ wk, x @ wv
            a = x + torch.softmax((q @ k.T) * 0.0625, -1) @ v @ wo
            return a + torch.nn.functional.gelu(a @ w1) @ w2

    class KVCache(torch.nn.Module):
        def forward(self, k_cache, v_cache, q, k, v, pos):
            k_cache.index_copy_(0, pos, k)
            v_cache.index_copy_(0, pos, v)
            rows = pos - (WINDOW - 1) + torch.arange(WINDOW)
            seen = rows.clamp(min=0)
            scores = (q @ k_cache[seen].T * 0.125).masked_fill(rows < 0, float("-inf"))
            return torch.softmax(scores, -1) @ v_cache[seen]

    if program == "kv_cache":
        shapes = [(ROWS, 64), (ROWS, 64), (1, 64), (1, 64), (1, 64)]
        return torch.export.export(KVCache().eval(), (*(torch.rand(s) for s in shapes), torch.tensor([100])))
    shapes = [(16,), (16,)] if program == "add" else [(64, 256), *WEIGHTS.values()]
    return torch.export.export((Add if program == "add" else Block)().eval(), tuple(torch.rand(s) for s in shapes))


# --- peers: compile() leaves a file, load() gives what is called ---

def compile_tvm(model, out):
    import onnx
    import tvm
    from tvm.relax.frontend.onnx import from_onnx
    tvm.compile(from_onnx(onnx.load(model), keep_params_in_input=False), tvm.target.Target({"kind": "llvm", "num-cores": 1})).export_library(str(out))


def load_tvm(out, inputs):
    import tvm
    machine = tvm.relax.VirtualMachine(tvm.runtime.load_module(str(out)), tvm.cpu())
    tensors = [tvm.runtime.tensor(a) for a in inputs.values()]
    return lambda: machine["main"](*tensors)


def compile_aotinductor(model, out):
    import torch
    torch._inductor.aoti_compile_and_package(torch_module(model.stem, model.with_suffix(".pt2")), package_path=str(out))


def load_aotinductor(out, inputs):
    import torch
    torch.set_num_threads(1)
    run = torch._inductor.aoti_load_package(str(out))
    tensors = [torch.from_numpy(a) for a in inputs.values()]
    return lambda: run(*tensors)


def compile_iree(model, out):
    tools = pathlib.Path(sys.executable).parent
    text = out.with_suffix(".mlir")
    subprocess.run([tools / "iree-import-onnx", model, "-o", text, "--opset-version=17"], check=True)
    subprocess.run([tools / "iree-compile", text, "--iree-hal-target-device=local", "--iree-hal-local-target-device-backends=llvm-cpu",
                    "--iree-llvmcpu-target-cpu=host", "-o", out], check=True)


def load_iree(out, inputs):
    import iree.runtime as runtime
    config = runtime.Config("local-sync")
    module = runtime.VmModule.mmap(config.vm_instance, str(out))
    modules = runtime.load_vm_modules(module, config=config)[0]
    name = next(n for n in module.function_names if not n.startswith("__") and not n.endswith("$async"))
    arrays = [runtime.asdevicearray(config.device, a) for a in inputs.values()]
    return lambda: getattr(modules, name)(*arrays)


def load_onnxruntime(out, inputs):
    import onnxruntime
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    session = onnxruntime.InferenceSession(str(out), options, providers=["CPUExecutionProvider"])
    binding = session.io_binding()
    for name, array in inputs.items():
        binding.bind_cpu_input(name, array)
    for output in session.get_outputs():
        binding.bind_output(output.name)
    return lambda: session.run_with_iobinding(binding)


def load_openvino(out, inputs):
    import openvino
    request = openvino.Core().compile_model(str(out), "CPU", {"INFERENCE_NUM_THREADS": 1}).create_infer_request()
    tensors = {name: openvino.Tensor(array, shared_memory=True) for name, array in inputs.items()}
    for name, tensor in tensors.items():
        request.set_tensor(name, tensor)
    return lambda: (request.infer(), tensors)


SUFFIXES = {"tvm": ".so", "aotinductor": ".pt2", "iree": ".vmfb"}
IMPORTS = {"tvm": "tvm", "aotinductor": "torch", "iree": "iree.runtime"}


def resident():
    return int(pathlib.Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGESIZE")


def measure(peer, model, out):
    """In a process of its own: the library is there already, as it would be in a program with several models."""
    inputs = inputs_of(model)
    __import__(IMPORTS.get(peer, peer))
    before, begin = resident(), time.perf_counter()
    call = globals()[f"load_{peer}"](out, inputs)
    load = time.perf_counter() - begin
    begin = time.perf_counter()
    call()
    first = time.perf_counter() - begin
    best, end = first, time.perf_counter() + 1
    while time.perf_counter() < end:
        count = max(1, min(1000, int(0.01 / best)))
        begin = time.perf_counter()
        for _ in range(count):
            call()
        best = min(best, (time.perf_counter() - begin) / count)
    return {"load": load, "first": first, "call": best, "resident": resident() - before}


# --- all ---

def row(python, peer, program, model, folder, limit):
    out = folder / f"{program}-{peer}{SUFFIXES[peer]}" if peer in SUFFIXES else model
    environment = dict(os.environ, OMP_NUM_THREADS="1", TVM_NUM_THREADS="1", PYTHONWARNINGS="ignore")
    answers = []
    for _ in range(4):
        try:
            step = ["--compile" if not answers else "--measure", peer, model, out]
            done = subprocess.run([python, HERE, *map(str, step)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=limit, env=environment, check=False)
            answers.append(json.loads(done.stdout.splitlines()[-1]))
        except (subprocess.TimeoutExpired, IndexError, json.JSONDecodeError) as problem:
            words = done.stderr.strip().splitlines()[-1:] if not isinstance(problem, subprocess.TimeoutExpired) else [f"more than {limit} s"]
            print(f"{program}, {peer}: {words}", file=sys.stderr)
            return
    compiled, runs = answers[0]["compile"], answers[1:]
    least = {key: min(run[key] for run in runs) for key in runs[0]}
    size = out.stat().st_size / 1024 if peer in SUFFIXES else None
    cells = [program, peer, f"{compiled * 1e3:.0f}" if peer in SUFFIXES else "-", f"{size:.0f}" if size else "-", f"{least['load'] * 1e3:.2f}", f"{least['first'] * 1e3:.3f}",
             f"{least['call'] * 1e6:.1f}", f"{least['resident'] / 1024:.0f}"]
    print("| " + " | ".join(cells) + " |", flush=True)


def main():
    if sys.argv[1] in ("--compile", "--measure", "--write"):
        step, peer, model = sys.argv[1][2:], sys.argv[2], pathlib.Path(sys.argv[3])
        if step == "write":
            write_onnx(peer, model)
            return
        out, begin = pathlib.Path(sys.argv[4]), sum(os.times()[:4])
        if step == "compile" and peer in SUFFIXES:
            globals()[f"compile_{peer}"](model, out)
        print(json.dumps({"compile": sum(os.times()[:4]) - begin} if step == "compile" else measure(peer, model, out)))
        return
    parser = argparse.ArgumentParser()
    parser.add_argument("--peers", required=True, type=pathlib.Path)
    parser.add_argument("--more", type=pathlib.Path, help="where OpenVINO and IREE are, if elsewhere")
    parser.add_argument("--models", type=pathlib.Path)
    parser.add_argument("--timeout", type=float, default=600)
    parser.add_argument("--only", default=",".join(PEERS))
    parser.add_argument("programs", nargs="*", default=["add", "block"])
    options = parser.parse_args()
    print("| program | peer | compile CPU ms | artifact KB | load ms | first call ms | a call us | resident KB |\n|---|---|---|---|---|---|---|---|", flush=True)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for program in options.programs:
            model = folder / f"{program}.onnx"
            if program in ("add", "block", "kv_cache"):
                subprocess.run([options.peers / "bin/python", HERE, "--write", program, model], check=True)
            else:
                model = options.models / f"{program}.onnx"
            for peer in options.only.split(","):
                home = options.more if options.more and peer in ("openvino", "iree") else options.peers
                row(home / "bin/python", peer, program, model, folder, options.timeout)


if __name__ == "__main__":
    main()
