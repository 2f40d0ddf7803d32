#!/usr/bin/env python3
"""Checks scripts/check-layers.py: a tree that breaks a rule is refused for it, one that does not is not.  Prints TAP.

usage: layers.py ROOT
"""
import importlib.util
import pathlib
import sys
import tempfile

# What else is there to be included.
HEADERS = ["base/map.h", "base/internal.h", "include/inlay/abi.h", "include/inlay/inlay.h", "runtime/frame.h", "io/file.h",
           "ir/graph.h", "ir/print/printer.h", "ir/edit/make.h", "ops/lower/lower.h", "analysis/kernel.h", "analysis/loop.h",
           "analysis/inplace_internal.h", "analysis/access/index.h", "analysis/access/internal.h",
           "analysis/storage/storage.h", "analysis/verify_storage/verify_storage.h", "passes/pass.h",
           "passes/graph/order.h", "passes/graph/rules.h", "passes/loop/loop.h", "passes/loop/compact.h", "frontend/frontend.h",
           "frontend/python/ast.h", "frontend/python/parser.h", "frontend/tvmscript/tir.h", "codegen/llvm/codegen.h",
           "codegen/llvm/internal.h", "codegen/interp/internal.h", "codegen/interp/interp.h", "driver/driver.h",
           "driver/api.h", "cli/cli.h"]

