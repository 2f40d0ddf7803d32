#!/usr/bin/env python3
"""Runs the same modules through TVM and through Inlay and compares the numbers.

The modules are those of tests/op_values, and, with --tvm, those of a checkout of TVM's source that its own tests of
LegalizeOps use. TVM compiles with its default pipeline for this processor and runs in its virtual machine; Inlay
compiles, and interprets the script as written. Floats must agree within a tolerance by dtype, all else exactly.

Every operator gets one line: how many modules gave equal bits, numbers within tolerance, other numbers, were refused by
Inlay, or by TVM. What differs or is refused must be explained in tvm_differences.py, else the test fails.

It needs the environment that scripts/peers makes; without it there is nothing to run, and nothing fails.

usage: tvm_differential.py TOOL [--peers FOLDER] [--tvm CHECKOUT] [--verbose] [FILTER...]
"""
import argparse
import collections
import operator
import os
import pathlib
import pickle
import re
import signal
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
OUTCOMES = ["equal", "close", "differs", "inlay", "tvm"]
TOLERANCE = {"float64": 1e-11, "float32": 2e-5, "float16": 4e-3, "bfloat16": 3e-2}
TIME_LIMIT = 60  # seconds of the processor


def enter(peers):
    """Goes on in the Python that has TVM; returns if this is it."""
    # TVM imports tvm_ffi, and must not find the test of that name that lies here
    sys.path[:] = [path for path in sys.path if pathlib.Path(path or ".").resolve() != HERE]
    try:
        import tvm  # noqa: F401
        return
    except ImportError:
        pass
    python = pathlib.Path(peers) / "bin/python"
    if not python.exists() or os.environ.get("INLAY_IN_PEERS"):
        print("1..0 # SKIP there is no TVM here: scripts/peers makes its environment")
        sys.exit(0)
    os.execve(python, [str(python), *sys.argv], dict(os.environ, INLAY_IN_PEERS="1"))


# ---- inputs ----

ARITHMETIC = {"Add": operator.add, "Sub": operator.sub, "Mul": operator.mul, "FloorDiv": operator.floordiv,
              "FloorMod": operator.mod, "Max": max, "Min": min}


class Inputs:
    """Arguments for a function: one extent for each symbol, made up elements."""

    def __init__(self, kinds, seed, is_square):
        import numpy
        self.random = numpy.random.default_rng(seed)
        self.seed = seed
        self.kinds = kinds
        self.extents = {}
        self.is_square = is_square  # one extent for all symbols: some operators want equal ones

    def extent(self, dim):
        kind = type(dim).__name__
        if kind == "IntImm":
            return int(dim)
        if kind == "Var":  # distinct, so that swapped dimensions show; even, so that splits work; windows are small
            if self.is_square:
                return 6
            return self.extents.setdefault(dim.name, 3 if dim.name.startswith("k") else 6 + 2 * len(self.extents))
        if kind in ARITHMETIC:
            return ARITHMETIC[kind](self.extent(dim.a), self.extent(dim.b))
        raise ValueError(f"a dimension of kind {kind}")

    def tensor(self, shape, dtype):
        import ml_dtypes
        import numpy
        kind = numpy.dtype(getattr(ml_dtypes, dtype) if dtype == "bfloat16" else dtype)
        if dtype == "bool":
            return self.random.random(shape) < 0.5
        if "int" in dtype:
            low, high = (0, 2) if self.kinds & INDEXED else (1, 9)
            return self.random.integers(low, high, shape).astype(kind)
        low = -2.0 if self.seed == 0 else 0.05
        return self.random.uniform(low, 2.0, shape).astype(kind)

    def of_type(self, type_, is_data):
        import tvm
        from tvm import relax
        if isinstance(type_, relax.TensorType):
            if type_.shape is None or not hasattr(type_.shape, "values"):
                raise ValueError("a parameter of unknown shape")
            dtype = str(type_.dtype)
            return self.tensor([self.extent(d) for d in type_.shape.values], "float32" if dtype == "None" else dtype)
        if isinstance(type_, relax.ShapeType):
            if type_.values is None:
                raise ValueError("a shape of unknown rank")
            return tuple(self.extent(d) for d in type_.values)
        if isinstance(type_, tvm.ir.TupleType):
            return [self.of_type(f, is_data) for f in type_.fields]
        if type(type_).__name__ == "PrimType":
            return 2.0 if "float" in str(type_.dtype) else 1
        raise ValueError(f"a parameter of type {type_}")


# Operators whose integers are positions in another operand.
INDEXED = {"take", "gather_elements", "gather_nd", "scatter_elements", "scatter_nd", "index_tensor", "index_put", "one_hot",
           "strided_slice", "dynamic_strided_slice", "nn.nll_loss", "nn.attention_var_len", "slice_scatter",
           "grad.nll_loss_backward", "grad.take_backward", "vision.non_max_suppression", "vision.all_class_non_max_suppression"}


