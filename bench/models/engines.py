#!/usr/bin/env python3
"""One model in one engine, in a process of its own: what run.py starts.

usage: engines.py ENGINE MODEL INPUTS THREADS RESULTS [ARTIFACT]

Says {"ready": ..} when the first call has been made, whose results it has written to RESULTS; then, for each number of
seconds that it reads, calls the model for so long, with inputs that lie where they lay, and says its times in ms.
"""
import json
import os
import pathlib
import sys
import time

import numpy

HERE = pathlib.Path(__file__).resolve().parent
LEAST = 3  # calls of a round


def load_inlay(model, inputs, threads, artifact):
    import tvm_ffi
    module = tvm_ffi.load_module(artifact)
    call = module.main
    tensors = [tvm_ffi.from_dlpack(array) for array in inputs.values()]
    return lambda: call(*tensors)


def load_onnxruntime(model, inputs, threads, artifact):
    import onnxruntime
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads, options.inter_op_num_threads, options.log_severity_level = threads, 1, 3
    session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    binding = session.io_binding()
    for name, array in inputs.items():
        binding.bind_cpu_input(name, array)
    for output in session.get_outputs():
        binding.bind_output(output.name)

    def call():
        session.run_with_iobinding(binding)
        return binding.copy_outputs_to_cpu() if call.wants_results else None

    call.wants_results = True
    return call


def load_openvino(model, inputs, threads, artifact):
    import openvino
    core = openvino.Core()
    core.set_property("CPU", {"INFERENCE_PRECISION_HINT": "f32"})
    request = core.compile_model(model, "CPU", {"INFERENCE_NUM_THREADS": threads, "PERFORMANCE_HINT": "LATENCY"}).create_infer_request()
    tensors = {name: openvino.Tensor(array, shared_memory=True) for name, array in inputs.items()}
    for name, tensor in tensors.items():
        request.set_tensor(name, tensor)

    def call():
        request.infer()
        return [request.get_output_tensor(i).data for i in range(len(request.model_outputs))] if call.wants_results else None

    call.wants_results = True
    return call


def torch_module(name):
    """With the weights that the file has."""
    sys.path[:0] = [str(HERE), str(HERE.parent.parent / "tests/models")]
    import torch
    import extra
    import make
    import zoo_models
    torch.manual_seed(1)
    module, _ = {**zoo_models.MODELS, **extra.MODELS}[name].build()
    module = module.eval()
    with torch.no_grad():
        make.stir(module)
    return module


def load_torch(model, inputs, threads, artifact, is_compiled=False):
    import torch
    if model.endswith("_qdq.onnx"):
        sys.exit("torch has the model in front of its quantization")
    torch.set_num_threads(threads)
    torch.set_grad_enabled(False)
    module = torch_module(pathlib.Path(model).stem)
    run = torch.compile(module) if is_compiled else module
    tensors = {name: torch.from_numpy(array) for name, array in inputs.items()}
    return lambda: torch.utils._pytree.tree_leaves(run(**tensors))


def load_inductor(model, inputs, threads, artifact):
    return load_torch(model, inputs, threads, artifact, True)


def load_tvm(model, inputs, threads, artifact):
    import onnx
    import tvm
    from tvm.relax.frontend.onnx import from_onnx
    target = tvm.target.Target({"kind": "llvm", "mcpu": tvm.target.codegen.llvm_get_system_cpu(), "num-cores": threads})
    built = tvm.compile(from_onnx(onnx.load(model), keep_params_in_input=False), target)
    machine = tvm.relax.VirtualMachine(built, tvm.cpu())
    tensors = [tvm.runtime.tensor(array) for array in inputs.values()]

    def call():
        result = machine["main"](*tensors)
        return list(result) if isinstance(result, (list, tuple)) or hasattr(result, "__len__") else [result]

    return call


def arrays(results):
    leaves = results if isinstance(results, (list, tuple)) or type(results).__name__ == "Array" else [results]
    return [leaf if isinstance(leaf, numpy.ndarray) else leaf.numpy() if hasattr(leaf, "numpy") else numpy.from_dlpack(leaf) for leaf in leaves]


def resident(field="VmRSS"):
    line = next(line for line in pathlib.Path("/proc/self/status").read_text().splitlines() if line.startswith(field))
    return int(line.split()[1]) / 1024


def main():
    engine, model, inputs_path, threads, results_path, *artifact = sys.argv[1:]
    os.environ.update(OMP_NUM_THREADS=threads, TVM_NUM_THREADS=threads)
    with numpy.load(inputs_path) as archive:
        inputs = {name: archive[name] for name in archive.files}
    __import__({"inlay": "tvm_ffi", "inductor": "torch"}.get(engine, engine))
    before = resident()
    pathlib.Path("/proc/self/clear_refs").write_text("5")  # the peak is counted from here on
    call = globals()[f"load_{engine}"](model, inputs, int(threads), *(artifact or [None]))
    results = arrays(call())
    numpy.savez(results_path, **{f"{i:03}": array for i, array in enumerate(results)})
    del results
    call.wants_results = False
    call()
    print(json.dumps({"ready": engine}), flush=True)
    for line in sys.stdin:
        times, end = [], time.perf_counter() + float(line)
        while len(times) < LEAST or time.perf_counter() < end:
            begin = time.perf_counter()
            call()
            times.append((time.perf_counter() - begin) * 1e3)
        print(json.dumps({"ms": times, "mib": resident("VmHWM") - before}), flush=True)


main()
