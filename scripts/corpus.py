#!/usr/bin/env python3
"""Measures how much of TVM's own TVMScript the front end takes.

    scripts/corpus.py TVM_TREE [--tool build/inlay] [--ref REV] [--area relax,s_tir]

Takes the modules and functions out of tests/python/<area> of a TVM tree (a work tree, or any git
directory with --ref), as text and without running any of it, and gives each to `inlay opt` as a file
of its own; what that prints goes through `inlay opt` again and must come out the same.

Only closed texts count: those that use no name of the Python around them.  Counted apart and not
run: texts with free Python names, texts that TVM's tests expect to be refused (inside
`pytest.raises`, or with check_well_formed=False), and texts with Python that TVMScript runs while
parsing (macros, comprehensions, f-strings, ...; docs/language.md lists what is refused).
"""

import argparse
import ast
import builtins
import collections
import concurrent.futures
import io
import os
import re
import subprocess
import sys
import tarfile
import tempfile

SCRIPT_MODULES = {"ir": "I", "tir": "T", "tirx": "T", "relax": "R"}
MODULE_DECORATORS = {"ir_module"}
FUNCTION_DECORATORS = {("R", "function"), ("T", "prim_func")}
# Calls and decorators that run Python while TVM parses.
PYTHON_ATTRIBUTES = {
    ("T", "macro"), ("R", "macro"), ("T", "inline"), ("I", "pyfunc"), ("T", "meta_var"), ("I", "meta_var"),
    ("T", "meta_class"), ("T", "constexpr"), ("T", "jit"), ("T", "call_kernel"), ("I", "py_func"),
}
PYTHON_NODES = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.JoinedStr,
                ast.NamedExpr, ast.Try, ast.Await, ast.Yield, ast.Global, ast.Nonlocal)


class Sample:
    def __init__(self, name, text, kind, status):
        self.name, self.text, self.kind, self.status = name, text, kind, status


def dotted(node):
    """`a.b.c` as a tuple of names, or ()."""
    names = []
    while isinstance(node, ast.Attribute):
        names.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        return ()
    return tuple(reversed(names + [node.id]))


def decorator_kind(node, aliases):
    """"module", "relax", "tir" or None for one decorator; @aliases maps local names to I, T, R."""
    path = dotted(node.func if isinstance(node, ast.Call) else node)
    if not path:
        return None
    if path[-1] in MODULE_DECORATORS:
        return "module"
    if path[-1] == "function" and (aliases.get(path[0]) == "R" or "relax" in path):
        return "relax"
    if path[-1] == "prim_func" and (aliases.get(path[0]) == "T" or "tir" in path or "tirx" in path):
        return "tir"
    return None


def script_kind(node, aliases):
    for decorator in node.decorator_list:
        kind = decorator_kind(decorator, aliases)
        if kind:
            return kind
    return None


def is_unchecked(node):
    """check_well_formed=False on it or on a function in it."""
    for part in ast.walk(node):
        if isinstance(part, ast.keyword) and part.arg == "check_well_formed":
            return isinstance(part.value, ast.Constant) and part.value.value is False
    return False


def bound_names(node):
    names = {node.name}
    for part in ast.walk(node):
        if isinstance(part, ast.Name) and not isinstance(part.ctx, ast.Load):
            names.add(part.id)
        elif isinstance(part, (ast.FunctionDef, ast.ClassDef)):
            names.add(part.name)
        elif isinstance(part, ast.arg):
            names.add(part.arg)
    return names


def string_symbols(node):
    """Names in strings of a signature: R.Tensor(("n", 4)) declares n."""
    names = set()
    for part in ast.walk(node):
        if isinstance(part, ast.Constant) and isinstance(part.value, str):
            names.update(re.findall(r"[A-Za-z_]\w*", part.value)[:8])
    return names


def free_names(node, known):
    bound = bound_names(node)
    strings = None
    free = set()
    for part in ast.walk(node):
        if not isinstance(part, ast.Name) or not isinstance(part.ctx, ast.Load):
            continue
        if part.id in bound or part.id in known or part.id == "range":
            continue
        if strings is None:
            strings = string_symbols(node)
        if part.id not in strings:
            free.add(part.id)
    return free


def runs_python(node, aliases):
    for part in ast.walk(node):
        if isinstance(part, PYTHON_NODES):
            return True
        if isinstance(part, ast.ClassDef) and part.bases:
            return True
        if isinstance(part, ast.FunctionDef) and (part.args.defaults or part.args.vararg or part.args.kwarg):
            return True
        path = dotted(part) if isinstance(part, ast.Attribute) else ()
        if len(path) == 2 and (aliases.get(path[0]), path[1]) in PYTHON_ATTRIBUTES:
            return True
    return False


