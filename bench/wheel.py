#!/usr/bin/env python3
"""What a call from Python costs beside the work: x + y of 16 numbers. Goal: 3 us on arrays of NumPy, 5 us on tensors of torch.

Beside it the same by what else is called from Python: NumPy and torch themselves, tvm-ffi (an artifact of `inlay compile`, which fills a
tensor that is given), ONNX Runtime. What is not installed is left out. Microseconds of CPU time a call, the least of some rounds in turn, each
on one thread.

usage: wheel.py TOOL [PYTHON]      PYTHON: that which the rows run in; default: this one; scripts/peers makes one with all peers
"""
import importlib.util
import os
import pathlib
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
CALLS, ROUNDS = 5000, 9
SCRIPT = '''from tvm.script import ir as I
from tvm.script import relax as R
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((16,), "float32"), y: R.Tensor((16,), "float32")):
        z = R.add(x, y)
        return z
'''


def has(name):
    return importlib.util.find_spec(name) is not None


def rows(artifact):
    """(name, call, its result) of all that is here."""
    import inlay
    import numpy
    x, y, out = numpy.ones(16, "float32"), numpy.ones(16, "float32"), numpy.zeros(16, "float32")
    inlays = inlay.compile(SCRIPT, threads=1)
    yield "inlay, NumPy", lambda: inlays(x, y), None
    yield "numpy.add", lambda: numpy.add(x, y), None
    if has("torch"):
        import torch
        a, b = torch.ones(16), torch.ones(16)
        yield "inlay, torch", lambda: inlays(a, b), None
        yield "torch.add", lambda: torch.add(a, b), None
    if has("tvm_ffi"):
        import tvm_ffi
        main = tvm_ffi.load_module(artifact).main
        yield "tvm-ffi, NumPy", lambda: main(tvm_ffi.from_dlpack(x), tvm_ffi.from_dlpack(y), tvm_ffi.from_dlpack(out)), out
        if has("torch"):
            c = torch.zeros(16)
            yield "tvm-ffi, torch", lambda: main(a, b, c), c
    if has("onnxruntime") and has("onnx"):
        import onnx
        import onnxruntime
        from onnx import helper
        tensor = lambda name: helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, [16])
        graph = helper.make_graph([helper.make_node("Add", ["x", "y"], ["z"])], "add", [tensor("x"), tensor("y")], [tensor("z")])
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
        yield "ONNX Runtime, NumPy", lambda: session.run(None, {"x": x, "y": y})[0], None


def measure(artifact):
    found = list(rows(artifact))
    least = {}
    for turn in range(ROUNDS):
        for name, call, out in found:
            result = call()
            assert [float(z) for z in (result if out is None else out)] == [2.0] * 16, name
            begin = time.process_time()
            for _ in range(CALLS):
                call()
            least[name] = min(least.get(name, 1e9), (time.process_time() - begin) / CALLS * 1e6)
    print(f"{'a call of x + y, 16 numbers':30} {'us':>6}")
    for name, taken in least.items():
        print(f"{name:30} {taken:6.2f}")


def main(tool, python=sys.executable):
    with tempfile.TemporaryDirectory() as folder:
        if subprocess.run([python, "-c", "import numpy"], capture_output=True, check=False).returncode != 0:
            print(f"calls from Python are not measured: {python} has no NumPy")
            return 0
        made = subprocess.run([sys.executable, ROOT / "scripts/wheel", pathlib.Path(tool).resolve().parent, folder], check=False, capture_output=True, text=True)
        if made.returncode != 0:
            print(f"calls from Python are not measured: {made.stderr.strip()}")
            return 0
        subprocess.run([sys.executable, "-m", "zipfile", "-e", made.stdout.strip(), f"{folder}/site"], check=True)
        script, artifact = pathlib.Path(folder) / "add.py", f"{folder}/add.so"
        script.write_text(SCRIPT)
        subprocess.run([tool, "compile", script, "-o", artifact], check=True, capture_output=True)
        return subprocess.run([python, __file__, "--measure", artifact], env={**os.environ, "PYTHONPATH": f"{folder}/site"}, check=False).returncode


if __name__ == "__main__":
    sys.exit(measure(sys.argv[2]) if sys.argv[1] == "--measure" else main(*sys.argv[1:]))
