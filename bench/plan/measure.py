"""What one planner takes for one graph: a worker of peers.py, in the environment of scripts/peers.

Each line of standard input is a JSON array, one of
    ["tvm", SCRIPT, WEIGHTS.npz or null]    ["onnxruntime", MODEL.onnx]      (with high_water.c preloaded)
    ["executorch", FUNCTION.py, SCRIPT]     ["exported", PROGRAM.pt2]        ["greedy", STORAGES.json]
and is answered by a line `ANSWER {...}`.  SCRIPT gives FUNCTION.py the shapes of its parameters.
"""
import ctypes
import json
import math
import pathlib
import re
import sys


# ---- TVM: the storages of StaticPlanBlockMemory and what it leaves apart (results) ----

def tvm_module(script):
    import tvm
    text = "".join(line for line in pathlib.Path(script).read_text().splitlines(True) if not line.startswith("from tvm")).strip()
    if text.startswith("@R.function"):
        text = "@I.ir_module\nclass Module:\n" + "\n".join("    " + line for line in text.splitlines())
    return tvm.script.from_source(text)


def tvm(script, weights=None):
    import numpy
    from tvm import relax, target
    t = relax.transform
    module = tvm_module(script)
    if weights:
        module = t.BindParams("main", dict(numpy.load(weights)))(module)
    # the passes of TVM's own pipelines for processors, up to its planner
    with target.Target("llvm"):
        for step in (t.LegalizeOps(), t.AnnotateTIROpPattern(), t.FoldConstant(), t.FuseOps(), t.FuseTIR(), t.DeadCodeElimination(),
                     t.RewriteDataflowReshape(), t.ToNonDataflow(), t.RemovePurityChecking(), t.CallTIRRewrite(), t.StaticPlanBlockMemory()):
            module = step(module)
    return allocations(module["main"])


WIDTHS = {"float32": 4, "int64": 8, "int32": 4, "bool": 1, "uint8": 1, "float64": 8, "float16": 2, "int8": 1}


def allocations(function):
    """Bytes of storages and of tensors that have one of their own."""
    from tvm import relax
    taken = {"storages": 0, "apart": 0}

    def visit(node):
        if not isinstance(node, relax.Call):
            return
        name = getattr(node.op, "name", "")
        if name == "relax.memory.alloc_storage":
            taken["storages"] += math.prod(int(d) for d in node.args[0].values)
        if name == "relax.builtin.alloc_tensor":
            taken["apart"] += math.prod(int(d) for d in node.args[0].values) * WIDTHS[str(node.args[1].value)]

    relax.analysis.post_order_visit(function, visit)
    return {"bytes": taken["storages"] + taken["apart"], **taken}


# ---- ONNX Runtime: what a run takes ----

KINDS = {"tensor(float)": "float32", "tensor(int64)": "int64", "tensor(int32)": "int32", "tensor(bool)": "bool"}


def onnxruntime(model):
    """The most that the third run holds, with one thread; `plan` is its largest block (the memory pattern, from the second run on) and the results."""
    import numpy
    import onnxruntime as ort
    options = ort.SessionOptions()
    options.enable_cpu_mem_arena, options.intra_op_num_threads, options.log_severity_level = False, 1, 3
    session = ort.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    inputs = {i.name: ort.OrtValue.ortvalue_from_numpy(numpy.ones([d if isinstance(d, int) else 1 for d in i.shape], KINDS[i.type]))
              for i in session.get_inputs()}
    names = [o.name for o in session.get_outputs()]
    count = ctypes.CDLL(None)
    count.high_water_bytes.restype = count.high_water_largest.restype = ctypes.c_longlong
    for _ in range(3):
        count.high_water_mark()
        results = session.run_with_ort_values(names, inputs)
        taken = {"bytes": count.high_water_bytes(), "plan": count.high_water_largest() + sum(r.numpy().nbytes for r in results)}
        del results
    return taken


# ---- ExecuTorch ----

def executorch(function, script):
    """The planned memory of the program that ExecuTorch would write: results are in it, inputs and weights are not."""
    import torch
    from executorch import exir
    shapes = [tuple(map(int, shape.split(", "))) for shape in re.findall(r"R\.Tensor\(\(([0-9, ]+)\)", pathlib.Path(script).read_text())]
    names = {"torch": torch}
    exec(pathlib.Path(function).read_text(), names)  # the function that networks.py has written
    module = type("Network", (torch.nn.Module,), {"forward": names["forward"]})()
    return planned(torch.export.export(module, tuple(torch.ones(shape) for shape in shapes)), exir)


def exported(program):
    import torch
    from executorch import exir
    return planned(torch.export.load(program), exir)


def planned(program, exir):
    from executorch.exir.passes import MemoryPlanningPass
    config = exir.ExecutorchBackendConfig(memory_planning_pass=MemoryPlanningPass(alloc_graph_input=False))
    written = exir.to_edge(program, compile_config=exir.EdgeCompileConfig(_check_ir_validity=False)).to_executorch(config)
    return {"bytes": sum(written.executorch_program.execution_plan[0].non_const_buffer_sizes)}


def greedy(plan):
    """ExecuTorch's greedy on our own storages: the same lives and sizes, so only the packing differs."""
    import torch
    from executorch.exir.memory_planning import greedy as algorithm
    from executorch.exir.tensor import TensorSpec
    specs = set()
    for storage in json.loads(pathlib.Path(plan).read_text()):
        spec = TensorSpec(torch.uint8, torch.Size([max(storage["size"], 1)]))
        spec.lifetime = [storage["lower"], storage["upper"] - 1]
        specs.add(spec)
    graph = torch.fx.GraphModule({}, torch.fx.Graph())
    return {"bytes": sum(algorithm(64, specs, graph, None).bufsizes)}


def answer(request):
    try:
        return globals()[request[0]](*request[1:])
    except Exception as problem:  # another library's: said, and the table has a gap
        return {"problem": f"{type(problem).__name__}: {(str(problem).strip().splitlines() or [''])[0]}"}


if __name__ == "__main__":
    for line in sys.stdin:
        print("ANSWER", json.dumps(answer(json.loads(line))), flush=True)
