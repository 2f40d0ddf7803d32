"""Runs one program with a peer: peer.py onnxruntime|inductor|tvm PROGRAM FOLDER THREADS.

Prints one line of JSON: ms (the median of 21 runs on the same inputs) and version, or why there is none.
The results of ONNX Runtime are left in FOLDER/expected.npz, which the others are compared with.
"""
import json
import pathlib
import statistics
import sys
import time

import numpy

from programs import PROGRAMS, arrays, script

RUNS = 21


def median_ms(run):
    run()
    times = []
    for _ in range(RUNS):
        start = time.perf_counter()
        run()
        times.append((time.perf_counter() - start) * 1e3)
    return statistics.median(times)


def onnx_model(p):
    from onnx import TensorProto, helper, numpy_helper
    names = {"add": "Add", "sub": "Sub", "mul": "Mul", "div": "Div", "matmul": "MatMul", "relu": "Relu", "tanh": "Tanh",
             "abs": "Abs", "sqrt": "Sqrt", "concat": "Concat", "transpose": "Transpose", "softmax": "Softmax",
             "layer_norm": "LayerNormalization"}
    nodes, constants = [], {}
    for name, kind, args, attrs in p.ops:
        words = []
        for a in args:
            if not isinstance(a, str):
                constants[f"c{a!r}"] = numpy_helper.from_array(numpy.float32(a), f"c{a!r}")
                a = f"c{a!r}"
            words.append(a)
        nodes.append(helper.make_node(names[kind], words, [name], **attrs))
    inputs = [helper.make_tensor_value_info(n, TensorProto.FLOAT, s) for n, s in p.inputs]
    outputs = [helper.make_tensor_value_info(n, TensorProto.FLOAT, None) for n in p.results]
    graph = helper.make_graph(nodes, "main", inputs, outputs, list(constants.values()))
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=9)


def with_onnxruntime(p, inputs, folder, threads):
    import onnxruntime
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    session = onnxruntime.InferenceSession(onnx_model(p).SerializeToString(), options, ["CPUExecutionProvider"])
    numpy.savez(folder / "expected.npz", *session.run(p.results, inputs))
    return {"version": onnxruntime.__version__, "ms": median_ms(lambda: session.run(p.results, inputs))}


def with_inductor(p, inputs, folder, threads):
    import torch
    torch.set_num_threads(threads)
    calls = {"add": torch.add, "sub": torch.sub, "mul": torch.mul, "div": torch.div, "matmul": torch.matmul,
             "relu": torch.relu, "tanh": torch.tanh, "abs": torch.abs, "sqrt": torch.sqrt,
             "transpose": lambda a: a.t(), "softmax": lambda a: torch.softmax(a, -1),
             "layer_norm": lambda a, g, b: torch.nn.functional.layer_norm(a, g.shape, g, b)}

    def program(*given):
        values = dict(zip((name for name, _ in p.inputs), given))
        for name, kind, args, attrs in p.ops:
            words = [values.get(a, a) for a in args]
            values[name] = torch.cat(words, attrs["axis"]) if kind == "concat" else calls[kind](*words)
        return [values[name] for name in p.results]

    compiled = torch.compile(program)
    given = [torch.from_numpy(inputs[name]) for name, _ in p.inputs]
    with torch.no_grad():
        compare([r.numpy() for r in compiled(*given)], folder)
        return {"version": torch.__version__, "ms": median_ms(lambda: compiled(*given))}


def with_tvm(p, inputs, folder, threads):
    import tvm
    from tvm import relax
    space = {}
    exec_file = folder / "tvm_module.py"
    exec_file.write_text(script(p, donates=False))
    sys.path.insert(0, str(folder))
    import tvm_module
    built = relax.build(tvm_module.Module, target=tvm.target.Target("llvm"))
    machine = relax.VirtualMachine(built, tvm.cpu())
    given = [tvm.runtime.tensor(inputs[name]) for name, _ in p.inputs]
    results = machine["main"](*given)
    compare([r.numpy() for r in (results if len(p.results) > 1 else [results])], folder)
    return {"version": tvm.__version__, "ms": median_ms(lambda: machine["main"](*given))}


def compare(results, folder):
    expected = numpy.load(folder / "expected.npz")
    for one, name in zip(results, expected.files):
        if not numpy.allclose(one, expected[name], rtol=1e-3, atol=1e-4):
            raise SystemExit("results differ from those of ONNX Runtime")


def main(peer, name, folder, threads):
    p = PROGRAMS[name]()
    run = {"onnxruntime": with_onnxruntime, "inductor": with_inductor, "tvm": with_tvm}[peer]
    print(json.dumps(run(p, arrays(p, numpy), pathlib.Path(folder), int(threads))))


main(*sys.argv[1:])
