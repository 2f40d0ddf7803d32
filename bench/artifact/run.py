#!/usr/bin/env python3
"""What artifacts cost: compile time, size, load, first call, a call through either door, calls of the heap, memory.

Each program is compiled with --strip and called from C, by a host that is made from the manifest; times are the least of several
repetitions.  peers.py measures the same programs by others.

usage: run.py TOOL [--models FOLDER] [--cold]      FOLDER: models of bench/plan/models.py; --cold: compile without what was compiled before
"""
import argparse
import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
HEAD = """from tvm.script import ir as I
from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
"""
ADD = HEAD + """    def main(x: R.Tensor((16,), "float32"), y: R.Tensor((16,), "float32")) -> R.Tensor((16,), "float32"):
        return R.add(x, y)
"""
WEIGHTS = ", ".join(f'{name}: R.Tensor(({rows}, {columns}), "float32")' for name, rows, columns in (
    ("wq", 256, 256), ("wk", 256, 256), ("wv", 256, 256), ("wo", 256, 256), ("w1", 256, 1024), ("w2", 1024, 256)))
BLOCK = HEAD + f"""    def main(x: R.Tensor((64, 256), "float32"), {WEIGHTS}) -> R.Tensor((64, 256), "float32"):
        with R.dataflow():
            q = R.matmul(x, wq)
            k = R.matmul(x, wk)
            v = R.matmul(x, wv)
            s = R.nn.softmax(R.multiply(R.matmul(q, R.permute_dims(k)), R.const(0.0625, "float32")), axis=-1)
            a = R.add(x, R.matmul(R.matmul(s, v), wo))
            h = R.nn.gelu(R.matmul(a, w1))
            y = R.add(a, R.matmul(h, w2))
            R.output(y)
        return y
"""
C_TYPES = {"float32": "float", "float64": "double", "int64": "int64_t", "int32": "int32_t"}
CODES = {"float32": (2, 32), "float64": (2, 64), "int64": (0, 64), "int32": (0, 32)}
DIM = 1024
HOST = """
#include "m.h"
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
static long taken;
void *__real_malloc(size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_malloc(size_t size) {{ taken++; return __real_malloc(size); }}
static double now(void) {{ struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); return (double)t.tv_sec * 1e9 + (double)t.tv_nsec; }}
static long resident(void)
{{
    long pages = 0, all = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file || fscanf(file, "%ld %ld", &all, &pages) != 2) exit(1);
    fclose(file);
    return pages * sysconf(_SC_PAGESIZE);
}}
{arrays}
typedef __typeof__({symbol}) plain_door;
typedef __typeof__({symbol}_dl) tensor_door;
int main(void)
{{
    long before = resident();
    double begin = now();
    void *library = dlopen("./m.so", RTLD_NOW), *a = dlsym(library, "{symbol}"), *b = dlsym(library, "{symbol}_dl");
    {weights}
    double load = now() - begin, first, plain = 1e18, checked = 1e18;
    plain_door *call; tensor_door *tensors; struct inlay_run_error error;
    long after = resident() - before;
    memcpy(&call, &a, sizeof(call)); memcpy(&tensors, &b, sizeof(tensors));
    begin = now();
    if (call({arguments})) return 1;
    first = now() - begin;
    {rows}
    taken = 0;
    for (int r = 0; r < 9; r++) {{
        int n = first > 1e6 ? 5 : 2000;
        begin = now(); for (int i = 0; i < n; i++) call({arguments});
        double t = (now() - begin) / n; if (t < plain) plain = t;
        begin = now(); for (int i = 0; i < n; i++) if (tensors(args, NULL, {arg_count}, results, {result_count}, {given}arena, sizeof(arena), &error)) return 2;
        t = (now() - begin) / n; if (t < checked) checked = t;
    }}
    printf("%g %g %g %g %ld %ld\\n", load, first, plain, checked, taken, after);
    return 0;
}}
"""


OPEN = """struct inlay_weights weights; void *c = dlsym(library, "m_weights_open"); __typeof__(m_weights_open) *open_weights;
    memcpy(&open_weights, &c, sizeof(c)); if (open_weights(&weights, "m.safetensors", NULL)) return 3;"""


def elements(shape):
    return math.prod(DIM if isinstance(d, str) else d for d in shape)


