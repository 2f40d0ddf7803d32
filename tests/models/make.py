#!/usr/bin/env python3
"""Makes a zoo of models with random weights, each as exporters write it, with inputs and what torch computes from them.

usage: make.py FOLDER [NAME...]      in the environment of scripts/peers --plans; NAME may be a shell pattern

By model there is NAME.onnx (with NAME.onnx.data beside it where it is large), NAME.inputs.npz, NAME.float32.npz and
NAME.float64.npz (results of torch in these types), and for those of TORCH NAME.pt.py with NAME.pt.npz: TVM's import of
what torch.export gives.  What is there already is not made again.  Each model is made in a process of its own.
"""
import fnmatch
import os
import pathlib
import resource
import signal
import sys
import time
import traceback
import warnings

import numpy

SECONDS, BYTES = 900, 16 << 30  # of one model


class Model:
    """@build: gives a module of torch and its inputs by name; @dynamic: by input, the names of dimensions."""

    def __init__(self, build, dynamic=None, outputs=None, script=False, opset=None, after=None, tvm=False):
        self.build, self.dynamic, self.outputs, self.script = build, dynamic or {}, outputs, script
        self.opset, self.after, self.tvm = opset, after, tvm


def flatten(result):
    """The tensors of what a module gives, in the order of the exporter."""
    import torch
    leaves = torch.utils._pytree.tree_leaves(result)
    return [leaf for leaf in leaves if isinstance(leaf, torch.Tensor)]


def save_results(path, results):
    arrays = {f"{i:03}": tensor.detach().numpy() for i, tensor in enumerate(results)}
    numpy.savez(path, **arrays)


def as_double(tensor):
    return tensor.double() if tensor.is_floating_point() else tensor


def shapes(inputs, dynamic):
    import torch
    return {name: {axis: torch.export.Dim.DYNAMIC for axis in dynamic.get(name, {})} for name in inputs}


def export_onnx(path, model, module, inputs):
    import torch
    options = {"input_names": list(inputs), "dynamo": not model.script}
    if model.outputs:
        options["output_names"] = model.outputs
    if model.opset:
        options["opset_version"] = model.opset
    if model.script:
        options["dynamic_axes"] = model.dynamic or None
        torch.onnx.export(module, tuple(inputs.values()), str(path), **options)
    else:
        if model.dynamic:
            options["dynamic_shapes"] = shapes(inputs, model.dynamic)
        torch.onnx.export(module, (), str(path), kwargs=inputs, external_data=True, **options)


def export_tvm(path, module, inputs):
    """Through TVM's importer, weights as parameters, their values beside them."""
    import re
    import torch
    from tvm.relax.frontend.torch import from_exported_program
    program = torch.export.export(module, (), kwargs=inputs)
    made = from_exported_program(program, keep_params_as_input=True)
    function = made["main"]
    weights = [p.numpy() for p in (function.attrs or {}).get("params", [])]
    names = [re.sub(r"\W", "_", p.name) for p in function.params[-len(weights):]] if weights else []
    numpy.savez(path.with_suffix(".pt.npz"), **dict(zip(names, weights)))
    made["main"] = function.without_attr("params") if weights else function
    path.with_suffix(".pt.py").write_text(made.script(show_meta=True) + "\n")


def stir(module):
    """Weights and statistics that start as one number hide mistakes: noise is added."""
    import torch
    for tensor in [*module.parameters(), *module.buffers()]:
        if tensor.is_floating_point() and tensor.numel() > 1 and (tensor == tensor.flatten()[0]).all():
            tensor.add_(torch.rand_like(tensor) * 0.1)


def make(folder, name, model):
    import torch
    torch.manual_seed(1)
    path = folder / f"{name}.onnx"
    module, inputs = model.build()
    module = module.eval()
    numpy.savez(folder / f"{name}.inputs.npz", **{key: tensor.numpy() for key, tensor in inputs.items()})
    with torch.no_grad(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        stir(module)
        save_results(folder / f"{name}.float32.npz", flatten(module(**inputs)))
        if model.tvm and os.environ.get("ZOO_TVM", "1") == "1":
            try:
                export_tvm(folder / name, module, inputs)
            except Exception as problem:  # of another library: the variant is left out, and said
                print(f"{name}.pt: {type(problem).__name__}: {str(problem)[:300]}", file=sys.stderr)
        export_onnx(folder / f"{name}.tmp.onnx", model, module, inputs)
        if model.after:
            model.after(folder / f"{name}.tmp.onnx", inputs)
        try:
            double = module.double()
            save_results(folder / f"{name}.float64.npz", flatten(double(**{k: as_double(t) for k, t in inputs.items()})))
        except Exception as problem:  # modules that name float32 somewhere: compared in float32 alone
            print(f"{name}: no float64: {str(problem)[:100]}", file=sys.stderr)
    finish(folder, name, path)


def finish(folder, name, path):
    """The model under its name, with external data under it only where a file would be large."""
    import onnx
    temporary = folder / f"{name}.tmp.onnx"
    loaded = onnx.load(temporary)
    data = temporary.with_name(temporary.name + ".data")
    size = data.stat().st_size if data.exists() else 0
    if size > 64 << 20:
        beside = path.with_name(path.name + ".data")
        beside.unlink(missing_ok=True)
        onnx.save(loaded, path, save_as_external_data=True, location=beside.name, size_threshold=4096)
    else:
        onnx.save(loaded, path)
    temporary.unlink()
    data.unlink(missing_ok=True)


def in_process(folder, name, model):
    """Is it made?"""
    child = os.fork()
    if child == 0:
        status = 1
        try:
            signal.alarm(SECONDS)
            resource.setrlimit(resource.RLIMIT_DATA, (BYTES, BYTES))
            output = os.open(folder / f"{name}.log", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
            os.dup2(output, 1)
            os.dup2(output, 2)
            model(folder, name) if callable(model) else make(folder, name, model)
            status = 0
        except BaseException:  # whatever it is, it ends in the log
            traceback.print_exc()
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(status)
    return os.waitpid(child, 0)[1] == 0


def main(models=None):
    """Makes those of @models that are asked for; default: the zoo."""
    sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    if models is None:
        from zoo_models import MODELS as models
    patterns = sys.argv[2:] or ["*"]
    names = list(dict.fromkeys(name for pattern in patterns for name in models if fnmatch.fnmatch(name, pattern)))
    import torch
    import onnx  # noqa: F401: here once, not in each process
    torch.set_num_threads(1)
    torch.backends.mha.set_fastpath_enabled(False)  # of which torch's older exporter knows nothing
    for name in names:
        if (folder / f"{name}.onnx").exists():
            continue
        begin = time.monotonic()
        good = in_process(folder, name, models[name])
        for left in [] if good else folder.glob(f"{name}.tmp.onnx*"):
            left.unlink()
        print(f"{name}: {'made' if good else f'not made, see {name}.log'} in {time.monotonic() - begin:.0f} s", flush=True)


if __name__ == "__main__":
    main()