class Extractor(ast.NodeVisitor):
    """Finds the decorated classes and functions of one file."""

    def __init__(self, path, text):
        self.path, self.lines, self.samples = path, text.split("\n"), []
        self.aliases = {"I": "I", "T": "T", "R": "R"}
        self.imports, self.typevars, self.raising = {}, {}, 0

    def visit_ImportFrom(self, node):
        if node.module and (node.module.startswith("tvm") or node.module == "typing"):
            for name in node.names:
                local = name.asname or name.name
                if name.name in SCRIPT_MODULES:
                    self.aliases[local] = SCRIPT_MODULES[name.name]
                elif name.name not in ("ir_module", "TypeVar"):
                    continue
                self.imports[local] = (
                    f"from {node.module} import {name.name}" + (f" as {name.asname}" if name.asname else ""))

    def visit_Import(self, node):
        for name in node.names:
            if name.name.split(".")[0] == "tvm" and not name.asname:
                self.imports["tvm"] = f"import {name.name}"

    def visit_Assign(self, node):
        call = node.value
        if isinstance(call, ast.Call) and dotted(call.func)[-1:] == ("TypeVar",) and len(node.targets) == 1:
            self.typevars[getattr(node.targets[0], "id", "")] = ast.unparse(node)
        self.generic_visit(node)

    def visit_With(self, node):
        raises = any(isinstance(item.context_expr, ast.Call) and dotted(item.context_expr.func)[-1:] == ("raises",)
                     for item in node.items)
        self.raising += raises
        self.generic_visit(node)
        self.raising -= raises

    def visit_ClassDef(self, node):
        self.visit_definition(node)

    def visit_FunctionDef(self, node):
        self.visit_definition(node)

    def visit_definition(self, node):
        kind = script_kind(node, self.aliases)
        if kind is None or (kind == "module") != isinstance(node, ast.ClassDef):
            self.generic_visit(node)
            return
        known = set(self.imports) | set(self.typevars) | {"I", "T", "R"}
        uses_tvm = any(isinstance(part, ast.Name) and part.id == "tvm" for statement in node.body
                       for part in ast.walk(statement) if not isinstance(statement, ast.FunctionDef))
        free = free_names(node, known)
        if uses_tvm or self.tvm_in_bodies(node):
            free.add("tvm")
        if self.raising or is_unchecked(node):
            status = "refused"
        elif free:
            status = "free"
        elif runs_python(node, self.aliases):
            status = "python"
        else:
            status = "closed"
        base = os.path.basename(self.path)[:-3]
        self.samples.append(Sample(f"{base}-{node.lineno}-{node.name}.py", self.text_of(node), kind, status))

    @staticmethod
    def tvm_in_bodies(node):
        """`tvm` somewhere else than in a decorator: a Python value."""
        decorators = {id(part) for definition in ast.walk(node) for decorator in getattr(definition, "decorator_list", [])
                      for part in ast.walk(decorator)}
        return any(isinstance(part, ast.Name) and part.id == "tvm" and id(part) not in decorators
                   for part in ast.walk(node))

    def text_of(self, node):
        first = min([node.lineno] + [decorator.lineno for decorator in node.decorator_list])
        lines = self.lines[first - 1:node.end_lineno]
        indent = len(lines[0]) - len(lines[0].lstrip())
        body = [line[indent:] if not line[:indent].strip() else line for line in lines]
        used = {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}
        used |= string_symbols(node)
        head = [self.imports[name] for name in sorted(self.imports) if name in used]
        variables = [self.typevars[name] for name in sorted(self.typevars) if name in used]
        if variables and "TypeVar" in self.imports and self.imports["TypeVar"] not in head:
            head.append(self.imports["TypeVar"])
        return "\n".join(head + variables + [""] * bool(head or variables) + body) + "\n"


def read_tree(tree, ref, area):
    """(path, text) of each test file of @area."""
    prefix = f"tests/python/{area}"
    if ref is None and os.path.isdir(os.path.join(tree, prefix)):
        for folder, _, names in sorted(os.walk(os.path.join(tree, prefix))):
            for name in sorted(names):
                if name.endswith(".py"):
                    with open(os.path.join(folder, name), encoding="utf-8") as file:
                        yield os.path.join(folder, name), file.read()
        return
    run = subprocess.run(["git", "-C", tree, "archive", ref or "HEAD", prefix], capture_output=True)
    if run.returncode:
        return
    with tarfile.open(fileobj=io.BytesIO(run.stdout)) as tar:
        for member in tar:
            if member.name.endswith(".py"):
                yield member.name, tar.extractfile(member).read().decode()


def opt(tool, path, timeout):
    """(exit code or None on a time-out, standard output, standard error)."""
    try:
        run = subprocess.run([tool, "opt", "--diagnostics=short", path], capture_output=True, timeout=timeout)
    except subprocess.TimeoutExpired:
        return None, b"", b""
    return run.returncode, run.stdout, run.stderr


