#!/usr/bin/env python3
"""Golden tests: run the tool on each tests/golden/**/*.py and compare with the output it records.

See tests/golden/README.md for the format.  Prints TAP.

usage: golden.py TOOL DIRECTORY [--bless] [--jobs N] [FILTER...]

--bless rewrites what follows OUT in the tests that FILTER names.  A FILTER is a part of a path.
"""
import argparse
import concurrent.futures
import difflib
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import npz

MARK = "# OUT:\n"
HEAD = re.compile(r"# (?:RUN|FAIL(?:\((\d+)\))?): *(.*)")
TIMEOUT = 60 * int(os.environ.get("INLAY_SLOW", "1"))
TIMES = [(re.compile(r" *\b\d+(\.\d+)? (ns|us|ms|s)\b"), r" _ \2"), (re.compile(r" *\b\d+\.\d %"), r" _ %"),
         (re.compile(r"\d+ scripts were tried"), "_ scripts were tried"),
         (re.compile(r'("(?:\w+_ms|gflops|gb_per_s|\w+_share|rounds|probability)"): ?(?:null|[\d.e+-]+)'), r"\1: 0")]
# Of commands that measure, before that: times in all units, rates, who is faster, the machine, gaps as wide as numbers are long.
MEASURED = [(re.compile(r" *\b\d+(\.\d+)? (ns|us|ms|s)\b"), "  _ ms"), (re.compile(r" *(<=)?\b\d+\.\d (GFLOP/s|GB/s)"), r"  _ \2"),
            (re.compile(r"(?<!against the )\b(fastest|not distinguishable|slower|same module)\b(?!\":)|\d+\.\d\d times as long"), "_"),
            (re.compile(r"^\d+ rounds", re.MULTILINE), "_ rounds"), (re.compile(r"^on .* after$", re.MULTILINE), "on _"),
            (re.compile(r"^others used the machine.*\n", re.MULTILINE), ""), (re.compile(r"(?<=[^\s|])  +"), "  "),
            (re.compile(r'(_sha256": )"[0-9a-f]{64}"'), r"\1_")]
# Options of `run` that must not change the result, and whether not even the last bit may change.
VARIANTS = [(["--inplace=off"], True), (["--check-memory"], True), (["-O0"], False), (["-O2"], False), (["--interpret"], False)]


OLD_DIALECT = ["the dialect of 0.23"]
# What TVM 0.23 does not know.
NEWER = ["T.sblock", "tirx", "out_ty=", " ty_args=", "TypeVar", "s_tir", "R.Any", "T.let["]


