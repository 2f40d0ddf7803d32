#!/usr/bin/env python3
"""What Inlay prints, and its examples, are scripts of TVM 0.27: its parser must read them.

Read are the examples as they stand, and what `inlay opt` prints of the examples, of the golden tests and of tests/op_values, with
the passes of the golden tests that have some. The examples also run in both, and must give equal numbers. What TVM does not read must be explained below, else the test fails.

It needs the environment that scripts/peers makes; without it there is nothing to run, and nothing fails.

usage: tvm_reads.py TOOL [--peers FOLDER] [--verbose] [FILTER...]
"""
import argparse
import importlib.util
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

from tvm_differential import enter

HERE = pathlib.Path(__file__).resolve().parent
TIME_LIMIT = 60  # seconds of the processor

# A pattern for the name of the script and the message, and why it is right that TVM does not read it.
REASONS = [
    (r"no attribute '(copy|masked_fill|assert_inplace|PackedFunc|inspect)'", "an extension of Inlay, or a name that TVM prints and does not read"),
    (r"argument '(strict|axis_separators)'", "an extension of Inlay, or an argument that TVM prints and does not take"),
    (r"(?s)Cannot convert .* to `Expr`.*R\.slice_scatter", "an extension of Inlay: places of an update that are tensors"),
    (r"Shift amount must be non-negative", "TVM refuses what is a warning here (E0447)"),
    (r"no attribute 'dot4'", "an intrinsic of Inlay, which passes make"),
    (r"type `ffi.Array`|kill_object", "TVM gives back one object at a time"),
    (r"run/(while-break|nested-remainders)\.py", "TVM's parser takes no `return` in a kernel's loop, and minutes for nested remainders"),
    (r"kernel/threads\.py", "an instruction of GPUs that TVM no longer has"),
    (r"MatchBuffer buffer scope mismatch", "TVM wants the scope said again"),
    (r"print/symbols\.py.*Undefined variable: s", "TVM reads no tensor whose shape is a parameter"),
    (r"graph/module-settings\.py", "a function that only module_attrs name"),
    (r"any-tuple-cast-fails", "TVM refuses a cast that fails when it runs"),
]


# Examples that mean something else to TVM: it updates in place what is read again afterwards.
OTHERWISE = ["use_after_update"]


def texts(tool):
    """(name, text)"""
    root = HERE.parent
    for file in sorted((root / "examples").glob("*.py")):
        yield f"examples/{file.name} as it stands", file.read_text()
    for file in [*sorted((root / "examples").glob("*.py")), *sorted((HERE / "golden").rglob("*.py")), *sorted((HERE / "op_values").glob("*.py"))]:
        name = file.relative_to(root if "examples" in file.parts else HERE)
        ways = [["opt", "-p", "", str(file)], ["opt", str(file)]]
        first = re.match(r"# RUN: (opt .*)", file.read_text(errors="replace"))
        if first and not re.search(r"--(print|time|dump)", first[1]):
            words = [str(file) if word == "FILE" else word for word in shlex.split(first[1])]
            ways.append(words if str(file) in words else [*words, str(file)])
        seen = set()
        for words in ways:
            done = subprocess.run([tool, *words], stdin=subprocess.DEVNULL, capture_output=True, text=True, cwd=file.parent)
            if done.returncode == 0 and done.stdout not in seen and re.search(r"^ *@(R\.function|T\.prim_func)", done.stdout, re.MULTILINE):
                seen.add(done.stdout)
                yield f"{name} {' '.join(w for w in words[1:] if w != str(file))}".strip(), done.stdout


def read(name, text, folder):
    """Raises what TVM has against it. Rules that are no grammar (what a view may show, which casts can fail) are TVM's own."""
    import tvm.script
    if not name.endswith("as it stands"):
        tvm.script.from_source(text, check_well_formed=False)
        return
    path = pathlib.Path(folder, "example.py")  # a file of Python, with its imports
    path.write_text(text)
    spec = importlib.util.spec_from_file_location("example", path)
    sys.modules["example"] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(sys.modules["example"])