# File, line, what is said of it (None: nothing).
CASES = [
    ("ir/a.c", '#include "base/map.h"', None),
    ("base/a.c", '#include "ir/graph.h"', "base/ may not include ir/"),
    ("passes/graph/a.c", '#include "codegen/llvm/codegen.h"', "passes/graph/ may not include codegen/llvm/"),
    ("frontend/tvmscript/a.c", '#include "passes/pass.h"', "frontend/tvmscript/ may not include passes/"),
    ("codegen/llvm/a.c", '#include "codegen/interp/interp.h"', "codegen/llvm/ may not include codegen/interp/"),
    ("driver/a.c", '#include "cli/cli.h"', "driver/ may not include cli/"),
    ("runtime/a.c", '#include "base/map.h"', "runtime/ may not include base/"),
    ("examples/host/a.c", '#include "kv.h"', None),
    ("examples/host/a.c", '#include "include/inlay/abi.h"', "a host needs nothing of Inlay"),
    ("examples/a.c", '#include "kv.h"', '"kv.h" is not a path from the root'),
    ("runtime/a.c", '#include "io/file.h"', "runtime/ may not include io/"),
    # sub-layers
    ("passes/graph/a.c", '#include "passes/pass.h"', None),
    ("passes/schedule/a.c", '#include "passes/loop/loop.h"', None),
    ("passes/schedule/a.c", '#include "passes/loop/compact.h"', "passes/schedule/ may not include passes/loop/"),
    ("passes/fuse/a.c", '#include "passes/loop/loop.h"', "passes/fuse/ may not include passes/loop/"),
    ("passes/memory/a.c", '#include "passes/graph/order.h"', None),
    ("passes/memory/a.c", '#include "passes/graph/rules.h"', "passes/memory/ may not include passes/graph/"),
    ("ir/print/a.c", '#include "ir/graph.h"', None),
    ("ir/a.c", '#include "ir/print/printer.h"', "ir/ may not include ir/print/"),
    ("passes/graph/a.c", '#include "ir/edit/make.h"', None),
    ("analysis/a.c", '#include "analysis/storage/storage.h"', None),
    ("analysis/storage/a.c", '#include "analysis/kernel.h"', None),
    ("analysis/storage/a.c", '#include "analysis/loop.h"', "analysis/storage/ may not include analysis/"),
    ("analysis/access/a.c", '#include "analysis/kernel.h"', "analysis/access/ may not include analysis/"),
    ("analysis/access/a.c", '#include "ops/lower/lower.h"', "analysis/access/ may not include ops/lower/"),
    ("analysis/verify_storage/a.c", '#include "ir/graph.h"', None),
    ("analysis/verify_storage/a.c", '#include "analysis/kernel.h"', "analysis/verify_storage/ may not include analysis/"),
    ("analysis/verify_storage/a.c", '#include "analysis/storage/storage.h"',
     "analysis/verify_storage/ may not include analysis/storage/"),
    ("analysis/inplace.c", '#include "analysis/verify_storage/verify_storage.h"', None),
    ("analysis/storage/a.c", '#include "analysis/verify_storage/verify_storage.h"',
     "analysis/storage/ may not include analysis/verify_storage/"),
    ("frontend/python/a.c", '#include "frontend/tvmscript/tir.h"', "frontend/python/ may not include frontend/tvmscript/"),
    ("codegen/interp/ops/a.c", '#include "codegen/interp/internal.h"', None),
    # private headers
    ("base/a.c", '#include "base/internal.h"', None),
    ("ir/a.c", '#include "base/internal.h"', '"base/internal.h" is private'),
    ("passes/fuse/a.c", '#include "analysis/inplace_internal.h"', '"analysis/inplace_internal.h" is private'),
    ("analysis/a.c", '#include "analysis/access/index.h"', None),
    ("analysis/a.c", '#include "analysis/access/internal.h"', '"analysis/access/internal.h" is private'),
    ("frontend/tvmscript/a.c", '#include "frontend/python/ast.h"', None),
    ("frontend/tvmscript/a.c", '#include "frontend/python/parser.h"', '"frontend/python/parser.h" is private'),
    ("analysis/a.c", '#include "ops/lower/lower.h"', '"ops/lower/lower.h" is private'),
    ("driver/a.c", '#include "codegen/llvm/internal.h"', '"codegen/llvm/internal.h" is private'),
    ("driver/a.c", '#include "driver/api.h"', None),
    ("cli/a.c", '#include "driver/api.h"', '"driver/api.h" is private'),
    ("tests/a.c", '#include "codegen/llvm/internal.h"', None),
    # paths, and what is installed
    ("ir/a.c", '#include "graph.h"', "is not a path from the root"),
    ("ir/a.c", '#include "ir/nothing.h"', "is not a path from the root"),
    ("include/inlay/a.h", '#include "abi.h"', None),
    ("include/inlay/a.h", '#include "base/map.h"', "is not installed"),
    # foreign headers
    ("codegen/llvm/a.c", "#include <llvm-c/Core.h>", None),
    ("codegen/interp/a.c", "#include <llvm-c/Core.h>", "may include LLVM"),
    ("io/a.c", "#include <zip.h>", None),
    ("runtime/a.c", "#include <zip.h>", "may include libzip"),
    ("frontend/tvmscript/a.c", "#include <cjson/cJSON.h>", None),
    ("frontend/python/a.c", "#include <cjson/cJSON.h>", "may include cJSON"),
    ("driver/a.c", "#include <cjson/cJSON.h>", "may include cJSON"),
    ("analysis/access/a.c", "#include <isl/set.h>", None),
    ("analysis/a.c", "#include <isl/set.h>", "may include isl"),
    ("base/a.c", "#include <utf8proc.h>", None),
    ("ir/a.c", "#include <utf8proc.h>", "may include utf8proc"),
    ("cli/a.c", "#include <cmocka.h>", "may include cmocka"),
    ("ir/a.c", "#include <assert.h>", "base/assert.h"),
    # habits
    ("ir/a.c", "char *a = malloc(4);", "memory comes from base/memory.h"),
    ("runtime/a.c", "char *a = malloc(4);", None),
    ("ir/a.c", 'if (strcmp(op->info->name, "add") == 0)', "told by its id"),
    ("ir/op_table.c", 'if (strcmp(op->info->name, "add") == 0)', None),
    ("ir/a.c", "\n" * 600, "601 lines; split it"),
    ("ir/a.def", "\n" * 600, None),
]


def load(path):
    spec = importlib.util.spec_from_file_location("check_layers", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def check(rules, name, line):
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        for path in [*HEADERS, name]:
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).touch()
        (root / name).write_text(line + "\n")
        return "\n".join(rules.problems(root))


def main():
    rules = load(pathlib.Path(sys.argv[1]) / "scripts/check-layers.py")
    print(f"1..{len(CASES)}")
    for number, (name, line, wanted) in enumerate(CASES, 1):
        said = check(rules, name, line)
        is_good = not said if wanted is None else wanted in said and said.count("\n") == 0
        print(f"{'ok' if is_good else 'not ok'} {number} - {name}: {line.strip()[:60]}" + ("" if is_good else f"\n# {said}"))


if __name__ == "__main__":
    main()
