#!/usr/bin/env python3
"""Plants mistakes about storage into right modules and asks the checker of storage, and nobody else. Prints TAP.

BROKEN is the tool with the pass Plant (tests/broken/plants.def), CHECKED a code generator that does not ask the in-place
analysis again, TRUSTING one that does not ask the checker either. Each mistake is made at every place of every program where it
can be made. Then

  - the module as it was passes the check: nothing right is refused;
  - where compiled code gives another result than the interpreter, changes an input, crashes or fails, the check refuses;
  - it refuses each mistake somewhere, and every time where the mistake is one whether or not this run shows it.

The table at the end says who saw what; --write puts it into docs/bug-bank.md.

usage: bug_bank.py BROKEN CHECKED TRUSTING ROOT [--all] [--random N] [--write] [--bug NAME] [--keep FOLDER]
"""
import argparse
import collections
import concurrent.futures
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import inplace
import random_programs
from bug_bank_programs import PROGRAMS
from scenarios import SCENARIOS

PLANT = re.compile(r'^PLANT\((\w+),\s*\w+,\s*"([^"]*)"\)', re.MULTILINE)
SITES = re.compile(r'"plant\.(\w+)": (\d+)')
# Copies, which all kernels get that way, are taken out behind ResolveInplace; what a module says about memory is changed at the very end.
COPIES = "LambdaLift,LegalizeOps,ResolveInplace(fresh=false)"
CAPTURED = "LegalizeOps,ResolveInplace(fresh=false),{},LambdaLift"
MEMORY = "LambdaLift,LegalizeOps,ResolveInplace(fresh=false),ToNonDataflow,CallTIRRewrite,PassDestinations,KillAfterLastUse"
PLANNED = MEMORY + ",PlanMemory"
SITE_LIMIT = 4    # of one mistake in one program, unless --all
JOB_LIMIT = 24    # of one mistake in all programs, unless --all
TIMEOUT = 60 * int(os.environ.get("INLAY_SLOW", "1"))

# What each mistake is modelled on: threads of other compilers, and what went wrong here.
MODELS = {
    "later_read": "", "output_dead": "Inductor PR #187678", "renames_ignored": "Futhark #2018",
    "views_ignored": "TVM #19577, Inductor #198101", "regions_apart": "Inductor #137416, Futhark #1789", "cast_ends_life": "TVM #20190", "fields_ignored": "",
    "object_first_leaf": "this compiler, 2026", "join_forgotten": "", "borrowed_input": "ORT #28359, Inductor #94693", "constant": "",
    "operand_elsewhere": "Inductor #198033, #198270, XLA #49176", "duplicate_output": "tpp-mlir PR #588",
    "callee_overwrites": "this compiler, 2026 (mutual recursion, call chains)", "callee_returns": "Futhark #2288", "opaque_retains": "",
    "contract_retains": "", "contract_aliases": "Inductor #189735",
    "captured": "", "reuse_while_live": "nnfusion #200", "overlap": "ORT PR #19515", "block_short": "ORT #32611",
    "kill_early": "ORT PR #21019, Inductor #183575", "kill_ignores_names": "TVM #20190", "kill_twice": "", "kill_output": "Inductor PR #187678",
    "kill_borrowed": "", "kill_constant": "", "kill_in_branch": "",
    "dest_argument": "", "plan_life": "ORT PR #21019", "plan_step": "ORT PR #19515", "plan_small": "ORT #32611",
}


