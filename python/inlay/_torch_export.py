"""Graphs of torch as ONNX files, for inlay.torch: what each input becomes, and for which sizes a file holds."""
import re

import torch
from onnxscript import opset18 as onnx
from torch.fx.experimental.symbolic_shapes import is_concrete_int


class Refused(Exception):
    """Why a graph is left to torch."""


def reason(problem):
    """What another library says in a line: of the error that began it, without colours."""
    while problem.__cause__ is not None:
        problem = problem.__cause__
    text = re.sub(r"\x1b\[[0-9;]*m", "", str(problem)).strip()
    return f"{type(problem).__name__}: {text.splitlines()[0][:200] if text else 'no reason is given'}"


def _is_open(size):
    return isinstance(size, torch.SymInt) and not is_concrete_int(size)


class Plan:
    """What each input of a graph is: a parameter, which becomes a constant, a tensor that is given, or a size of one of these.

    torch gives a size that it holds open as an input of its own; its name is what the shapes of the tensors are written with.
    """

    def __init__(self, graph, inputs):
        nodes = list(graph.graph.nodes)
        said = [node.meta.get("example_value") for node in nodes if node.op == "placeholder"]
        self._constants = [i for i, value in enumerate(inputs) if isinstance(value, torch.nn.Parameter)]
        self._given = [i for i, value in enumerate(inputs) if isinstance(value, torch.Tensor) and i not in self._constants]
        self.shapes = [tuple(getattr(said[i], "shape", inputs[i].shape)) for i in self._given]
        places = {str(size): (given, axis) for given, shape in enumerate(self.shapes) for axis, size in reversed(list(enumerate(shape))) if _is_open(size)}
        self.sizes = {i: places.get(str(said[i])) for i, value in enumerate(inputs) if not isinstance(value, torch.Tensor)}
        if None in self.sizes.values():
            raise Refused("an input is neither a tensor nor a size of one")
        self._results = self._kinds_of_results(nodes)

    @staticmethod
    def _kinds_of_results(nodes):
        """Of each result the input that it is, if it is a size, else None."""
        inputs = [node for node in nodes if node.op == "placeholder"]
        results = nodes[-1].args[0]
        kinds = [inputs.index(node) if node in inputs and _is_open(node.meta.get("example_value")) else None for node in results]
        if not all(kind is not None or isinstance(getattr(node, "meta", {}).get("example_value"), torch.Tensor) for kind, node in zip(kinds, results)):
            raise Refused("a result is neither a tensor nor a size of an argument")
        if all(kind is not None for kind in kinds):
            raise Refused("no result is a tensor")
        return kinds

    def tensors(self, values):
        return [value for value in values if isinstance(value, torch.Tensor)]

    def constants(self, values):
        return [values[i] for i in self._constants]

    def given(self, values):
        return [values[i] for i in self._given]

    def example(self, inputs):
        """@inputs with numbers where they have open sizes."""
        given = self.given(inputs)
        return [given[self.sizes[i][0]].shape[self.sizes[i][1]] if i in self.sizes else value for i, value in enumerate(inputs)]

    def only_tensors(self, results):
        return tuple(result for result, kind in zip(results, self._results) if kind is None)

    def results(self, tensors, values):
        """The results of the graph, of those that are @tensors and of what it was called with."""
        tensors = iter(tensors)
        return tuple(next(tensors) if kind is None else values[kind] for kind in self._results)


class _Constants(torch.nn.Module):
    """The graph with its parameters inside, called with the tensors that are given only: sizes are theirs."""

    def __init__(self, plan, graph, inputs):
        super().__init__()
        self.plan, self.graph, self.count = plan, graph, len(inputs)
        for index, value in enumerate(inputs):
            if isinstance(value, torch.nn.Parameter):
                self.register_buffer(f"constant_{index}", value.detach())

    def forward(self, *given):
        rest, sizes = iter(given), self.plan.sizes
        values = [given[sizes[i][0]].shape[sizes[i][1]] if i in sizes else getattr(self, f"constant_{i}", None) for i in range(self.count)]
        return self.plan.only_tensors(self.graph(*(next(rest) if value is None else value for value in values)))


def _sign(x):
    return onnx.Sub(onnx.CastLike(onnx.Greater(x, onnx.CastLike(0, x)), x), onnx.CastLike(onnx.Less(x, onnx.CastLike(0, x)), x))


# Operators whose form in ONNX gives other numbers than torch: of NaN 0 for a sign, of two equal infinities, of what overflows on the way.
# Those that are written otherwise here:
MEANINGS = {torch.ops.aten.sign.default: _sign, torch.ops.aten.sgn.default: _sign}
# Those that are left to torch:
UNLIKE = {getattr(torch.ops.aten, name).default for name in ("atan2", "heaviside", "log_sigmoid", "log_sigmoid_forward", "logaddexp", "logaddexp2", "signbit")}
UNLIKE |= {torch.ops.aten.xlogy.Tensor, torch.ops.aten.special_xlog1py.default}


def _refuse_unlike(program):
    name = next((node.target.name() for node in program.graph.nodes if node.op == "call_function" and node.target in UNLIKE), None)
    if name:
        raise Refused(f"ONNX's form of {name} gives other numbers")


def _fits(program, count):
    """A test of tensors: has @program looked at nothing of its example's sizes that is otherwise for theirs?"""
    values = [node.meta["val"] for node in program.graph.nodes if node.op == "placeholder"][-count:] if count else []
    environment = values[0].fake_mode.shape_env if count else None
    said = environment.produce_guards_expression(values, ignore_static=True) if environment else None
    if not said:
        return lambda given: True
    code = compile(said, "<sizes>", "eval")
    return lambda given: environment.evaluate_guards_expression(code, given)


def export(plan, graph, inputs, path):
    """Writes @graph to @path, and returns what tells for which tensors that holds."""
    given = tuple(value.detach() for value in plan.given(inputs))  # others: the exporter marks them
    sizes = tuple({axis: torch.export.Dim.DYNAMIC for axis, size in enumerate(shape) if _is_open(size)} for shape in plan.shapes)
    try:
        with torch._guards.tracing(None):  # what is asked of sizes here is no matter of the frame that torch.compile works on
            program = torch.export.export(_Constants(plan, graph, inputs).eval(), given, dynamic_shapes={"given": sizes}, strict=False)
            _refuse_unlike(program)
            for value in [node.meta["val"] for node in program.graph.nodes if node.op == "placeholder"][-1:]:
                if value.fake_mode.shape_env:
                    value.fake_mode.shape_env.frozen = False  # what taking operators apart asks of sizes counts too
            torch.onnx.export(program, (), path, dynamo=True, external_data=False, verbose=False, custom_translation_table=MEANINGS)
            return _fits(program, len(given))
    except Refused:
        raise
    except Exception as problem:  # of another library: whatever it is, the graph is left to torch
        raise Refused(f"it cannot be exported: {reason(problem)}") from None
