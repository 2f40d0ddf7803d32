"""Programs for tvm_differential.py: those of Inlay's own value tests, and those that a checkout of TVM tests itself with.

The second kind is taken at run time: the test files are imported with stand-ins for pytest and for LegalizeOps, which
keeps the module that it is given and ends the test. Nothing of them is stored here.
"""
import importlib.util
import itertools
import pathlib
import re
import sys
import types

import tvm

OWN_HEAD = """from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T

@I.ir_module
class Module:
    @R.function
    def main({params}):
{symbols}{body}
        return {result}
"""


class Kept(BaseException):
    """Ends a test when its module is known."""


class Keeper:
    """In the place of tvm.relax.transform.LegalizeOps."""

    modules = []

    def __init__(self, *args, **options):
        pass

    def __call__(self, module):
        Keeper.modules.append(module)
        raise Kept


class Mark:
    """pytest.mark: parametrize is kept on the function, other marks do nothing."""

    @staticmethod
    def parametrize(names, values, **options):
        names = [n.strip() for n in names.split(",")] if isinstance(names, str) else list(names)

        def decorate(function):
            rows = [dict(zip(names, row if len(names) > 1 else [row])) for row in values]
            function.rows = [{**a, **b} for a, b in itertools.product(getattr(function, "rows", [{}]), rows)]
            return function
        return decorate

    def __getattr__(self, name):
        def mark(*args, **options):
            return args[0] if len(args) == 1 and callable(args[0]) and not options else lambda function: function
        return mark


class StandIn(types.ModuleType):
    """A module in which every name is a decorator that changes nothing."""

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return Mark().anything


def install_stand_ins():
    pytest = StandIn("pytest")
    pytest.mark = Mark()
    pytest.param = lambda *values, **options: values if len(values) > 1 else values[0]
    sys.modules.setdefault("pytest", pytest)
    testing = StandIn("tvm.testing")
    sys.modules.setdefault("tvm.testing", testing)
    tvm.testing = sys.modules["tvm.testing"]


def load(path):
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return module


def functions(module):
    """(name, function, keyword arguments) of the tests in a file."""
    for name, value in list(vars(module).items()):
        if name.startswith("test") and isinstance(value, types.FunctionType):
            for number, row in enumerate(getattr(value, "rows", [{}])):
                yield f"{name}[{number}]" if hasattr(value, "rows") else name, value, row
        elif name.startswith("Test") and isinstance(value, type):
            for method in dir(value):
                if method.startswith("test"):
                    yield f"{name}.{method}", getattr(value(), method), {}


def of_checkout(folder):
    """(name, module or message) of the tests of LegalizeOps in a checkout of TVM."""
    install_stand_ins()
    sys.path.insert(0, str(folder / "tests/python/relax"))
    for path in sorted((folder / "tests/python/relax").glob("test_transform_legalize_ops*.py")):
        short = path.stem.removeprefix("test_transform_legalize_ops").strip("_") or "base"
        try:
            module = load(path)
        except Exception as error:  # a file for another version of TVM
            yield f"{short}", f"{type(error).__name__}: {error}"
            continue
        if hasattr(module, "LegalizeOps"):
            module.LegalizeOps = Keeper
        for name, function, row in functions(module):
            Keeper.modules.clear()
            try:
                function(**row)
            except Kept:
                yield f"{short}/{name}", Keeper.modules[0]
            except Exception as error:
                yield f"{short}/{name}", f"{type(error).__name__}: {error}"


def of_own_tests(folder):
    """(name, script, inputs) of each result of tests/op_values."""
    import numpy
    for path in sorted(folder.glob("*.py")):
        text = path.read_text()
        arrays = numpy.load(path.with_suffix(".npz"))
        params = dict(re.findall(r"^        (x\d+): (.*),$", text, re.MULTILINE))
        symbols = re.findall(r"^        (\w+) = T.int64\(\)$", text, re.MULTILINE)
        for name, call in re.findall(r"^        ([yt]\d+) = (R\..*)$", text, re.MULTILINE):
            used = [p for p in params if re.search(rf"\b{p}\b", call)]
            words = call + "".join(params[p] for p in used)
            declared = [s for s in symbols if re.search(rf"\b{s}\b", words)]
            yield f"{path.stem}/{call}", OWN_HEAD.format(
                params=", ".join(f"{p}: {params[p]}" for p in used), result=name, body=f"        {name} = {call}",
                symbols="".join(f"        {s} = T.int64()\n" for s in declared)), {p: arrays[p] for p in used}