class Bank:
    def __init__(self, args):
        self.args = args
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.tools = {name: self.install(name, path) for name, path in
                      [("checked", args.checked), ("trusting", args.trusting)]}

    def install(self, name, library):
        """The tool beside the code generator that it is to load."""
        folder = self.folder / name
        folder.mkdir()
        shutil.copy(self.args.broken, folder / "inlay-broken")
        (folder / "inlay-llvm.so").symlink_to(pathlib.Path(library).resolve())
        return str(folder / "inlay-broken")

    def run(self, tool, *args, cwd=None):
        """Exit status and everything that was said."""
        try:
            done = subprocess.run([self.tools[tool], *map(str, args)], stdin=subprocess.DEVNULL, capture_output=True,
                                  text=True, cwd=cwd or self.folder, timeout=TIMEOUT)
        except subprocess.TimeoutExpired:
            return 124, "timeout"
        return done.returncode, done.stdout + done.stderr

    # ---- one program

    def options(self, script):
        """What `run` needs beside the script: a number for each size that it leaves open; None if it does not run."""
        options = []
        for _ in range(8):
            status, out = self.run("trusting", "run", "--interpret", *options, script, cwd=script.parent)
            left_open = re.search(r"E0710\]: the inputs leave the size of (.*) open", out)
            if not left_open:
                return options if status == 0 else None
            options += [word for name in re.findall(r"`(\w+)`", left_open[1]) for word in ("--dim", f"{name}=8")]
        return None

    def sites(self, script, pipeline):
        """How many places there are for each mistake; None where the pipeline does not get that far."""
        status, out = self.run("checked", "opt", "-p", pipeline, script)
        return {bug: int(count) for bug, count in SITES.findall(out)} if status == 0 else None

    def ask(self, script, options, pipeline):
        """What the checker says: "right", "refused", or another end."""
        status, out = self.run("checked", "run", *(options or []), "-p", pipeline, script, cwd=script.parent)
        if status == 3 and "E0317" in out and "E0689" in out:
            return "refused", out
        if status == 3 and "E0903" in out:
            return "not well-formed", out
        return ("right" if status in (0, 1) else f"exit status {status}"), out

    def compare(self, script, options, pipeline):
        """What running it shows, without the checker: "nothing", or what differs."""
        if options is None:
            return "nothing"
        status, out = self.run("trusting", "run", "--check", *options, "-p", pipeline, script, cwd=script.parent)
        if status == 4:
            return "input changed" if "is not what it was" in out else "other result"
        if status == 1 and re.search(r"error\[E080\d\]", out):
            return "error"
        return {0: "nothing", 1: "nothing", 124: "hangs"}.get(status, "crash")

    def watch(self, script, options, pipeline):
        """What a run that checks its memory says: "found", or another end."""
        if options is None:
            return "not run"
        status, out = self.run("trusting", "run", "--check-memory", *options, "-p", pipeline, script, cwd=script.parent)
        return "found" if "error[E0812]" in out else {0: "nothing", 124: "hangs"}.get(status, "error" if status == 1 else "crash")

    def one(self, job):
        bug, name, script, options, pipeline = job
        verdict, out = self.ask(script, options, pipeline)
        shown = self.compare(script, options, pipeline)
        return bug, name, pipeline, verdict, shown, out, self.watch(script, options, pipeline)

    def jobs(self, name, text):
        """The mistakes that can be made in a program."""
        folder = self.folder / f"program_{re.sub(r'[^a-zA-Z0-9]+', '_', name)}"
        folder.mkdir(exist_ok=True)
        script = folder / "program.py"
        script.write_text(text)
        options = self.options(script)
        found = []
        for pipeline in [COPIES + ",{}", CAPTURED, MEMORY + ",{}", PLANNED + ",{}"]:
            sites = self.sites(script, pipeline.format("Plant")) or {}
            for bug, count in sites.items():
                if (pipeline is CAPTURED) != (bug == "captured") or (self.args.bug and bug != self.args.bug):
                    continue
                if pipeline.startswith(MEMORY) and bug in COPY_BUGS:
                    continue
                if pipeline.startswith(PLANNED) != bug.startswith("plan_"):
                    continue
                for site in range(count if self.args.all else min(count, SITE_LIMIT)):
                    found.append((bug, name, script, options, pipeline.format(f'Plant(bug="{bug}", site={site})')))
            if pipeline.startswith(MEMORY):
                found.append(("none", name, script, options, pipeline.replace(",{}", "")))
        return found


PLANTS = PLANT.findall((HERE / "broken/plants.def").read_text())
COPY_BUGS = set(re.findall(r"PLANT\((\w+),\s*copies,", (HERE / "broken/plants.def").read_text()))


def programs(args):
    for row in SCENARIOS:
        yield row.name, inplace.script(row)
    yield from PROGRAMS.items()
    for script in sorted((args.root / "examples").glob("*.py")):
        yield f"examples/{script.name}", script.read_text()
    for script in sorted((args.root / "tests/golden/run").glob("*.py")):
        text = script.read_text()
        if args.all or "inplace" in text:
            yield f"golden/{script.name}", text[:text.index("# OUT:")]
    for seed in range(args.random):
        yield f"random {seed}", random_programs.Program(random.Random(seed)).text()