def read_all(items, folder):
    """(number, message) of each; TVM may crash, so in processes of their own, as many as it takes."""
    import signal
    start = 0
    while start < len(items):
        reader, writer = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(reader)
            os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
            with os.fdopen(writer, "w") as pipe:
                for name, text in items[start:]:
                    signal.setitimer(signal.ITIMER_PROF, TIME_LIMIT)
                    message = ""
                    try:
                        read(name, text, folder)
                    except BaseException as error:
                        lines = [line.strip() for line in str(error).splitlines() if line.strip()] or [type(error).__name__]
                        message = " ".join([line for line in lines if line.startswith("error")] + lines[-4:])
                    print(repr(message), file=pipe, flush=True)
            os._exit(0)
        os.close(writer)
        with os.fdopen(reader) as pipe:
            for line in pipe:
                yield start, eval(line)
                start += 1
        _, status = os.waitpid(child, 0)
        if status:
            yield start, f"it ended with status {status}"
            start += 1


def run_example(tool, file, folder):
    """A message where TVM and Inlay disagree on the numbers, or None."""
    import tvm_differential as both
    name = pathlib.Path(file).name
    read(f"{name} as it stands", pathlib.Path(file).read_text(), folder)
    module = next(value for value in vars(sys.modules["example"]).values() if type(value).__name__ == "IRModule")
    main = module["main"]
    inputs = both.Inputs(both.INDEXED, 1, False)
    arguments = [inputs.of_type(param.ty, True) for param in main.params]
    expected = both.in_child(both.run_tvm, module, arguments)
    if isinstance(expected, str):
        return f"TVM: {expected}"
    names = [param.name for param in main.params]
    actual = both.run_inlay(tool, pathlib.Path(file).read_text(), names, arguments, [])
    if isinstance(actual, tuple):
        return f"Inlay: {actual[1]}"
    outcome, message = both.compare(expected, actual)
    return message if outcome == "differs" else None


def lost_passes():
    """Passes in the table of docs/coming-from-tvm.md that TVM does not have."""
    import tvm.relax.transform
    import tvm.s_tir.transform
    import tvm.tirx.transform  # noqa: F401
    rows = re.findall(r"^\| `(relax|s_tir|tirx)\.(\w+)` \|", (HERE.parent / "docs/coming-from-tvm.md").read_text(), re.MULTILINE)
    assert rows, "the table is not where it was"
    return [f"{space}.{name}" for space, name in rows if not hasattr(getattr(tvm, space).transform, name)]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tool")
    parser.add_argument("--peers", default=os.environ.get("INLAY_PEERS", HERE.parent / "build/peers"))
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("filter", nargs="*")
    options = parser.parse_intermixed_args()
    options.tool = str(pathlib.Path(options.tool).resolve())
    enter(options.peers)
    import tvm.script  # noqa: F401
    items = [item for item in texts(options.tool) if not options.filter or any(f in item[0] for f in options.filter)]
    good, explained, bad = 0, [], []
    with tempfile.TemporaryDirectory() as folder:
        for number, message in read_all(items, folder):
            name = items[number][0]
            why = next((reason for pattern, reason in REASONS if re.search(pattern, f"{name}: {message}")), None)
            good += not message
            if message:
                (explained if why else bad).append(f"{name}: {message[:400]}" + (f" -- {why}" if why else ""))
    examples = [f for f in sorted((HERE.parent / "examples").glob("*.py")) if f.stem not in OTHERWISE and not options.filter or any(o in str(f) for o in options.filter)]
    print(f"1..{2 + len(examples)}")
    print(f"{'not ok' if bad else 'ok'} 1 - TVM reads {good} of {len(items)} scripts, {len(explained)} not for a reason, {len(bad)} without one")
    for line in bad + (explained if options.verbose else []):
        print(f"# {line}")
    for number, file in enumerate(examples, 2):
        with tempfile.TemporaryDirectory() as folder:
            message = run_example(options.tool, str(file), folder)
        bad += [message] if message else []
        print(f"{'not ok' if message else 'ok'} {number} - {file.name} gives the numbers that TVM computes")
        for line in (message or "").splitlines():
            print(f"# {line}")
    lost = lost_passes()
    print(f"{'not ok' if lost else 'ok'} {2 + len(examples)} - TVM has the passes that docs/coming-from-tvm.md names{': not ' if lost else ''}{', '.join(lost)}")
    return bool(bad or lost)


if __name__ == "__main__":
    sys.exit(main())
