#!/usr/bin/env python3
"""Runs ONNX's own backend tests: each model through the tool, results against those that ONNX expects.

Needs the onnx package and NumPy, and is no part of `make test` where they are missing.  What differs stands with its
reason in onnx_differences.txt: any other failure, and what stands there but does not fail, is an error.  Where an operator takes from an
input what must be known when a model is read (axes, sizes), the test runs again with that input as an initializer and
counts as `bound`.

usage: onnx_backend.py TOOL [--only REGEX] [--jobs N] [--table FILE.md] [--floor N]
"""
import argparse
import collections
import concurrent.futures
import io
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import warnings
import zipfile

try:
    import numpy as np
    import onnx
    from onnx import numpy_helper
    from onnx.backend.test import loader
    from onnx.backend.test.case.node import collect_testcases

    np.seterr(all="ignore")
except ImportError as missing:
    print(f"1..0 # skip {missing}")
    sys.exit(0)

KINDS = ["simple", "pytorch-converted", "pytorch-operator", "light"]
UNKNOWN = re.compile(r"what `([^`]*)` holds must be known|(a dimension is) -|a tensor of (0) elements cannot be seen|"
                     r"(the interpreter cannot)")
NO_NUMBERS = "strings, sequences, optional values"


def plain(value):
    """As NumPy has it; integers of less than a byte in bytes, as they are read."""
    if isinstance(value, onnx.TensorProto):
        value = numpy_helper.to_array(value)
    if isinstance(value, np.ndarray) and re.fullmatch(r"u?int[24]", value.dtype.name):
        value = value.astype(np.uint8 if value.dtype.name.startswith("u") else np.int8)
    return value


def given(value):
    """As it is handed over: floats of a byte or less as their codes."""
    value = plain(value)
    if isinstance(value, np.ndarray) and re.match("float[468]_", value.dtype.name):
        value = value.view(np.uint8)
    return value


def node_cases():
    for case in collect_testcases(""):
        yield case.name, case.model, [([given(x) for x in inputs], [plain(y) for y in outputs])
                                      for inputs, outputs in case.data_sets or []], case.rtol, case.atol


def read_tensor(path, info):
    data = pathlib.Path(path).read_bytes()
    if info.type.WhichOneof("value") != "tensor_type":
        return None
    proto = onnx.TensorProto()
    proto.ParseFromString(data)
    return numpy_helper.to_array(proto)


def folder_cases():
    for kind in KINDS:
        for case in loader.load_model_tests(kind=kind):
            folder = pathlib.Path(case.model_dir or "")
            if not (folder / "model.onnx").exists():
                continue
            model = onnx.load(folder / "model.onnx")
            initial = {each.name for each in model.graph.initializer}
            inputs = [each for each in model.graph.input if each.name not in initial]
            sets = []
            for data in sorted(folder.glob("test_data_set_*")):
                sets.append(([read_tensor(data / f"input_{i}.pb", info) for i, info in enumerate(inputs)],
                             [read_tensor(data / f"output_{i}.pb", info) for i, info in enumerate(model.graph.output)]))
            yield f"{kind}/{case.name}", model, sets, case.rtol, case.atol


def load_results(path, outputs):
    with zipfile.ZipFile(path) as archive:
        return [np.lib.format.read_array(io.BytesIO(archive.read(each + ".npy"))) for each in outputs]


def differs(found, wanted, rtol, atol):
    wanted = np.asarray(wanted)
    if found.dtype.kind == "V" or re.match("float[468]_", wanted.dtype.name):
        found = found.view(wanted.dtype)
    if found.shape != wanted.shape:
        return f"shape {found.shape} for {wanted.shape}"
    if found.dtype != wanted.dtype and not found.dtype.itemsize == wanted.dtype.itemsize:
        return f"dtype {found.dtype} for {wanted.dtype}"
    a, b = (each.astype(np.float64) if each.dtype.kind != "b" else each for each in (found, wanted))
    if np.allclose(a, b, rtol=rtol, atol=atol, equal_nan=True):
        return None
    with np.errstate(all="ignore"):
        return f"differs by {np.nanmax(np.abs(a.astype(float) - b.astype(float)))}"


def bind(model, name, value):
    model = onnx.ModelProto.FromString(model.SerializeToString())
    model.graph.initializer.append(numpy_helper.from_array(np.asarray(value), name))
    return model