def host(function):
    """The program that calls @function."""
    arrays, arguments, rows, args, results = [], [], [], [], []
    for i, arg in enumerate(function["arguments"]):
        shape = arg.get("shape", [])
        arrays.append(f"static _Alignas(64) {C_TYPES[arg['dtype']]} a{i}[{elements(shape)}];")
        args.append((f"a{i}", arg["dtype"], shape))
    for i, result in enumerate(function["results"]):
        if result["argument"] is None:
            arrays.append(f"static _Alignas(64) {C_TYPES[result['dtype']]} r{i}[{elements(result['shape'])}];")
            results.append((f"r{i}", result["dtype"], result["shape"]))
    need = function["arena_bytes"]
    arrays.append(f"static _Alignas(64) unsigned char arena[{need if isinstance(need, int) else 1 << 26} + 1];")
    for param in function["parameters"]:
        kind = param["kind"]
        arguments.append(f"a{param['argument']}" if kind == "data" else f"a{param['argument']}[0]" if kind == "number" else
                         f"r{param['result']}" if kind == "result" else str(DIM) if kind == "symbol" else "&weights" if kind == "weights" else "arena")
    for name, group in (("args", args), ("results", results)):
        for k, (data, dtype, shape) in enumerate(group):
            dims = ", ".join(str(DIM if isinstance(d, str) else d) for d in shape) or "0"
            rows.append(f"int64_t {name}_d{k}[] = {{{dims}}}; inlay_dltensor {name}_{k} = {{{data}, {{1, 0}}, {len(shape)}, "
                        f"{{{CODES[dtype][0]}, {CODES[dtype][1]}, 1}}, {name}_d{k}, NULL, 0}};")
        rows.append(f"inlay_dltensor *{name}[] = {{{', '.join(f'&{name}_{k}' for k in range(len(group)))}}};")
    has_weights = any(param["kind"] == "weights" for param in function["parameters"])
    return HOST.format(weights=OPEN if has_weights else "", given="&weights, " if has_weights else "",
                       arrays="\n".join(arrays), symbol=function["symbol"], arguments=", ".join(arguments),
                       rows="\n    ".join(rows), arg_count=len(args), result_count=len(results))


def measure(tool, name, script, more=()):
    with tempfile.TemporaryDirectory() as temp:
        folder = pathlib.Path(temp)
        (folder / "m.py").write_text(script)
        compile_s = 1e9
        for _ in range(3):
            begin = sum(os.times()[2:4])
            subprocess.run([tool, "compile", "m.py", "-o", "m.so", "--emit=so,h,json", "--strip", *more], cwd=folder, check=True)
            compile_s = min(compile_s, sum(os.times()[2:4]) - begin)
        function = json.loads((folder / "m.json").read_text())["functions"][0]
        (folder / "host.c").write_text(host(function))
        subprocess.run(["cc", "-O2", "-I.", "host.c", "-Wl,--wrap=malloc", "-ldl", "-o", "host"], cwd=folder, check=True)
        runs = [list(map(float, subprocess.run(["./host"], cwd=folder, check=True, capture_output=True, text=True).stdout.split()))
                for _ in range(3)]
        load, first, plain, checked, taken, resident = (min(run[i] for run in runs) for i in range(6))
        size = (folder / "m.so").stat().st_size
        print(f"{name:12} {compile_s * 1e3:14.0f} {size / 1024:8.1f} {load / 1e6:8.3f} {first / 1e6:9.3f} {plain / 1e3:10.3f} "
              f"{checked / 1e3:11.3f} {int(taken):8} {function['arena_bytes']!s:>9} {resident / 1024:9.0f}", flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tool", type=os.path.abspath)
    parser.add_argument("--models", type=pathlib.Path)
    parser.add_argument("--cold", action="store_true")
    options = parser.parse_args()
    tool, more = options.tool, ["--no-cache"] if options.cold else []
    print(f"{'program':12} {'compile CPU ms':>14} {'.so KB':>7} {'load ms':>8} {'first ms':>9} {'call us':>10} {'checked us':>11} "
          f"{'mallocs':>8} {'arena':>9} {'resident KB':>9}")
    measure(tool, "add 16", ADD, more)
    measure(tool, "kv_cache", (ROOT / "examples/kv_cache.py").read_text(), more)
    measure(tool, "block", BLOCK, more)
    for path in [options.models / "resnet18.py"] if options.models else []:
        passes = f'BindParams(file="{path.with_suffix(".npz").resolve()}"),FoldConstant(limit=1000000000),DeadCodeElimination,default'
        measure(tool, path.stem, path.read_text(), [*more, "--weights", "-p", passes])


main()