# ---- TVM ----

def run_tvm(module, arguments):
    """Results as a flat list of arrays."""
    import numpy
    import tvm
    from tvm import relax
    with tvm.transform.PassContext(opt_level=3):
        executable = tvm.compile(module, target=tvm.target.Target("llvm"))
    machine = relax.VirtualMachine(executable, tvm.cpu())

    def given(value):
        if isinstance(value, tuple):
            return tvm.runtime.ShapeTuple(value)
        if isinstance(value, list):
            return [given(v) for v in value]
        if isinstance(value, (int, float)):
            return value
        if value.dtype.name == "bfloat16":
            result = tvm.runtime.empty(value.shape, "bfloat16", tvm.cpu())
            result.copyfrom(value)
            return result
        return tvm.runtime.tensor(numpy.array(value, order="C"))

    result = machine["main"](*[given(a) for a in arguments])

    def flat(value):
        if hasattr(value, "numpy"):
            return [value.numpy()]
        if isinstance(value, (int, float, bool)):
            return [numpy.array(value)]
        return [x for field in value for x in flat(field)]
    return flat(result)


def in_child(function, *arguments):
    """What the function returns, from a process of its own: TVM may crash; or a message."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        signal.setitimer(signal.ITIMER_PROF, TIME_LIMIT)
        try:
            answer = function(*arguments)
        except BaseException as error:
            answer = (str(error).strip().splitlines() or [type(error).__name__])[-1][:200]
        with os.fdopen(writer, "wb") as pipe:
            pickle.dump(answer, pipe)
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as pipe:
        data = pipe.read()
    _, status = os.waitpid(child, 0)
    return pickle.loads(data) if data else f"it ended with status {status}"


# ---- Inlay ----

def run_inlay(tool, script, names, arguments, options):
    """Results as a flat list of arrays, or (code, message)."""
    import numpy
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        file = folder / "module.py"
        file.write_text(script)
        command = [tool, "run", str(file), "--out", str(folder / "out.npz"), *options]

        def give(name, value):
            if isinstance(value, list):
                for i, field in enumerate(value):
                    give(f"{name}.{i}", field)
            elif isinstance(value, (int, float)):
                command.extend(["--in", f"{name}={value}"])
            elif isinstance(value, tuple):
                command.extend(["--in", f"{name}={','.join(map(str, value))}"])
            else:
                path = folder / f"{name}.npy"
                numpy.save(path, value.view("uint16") if value.dtype.name == "bfloat16" else value)
                command.extend(["--in", f"{name}=@{path}"])

        for name, value in zip(names, arguments):
            give(name, value)
        try:
            done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=10 * TIME_LIMIT)
        except subprocess.TimeoutExpired:
            return "time", f"no end within {10 * TIME_LIMIT} s"
        if done.returncode:
            code = re.search(r"error\[(E\d+)\]", done.stderr)
            first = (done.stderr.strip().splitlines() or [f"exit status {done.returncode}"])[0]
            return code[1] if code else "error", first
        results = numpy.load(folder / "out.npz")
        order = sorted(results.files, key=lambda n: [int(p) if p.isdigit() else p for p in n.split(".")])
        return [results[n] for n in order]


# ---- comparison ----

def compare(expected, actual):
    """(outcome, message)"""
    import numpy
    if len(expected) != len(actual):
        return "differs", f"{len(actual)} results, TVM gives {len(expected)}"
    outcome = "equal"
    for i, (want, got) in enumerate(zip(expected, actual)):
        if want.shape != got.shape:
            return "differs", f"result {i} has shape {got.shape}, TVM's {want.shape}"
        if want.dtype.name == "bfloat16" and got.dtype.itemsize == 2:
            got = got.view(want.dtype)
        if want.dtype != got.dtype:
            return "differs", f"result {i} is {got.dtype}, TVM's {want.dtype}"
        if want.tobytes() == got.tobytes():
            continue
        outcome = "close"
        tolerance = TOLERANCE.get(want.dtype.name)
        if tolerance is None:
            bad = want != got
        else:
            want, got = want.astype("float64"), got.astype("float64")
            finite = numpy.abs(want[numpy.isfinite(want)])
            limit = tolerance * max(1.0, finite.max() if finite.size else 0.0)
            with numpy.errstate(invalid="ignore"):
                bad = ~((numpy.isnan(want) & numpy.isnan(got)) | (want == got) | (numpy.abs(want - got) <= limit))
        if bad.any():
            at = tuple(int(k) for k in numpy.argwhere(bad)[0])
            return "differs", f"result {i} at {list(at)}: {got[at]}, TVM gives {want[at]}"
    return outcome, ""


def operators(script):
    """The operators of the graph functions, the most special first; helpers of the text left out."""
    plain = {"function", "Tensor", "Tuple", "Shape", "dataflow", "output", "call_tir", "const", "tuple", "shape", "Prim",
             "Object", "null_value", "emit_te", "prim_value", "dtype", "func_attr", "str", "call_pure_packed", "Callable"}
    found = [name for name in re.findall(r"\bR\.([\w.]+)\(", script) if name not in plain]
    return list(dict.fromkeys(found)) or ["none"]


def cases(options):
    """(name, operator, script, module or None with a message, given inputs or None)"""
    import tvm
    sys.path.insert(0, str(HERE))
    import tvm_cases
    for name, script, inputs in tvm_cases.of_own_tests(HERE / "op_values"):
        program = "\n".join(line for line in script.splitlines() if not line.startswith("from "))
        yield name, script, (lambda program=program: tvm.script.from_source(program)), inputs
    if options.tvm:
        for name, module in tvm_cases.of_checkout(options.tvm):
            if not isinstance(module, str):
                yield name, None, (lambda module=module: module), None


def run_case(options, script, make, given):
    """As try_case(); once more with equal extents where the made up ones do not fit each other."""
    outcome = try_case(options, script, make, given, False)
    if given is None and outcome[0] in ("inlay", "tvm") and outcome[1].startswith(("E0803", "E0804", "std::", "negative")):
        return try_case(options, script, make, given, True)
    return outcome


def try_case(options, script, make, given, is_square):
    """(outcome, message, operators)"""
    try:
        module = make()
    except Exception as error:
        return "tvm", f"does not parse: {(str(error).strip().splitlines() or ['?'])[0]}"[:160], operators(script)
    if script is None:
        try:
            script = module.script(show_meta=True)
        except Exception as error:
            return "tvm", f"does not print: {error}"[:160], ["none"]
    used = operators(script)
    mains = [f for g, f in module.functions.items() if g.name_hint == "main"]
    if not mains or not hasattr(mains[0], "ret_ty"):
        return "tvm", "there is no function main", used
    params = mains[0].params
    names = [p.name for p in params] if given is None else list(given)
    best = "equal"
    for seed in (0, 1) if given is None else (0,):
        if given is None:
            try:
                inputs = Inputs(set(used), seed, is_square)
                arguments = [inputs.of_type(p.ty, True) for p in params]
            except ValueError as error:
                return "tvm", str(error), used
        else:
            arguments = list(given.values())
        expected = in_child(run_tvm, module, arguments)
        if isinstance(expected, str):
            return "tvm", expected, used
        for how in ([], ["--interpret"]):
            actual = run_inlay(options.tool, script, names, arguments, how)
            if isinstance(actual, tuple):
                return "inlay", re.sub(r"^(error\[)?E\d+(\]: )?", "", f"{actual[1]}").join([f"{actual[0]}: ", ""]), used
            outcome, message = compare(expected, actual)
            if outcome == "differs":
                return outcome, f"{' '.join(how) or 'compiled'}: {message}", used
            best = max(best, outcome, key=OUTCOMES.index)
    return best, "", used


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tool")
    parser.add_argument("--peers", default=os.environ.get("INLAY_PEERS", HERE.parent / "build/peers"))
    parser.add_argument("--tvm", type=pathlib.Path, default=os.environ.get("INLAY_TVM"))
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("filter", nargs="*")
    options = parser.parse_intermixed_args()
    options.tool = str(pathlib.Path(options.tool).resolve())
    enter(options.peers)
    sys.path.insert(0, str(HERE))
    from tvm_differences import explanation

    table = collections.defaultdict(collections.Counter)
    notes = collections.defaultdict(list)
    unexplained = 0
    for name, script, make, given in cases(options):
        if options.filter and not any(f in name for f in options.filter):
            continue
        outcome, message, used = run_case(options, script, make, given)
        table[used[0]][outcome] += 1
        if options.verbose:
            print(f"# {outcome:8} {name}: {message}", flush=True)
        if outcome in ("differs", "inlay", "tvm"):
            why = explanation(outcome, used, name, message)
            unexplained += not why and outcome != "tvm"
            notes[used[0]].append(f"{outcome}: {name}: {why or message + (' -- NOT EXPLAINED' if outcome != 'tvm' else '')}")
    print(f"1..{len(table)}")
    for number, operator in enumerate(sorted(table), 1):
        counts = ", ".join(f"{table[operator][o]} {o}" for o in OUTCOMES if table[operator][o])
        is_bad = any(note.endswith("NOT EXPLAINED") for note in notes[operator])
        print(f"{'not ok' if is_bad else 'ok'} {number} - {operator}: {counts}")
        for note in sorted(set(notes[operator])):
            print(f"#   {note}")
    total = sum(table.values(), collections.Counter())
    print("# all: " + ", ".join(f"{total[o]} {o}" for o in OUTCOMES) + f"; {unexplained} without explanation")
    return unexplained != 0


if __name__ == "__main__":
    sys.exit(main())