def first_error(stderr):
    for line in stderr.decode(errors="replace").split("\n"):
        match = re.search(r"error(?:\[(E\d+)\])?: (.*)", line)
        if match:
            code = match.group(1) or (re.search(r"E\d{4}", line) or [""])[0]
            return f"{code} {match.group(2)}".strip()
    return stderr.decode(errors="replace").strip().split("\n")[-1][:160] or "no message"


def measure(tool, folder, sample, timeout):
    """(outcome, detail): accepted texts are "identical" or "differs"."""
    path = os.path.join(folder, sample.name)
    with open(path, "w", encoding="utf-8") as file:
        file.write(sample.text)
    code, out, err = opt(tool, path, timeout)
    if code is None:
        return "hung", ""
    if code < 0 or code > 1:
        return "crashed", f"exit {code}: " + (err.decode(errors="replace").strip().split("\n")[-1][:160])
    if code:
        return "refused", first_error(err)
    again = path + ".out.py"
    with open(again, "wb") as file:
        file.write(out)
    code, second, err = opt(tool, again, timeout)
    if code is None:
        return "hung", "second pass"
    if code < 0 or code > 1:
        return "crashed", f"second pass, exit {code}"
    if code:
        return "differs", "second pass: " + first_error(err)
    return ("identical", "") if second == out else ("differs", "texts differ")


def pattern_of(message):
    """The message with its names and numbers taken out, to count alike ones together."""
    return re.sub(r"\b\d+\b", "N", re.sub(r"`[^`]*`", "`_`", message))


def report(area, counts, outcomes, messages):
    ran = sum(outcomes.values())
    accepted = outcomes["identical"] + outcomes["differs"]
    share = lambda part, whole: f"{100.0 * part / whole:.1f} %" if whole else "-"
    print(f"| {area} | {sum(counts.values())} | {counts['free']} | {counts['refused']} | {counts['python']} | {ran} | "
          f"{accepted} ({share(accepted, ran)}) | {outcomes['identical']} ({share(outcomes['identical'], accepted)}) | "
          f"{outcomes['crashed']} | {outcomes['hung']} |")
    return messages


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("tree")
    parser.add_argument("--tool", default="build/inlay")
    parser.add_argument("--ref", help="git revision; default: the work tree, or HEAD of a bare one")
    parser.add_argument("--area", default="relax,s_tir")
    parser.add_argument("--only", default="", help="substring of the samples' names")
    parser.add_argument("--keep", help="folder to write the samples to")
    parser.add_argument("--top", type=int, default=40, help="how many messages to list")
    parser.add_argument("--list", action="store_true", help="one line a sample that is not identical")
    parser.add_argument("--extract-only", action="store_true")
    args = parser.parse_args()

    folder = args.keep or tempfile.mkdtemp(prefix="inlay-corpus-")
    os.makedirs(folder, exist_ok=True)
    print("| area | texts | Python names | expected refusals | Python at parse time | run | accepted | identical | crashed | hung |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    histogram, samples_of, listed, bad = collections.Counter(), {}, [], False
    for area in args.area.split(","):
        samples = []
        for path, text in read_tree(args.tree, args.ref, area):
            try:
                tree = ast.parse(text)
            except SyntaxError as error:
                print(f"{path}: not read: {error}", file=sys.stderr)
                continue
            extractor = Extractor(path, text)
            extractor.visit(tree)
            samples += extractor.samples
        counts = collections.Counter(sample.status for sample in samples)
        closed = [sample for sample in samples if sample.status == "closed" and args.only in sample.name]
        place = os.path.join(folder, area)
        os.makedirs(place, exist_ok=True)
        if args.extract_only:
            for sample in closed:
                with open(os.path.join(place, sample.name), "w", encoding="utf-8") as file:
                    file.write(sample.text)
            print(f"| {area} | {sum(counts.values())} | {counts['free']} | {counts['refused']} | {counts['python']} | {len(closed)} | | | | |")
            continue
        outcomes = collections.Counter()
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            for sample, (outcome, detail) in zip(closed, pool.map(
                    lambda sample: measure(args.tool, place, sample, 10), closed)):
                outcomes[outcome] += 1
                if outcome != "identical":
                    key = f"{outcome}: {pattern_of(detail)}"
                    histogram[key] += 1
                    samples_of.setdefault(key, f"{area}/{sample.name}: {detail}")
                    listed.append(f"{area}/{sample.name}: {outcome}: {detail}")
        report(area, counts, outcomes, None)
        bad = bad or outcomes["crashed"] or outcomes["hung"] or outcomes["differs"]
    for key, count in histogram.most_common(args.top):
        print(f"{count:5}  {key}\n         {samples_of[key]}")
    if args.list:
        print("\n".join(listed))
    print(f"samples are in {folder}", file=sys.stderr)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
