#!/usr/bin/env python3
"""Checks who includes whom, and some habits that no compiler checks.

Layers: a file may include its own layer, what LAYERS says of it, and what that says of the folders above it.
A quoted include is a path from the root.

Private headers: FACES says which headers of a folder others see.  Of folders that are not in it, others see all but
internal.h and *_internal.h.  Tests see everything.

Foreign headers: some are for some folders only, as LLVM for codegen/llvm.

Names of operators: their table is read by name when a script is (ir/op_table.c), and everyone else asks for ids
(ops/ids.h), traits or columns of their rows (ops/ops.def).

Memory: what runs under a guard (base/guard.h) has its memory from base/memory.h, and assert() from base/assert.h.

Files are of 600 lines at most, tables apart.  (Their columns are for clang-format: see check-format.sh.)

usage: check-layers.py ROOT
"""
import pathlib
import re
import sys

# A layer, and what it may include: folders with all below, folders without ("ir/*"), single headers.
LAYERS = {
    "base":                    [],
    "include":                 [],
    "runtime":                 ["base/half.h", "base/xxh64.h", "include"],
    "io":                      ["include", "runtime"],
    "ir":                      ["base"],
    "ir/arith":                ["ir/*"],
    "ir/edit":                 ["ir/*"],
    "ir/print":                ["ir/*"],
    "ir/tir":                  ["ir/*"],
    "ir/verify":               ["ir/*"],
    "ops":                     ["base", "ir"],
    "ops/infer":               ["ops/*"],
    "ops/lower":               ["ops/*"],
    "analysis":                ["base", "ir", "ops", "analysis/access", "analysis/pack", "analysis/storage",
                                "analysis/verify_storage"],
    "analysis/access":         ["base", "ir"],
    "analysis/pack":           ["base"],
    "analysis/storage":        ["base", "ir", "ops", "analysis/access", "analysis/kernel.h", "analysis/leaves.h"],
    # It judges what all others decide, so it shares nothing with them.
    "analysis/verify_storage": ["base", "ir"],
    "passes":                  ["base", "ir", "ops", "analysis"],
    "passes/fuse":             ["passes/*"],
    "passes/graph":            ["passes/*"],
    "passes/loop":             ["passes/*"],
    "passes/memory":           ["passes/*", "passes/loop/loop.h", "passes/graph/order.h"],
    "passes/schedule":         ["passes/*", "passes/loop/loop.h", "passes/graph/fold_large.h"],
    "frontend":                ["base", "ir", "ops"],
    "frontend/onnx":           ["frontend/*"],
    "frontend/python":         [],
    "frontend/tvmscript":      ["frontend/*", "frontend/python"],
    "codegen/llvm":            ["base", "ir", "ops", "analysis", "include", "runtime"],
    "codegen/interp":          ["base", "ir", "ops", "analysis", "include", "runtime"],
    "codegen/interp/ops":      ["codegen/interp/*"],
    "driver":                  ["base", "include", "runtime", "io", "ir", "ops", "analysis", "passes", "frontend",
                                "codegen"],
    "python":                  ["include"],
    "lsp":                     ["base", "include", "ir", "ops", "analysis", "frontend", "driver"],
}
EVERYTHING = sorted({layer.split("/")[0] for layer in LAYERS})
LAYERS |= {"cli": EVERYTHING, "examples": [], "bench": EVERYTHING + ["cli"], "tests": EVERYTHING + ["cli", "bench"]}
# What a layer itself may include besides, but not the folders in it.
OUTER = {"passes": ["passes/memory/kill_after_last_use.h"]} # the runner says where storage ends, unless a pass did
# Not for what lies above: these layers stand alone, whatever their parents may include.
APART = ["analysis/access", "analysis/pack", "analysis/storage", "analysis/verify_storage"]
# What others see of a folder.
FACES = {
    "analysis/access":         ["access.h", "cover.h", "index.h", "loop.h", "pieces.h", "relation.h", "share.h", "unset.h"],
    "analysis/pack":           ["pack.h"],
    "analysis/storage":        ["storage.h"],
    "analysis/verify_storage": ["verify_storage.h"],
    "codegen/interp":          ["interp.h"],
    "codegen/interp/ops":      [],
    "codegen/llvm":            ["codegen.h"],
    "frontend/python":         ["ast.h", "format.h", "lexer.h", "numbers.h"],
    "frontend/onnx":           [],
    "frontend/tvmscript":      [],
    "ir/arith":                [],
    "lsp":                     ["lsp.h"],
    "ir/print":                [],
    "ir/tir":                  [],
    "ir/verify":               [],
    "ops/infer":               [],
    "ops/lower":               [],
    "passes/fuse":             [],
    "passes/graph":            ["rules.h", "order.h", "fold_large.h"],
    "passes/loop":             ["loop.h"],
    "passes/memory":           ["kill_after_last_use.h"],
    "passes/schedule":         [],
}
PRIVATE = ["driver/api.h"] # single headers
# Foreign headers that only some folders may see.
FOREIGN = [
    (re.compile(r"llvm"), ["codegen/llvm"], "LLVM"),
    (re.compile(r"zip"), ["io"], "libzip"),
    (re.compile(r"cjson"), ["frontend/tvmscript", "io", "lsp"], "cJSON"),
    (re.compile(r"isl/"), ["analysis/access"], "isl"),
    (re.compile(r"protobuf-c"), ["frontend/onnx"], "protobuf-c"),
    (re.compile(r"utf8proc"), ["base"], "utf8proc"),
    (re.compile(r"cmocka"), ["tests"], "cmocka"),
    (re.compile(r"Python\.h"), ["python"], "CPython"),
    (re.compile(r"assert\.h"), ["tests", "runtime", "io", "bench"], "it: base/assert.h leaves to the guard"),
]
HOSTS = ["examples/host", "tests/host_threads"] # programs that call artifacts
GENERATED = ["driver/config.h", "cli/commit.h", "frontend/onnx/onnx.pb-c.h"] # by meson, in the build folder
INCLUDE = re.compile(r'^\s*#\s*include\s+([<"])([^>"]+)[>"]')
# Decisions by an operator's name; printing it is none, and the last part of it names kernels.
NAME_COMPARED = re.compile(r"\b(strn?cmp|strstr|strchr|strpbrk|memcmp)\(.*info->name|= *[\w>.-]*info->name *[;+[]")
NAME_TABLES = ["ir/op_table.c"]
ALLOCATED = re.compile(r"\b(malloc|calloc|realloc|strn?dup|aligned_alloc|posix_memalign)\(")
ALLOCATORS = ["base/memory.c", "cli/crash.c", "driver/api_session.c", "runtime/", "io/", "tests/", "bench/", "examples/", "python/"]
MAX_LINES = 600