def spread(jobs):
    """At most JOB_LIMIT of each mistake, from the first to the last program."""
    by_bug = collections.defaultdict(list)
    for job in jobs:
        by_bug[job[0]].append(job)
    for bug, found in by_bug.items():
        step = 1 if bug == "none" else max(1, -(-len(found) // JOB_LIMIT))
        yield from found[::step]


def table(rows):
    lines = ["| planted mistake | modelled on | checker of storage | results compared | seen by `--check-memory` |", "|---|---|---|---|---|"]
    lines += [f"| {doc} (`{bug}`) | {MODELS[bug]} | {rows[bug][0]} | {rows[bug][1]} | {rows[bug][2]} |" for bug, doc in PLANTS]
    return "\n".join(lines)


PAGE = """# The bank of planted mistakes

A checker is worth what it finds. `tests/bug_bank.py` makes mistakes about storage in right modules, the way an analysis, a planner or a pass
could make them, at every place of its programs (the scenarios of in-place updates, programs written for it, the examples, golden tests; with `--random N` random ones), and
asks the checker (`analysis/verify_storage`) alone: the in-place analysis is not asked again. The test fails if compiled code shows a mistake that the checker did not refuse, or
if a module without a mistake is refused. `--all` takes every place of every golden test.

*checker of storage*: "always" means at every place where the mistake was made; otherwise how it is with the rest. *results compared*: whether compiled code, with nobody to check
it, ever showed the mistake in these programs: by another result than the interpreter's, by an input that changed, by an error or a crash. Storage that is killed too early holds its
old contents until somebody else is given it, so that only few runs show it. *seen by `--check-memory`*: whether a run that follows the owners of bytes ever refused it; what is killed
wrongly in the text, the code generator refuses itself, and what code outside keeps does not show in the run that gave it.

Of the bugs of other compilers that the list is modelled on, these have no row because the language has nothing that they could be made of: loops that carry values
(Futhark #2084, MLIR #218091), several streams or a parallel executor (ORT PR #7645, ORT PR #19515 between streams), loops whose slices are written before they are read (Futhark #1927), and copies that a
pass takes for nothing (Inductor #195451): here `R.copy` is an operation like all others.

"""


def summary(results):
    """Per mistake: what the checker said, and what running showed."""
    counts = {bug: collections.Counter() for bug, _ in PLANTS}
    for bug, _, _, verdict, shown, _, watched in results:
        if bug != "none":
            counts[bug][f"watched: {watched}"] += 1
            counts[bug][verdict] += 1
            counts[bug][f"shown: {shown}"] += 1
    return counts


def words(count):
    total = sum(n for key, n in count.items() if ": " not in key)
    refused, broken = count["refused"], count["not well-formed"]
    checker = ("never" if not refused else "always" if refused == total else
               "always; the verifier of modules refuses some first" if refused + broken == total else "where a value is lost")
    shown = sorted({key[7:] for key, n in count.items() if key.startswith("shown") and n} - {"nothing"})
    watched = "yes" if count["watched: found"] else "no"
    return checker, ", ".join(shown) or "never", watched


def check(bank, results):
    """(name, what is wrong) of each test."""
    counts = summary(results)
    for bug, doc in PLANTS:
        if bank.args.bug and bug != bank.args.bug:
            continue
        missed = [r for r in results if r[0] == bug and r[3] not in ("refused", "not well-formed") and r[4] != "nothing"]
        lines = [f"{name}: {pipeline}: {verdict}, but {shown}" for _, name, pipeline, verdict, shown, _, _ in missed]
        if not counts[bug]["refused"]:
            lines.append("the checker refused it nowhere")
        is_shown = counts[bug]["shown: other result"] or counts[bug]["shown: input changed"] or counts[bug]["shown: crash"]
        if is_shown and not counts[bug]["watched: found"]:
            lines.append("a run with --check-memory never found it")
        yield f"{bug}: {doc}", lines
    alarms = [r for r in results if r[0] == "none" and (r[3] != "right" or r[4] != "nothing" or r[6] not in ("nothing", "not run"))]
    yield "nothing right is refused", [f"{name}: {pipeline}: {verdict}, {shown}, {watched} with --check-memory\n{out}"
                                         for _, name, pipeline, verdict, shown, out, watched in alarms]


def read_args():
    parser = argparse.ArgumentParser()
    for name in ("broken", "checked", "trusting", "root"):
        parser.add_argument(name, type=pathlib.Path)
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--random", type=int, default=0)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--bug")
    parser.add_argument("--keep", type=pathlib.Path)
    return parser.parse_args()


def main():
    args = read_args()
    bank = Bank(args)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        jobs = [job for found in pool.map(lambda p: bank.jobs(*p), programs(args)) for job in found]
        results = list(pool.map(bank.one, jobs if args.all else spread(jobs)))
    tests = list(check(bank, results))
    page = args.root / "docs/bug-bank.md"
    rows = {bug: words(count) for bug, count in summary(results).items()}
    if args.write:
        page.write_text(PAGE + table(rows) + "\n")
    if not args.bug:
        known = page.read_text() if page.exists() else ""
        tests.append(("docs/bug-bank.md has a row for each", [f"{doc} (`{bug}`): run this with --write" for bug, doc in PLANTS
                                                             if f"| {doc} (`{bug}`) |" not in known]))
    print(f"1..{len(tests)}")
    for number, (name, lines) in enumerate(tests, 1):
        print(f"{'not ok' if lines else 'ok'} {number} - {name}")
        for line in lines[:20]:
            print("# " + line.rstrip().replace("\n", "\n# "))
    print("#\n# mistake               places  refused  not well-formed  let through  shown by a run  found by --check-memory")
    for bug, count in summary(results).items():
        total = sum(n for key, n in count.items() if ": " not in key)
        shown = total - count["shown: nothing"]
        passed = total - count["refused"] - count["not well-formed"]
        print(f"# {bug:20} {total:7} {count['refused']:8} {count['not well-formed']:16} {passed:12} {shown:15} {count['watched: found']:24}")
    print(f"# without a mistake    {sum(r[0] == 'none' for r in results):7}")
    shutil.rmtree(bank.folder)
    return any(lines for _, lines in tests)


if __name__ == "__main__":
    sys.exit(main())