class Test:
    def __init__(self, tool, path):
        self.tool, self.path = tool, path
        text = path.read_bytes().decode("utf-8", "surrogateescape")
        self.head, _, tail = text.partition(MARK)
        match = HEAD.match(self.head)
        if not match:
            raise ValueError("the first line must be `# RUN: ...` or `# FAIL: ...`")
        self.status = 0 if self.head.startswith("# RUN") else int(match[1] or 1)
        self.args = shlex.split(match[2])
        if not any("FILE" in arg for arg in self.args):
            self.args.append("FILE")
        self.recorded = [line.removeprefix("#").removeprefix(" ").rstrip()
                         for line in tail.splitlines()]

    def run(self, args, file, folder):
        """(exit status, output) of the tool; its own folder's path is left out of the output."""
        command = [self.tool, *(arg.replace("FILE", str(file)) for arg in args)]
        try:
            done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                  stdin=subprocess.DEVNULL, cwd=self.path.parent, timeout=TIMEOUT)
        except subprocess.TimeoutExpired:
            return None, f"no end within {TIMEOUT} s\n"
        output = done.stdout.decode("utf-8", "replace").replace(f"{folder}/", "")
        return done.returncode, output

    def compare(self, folder):
        """Lines that differ from the record; results are kept for variants()."""
        kept = ["--out", str(folder / "expected.npz")] if self.runs() and "--out" not in " ".join(self.args) else []
        status, output = self.run([*self.args, *kept], self.input(folder), folder)
        for pattern, replacement in (MEASURED if self.args[0] in ("race", "bench") else []) + TIMES:
            output = pattern.sub(replacement, output)
        self.actual = [line.rstrip() for line in output.splitlines()]
        if status != self.status:
            self.actual.append(f"exit status {status}")
        return list(difflib.unified_diff(self.recorded, self.actual, "recorded", "actual",
                                         lineterm=""))

    def runs(self):
        return self.args[0] == "run" and self.status == 0

    def input(self, folder):
        """The script alone: what the tool must print is no part of it."""
        file = folder / self.path.name
        file.write_bytes(self.head.encode("utf-8", "surrogateescape"))
        return file

    def round_trip(self, folder):
        """What is wrong with printing, parsing and printing again; None: the input does not parse."""
        status, first = self.run(["opt", "FILE"], self.input(folder), folder)
        if status == 1:
            return None
        if status:
            return [f"opt: exit status {status}", *first.splitlines()]
        again = folder / "again.py"
        again.write_text(first)
        status, second = self.run(["opt", "FILE"], again, folder)
        if status:
            return [f"opt of its own output: exit status {status}", *second.splitlines()]
        return list(difflib.unified_diff(first.splitlines(), second.splitlines(), "printed",
                                         "printed again", lineterm=""))

    def old_dialect(self, folder):
        """What is wrong with the text in the dialect of TVM 0.23; None: the input does not parse."""
        old = folder / "old.py"
        status, first = self.run(["opt", "--dialect=0.23", "FILE"], self.input(folder), folder)
        if status == 1:
            return None
        old.write_text(first)
        newer = [word for word in NEWER if word in first]
        status, second = self.run(["opt", "--dialect=0.23", "FILE"], old, folder)
        if status or newer:
            return [f"opt of it: exit status {status}", *newer, *second.splitlines()]
        return list(difflib.unified_diff(first.splitlines(), second.splitlines(), "printed", "printed again", lineterm=""))

    def variants(self, folder):
        """Results that differ although only the way of running, or the dialect, does."""
        file = self.input(folder)
        problems = []
        expected = folder / "expected.npz"
        actual = folder / "actual.npz"
        if not expected.exists():
            status, output = self.run([*self.args, "--out", str(expected)], file, folder)
            if status:
                return [f"--out: exit status {status}", *output.splitlines()]
        for options, is_exact in [*VARIANTS, (OLD_DIALECT, False)]:
            if options is OLD_DIALECT and any(arg.startswith(("--define", "--dim")) for arg in self.args):
                continue  # what is printed has no constants, and may call a symbol otherwise
            if options == ["-O2"] and not any(arg.startswith(("-O", "--opt-level")) for arg in self.args):
                continue  # it is what ran
            actual.unlink(missing_ok=True)
            if options is OLD_DIALECT:
                script, extra = folder / "old.py", []
            else:
                script, extra = file, options
            status, output = self.run([*self.args, *extra, "--out", str(actual)], script, folder)
            if status == 1 and options == ["--interpret"] and "error[E0820]" in output:
                continue  # the script has an operator that only a pass can decompose
            if status:
                problems += [f"{' '.join(options)}: exit status {status}", *output.splitlines()]
            else:
                problems += [f"{' '.join(options)}: {difference}" for difference
                             in npz.differences(expected, actual, is_exact)]
        return problems

    def checks(self):
        """(name, problems or None where the check does not apply)"""
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder).resolve()
            yield "", self.compare(folder)
            yield " (print, parse, print)", self.round_trip(folder)
            yield " (the same in the dialect of 0.23)", self.old_dialect(folder)
            if self.runs():
                yield " (all ways of running)", self.variants(folder)

    def bless(self):
        commented = "".join(f"# {line}".rstrip() + "\n" for line in self.actual)
        text = self.head + MARK + commented
        self.path.write_bytes(text.encode("utf-8", "surrogateescape"))


def run_test(tool, path):
    """(test, its results) of one file."""
    try:
        test = Test(tool, path)
        return test, list(test.checks())
    except (ValueError, OSError) as error:
        return None, [("", [str(error)])]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tool")
    parser.add_argument("directory", type=pathlib.Path)
    parser.add_argument("--bless", action="store_true")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("filter", nargs="*")
    options = parser.parse_intermixed_args()
    if options.bless and not options.filter:
        parser.error("--bless wants a FILTER: read what you bless")
    tool = str(pathlib.Path(options.tool).resolve())
    paths = [p for p in sorted(options.directory.rglob("*.py"))
             if not options.filter or any(f in str(p) for f in options.filter)]
    number = failed = 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for path, (test, results) in zip(paths, pool.map(lambda p: run_test(tool, p), paths)):
            for name, problems in results:
                if problems is None:
                    continue
                number += 1
                failed += bool(problems)
                print(f"{'not ok' if problems else 'ok'} {number} - "
                      f"{path.relative_to(options.directory)}{name}")
                for line in problems:
                    print(f"# {line}", flush=True)
            if options.bless and test and results[0][1]:
                test.bless()
    print(f"1..{number}")
    return 1 if failed and not options.bless else 0


sys.exit(main())
