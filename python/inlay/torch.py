"""torch.compile(model, backend="inlay"): graphs that the ONNX importer covers are compiled, all others run as torch runs them.

A graph is left to torch, with one warning that says why, where gradients are recorded, an input is no tensor on the CPU, a size is open, it
changes a tensor in place, gives two looks at one storage, or other numbers each time, or the exporter or Inlay refuses it. Parameters become
constants, packed when the graph is compiled; a parameter that was changed or moved since leaves the call to torch.
"""
import copy
import os
import re
import tempfile
import warnings

import torch

import inlay


class _Refused(Exception):
    pass


class _Constants(torch.nn.Module):
    """The graph with its parameters inside, and the other inputs in their order."""

    def __init__(self, graph, inputs, is_constant):
        super().__init__()
        self.graph, self.is_constant = graph, is_constant
        for index, value in enumerate(inputs):
            if is_constant[index]:
                self.register_buffer(f"constant_{index}", value.detach())

    def forward(self, *given):
        given = iter(given)
        return self.graph(*(getattr(self, f"constant_{i}") if constant else next(given) for i, constant in enumerate(self.is_constant)))


def _state(parameters):
    return [(p.data_ptr(), p._version) for p in parameters]


def _storage(tensor):
    return tensor.untyped_storage().data_ptr() if tensor.numel() else None


def _probe(graph, inputs):
    """Runs a copy of the graph on copies: what it does besides computing is nothing that ONNX says."""
    given = [value.detach().clone() for value in inputs]
    graph = copy.deepcopy(graph)
    held = given + list(graph.parameters()) + list(graph.buffers())
    versions = [value._version for value in held]
    results = [value for value in torch.utils._pytree.tree_leaves(graph(*given))]
    if [value._version for value in held] != versions:
        raise _Refused("it changes a tensor in place")
    if not all(isinstance(value, torch.Tensor) for value in results):
        raise _Refused("a result is no tensor")
    if any(value.is_complex() for value in given + results):  # ONNX has none: the exporter makes pairs of numbers of them
        raise _Refused("numbers are complex")
    seen = {_storage(value): value for value in held}
    for value in results:
        other = seen.setdefault(_storage(value), value)
        if other is not value and value.numel():
            raise _Refused("a result is another look at what it was given, or at another result")
    again = torch.utils._pytree.tree_leaves(graph(*given))
    if not all(torch.equal(torch.nan_to_num(a) if a.is_floating_point() else a, torch.nan_to_num(b) if b.is_floating_point() else b)
               for a, b in zip(results, again)):
        raise _Refused("its results are others each time")


def _reason(problem):
    """What an exporter says in a line: of the error that began it, without colours."""
    while problem.__cause__ is not None:
        problem = problem.__cause__
    text = re.sub(r"\x1b\[[0-9;]*m", "", str(problem)).strip()
    return f"{type(problem).__name__}: {text.splitlines()[0][:200] if text else 'no reason is given'}"


def _plain(value):
    """@value as compiled code takes it: its memory says what it is, in rows without gaps."""
    if value.requires_grad:
        value = value.detach()
    if value.is_neg():
        value = value.resolve_neg()
    return value.contiguous()


def _compile(graph, inputs):
    if any(isinstance(value, torch.SymInt) or not all(isinstance(size, int) for size in getattr(value, "shape", ())) for value in inputs):
        raise _Refused("a size is open: it was called with several; dynamic=False compiles a graph for each")
    if not all(isinstance(value, torch.Tensor) for value in inputs):
        raise _Refused("an input is no tensor")
    if any(value.device.type != "cpu" for value in inputs):
        raise _Refused("an input is not on the CPU")
    if torch.is_grad_enabled() and any(value.requires_grad for value in inputs):
        raise _Refused("gradients are recorded: call it under torch.no_grad()")
    with torch.no_grad():
        _probe(graph, inputs)
    is_constant = [isinstance(value, torch.nn.Parameter) for value in inputs]
    given = tuple(value for value, constant in zip(inputs, is_constant) if not constant)
    with tempfile.TemporaryDirectory() as folder, torch.no_grad(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        path = os.path.join(folder, "graph.onnx")
        try:
            torch.onnx.export(_Constants(graph, inputs, is_constant).eval(), given, path, dynamo=True, external_data=False, verbose=False)
        except Exception as problem:  # of another library: whatever it is, the graph is left to torch
            raise _Refused(f"it cannot be exported: {_reason(problem)}") from None
        try:
            module = inlay.compile(path, threads=torch.get_num_threads())
        except inlay.Error as problem:
            raise _Refused(str(problem).splitlines()[0]) from None
    if len(module.signature) != len(given):
        raise _Refused("the exporter left inputs out")
    return module, is_constant


def backend(graph, inputs):
    """What torch.compile asks for: a function of the inputs of @graph that gives a tuple."""
    try:
        module, is_constant = _compile(graph, inputs)
    except _Refused as problem:
        warnings.warn(f"inlay leaves a graph to torch: {problem}", stacklevel=2)
        return graph.forward
    parameters = [value for value, constant in zip(inputs, is_constant) if constant]
    known = _state(parameters)

    def run(*values):
        now = [value for value, constant in zip(values, is_constant) if constant]
        if _state(now) != known or (torch.is_grad_enabled() and any(value.requires_grad for value in values)):
            return graph.forward(*values)
        given = [_plain(value) for value, constant in zip(values, is_constant) if not constant]
        result = module(*given)
        return result if isinstance(result, tuple) else (result,)

    return run
