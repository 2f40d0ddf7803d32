#!/usr/bin/env python3
"""Checks who includes whom.

A layer may include itself and what is named for it below: a folder, or one header.  'internal.h' headers
stay inside their folder, LLVM inside codegen/llvm, and a quoted include is always a path from the root.

Nor does anybody compare names of operators: their table is read by name when a script is (ir/op_table.c), and
everyone else asks for ids (ops/ids.h), traits or columns of their rows (ops/ops.def).

usage: check-layers.py ROOT
"""
import pathlib
import re
import sys

# The longest prefix that fits a file is its layer.
MAY_INCLUDE = {
    "base":           [],
    "include":        [],
    "runtime":        ["base/half.h", "include"],
    "io":             ["include", "runtime"],
    "ir":             ["base"],
    "ops":            ["base", "ir"],
    "analysis/access": ["base", "ir"],
    "analysis":       ["base", "ir", "ops", "analysis/access"],
    # It judges what all others decide, so it shares nothing with them.
    "analysis/verify_storage": ["base", "ir"],
    "passes":         ["base", "ir", "ops", "analysis", "analysis/access", "analysis/verify_storage"],
    "frontend":       ["base", "ir", "ops"],
    "codegen/llvm":   ["base", "ir", "ops", "analysis", "analysis/access", "analysis/verify_storage", "include", "runtime"],
    "codegen/interp": ["base", "ir", "ops", "analysis", "analysis/access", "include", "runtime"],
}
MAY_INCLUDE["driver"] = [*MAY_INCLUDE]
EVERYTHING = [*MAY_INCLUDE, "cli", "tests", "bench"]
for top in ("cli", "tests", "bench"):
    MAY_INCLUDE[top] = EVERYTHING
# Foreign headers that only some folders may see.
FOREIGN = [
    (re.compile(r"llvm"), ["codegen/llvm"], "LLVM"),
    (re.compile(r"zip"), ["io"], "libzip"),
    (re.compile(r"isl/"), ["analysis/access"], "isl"),
    (re.compile(r"cmocka"), ["tests"], "cmocka"),
]
INCLUDE = re.compile(r'^\s*#\s*include\s+([<"])([^>"]+)[>"]')
MAX_LINES = 600
# Decisions by an operator's name; printing it is none, and the last part of it names kernels.
NAME_COMPARED = re.compile(r"\b(strn?cmp|strstr|strchr|strpbrk|memcmp)\(.*info->name|= *[\w>.-]*info->name *[;+[]")
NAME_TABLES = ["ir/op_table.c"]
GENERATED = ["driver/config.h"]  # by meson, in the build folder


def layer_of(path):
    fitting = [layer for layer in MAY_INCLUDE if path == layer or path.startswith(layer + "/")]
    return max(fitting, key=len, default=None)


def problems(root):
    for path in sorted(root.rglob("*")):
        name = path.relative_to(root).as_posix()
        layer = layer_of(name)
        if not layer or path.suffix not in (".c", ".h", ".re", ".def"):
            continue
        lines = path.read_text().splitlines()
        if len(lines) > MAX_LINES and path.suffix != ".def":
            yield f"{name}:1: {len(lines)} lines; split it (at most {MAX_LINES})"
        for number, line in enumerate(lines, 1):
            if match := INCLUDE.match(line):
                if why := objection(root, layer, *match.groups()):
                    yield f"{name}:{number}: {why}"
            if layer != "tests" and name not in NAME_TABLES and NAME_COMPARED.search(line):
                yield f"{name}:{number}: an operator is told by its id (ops/ids.h), not by its name"


def objection(root, layer, bracket, target):
    if bracket == "<":
        for pattern, layers, what in FOREIGN:
            if pattern.match(target) and layer not in layers:
                return f"only {', '.join(layers)} may include {what}: <{target}>"
        return None
    if layer == "include": # is installed: its headers see each other as they lie there
        return None if (root / "include/inlay" / target).exists() else f'"{target}" is not installed'
    if target not in GENERATED and not ("/" in target and (root / target).exists()):
        return f'"{target}" is not a path from the root'
    other = layer_of(target)
    if other != layer and target.endswith("internal.h") and layer != "tests":
        return f'"{target}" is private to {other}/'
    if other != layer and not {other, target} & set(MAY_INCLUDE[layer]):
        return f"{layer}/ may not include {other}/"
    return None


found = list(problems(pathlib.Path(sys.argv[1])))
print("\n".join(found))
sys.exit(bool(found))
