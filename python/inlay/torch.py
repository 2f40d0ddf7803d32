"""torch.compile(model, backend="inlay"): graphs that the ONNX importer covers are compiled, all others run as torch runs them.

A graph is left to torch, with one warning that says why, where gradients are recorded, an input is no tensor on the CPU and no size of one, it
changes a tensor in place, gives two looks at one storage, or other numbers each time, or the exporter or Inlay refuses it. Parameters become
constants, packed when the graph is compiled; a parameter that was changed or moved since leaves the call to torch. Sizes that torch holds open
are open in what is compiled, too (_torch_export.py).
"""
import copy
import os
import tempfile
import warnings

import torch

import inlay
from inlay._torch_export import Plan, Refused, export, reason


def _state(parameters):
    return [(p.data_ptr(), p._version) for p in parameters]


def _storage(tensor):
    return tensor.untyped_storage().data_ptr() if tensor.numel() else None


def _probe(graph, inputs):
    """Runs a copy of the graph on copies: what it does besides computing is nothing that ONNX says."""
    given = [value.detach().clone() if isinstance(value, torch.Tensor) else value for value in inputs]
    graph = copy.deepcopy(graph)
    held = [value for value in given if isinstance(value, torch.Tensor)] + list(graph.parameters()) + list(graph.buffers())
    versions = [value._version for value in held]
    results = [value for value in graph(*given) if not isinstance(value, int)]
    if [value._version for value in held] != versions:
        raise Refused("it changes a tensor in place")
    if not all(isinstance(value, torch.Tensor) for value in results):
        raise Refused("a result is no tensor")
    if any(value.is_complex() for value in held + results):  # ONNX has none: the exporter makes pairs of numbers of them
        raise Refused("numbers are complex")
    seen = {_storage(value): value for value in held}
    for value in results:
        other = seen.setdefault(_storage(value), value)
        if other is not value and value.numel():
            raise Refused("a result is another look at what it was given, or at another result")
    again = [value for value in graph(*given) if not isinstance(value, int)]
    if not all(torch.equal(torch.nan_to_num(a) if a.is_floating_point() else a, torch.nan_to_num(b) if b.is_floating_point() else b)
               for a, b in zip(results, again)):
        raise Refused("its results are others each time")


def _plain(value):
    """@value as compiled code takes it: its memory says what it is, in rows without gaps."""
    if value.requires_grad:
        value = value.detach()
    if value.is_neg():
        value = value.resolve_neg()
    return value.contiguous()


def _compile(graph, inputs):
    plan = Plan(graph, inputs)
    if any(value.device.type != "cpu" for value in plan.tensors(inputs)):
        raise Refused("an input is not on the CPU")
    if torch.is_grad_enabled() and any(value.requires_grad for value in plan.tensors(inputs)):
        raise Refused("gradients are recorded: call it under torch.no_grad()")
    with tempfile.TemporaryDirectory() as folder, torch.no_grad(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            _probe(graph, plan.example(inputs))
        except Refused:
            raise
        except Exception as problem:  # which a call of the graph raises, too
            raise Refused(f"it fails: {reason(problem)}") from None
        path = os.path.join(folder, "graph.onnx")
        fits = export(plan, graph, inputs, path)
        try:
            module = inlay.compile(path, threads=torch.get_num_threads())
        except inlay.Error as problem:
            raise Refused(str(problem).splitlines()[0]) from None
    if len(module.signature) != len(plan.given(inputs)):
        raise Refused("the exporter left inputs out")
    return module, plan, fits


def backend(graph, inputs):
    """What torch.compile asks for: a function of the inputs of @graph that gives a tuple."""
    try:
        module, plan, fits = _compile(graph, inputs)
    except Refused as problem:
        warnings.warn(f"inlay leaves a graph to torch: {problem}", stacklevel=2)
        return graph.forward
    known = _state(plan.constants(inputs))

    def run(*values):
        given = plan.given(values)
        is_recorded = torch.is_grad_enabled() and any(value.requires_grad for value in plan.tensors(values))
        if is_recorded or _state(plan.constants(values)) != known or not fits(given):
            return graph.forward(*values)
        try:
            result = module(*map(_plain, given))
        except inlay.Error as problem:  # of these sizes: nothing was written that torch looks at
            warnings.warn(f"inlay leaves a call to torch: {str(problem).splitlines()[0]}", stacklevel=2)
            return graph.forward(*values)
        return plan.results(result if isinstance(result, tuple) else (result,), values)

    return run