def run_set(tool, more, model, inputs, outputs, rtol, atol):
    """None or why not; and whether inputs were bound."""
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        bound = False
        initial = {each.name for each in model.graph.initializer}
        infos = [each for each in model.graph.input if each.name not in initial]
        if any(each is None or isinstance(each, (list, dict)) or np.asarray(each).dtype.kind in "OUS"
               for each in [*inputs, *outputs]):
            return NO_NUMBERS, False
        given = dict(zip([each.name for each in infos], inputs))
        while True:
            onnx.save(model, folder / "m.onnx")
            command = [tool, "run", "m.onnx", "--out=r.npz", *more]
            for i, (key, value) in enumerate(given.items()):
                np.save(folder / f"{i}.npy", np.ascontiguousarray(value) if np.ndim(value) else np.asarray(value))
                command.append(f"--in={key}=@{i}.npy")
            try:
                done = subprocess.run(command, cwd=folder, capture_output=True, text=True, errors="replace", timeout=120)
            except subprocess.TimeoutExpired:
                return "no answer in 120 s", bound
            match = UNKNOWN.search(done.stderr)
            names = [name for name in (match.groups() if match else []) if name]
            if not done.returncode or not names or not list(given):
                break
            # what stands between may come from any small integer input
            name = names[0] if names[0] in given else next(
                (key for key, value in given.items() if np.asarray(value).dtype.kind in "iub" and np.size(value) <= 64), None)
            if name is None:
                break
            model, bound = bind(model, name, given.pop(name)), True
        if done.returncode:
            line = next((each for each in done.stderr.splitlines() if "[E" in each or "error" in each), done.stderr[:200])
            return f"exit {done.returncode}: {line}", bound
        try:
            found = load_results(folder / "r.npz", [each.name for each in model.graph.output])
        except Exception as error:  # what was written is no .npz
            return f"results: {error}", bound
        for each, wanted in zip(found, outputs):
            why = differs(each, wanted, rtol, atol)
            if why:
                return why, bound
        return None, bound


def run_case(tool, case, more):
    name, model, sets, rtol, atol = case
    was_bound = False
    for inputs, outputs in sets:
        try:
            why, bound = run_set(tool, more.split(), model, inputs, outputs, rtol, atol)
        except Exception as error:  # of NumPy or onnx
            why, bound = f"harness: {error}", False
        was_bound |= bound
        if why:
            return name, why, was_bound
    return name, None, was_bound


def read_differences():
    """Patterns of names, with why such tests differ."""
    lines = (pathlib.Path(__file__).resolve().parent / "onnx_differences.txt").read_text().splitlines()
    rows = [line.rsplit(": ", 1) if line.count(": ") == 1 else line.split(": ", 1) for line in lines if line and line[0] != "#"]
    return [(re.compile(pattern), why) for pattern, why in rows]


def hold_differences(done, is_whole):
    """What the table says otherwise than the run, as lines."""
    rows, out, used = read_differences(), [], set()
    for name, why, _ in done:
        reasons = [row for row in rows if row[0].fullmatch(name)]
        used.update(reasons if why else [])
        if why and not reasons:
            out.append(f"UNEXPLAINED {name}: {why}")
        if not why and reasons and any(row[0].fullmatch(name) and not row[0].pattern.endswith((".*", "?")) for row in reasons):
            out.append(f"STALE {name} does not differ")
    return out + [f"STALE `{row[0].pattern}` explains nothing" for row in rows if is_whole and row not in used]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tool")
    parser.add_argument("--only", default="")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--table")
    parser.add_argument("--floor", type=int, default=0)
    parser.add_argument("--run", default="", help="more arguments of `inlay run`")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    tool = str(pathlib.Path(options.tool).resolve())
    cases = [case for case in [*node_cases(), *folder_cases()] if re.search(options.only, case[0])]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        done = []
        for result in pool.map(lambda case: run_case(tool, case, options.run), cases):
            done.append(result)
            if options.table:
                with open(options.table, "a", encoding="utf-8") as table:
                    print(result[0], result[1] or ("bound" if result[2] else "pass"), sep="\t", file=table)
    failed = [(name, why) for name, why, _ in done if why]
    bound = sum(1 for _, why, bound in done if bound and not why)
    reasons = collections.defaultdict(list)
    for name, why in failed:
        reasons[re.sub(r"`[^`]*`(?= \()|\d+\.?\d*(e-?\d+)?(?!\d*\])", "N", why) if "E0861" not in why else why].append(name)
    lines = [f"{len(done)} tests, {len(done) - len(failed)} passed ({bound} with inputs bound), {len(failed)} not", ""]
    for why, names in sorted(reasons.items(), key=lambda item: -len(item[1])):
        lines.append(f"{len(names):4} {why}")
        lines.append(f"     {', '.join(names[:12])}{' ..' if len(names) > 12 else ''}")
    print("\n".join(lines))
    problems = hold_differences(done, not options.only)
    print("\n".join(problems))
    return bool(problems) or len(done) - len(failed) < options.floor


sys.exit(main())