def is_within(path, folder):
    return path == folder or path.startswith(folder + "/")


def layer_of(path, known=LAYERS):
    """The innermost of @known folders that holds @path."""
    return max((layer for layer in known if is_within(path, layer)), key=len, default=None)


def allowed(layer):
    """What @layer may include: its own rows, and those of the layers around it."""
    rows = LAYERS[layer] + OUTER.get(layer, [])
    while "/" in layer and layer not in APART:
        layer = layer.rsplit("/", 1)[0]
        rows += LAYERS.get(layer, [])
    return rows


def permits(row, target):
    """Does @row stand for @target: "ir" for all below, "ir/*" for what lies in ir/ itself, "ir/expr.h" for that?"""
    return target.rpartition("/")[0] == row[:-2] if row.endswith("/*") else is_within(target, row)


def is_private(name, target):
    """Is the header @target none of what the file @name may see?"""
    folder, _, header = target.rpartition("/")
    if is_within(name, folder) and name.rpartition("/")[0] in (folder, *[f for f in LAYERS if is_within(f, folder)]):
        return False
    home = layer_of(target, FACES)
    if home and not is_within(name, home):
        return folder != home or header not in FACES[home]
    return target in PRIVATE or header.endswith("internal.h")


def objection(root, name, bracket, target):
    layer = layer_of(name)
    if bracket == "<":
        for pattern, layers, what in FOREIGN:
            if pattern.match(target) and not any(is_within(name, folder) for folder in layers):
                return f"only {', '.join(layers)} may include {what}: <{target}>"
        return None
    if any(is_within(name, folder) for folder in HOSTS): # sees the header that `inlay compile` writes beside it
        return None if "/" not in target else f"a host needs nothing of Inlay: {target}"
    if layer == "include": # is installed: its headers see each other as they lie there
        return None if (root / "include/inlay" / target).exists() else f'"{target}" is not installed'
    if target not in GENERATED and not ("/" in target and (root / target).exists()):
        return f'"{target}" is not a path from the root'
    if layer == "tests":
        return None
    other = layer_of(target)
    if other != layer and not any(permits(row, target) for row in allowed(layer)):
        return f"{layer}/ may not include {other}/"
    return f'"{target}" is private to {target.rpartition("/")[0]}/' if is_private(name, target) else None


def line_objections(root, name, line):
    if match := INCLUDE.match(line):
        yield objection(root, name, *match.groups())
    if not name.startswith("tests/") and name not in NAME_TABLES and NAME_COMPARED.search(line):
        yield "an operator is told by its id (ops/ids.h), not by its name"
    if ALLOCATED.search(line) and not any(name.startswith(place) for place in ALLOCATORS):
        yield "memory comes from base/memory.h"


def problems(root):
    for path in sorted(root.rglob("*")):
        name = path.relative_to(root).as_posix()
        if not layer_of(name) or path.suffix not in (".c", ".h", ".re", ".def"):
            continue
        lines = path.read_text().splitlines()
        if len(lines) > MAX_LINES and path.suffix != ".def":
            yield f"{name}:1: {len(lines)} lines; split it (at most {MAX_LINES})"
        for number, line in enumerate(lines, 1):
            for why in line_objections(root, name, line):
                if why:
                    yield f"{name}:{number}: {why}"


if __name__ == "__main__":
    found = list(problems(pathlib.Path(sys.argv[1])))
    print("\n".join(found))
    sys.exit(bool(found))
