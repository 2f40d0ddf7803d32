#!/usr/bin/env python3
"""Edits that messages propose: each case is broken, says its code, and is accepted as `check --fix` leaves it.

The same edit must stand in the JSON, at the bytes that it replaces, and in the SARIF. Prints TAP.

usage: fixes.py TOOL
"""
import json
import os
import pathlib
import pty
import subprocess
import sys
import tempfile

HEAD = "from tvm.script import ir as I, relax as R, tirx as T\n"
REDUCE = """from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @T.prim_func(private=True)
    def reduce(a: T.Buffer((4, 8), "float32"), b: T.Buffer((4,), "float32")):
        for i, k in T.grid(4, 8):
{}

    @R.function
    def main(x: R.Tensor((4, 8), "float32")):
        y = R.call_tir(Module.reduce, (x,), out_ty=R.Tensor((4,), "float32"))
        return y
"""
GRAPH = """from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @T.prim_func(private=True)
    def scale(a: T.Buffer((8,), "float32"), b: T.Buffer((8,), "float32")):
        for i in range(8):
            b[i] = a[i] * T.float32(2)

    @R.function
    def main(x: R.Tensor((8,), "float32"), y: R.Tensor((8,), "int32"), c: R.Tensor((), "bool")):
{}
        return z
"""
KERNEL = """from tvm.script import tirx as T


@T.prim_func
def k(a: T.Buffer((8,), "float32"), b: T.Buffer((8,), "float32"), n: T.Buffer((8,), "int32"), s: T.Buffer((), "float32")):
    for i in range(8):
{}
"""
INPLACE = """from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @T.prim_func(private=True)
    def scale(a: T.Buffer((8,), "float32"), b: T.Buffer((8,), "float32"), c: T.Buffer((8,), "float32")):
        for i in range(8):
            b[i] = a[i] * T.float32(2)
            c[i] = a[i]

    @R.function
    def main(x: R.Tensor((8,), "float32")):
        y = R.exp(x)
        z = R.call_tir_inplace(Module.scale, (x, y), out_ty=[R.Tensor((8,), "float32"), R.Tensor((8,), "float32")], inplace_indices={})
        return z
"""
ORDER = """@I.ir_module
class Module:
    @T.prim_func(private=True)
    def rows(a: T.Buffer((4, 8), "float32"), b: T.Buffer((8,), "float32"), c: T.Buffer((4, 8), "float32")):
        for i, j in T.grid(4, 8):
            c[i, j] = a[i, j] * b[j]

    @R.function
    def main(x: R.Tensor((4, 8), "float32"), y: R.Tensor((8,), "float32")):
        z = R.call_tir(Module.rows, ({}), out_ty=R.Tensor((4, 8), "float32"))
        return z"""
# The kernel's n follows from n + 1: it is the result that is wrong.
SYMBOLS = """@I.ir_module
class Module:
    @T.prim_func(private=True)
    def diff(a: T.Buffer(("n + 1",), "float32"), b: T.Buffer(("n",), "float32")):
        n = T.int64()
        for i in range(n):
            b[i] = a[i + 1] - a[i]

    @R.function
    def main(x: R.Tensor(("n + 1",), "float32"), s: R.Shape(["n"])):
        n = T.int64()
        z = R.call_tir(Module.diff, (x,), out_ty=R.Tensor(({},), dtype="float32"))
        return z"""
SCALAR = HEAD + """@I.ir_module
class Module:
    @R.function(private=True)
    def f(x: R.Tensor((8,), "float32"), n: T.int64) -> R.Tensor((8,), "float32"):
        return x

    @R.function
    def main(x: R.Tensor((8,), "float32")) -> R.Tensor((8,), "float32"):
        return Module.f(x, {})"""
DTYPES = GRAPH.format('        z = R.call_tir(Module.scale, (x,), out_ty=R.Tensor((8,), "float32"))').rstrip()
# What the kernel is given has the dtype of another of its buffers, or of none.
MIXED = HEAD + """@I.ir_module
class Module:
    @T.prim_func(private=True)
    def dot(a: T.Buffer((8,), "int16"), b: T.Buffer((8,), "{}"), c: T.Buffer((8,), "int32")):
        for i in range(8):
            c[i] = T.Cast("int32", a[i]) * T.Cast("int32", b[i])

    @R.function
    def main(x: R.Tensor((8,), "{}"), y: R.Tensor((8,), "int8")):
        z = R.call_tir(Module.dot, (x, x), out_ty=R.Tensor((8,), "int32"))
        return z"""
UPDATE = """@I.ir_module
class Module:
    @T.prim_func(private=True)
    def scale(a: T.Buffer((8, 4), "float32"), s: T.Buffer((4,), "float32")):
        for i, j in T.grid(8, 4):
            a[i, j] = a[i, j] * s[j]

    @R.function
    def main(x: R.Tensor((8, 4), "float32"), y: R.Tensor((4,), "float32")):
        w = R.exp(x)
        z = R.call_tir_inplace(Module.scale, ({}), out_ty=R.Tensor((8, 4), "float32"), inplace_indices=[0])
        return z"""
AXES = 'with T.sblock("s"):\n    vi, vk = T.axis.remap("{}", [i, k])\n    with T.init():\n        b[vi] = T.float32(0)\n    b[vi] = b[vi] + a[vi, vk]'
MODULE = HEAD + """@I.ir_module
class Module:
    I.module_attrs({"relax.contracts": {"my.log": {"reads": [0]}}})

    @R.function
    def main(x: R.Tensor((8,), "float32")):
        return R.exp(x)"""
BOUND = HEAD + """@R.function
def main(x: R.Tensor(("rows",), "float32")):
    R.func_attr({"tir_var_upper_bound": {"rows": 8}})
    return R.exp(x)"""
NAMED = HEAD + """IN = 8
OUT = 4
@T.prim_func
def k(a: T.Buffer((OUT, IN), "float32"), b: T.Buffer((OUT, IN), "float32")):
    for i, j in T.grid({}):
        b[i, j] = a[i, j]"""
PRODUCT = HEAD + """@T.prim_func
def k(a: T.Buffer((4, 6), "float32"), b: T.Buffer((6, 8), "float32"), c: T.Buffer((4, 8), "float32")):
    for i, j, k in T.grid(4, 8, 6):
        with T.sblock("m"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            with T.init():
                c[vi, vj] = T.float32(0)
            c[vi, vj] += a[vi, vk] * b[{}]"""
BRANCH = HEAD + """@R.function
def f(x: R.Tensor((8,), "float32"), c: R.Tensor((), "bool")):
    if c:
        {} R.abs(x)
    else:
        y = R.exp(x)
        {} y{}"""
TEMPLATES = {"reduce": (REDUCE, 12), "inplace": (INPLACE, 0), "graph": (GRAPH, 8), "kernel": (KERNEL, 8), "file": ("{}\n", 0)}

SMALL = HEAD + '@R.function\ndef f(x: R.Tensor((8,), "float32")):\n    y = R.exp(x)\n    return y'
PRIVATE = SMALL.replace("R.function", "R.function(private=True)")
PAIR = SMALL.replace("):", ') -> R.Tuple(R.Tensor((8,), "float32"), R.Tensor((), "float32")):').replace("return y", "return (R.sum(y), y)")

# code, template, broken, mended
CASES = [
    # ---- signs and words ----
    ("E0101", "kernel", "if i < 4\n    b[i] = a[i]", "if i < 4:\n    b[i] = a[i]"),
    ("E0101", "kernel", "if i < 4 && a[i] > 0.0:\n    b[i] = a[i]", "if i < 4 and a[i] > 0.0:\n    b[i] = a[i]"),
    ("E0101", "kernel", "if i < 4 || a[i] > 0.0:\n    b[i] = a[i]", "if i < 4 or a[i] > 0.0:\n    b[i] = a[i]"),
    ("E0101", "kernel", "if i < 4:\n    b[i] = a[i]\nelse if i < 6:\n    b[i] = 0.0",
     "if i < 4:\n    b[i] = a[i]\nelif i < 6:\n    b[i] = 0.0"),
    ("E0103", "kernel", "if !(i < 4):\n    b[i] = a[i]", "if not (i < 4):\n    b[i] = a[i]"),
    ("E0103", "graph", "z = R.astype(y, “float32”)", 'z = R.astype(y, "float32")'),
    ("E0103", "kernel", "if i ≤ 4:\n    b[i] = a[i]", "if i <= 4:\n    b[i] = a[i]"),
    ("E0104", "graph", 'z = R.astype(y, "float32)', 'z = R.astype(y, "float32")'),
    ("E0105", "graph", "w = R.exp(R.abs(x\nz = R.abs(w)", "w = R.exp(R.abs(x))\nz = R.abs(w)"),
    ("E0105", "file", SMALL.replace("):", ' -> R.Tensor((8,), "float32"):'), SMALL.replace("):", ') -> R.Tensor((8,), "float32"):')),
    ("E0101", "file", SMALL.replace("):", ' -> R.Tensor((8,), "float32")):'), SMALL.replace("):", ') -> R.Tensor((8,), "float32"):')),
    ("E0106", "graph", "z = R.exp(x))", "z = R.exp(x)"),
    ("E0106", "kernel", "b[i] = a[i)", "b[i] = a[i]"),
    ("E0107", "kernel", "b[i] = a[(i + 007) % 8]", "b[i] = a[(i + 7) % 8]"),
    ("E0109", "kernel", "if i < 4:\n    b[i] = a[i]\n   n[i] = 1", "if i < 4:\n    b[i] = a[i]\n    n[i] = 1"),
    ("E0109", "graph", "w = R.exp(x)\n  v = R.abs(w)\nz = R.add(w, v)", "w = R.exp(x)\nv = R.abs(w)\nz = R.add(w, v)"),
    ("E0109", "kernel", "if i < 4:\n    b[i] = a[i]\n  n[i] = 1", None),
    ("E0109", "kernel", "if i < 4:\n    b[i] = a[i]\n   n[i] = 1\n   b[i] = a[i]", None),
    ("E0110", "file", SMALL.replace("    ", "\t"), SMALL.replace("    ", " " * 8)),
    ("E0111", "kernel", 'assert i < 9, "\\x"\nb[i] = a[i]', 'assert i < 9, "\\\\x"\nb[i] = a[i]'),
    ("E0120", "kernel", 'assert i < 9, f"too large"\nb[i] = a[i]', 'assert i < 9, "too large"\nb[i] = a[i]'),
    ("E0121", "graph", 'z = R.astype(y, b"float32")', 'z = R.astype(y, "float32")'),
    ("E0124", "graph", "z := R.exp(x)", "z = R.exp(x)"),
    ("E0125", "file", SMALL.replace("def", "async def"), SMALL),
    ("E0125", "graph", "z = await R.exp(x)", "z = R.exp(x)"),
    ("E0127", "graph", "global N\nz = R.exp(x)", "z = R.exp(x)"),
    ("E0128", "file", HEAD + "@I.ir_module\nclass Module(Base):\n" + SMALL.removeprefix(HEAD).replace("\n", "\n    ").join(["    ", ""]),
     HEAD + "@I.ir_module\nclass Module:\n" + SMALL.removeprefix(HEAD).replace("\n", "\n    ").join(["    ", ""])),
    ("E0129", "file", SMALL.replace('"float32")', '"float32") = None'), SMALL),
    ("E0133", "graph", "z = R.exp(x)\ndel x", "z = R.exp(x)"),
    ("E0136", "graph", "z = w = R.exp(x)", "w = R.exp(x)\nz = w"),
    ("E0153", "file", SMALL.replace("@R.function\n", ""), SMALL),
    ("E0153", "file", KERNEL.format("        b[i] = a[i]").replace("@T.prim_func\n", "").rstrip(),
     KERNEL.format("        b[i] = a[i]").rstrip()),
    ("E0153", "file", SMALL.replace("@R.function", "@R.func"), SMALL),
    # ---- names ----
    ("E0201", "graph", "z = R.add(x, xs)".replace("xs", "X1x"), None),
    ("E0201", "graph", "total = R.exp(x)\nz = R.abs(totl)", "total = R.exp(x)\nz = R.abs(total)"),
    ("E0201", "graph", 'z = R.call_tir(scale, (x,), out_ty=R.Tensor((8,), "float32"))',
     'z = R.call_tir(Module.scale, (x,), out_ty=R.Tensor((8,), "float32"))'),
    ("E0201", "graph", 'z = R.call_tir(cls.scale, (x,), out_ty=R.Tensor((8,), "float32"))',
     'z = R.call_tir(Module.scale, (x,), out_ty=R.Tensor((8,), "float32"))'),
    ("E0201", "kernel", "b[i] = max(a[i], T.float32(0))", "b[i] = T.max(a[i], T.float32(0))"),
    ("E0201", "kernel", "if i > 4:\n    continu\nb[i] = a[i]", "if i > 4:\n    continue\nb[i] = a[i]"),
    ("E0201", "kernel", "b[i] = sqrt(a[i])", "b[i] = T.sqrt(a[i])"),
    ("E0201", "graph", "z = exp(x)", "z = R.exp(x)"),
    ("E0202", "file", SMALL.replace('"float32")', 'dtyp="float32")'), SMALL.replace('"float32")', 'dtype="float32")')),
    ("E0250", "file", SMALL.replace("R.Tensor", "R.Tensr"), SMALL),
    ("E0251", "file", SMALL.replace('"float32")', '"float32", ndim=2)'), SMALL.replace('"float32")', '"float32", ndim=1)')),
    ("E0252", "file", SMALL.replace("(8,)", "8"), SMALL),
    ("E0253", "graph", 'z: R.Tensor((9,), dtype="float32") = R.exp(x)', 'z: R.Tensor((8,), dtype="float32") = R.exp(x)'),
    ("E0254", "file", PRIVATE.replace("):\n    y", ') -> R.Tensor((9,), dtype="float32"):\n    y'),
     PRIVATE.replace("):\n    y", ') -> R.Tensor((8,), dtype="float32"):\n    y')),
    ("E0254", "file", SMALL.replace("):", ') -> R.Tensor((8,), "float32"):') + ",", SMALL.replace("):", ') -> R.Tensor((8,), "float32"):')),
    ("E0513", "file", GRAPH.format('        z = R.call_tir(Module.scale, (x,), out_ty=R.Tensor((9,), "float32"))').rstrip().replace('"bool")):', '"bool")) -> R.Tensor((8,), "float32"):'),
     GRAPH.format('        z = R.call_tir(Module.scale, (x,), out_ty=R.Tensor((8,), dtype="float32"))').rstrip().replace('"bool")):', '"bool")) -> R.Tensor((8,), "float32"):').rstrip()),
    ("E0254", "file", SMALL.replace("def f", 'def g(x: R.Tensor((8,), "float32")) -> R.Tensor(ndim=1):\n    return x\n@R.function\ndef f').replace("R.exp(x)", "g(x)").replace("):\n    y", ') -> R.Tensor(ndim=2):\n    y'), None),
    ("E0258", "graph", "z = x == x", "z = R.equal(x, x)"),
    ("E0258", "graph", "z = R.reshape(x, (1, 8)) @ R.reshape(x, (8, 1))",
     "z = R.matmul(R.reshape(x, (1, 8)), R.reshape(x, (8, 1)))"),
    ("E0402", "kernel", "n[i] = n[i] / 2\nb[i] = a[i]", "n[i] = n[i] // 2\nb[i] = a[i]"),
    ("E0404", "kernel", "b[i] = T.sqr(a[i])", "b[i] = T.sqrt(a[i])"),
    ("E0404", "kernel", "b[i] = T.tahn(a[i])", "b[i] = T.tanh(a[i])"),
    ("E0407", "kernel", "b[i] = s[0]", "b[i] = s[()]"),
    ("E0410", "kernel", "if a[i]:\n    b[i] = a[i]", "if a[i] != 0:\n    b[i] = a[i]"),
    ("E0413", "kernel", "for j in 8:\n    b[j] = a[i]", "for j in range(8):\n    b[j] = a[i]"),
    ("E0413", "kernel", "for j in T.seriel(8):\n    b[j] = a[i]", "for j in T.serial(8):\n    b[j] = a[i]"),
    ("E0419", "kernel", 'with T.sblock("k"):\n    v = T.axis.remap("s", [i])\n    b[v] = a[v]',
     'with T.sblock("k"):\n    v = T.axis.remap("S", [i])\n    b[v] = a[v]'),
    ("E0404", "kernel", 'with T.sblock("k"):\n    v = T.axis.spatail(8, i)\n    b[v] = a[v]',
     'with T.sblock("k"):\n    v = T.axis.spatial(8, i)\n    b[v] = a[v]'),
    ("E0430", "graph", "z = R.astype(y, float32)", 'z = R.astype(y, "float32")'),
    ("E0430", "graph", 'z = R.astype(y, "flaot32")', 'z = R.astype(y, "float32")'),
    ("E0431", "kernel", 'with T.sblok("k"):\n    b[i] = a[i]', 'with T.sblock("k"):\n    b[i] = a[i]'),
    ("E0436", "kernel", "v: T.let[T.int64] = n[i]\nn[i] = v\nb[i] = a[i]", "v: T.let[T.int64] = T.int64(n[i])\nn[i] = v\nb[i] = a[i]"),
    ("E0441", "kernel", "n[i] = a[i]\nb[i] = a[i]", 'n[i] = T.Cast("int32", a[i])\nb[i] = a[i]'),
    # ---- graphs ----
    ("E0505", "file", HEAD + '@R.function\ndef f(x: R.Tensor((8,), "float32")):\n    _ = R.print(x)\n    return x',
     HEAD + '@R.function(pure=False)\ndef f(x: R.Tensor((8,), "float32")):\n    _ = R.print(x)\n    return x'),
    ("E0552", "graph", "with R.dataflow():\n    w = R.exp(x)\n    v = R.abs(x)\n    R.output(w)\nz = R.add(w, v)",
     "with R.dataflow():\n    w = R.exp(x)\n    v = R.abs(x)\n    R.output(w, v)\nz = R.add(w, v)"),
    ("E0101", "graph", "with R.dataflow:\n    z = R.exp(x)\n    R.output(z)", "with R.dataflow():\n    z = R.exp(x)\n    R.output(z)"),
    ("E0101", "kernel", 'with T.sblock("k"):\n    v = T.axis.reduce(8, i)\n    with T.init:\n        b[0] = 0.0\n    b[0] = b[0] + a[v]',
     'with T.sblock("k"):\n    v = T.axis.reduce(8, i)\n    with T.init():\n        b[0] = 0.0\n    b[0] = b[0] + a[v]'),
    ("E0153", "file", KERNEL.format("        b[i] = a[i]").replace("prim_func\n", "primfunc(private=True)\n").rstrip(),
     KERNEL.format("        b[i] = a[i]").replace("prim_func\n", "prim_func(private=True)\n").rstrip()),
    ("E0202", "file", SMALL.replace("@R.function", "@R.function(pur=False)"), SMALL.replace("@R.function", "@R.function(pure=False)")),
    ("E0202", "file", KERNEL.format("        b[i] = a[i]").replace("prim_func\n", "prim_func(privat=True)\n").rstrip(),
     KERNEL.format("        b[i] = a[i]").replace("prim_func\n", "prim_func(private=True)\n").rstrip()),
    ("E0204", "file", SMALL.replace("@R.function", "@R.function(private)"), SMALL.replace("@R.function", "@R.function(private=True)")),
    ("E0204", "file", KERNEL.format("        b[i] = a[i]").replace("prim_func\n", "prim_func(s_tir)\n").rstrip(),
     KERNEL.format("        b[i] = a[i]").replace("prim_func\n", "prim_func(s_tir=True)\n").rstrip()),
    ("E0305", "inplace", "[3, -1]", "[1, -1]"),
    ("E0305", "inplace", "[1]", "[1, -1]"),
    ("E0315", "inplace", "[0, -1]", "[1, -1]"),
    ("E0441", "kernel", "n[i] = 0.5\nb[i] = a[i]", 'n[i] = T.Cast("int32", 0.5)\nb[i] = a[i]'),
    ("E0480", "graph", "if R.sum(x):\n    z = R.exp(x)\nelse:\n    z = R.abs(x)",
     'if R.astype(R.sum(x), "bool"):\n    z = R.exp(x)\nelse:\n    z = R.abs(x)'),
    ("E0480", "graph", "if x:\n    z = R.exp(x)\nelse:\n    z = R.abs(x)", None),
    ("E0481", "kernel", "b[i] == a[i] + 1.0\nn[i] = i", "b[i] = a[i] + 1.0\nn[i] = i"),
    ("E0481", "kernel", "a[i]\nb[i] = a[i]", None),
    ("E0609", "graph", 'z = R.topk(x, k=2, ret_type="value")', 'z = R.topk(x, k=2, ret_type="values")'),
    ("E0609", "graph", 'z = R.nn.pad(x, [1, 1], pad_mode="refelct")', 'z = R.nn.pad(x, [1, 1], pad_mode="reflect")'),
    ("E0609", "graph", 'z = R.scatter_elements(x, y, x, reduction="sum")', None),
    ("E0554", "graph", "z = R.exp(x)\nR.output(z)", "z = R.exp(x)"),
    ("E0552", "graph", "with R.dataflow():\n    w = R.exp(x)\nz = R.abs(w)", "with R.dataflow():\n    w = R.exp(x)\n    R.output(w)\nz = R.abs(w)"),
    ("E0554", "graph", "with R.dataflow():\n    w = R.exp(x)\nR.output(w)\nz = R.abs(w)", "with R.dataflow():\n    w = R.exp(x)\n    R.output(w)\nz = R.abs(w)"),
    ("E0562", "file", SMALL.replace("\n    return y", ""), SMALL),
    ("E0562", "file", SMALL.replace("\n    return y", "").replace("):", ') -> R.Tensor(ndim=3):'), None),
    ("E0560", "graph", "if c:\n    z = R.exp(x)\nelse:\n    r = R.abs(x)", "if c:\n    z = R.exp(x)\nelse:\n    z = R.abs(x)"),
    ("E0565", "graph", "z = R.exp(x)\nz += x", "z = R.exp(x)\nz = z + x"),
    ("E0566", "graph", "R.exp(x)\nz = R.abs(x)", "_ = R.exp(x)\nz = R.abs(x)"),
    ("E0566", "file", SMALL.replace("return y", "y"), SMALL),
    ("E0572", "graph", 'z = R.call_tir(Module.scal, (x,), out_ty=R.Tensor((8,), "float32"))',
     'z = R.call_tir(Module.scale, (x,), out_ty=R.Tensor((8,), "float32"))'),
    ("E0574", "graph", "w = R.exp(x)\nz = R.abs(x)", None),
    ("E0574", "file", SMALL.replace("return y", "return"), None),
    ("E0575", "graph", 'R.func_attr({"relax.inplace_args": [0]})\nz = x + x', 'R.func_attr({"relax.inplace_arg": [0]})\nz = x + x'),
    ("E0604", "graph", "z = R.add(x, y)", 'z = R.add(x, R.astype(y, "float32"))'),
    ("E0605", "graph", "z = R.exp(y)", 'z = R.exp(R.astype(y, "float32"))'),
    ("E0650", "graph", "z = R.sined(x)", None),
    ("E0650", "graph", "z = R.nn.sofmax(x)", "z = R.nn.softmax(x)"),
    ("E0650", "graph", "z = R.relu(x)", "z = R.nn.relu(x)"),
    ("E0650", "graph", "z = R.nn.maxpool2d(R.reshape(x, (1, 1, 2, 4)))", "z = R.nn.max_pool2d(R.reshape(x, (1, 1, 2, 4)))"),
    # ---- what a trial of new scripts met ----
    ("E0101", "graph", "z = R.add(x x)", "z = R.add(x, x)"),
    ("E0101", "graph", "z = R.add(R.exp(x) x)", "z = R.add(R.exp(x), x)"),
    ("E0101", "graph", "z = R.add(2 x)", None),
    ("E0101", "kernel", "if i = 4:\n    b[i] = a[i]", "if i == 4:\n    b[i] = a[i]"),
    ("E0103", "graph", "z = x ÷ x", "z = x / x"),
    ("E0105", "kernel", "if (i < 4:\n    b[i] = a[i]\nn[i] = 1", "if (i < 4):\n    b[i] = a[i]\nn[i] = 1"),
    ("E0107", "kernel", "b[i] = a[i] * 0.9f", "b[i] = a[i] * 0.9"),
    ("E0257", "graph", "m = T.int64\nz = R.exp(x)", "m = T.int64()\nz = R.exp(x)"),
    ("E0257", "graph", 'z = x * "0.25"', "z = x * 0.25"),
    ("E0257", "graph", 'z = x * "half"', None),
    ("E0258", "graph", "z = y ^ y", None),
    ("E0404", "kernel", "b[i] = np.sqrt(a[i])", "b[i] = T.sqrt(a[i])"),
    ("E0404", "kernel", "b[i] = np.nothing(a[i])", None),
    ("E0406", "kernel", "w = T.alloc_buffer((2, 8))\nw[0, i] = a[i]\nb[i] = w[0][i]", "w = T.alloc_buffer((2, 8))\nw[0, i] = a[i]\nb[i] = w[0, i]"),
    ("E0431", "kernel", 'with sblock("k"):\n    b[i] = a[i]', 'with T.sblock("k"):\n    b[i] = a[i]'),
    ("E0556", "graph", "with R.dataflow():\n    w = R.exp(x)\n    v = R.abs(x)\n    R.output((w, v))\nz = R.add(w, v)",
     "with R.dataflow():\n    w = R.exp(x)\n    v = R.abs(x)\n    R.output(w, v)\nz = R.add(w, v)"),
    ("E0604", "graph", 'z = x / R.const(2.0, "float64")', 'z = x / R.const(2.0, "float32")'),
    ("E0651", "graph", "z = R.sum(x, axes=0)", "z = R.sum(x, axis=0)"),
    # ---- words of torch and NumPy ----
    ("E0266", "graph", "z = x.exp()", "z = R.exp(x)"),
    ("E0266", "graph", "z = x.sum(axis=0)", "z = R.sum(x, axis=0)"),
    ("E0266", "graph", "z = x.reshape(2, 4)", "z = R.reshape(x, (2, 4))"),
    ("E0266", "graph", "z = x.reshape((2, 4))", "z = R.reshape(x, (2, 4))"),
    ("E0266", "graph", "z = R.reshape(x, (2, 4)).T", "z = R.permute_dims(R.reshape(x, (2, 4)))"),
    ("E0266", "graph", "z = R.reshape(x, (2, 4)).permute(1, 0)", "z = R.permute_dims(R.reshape(x, (2, 4)), (1, 0))"),
    ("E0266", "graph", 'z = x.to("int32")', 'z = R.astype(x, "int32")'),
    ("E0266", "graph", "z = x.relu()", "z = R.nn.relu(x)"),
    ("E0266", "graph", "z = x.frobnicate()", None),
    ("E0230", "graph", "z = x[2]", "z = R.take(x, 2, axis=0)"),
    ("E0651", "graph", "z = R.sum(x, dim=0)", "z = R.sum(x, axis=0)"),
    ("E0651", "graph", "z = R.sum(x, axis=0, keepdim=True)", "z = R.sum(x, axis=0, keepdims=True)"),
    ("E0651", "graph", "z = R.permute_dims(x, perm=[0])", "z = R.permute_dims(x, axes=[0])"),
    ("E0655", "graph", "z = R.concat(x, x)", "z = R.concat((x, x))"),
    ("E0655", "graph", "z = R.concat(x, x, axis=0)", "z = R.concat((x, x), axis=0)"),
    ("E0250", "file", SMALL.replace("):", ", pos: int):"), SMALL.replace("):", ", pos: T.int64):")),
    ("E0601", "graph", "z = R.where(y, x, x)", 'z = R.where(R.astype(y, "bool"), x, x)'),
    # ---- words of torch, NumPy and ONNX, and what is known of a value ----
    ("E0651", "graph", "z = R.nn.layer_norm(x, x, x, axes=[-1], eps=1e-5)", "z = R.nn.layer_norm(x, x, x, axes=[-1], epsilon=1e-5)"),
    ("E0651", "graph", "z = R.nn.max_pool2d(R.reshape(x, (1, 1, 2, 4)), pool_size=(1, 1), pad=0)",
     "z = R.nn.max_pool2d(R.reshape(x, (1, 1, 2, 4)), pool_size=(1, 1), padding=0)"),
    ("E0651", "graph", "z = R.nn.max_pool2d(R.reshape(x, (1, 1, 2, 4)), kernel_size=(1, 1))",
     "z = R.nn.max_pool2d(R.reshape(x, (1, 1, 2, 4)), pool_size=(1, 1))"),
    ("E0650", "graph", 'z = R.cast(x, "float16")', 'z = R.astype(x, "float16")'),
    ("E0650", "graph", "z = R.nn.ReLU(x)", "z = R.nn.relu(x)"),
    ("E0650", "graph", "z = R.transpose(x)", "z = R.permute_dims(x)"),
    ("E0266", "graph", "z = y.float()", 'z = R.astype(y, "float32")'),
    ("E0266", "graph", "z = R.zeros(x.shape, \"float32\")", "z = R.zeros(R.shape_of(x), \"float32\")"),
    ("E0406", "graph", "z = R.reshape(x, (x.shape[-1], 1))", "z = R.reshape(x, (8, 1))"),
    ("E0406", "graph", "z = R.sum(x, axis=[x.ndim - 1])", "z = R.sum(x, axis=[1 - 1])"),
    ("E0430", "graph", "z = R.astype(y, x.dtype)", 'z = R.astype(y, "float32")'),
    ("E0201", "graph", "z = np.exp(x)", "z = R.exp(x)"),
    ("E0201", "graph", "z = torch.nn.functional.softmax(x)", "z = R.nn.softmax(x)"),
    ("E0201", "graph", "z = x * float('-inf')", "z = x * R.const(float('-inf'))"),
    ("E0201", "graph", "z = x * float(2)", "z = x * 2.0"),
    ("E0201", "graph", 'z = R.call_tir(self.scale, (x,), out_ty=R.Tensor((8,), "float32"))',
     'z = R.call_tir(Module.scale, (x,), out_ty=R.Tensor((8,), "float32"))'),
    ("E0256", "file", SMALL.replace("f(x", "f(self, x"), SMALL),
    ("E0201", "graph", 'z = R.match_cast(x, R.Tensor((m,), "float32"))', 'm = T.int64()\nz = R.match_cast(x, R.Tensor((m,), "float32"))'),
    ("E0201", "file", SMALL.replace("8,", "n,"), SMALL.replace("8,", '"n",')),
    ("E0201", "file", KERNEL.replace("(8,)", "(n,)", 1).replace("n:", "m:").format("        b[i] = a[i]").rstrip(),
     KERNEL.replace("(8,)", '("n",)', 1).replace("n:", "m:").format("        b[i] = a[i]").rstrip()),
    ("E0258", "graph", "z = R.exp(x) if True else R.abs(x)", "z = R.exp(x)"),
    ("E0258", "graph", "z = R.exp(x) if c else R.abs(x)", "z = R.where(c, R.exp(x), R.abs(x))"),
    ("E0565", "graph", "x[y] = x\nz = R.exp(x)", "x = R.index_put(x, (y,), x)\nz = R.exp(x)"),
    ("E0565", "graph", "x[0] = R.const(1.0)\nz = R.exp(x)", 'x = R.index_put(x, (R.const(0, "int64"),), R.const(1.0))\nz = R.exp(x)'),
    ("E0565", "graph", "x[1:3] = R.ones((2,), \"float32\")\nz = R.exp(x)", 'x = R.slice_scatter(x, R.ones((2,), "float32"), 1, 3, 1)\nz = R.exp(x)'),
    ("E0601", "graph", "w = R.nn.dropout(x, 0.5)\nz = R.nn.relu(w)", "w = R.nn.dropout(x, 0.5)\nz = R.nn.relu(w[0])"),
    ("E0601", "graph", "w = R.topk(x, k=2)\nz = R.nn.relu(w)", None),
    ("E0604", "graph", "z = y * x", 'z = R.astype(y, "float32") * x'),
    ("E0604", "graph", "z = R.add(y, x)", 'z = R.add(R.astype(y, "float32"), x)'),
    ("E0202", "inplace", "[1, -1], strct=True", "[1, -1], strict=True"),
    ("E0305", "file", INPLACE.replace("(x, y)", "(y,)").format("[-1, -1]").rstrip(), INPLACE.replace("(x, y)", "(y,)").format("[-1, -1]").replace("call_tir_inplace", "call_tir").replace(", inplace_indices=[-1, -1]", "").rstrip()),
    # ---- words that mean something else there ----
    ("E0266", "graph", "z = R.reshape(x, (2, 4)).transpose(-2, -1)", None),
    ("E0266", "graph", "z = x.split(4)[0]", None),
    ("E0201", "graph", "z = F.max_pool2d(R.reshape(x, (1, 1, 2, 4)), 2)", None),
    ("E0201", "graph", "z = np.std(x)", None),
    # ---- what a second trial met ----
    ("E0202", "file", INPLACE.replace("call_tir_inplace", "call_tir").format("[1, -1]").rstrip(), INPLACE.format("[1, -1]").rstrip()),
    ("E0411", "kernel", "w = T.alloc_buffer((2, 8))\nw[0][i] = a[i]\nb[i] = w[0, i]", "w = T.alloc_buffer((2, 8))\nw[0, i] = a[i]\nb[i] = w[0, i]"),
    ("E0424", "file", KERNEL.replace('s: T.Buffer((), "float32")', "s: int").format("        b[i] = a[i]").rstrip(),
     KERNEL.replace('s: T.Buffer((), "float32")', "s: T.int64").format("        b[i] = a[i]").rstrip()),
    ("E0573", "file", INPLACE.replace("(x, y)", "x, y").format("[1, -1]").rstrip(), INPLACE.format("[1, -1]").rstrip()),
    # ---- calls of kernels that say something else than the kernel ----
    ("E0236", "graph", "z = R.call_tir(Module.scale, (x,))", 'z = R.call_tir(Module.scale, (x,), out_ty=R.Tensor((8,), dtype="float32"))'),
    ("E0305", "inplace", "[1, -1, -1]", "[1, -1]"),
    ("E0305", "file", INPLACE.replace('out_ty=[R.Tensor((8,), "float32"), R.Tensor((8,), "float32")]', 'out_ty=R.Tensor((8,), "float32")').format("[1, -1]").replace("return z", "return z[1]").rstrip(),
     INPLACE.replace('out_ty=[R.Tensor((8,), "float32"), R.Tensor((8,), "float32")]', 'out_ty=[R.Tensor((8,), dtype="float32"), R.Tensor((8,), dtype="float32")]').format("[1, -1]").replace("return z", "return z[1]").rstrip()),
    ("E0306", "file", INPLACE.replace('[R.Tensor((8,)', '[R.Tensor((9,)').format("[1, -1]").rstrip(),
     INPLACE.replace('[R.Tensor((8,), "float32")', '[R.Tensor((8,), dtype="float32")').format("[1, -1]").rstrip()),
    ("E0511", "graph", "w = Module.scale(x)\nz = R.exp(w)", 'w = R.call_tir(Module.scale, (x,), out_ty=R.Tensor((8,), dtype="float32"))\nz = R.exp(w)'),
    ("E0513", "graph", 'w = R.call_tir(Module.scale, (x,), out_ty=R.Tensor((9,), "float32"))\nz = R.add(w, x)',
     'w = R.call_tir(Module.scale, (x,), out_ty=R.Tensor((8,), dtype="float32"))\nz = R.add(w, x)'),
    ("E0513", "graph", 'z = R.call_tir(Module.scale, (y,), out_ty=R.Tensor((8,), "float32"))', None),
    ("E0513", "file", HEAD + ORDER.format("y, x"), HEAD + ORDER.format("x, y")),
    ("E0513", "file", HEAD + SYMBOLS.format("n + 1"), HEAD + SYMBOLS.format("n")),
    ("E0515", "graph", "z = R.call_tir(Module.scale, (x,), out_ty=R.Tensor((8,)))", 'z = R.call_tir(Module.scale, (x,), out_ty=R.Tensor((8,), dtype="float32"))'),
    ("E0573", "file", INPLACE.replace(", inplace_indices={}", "").rstrip(), INPLACE.format("[1, -1]").rstrip()),
    # ---- brackets, colons and words that were forgotten ----
    ("E0105", "file", SMALL.replace('"float32")', '"float32", y: R.Tensor((8,), "float32")'), SMALL.replace('"float32")', '"float32"), y: R.Tensor((8,), "float32")')),
    ("E0105", "graph", "with R.dataflow():\n    z = R.exp(R.abs(x)\n    R.output(z)", "with R.dataflow():\n    z = R.exp(R.abs(x))\n    R.output(z)"),
    ("E0101", "file", SMALL.replace("x: R", "x R"), SMALL),
    ("E0101", "file", SMALL.replace("(8,), ", "(8,) "), SMALL),
    ("E0101", "graph", "R.dataflow():\n    z = R.exp(x)\n    R.output(z)", "with R.dataflow():\n    z = R.exp(x)\n    R.output(z)"),
    ("E0101", "file", SMALL.replace("return y", "retrun y"), SMALL),
    ("E0101", "file", SMALL.replace("def f", "df f"), SMALL),
    ("E0552", "graph", "with R.dataflow():\n    w = R.exp(x)\n    v = R.abs(x)\nz = R.add(v, w)", "with R.dataflow():\n    w = R.exp(x)\n    v = R.abs(x)\n    R.output(w, v)\nz = R.add(v, w)"),
    ("E0201", "graph", "with R.dataflow():\n    total = R.exp(x)\n    R.output(totals)\nz = R.abs(total)", "with R.dataflow():\n    total = R.exp(x)\n    R.output(total)\nz = R.abs(total)"),
    ("E0562", "file", SMALL.replace("return y", "if c:\n        z = R.exp(y)\n    else:\n        z = y").replace("):\n", ', c: R.Tensor((), "bool")):\n', 1),
     SMALL.replace("return y", "if c:\n        z = R.exp(y)\n    else:\n        z = y\n    return z").replace("):\n", ', c: R.Tensor((), "bool")):\n', 1)),
    # ---- names and numbers ----
    ("E0201", "graph", "z = R.exp(X)", "z = R.exp(x)"),
    ("E0201", "file", HEAD + "STAGE = 8\n" + SMALL.removeprefix(HEAD).replace("8,", "STAGES,"), HEAD + "STAGE = 8\n" + SMALL.removeprefix(HEAD).replace("8,", "STAGE,")),
    ("E0404", "kernel", "b[i] = R.exp(a[i])", "b[i] = T.exp(a[i])"),
    ("E0404", "kernel", 'b[i] = T.inf("float32")', 'b[i] = T.infinity("float32")'),
    ("E0408", "file", HEAD + "N = 8.0\n" + SMALL.removeprefix(HEAD).replace("8,", "N,"), HEAD + "N = 8\n" + SMALL.removeprefix(HEAD).replace("8,", "N,")),
    ("E0408", "kernel", "for j in range(8 / 2):\n    b[j] = a[i]", "for j in range(8 // 2):\n    b[j] = a[i]"),
    ("E0408", "kernel", "for j in range(8.0):\n    b[j] = a[i]", "for j in range(8):\n    b[j] = a[i]"),
    ("E0413", "kernel", "for j in T.range(8):\n    b[j] = a[i]", "for j in range(8):\n    b[j] = a[i]"),
    ("E0413", "kernel", "for j, k in grid(4, 2):\n    b[j] = a[k]", "for j, k in T.grid(4, 2):\n    b[j] = a[k]"),
    # ---- parts of tensors as NumPy has them ----
    ("E0230", "graph", "z = R.reshape(x, (2, 4))[:, 1:3]", "z = R.strided_slice(R.reshape(x, (2, 4)), [1], [1], [3])"),
    ("E0230", "graph", "z = x[::2]", "z = R.strided_slice(x, [0], [0], [9223372036854775807], [2])"),
    ("E0230", "graph", "z = x[::-1]", "z = R.flip(x, axis=0)"),
    ("E0230", "graph", "z = x[:, None]", "z = R.expand_dims(x, axis=[1])"),
    ("E0230", "graph", "z = R.reshape(x, (2, 4))[1, 0:2, None]", "z = R.expand_dims(R.take(R.strided_slice(R.reshape(x, (2, 4)), [1], [0], [2]), 1, axis=0), axis=[1])"),
    ("E0230", "graph", "z = R.reshape(x, (1, 8))[:, y]", "z = R.take(R.reshape(x, (1, 8)), y, axis=1)"),
    ("E0230", "graph", "z = R.reshape(x, (2, 4))[y, y]", None),
    ("E0230", "graph", "z = x[3:1:-1]", None),
    # ---- types and operands that are nearly right ----
    ("E0250", "file", SMALL.replace('R.Tensor((8,), "float32")', 'R.Tensor[(8,), "float32"]'), SMALL),
    ("E0250", "file", SMALL.replace("R.Tensor", "Tensor"), SMALL),
    ("E0252", "file", SMALL.replace("(8,)", '"n", 8'), SMALL.replace("(8,)", '("n", 8)')),
    ("E0252", "file", SMALL.replace("(8,)", "(8)"), SMALL),
    ("E0267", "file", SMALL.replace("8,", "-1, 8"), SMALL.replace("8,", '"n", 8')),
    ("E0406", "file", SMALL.replace("8,", "None, 8"), SMALL.replace("8,", '"n", 8')),
    ("E0604", "graph", 'z = R.subtract(R.const(1, "int32"), x)', 'z = R.subtract(R.const(1, "float32"), x)'),
    ("E0604", "graph", 'z = R.multiply(R.const(0.5, "float32"), y)', 'z = R.multiply(R.const(0.5, "float32"), R.astype(y, "float32"))'),
    ("E0604", "graph", 'z = R.multiply(R.const([0.5], "float32"), y)', 'z = R.multiply(R.const([0.5], "float32"), R.astype(y, "float32"))'),
    ("E0604", "file", HEAD + "SCALE = [0.5]\n" + SMALL.removeprefix(HEAD).replace("8,", "1,").replace('"float32"', '"uint8"').replace("R.exp(x)", 'R.multiply(x, R.const(SCALE, "float32"))'),
     HEAD + "SCALE = [0.5]\n" + SMALL.removeprefix(HEAD).replace("8,", "1,").replace('"float32"', '"uint8"').replace("R.exp(x)", 'R.multiply(R.astype(x, "float32"), R.const(SCALE, "float32"))')),
    ("E0604", "file", SMALL.replace('"float32"', '"uint8"').replace("R.exp(x)", 'R.add(x, R.const(-1, "int32"))'), SMALL.replace('"float32"', '"uint8"').replace("R.exp(x)", 'R.add(R.astype(x, "int32"), R.const(-1, "int32"))')),
    ("E0604", "graph", "w = R.one_hot(y, 1.0, 0.0, depth=8)\nz = R.add(x, w)", "w = R.one_hot(y, T.float32(1.0), T.float32(0.0), depth=8)\nz = R.add(x, w)"),
    ("E0604", "graph", "z = R.add(R.one_hot(y, 1.0, 0.0, depth=8), x)", "z = R.add(R.one_hot(y, T.float32(1.0), T.float32(0.0), depth=8), x)"),
    ("E0603", "graph", "w = R.reshape(x, (4, 2))\nv = R.sum(w, axis=1)\nz = R.divide(w, v)", "w = R.reshape(x, (4, 2))\nv = R.sum(w, axis=1)\nz = R.divide(w, R.expand_dims(v, axis=[1]))"),
    ("E0603", "graph", "w = R.reshape(x, (4, 2))\nz = R.divide(w, R.ones((3,), \"float32\"))", None),
    ("E0610", "graph", "w = R.reshape(x, (4, 2))\nv = R.ones((3, 2), \"float32\")\nz = R.matmul(w, v)", "w = R.reshape(x, (4, 2))\nv = R.ones((3, 2), \"float32\")\nz = R.matmul(w, R.permute_dims(v))"),
    ("E0610", "graph", "w = R.reshape(x, (4, 2))\nz = R.matmul(w, w)", None),
    ("E0601", "graph", "w = [0, 1]\nz = R.take(x, w, axis=0)", 'w = R.const([0, 1], "int64")\nz = R.take(x, w, axis=0)'),
    ("E0601", "file", HEAD + "MEAN = [0.5, 0.25]\n" + SMALL.removeprefix(HEAD).replace("8,", "2,").replace("R.exp(x)", "R.subtract(x, MEAN)"),
     HEAD + "MEAN = [0.5, 0.25]\n" + SMALL.removeprefix(HEAD).replace("8,", "2,").replace("R.exp(x)", 'R.subtract(x, R.const(MEAN, "float32"))')),
    ("E0234", "file", SCALAR.format('R.const(3, "int64")'), SCALAR.format("3")),
    ("E0654", "graph", "z = R.permute_dims(R.reshape(x, (2, 4)), 1, 0)", "z = R.permute_dims(R.reshape(x, (2, 4)), (1, 0))"),
    ("E0654", "graph", "z = R.exp(x, 1, 0)", None),
    ("E0151", "file", HEAD + "N == 8\n" + SMALL.removeprefix(HEAD).replace("8,", "N,"), HEAD + "N = 8\n" + SMALL.removeprefix(HEAD).replace("8,", "N,")),
    ("E0201", "graph", "z = x * np.pi", "z = x * 3.141592653589793"),
    ("E0201", "kernel", "b[i] = a[i] * math.pi", "b[i] = a[i] * 3.141592653589793"),
    ("E0201", "kernel", "b[i] = np.inf", 'b[i] = T.float32("inf")'),
    ("E0412", "kernel", 'b[i] = T.cast("float32", n[i])', 'b[i] = T.Cast("float32", n[i])'),
    ("E0430", "kernel", "v: float = a[i]\nb[i] = v", "v: T.float32 = a[i]\nb[i] = v"),
    ("E0441", "kernel", "d = 0\nd = d + a[i]\nb[i] = d", "d: T.float32 = 0\nd = d + a[i]\nb[i] = d"),
    ("E0443", "kernel", 'with T.sblock("k"):\n    v = T.axis.spatial(4, i)\n    b[v] = a[v]', 'with T.sblock("k"):\n    v = T.axis.spatial(8, i)\n    b[v] = a[v]'),
    ("E0609", "graph", 'z = R.image.resize2d(R.reshape(x, (1, 1, 2, 4)), (4, 4), method="bilinear")', 'z = R.image.resize2d(R.reshape(x, (1, 1, 2, 4)), (4, 4), method="linear")'),
    ("E0650", "graph", "z = R.take_along_axis(x, y, axis=0)", "z = R.gather_elements(x, y, axis=0)"),
    ("E0651", "graph", 'z = R.nn.pad(x, [1, 1], mode="reflect")', 'z = R.nn.pad(x, [1, 1], pad_mode="reflect")'),
    ("E0435", "graph", "R.func_attr({relax.inplace_arg: [0]})\nz = x + x", 'R.func_attr({"relax.inplace_arg": [0]})\nz = x + x'),
    ("E0573", "graph", 'R.func_attr("relax.inplace_arg", [0])\nz = x + x', 'R.func_attr({"relax.inplace_arg": [0]})\nz = x + x'),
    ("E0573", "graph", 'z = R.call_tir("scale", (x,), out_ty=R.Tensor((8,), "float32"))', 'z = R.call_tir(Module.scale, (x,), out_ty=R.Tensor((8,), "float32"))'),
    ("E0571", "graph", "with R.datflow():\n    z = R.exp(x)\n    R.output(z)", "with R.dataflow():\n    z = R.exp(x)\n    R.output(z)"),
    # ---- kernels that are nearly right ----
    ("E0403", "kernel", "b[i] = a[i]^2", "b[i] = a[i]**2"),
    ("E0406", "kernel", "b[i] = a[i] * s", "b[i] = a[i] * s[()]"),
    ("E0404", "kernel", 'with T.sblock("k"):\n    v = T.axis.space(8, i)\n    b[v] = a[v]', 'with T.sblock("k"):\n    v = T.axis.spatial(8, i)\n    b[v] = a[v]'),
    ("E0205", "kernel", 'with T.sblock("k"):\n    v = T.axis.spatial(i)\n    b[v] = a[v]', 'with T.sblock("k"):\n    v = T.axis.spatial(8, i)\n    b[v] = a[v]'),
    ("E0412", "reduce", 'with T.sblock("sum"):\n    vi, vk = T.axis.remap("SR", i, k)\n    with T.init():\n        b[vi] = T.float32(0)\n    b[vi] = b[vi] + a[vi, vk]',
     'with T.sblock("sum"):\n    vi, vk = T.axis.remap("SR", [i, k])\n    with T.init():\n        b[vi] = T.float32(0)\n    b[vi] = b[vi] + a[vi, vk]'),
    # ---- loops ----
    ("E0442", "reduce", "b[k] = a[i, k]", None),
    ("E0442", "file", KERNEL.replace("range(8)", "range(9)").format("        b[i] = a[i]").rstrip(), KERNEL.format("        b[i] = a[i]").rstrip()),
    ("E0442", "file", KERNEL.replace("8,", "4, 8").replace("i in range(8)", "i, j in T.grid(8, 4)").format("        b[i, j] = a[i, j]").rstrip(),
     KERNEL.replace("8,", "4, 8").replace("i in range(8)", "i, j in T.grid(4, 8)").format("        b[i, j] = a[i, j]").rstrip()),
    ("E0442", "file", KERNEL.replace("8,", "4, 8").replace("i in range(8)", "i, j in T.grid(4, 8)").format("        b[j, i] = a[i, j]").rstrip(),
     KERNEL.replace("8,", "4, 8").replace("i in range(8)", "i, j in T.grid(4, 8)").format("        b[i, j] = a[i, j]").rstrip()),
    ("E0442", "file", NAMED.format("IN, OUT"), NAMED.format("OUT, IN")),
    ("E0442", "file", PRODUCT.format("vj, vk"), PRODUCT.format("vk, vj")),
    ("E0442", "file", PRODUCT.replace("6, 8", "5, 8").format("vj, vk"), None),
    ("E0322", "reduce", 'with T.sblock("sum"):\n    vi = T.axis.spatial(4, i)\n    vk = T.axis.spatial(8, k)\n    with T.init():\n        b[vi] = T.float32(0)\n    b[vi] = b[vi] + a[vi, vk]', None),
    # ---- first values ----
    ("E0323", "reduce", 'with T.sblock("sum"):\n    vi, vk = T.axis.remap("SR", [i, k])\n    b[vi] = b[vi] + a[vi, vk]',
     'with T.sblock("sum"):\n    vi, vk = T.axis.remap("SR", [i, k])\n    with T.init():\n        b[vi] = T.float32(0)\n    b[vi] = b[vi] + a[vi, vk]'),
    ("E0323", "reduce", 'with T.sblock("sum"):\n    vi, vk = T.axis.remap("SR", [i, k])\n    b[vi] *= a[vi, vk]',
     'with T.sblock("sum"):\n    vi, vk = T.axis.remap("SR", [i, k])\n    with T.init():\n        b[vi] = T.float32(1)\n    b[vi] *= a[vi, vk]'),
    ("E0323", "reduce", "b[i] = T.min(b[i], a[i, k])", 'if k == 0:\n    b[i] = T.max_value("float32")\nb[i] = T.min(b[i], a[i, k])'),
    ("E0323", "reduce", "if a[i, k] > 0.0:\n    b[i] = b[i] + a[i, k]\n    b[i] = b[i] * 2.0", None),
    # ---- arguments in another form, and words of torch ----
    ("E0101", "file", KERNEL.format("        b[i] = a[i]").replace("prim_func\n", "prim_func(private=True s_tir=True)\n").rstrip(),
     KERNEL.format("        b[i] = a[i]").replace("prim_func\n", "prim_func(private=True, s_tir=True)\n").rstrip()),
    ("E0104", "graph", 'z = R.topk(x, k=2, ret_type="values, dtype="int32")', 'z = R.topk(x, k=2, ret_type="values", dtype="int32")'),
    ("E0201", "graph", "z = R.add(x, np.array([1.0, 2.0] * 4))", None),
    ("E0201", "graph", "z = R.add(R.reshape(x, (4, 2)), np.array([1.0, 2.0]))", 'z = R.add(R.reshape(x, (4, 2)), R.const([1.0, 2.0], "float32"))'),
    ("E0201", "graph", "z = R.add(R.reshape(y, (4, 2)), torch.tensor([1, 2], dtype=torch.int32))", 'z = R.add(R.reshape(y, (4, 2)), R.const([1, 2], "int32"))'),
    ("E0201", "graph", "z = nn.ReLU()(x)", "z = R.nn.relu(x)"),
    ("E0201", "graph", "z = nn.Softmax(dim=0)(x)", None),
    ("E0201", "file", HEAD + "MEANS = [0.5] * 8\n".replace(" * 8", "") + SMALL.removeprefix(HEAD).replace("8,", "1,").replace("R.exp(x)", 'R.add(x, R.const(MEAN, "float32"))'),
     HEAD + "MEANS = [0.5]\n" + SMALL.removeprefix(HEAD).replace("8,", "1,").replace("R.exp(x)", 'R.add(x, R.const(MEANS, "float32"))')),
    ("E0230", "graph", 'w = R.topk(x, k=2, ret_type="values")\nz = w[1]', 'w = R.topk(x, k=2, ret_type="both")\nz = w[1]'),
    ("E0234", "file", SCALAR.replace("{}", "x").replace("(x, x)", "(3, x)"), SCALAR.format("3")),
    ("E0258", "graph", "z = x ^ 0.5", "z = x ** 0.5"),
    ("E0258", "graph", "z = x ^ 2", "z = x ** 2"),
    ("E0266", "graph", "z = R.reshape(x, (2, 4)).view(-1)", "z = R.reshape(R.reshape(x, (2, 4)), (-1,))"),
    ("E0266", "graph", "w = R.topk(x, k=2)\nz = w.indices", "w = R.topk(x, k=2)\nz = w[1]"),
    ("E0266", "graph", "w = R.topk(x, k=2)\nz = w.size", None),
    ("E0403", "kernel", "b[i] = a[i] ^ 0.5", "b[i] = a[i] ** 0.5"),
    ("E0601", "graph", "z = R.reshape(R.reshape(x, (2, 4)), -1)", "z = R.reshape(R.reshape(x, (2, 4)), (-1,))"),
    ("E0601", "graph", "z = R.reshape(R.reshape(x, (2, 4)), (8))", "z = R.reshape(R.reshape(x, (2, 4)), (8,))"),
    ("E0602", "graph", "w = R.reshape(x, (4, 2))\nv = R.sum(w, axis=1)\nz = R.concat((w, v), axis=1)",
     "w = R.reshape(x, (4, 2))\nv = R.sum(w, axis=1)\nz = R.concat((w, R.expand_dims(v, axis=[1])), axis=1)"),
    ("E0602", "graph", "w = R.reshape(x, (4, 2))\nz = R.concat((w, x), axis=1)", None),
    ("E0604", "graph", "z = R.concat((x, y), axis=0)", 'z = R.concat((x, R.astype(y, "float32")), axis=0)'),
    ("E0650", "graph", "z = R.floordiv(x, x)", "z = R.floor_divide(x, x)"),
    ("E0650", "graph", "z = R.nn.ReLU()(x)", "z = R.nn.relu(x)"),
    ("E0650", "graph", 'z = R.add(x, R.constant(1.0, "float32"))', 'z = R.add(x, R.const(1.0, "float32"))'),
    ("E0651", "graph", "z = R.flip(x, axes=[0])", "z = R.flip(x, axis=0)"),
    ("E0651", "graph", "z = R.sum(x, axis=0, dim=0)", None),
    ("E0655", "graph", 'z = R.sum(x, axis="0")', "z = R.sum(x, axis=0)"),
    ("E0655", "graph", "z = R.sum(x, axis=0.0)", "z = R.sum(x, axis=0)"),
    ("E0655", "graph", 'z = R.sum(x, axis=0, keepdims="True")', "z = R.sum(x, axis=0, keepdims=True)"),
    ("E0655", "graph", 'z = R.sum(x, axis="first")', None),
    ("E0655", "graph", "z = R.flip(x, axis=[0])", "z = R.flip(x, axis=0)"),
    ("E0655", "graph", "z = R.nn.pad(R.reshape(x, (2, 4)), ((0, 0), (1, 1)))", "z = R.nn.pad(R.reshape(x, (2, 4)), [0, 0, 1, 1])"),
    # ---- a kernel and its call say different dtypes ----
    ("E0513", "file", DTYPES.replace("a: T.Buffer((8,), \"float32\")", "a: T.Buffer((8,), \"int32\")"), DTYPES),
    ("E0513", "file", DTYPES.replace("b: T.Buffer((8,), \"float32\")", "b: T.Buffer((8,), \"float64\")"), DTYPES),
    ("E0513", "file", DTYPES.replace("x: R.Tensor((8,), \"float32\")", "x: R.Tensor((8,), \"float16\")"), DTYPES.replace("x: R.Tensor((8,), \"float32\")", "x: R.Tensor((8,), \"float16\")").replace("(x,)", '(R.astype(x, "float32"),)')),
    ("E0513", "file", DTYPES.replace('out_ty=R.Tensor((8,), "float32")', 'out_ty=R.Tensor((8,), "float64")'), DTYPES.replace('out_ty=R.Tensor((8,), "float32")', 'out_ty=R.Tensor((8,), dtype="float32")')),
    # ---- swapped ----
    ("E0513", "file", UPDATE.format("y, w"), UPDATE.format("w, y")),
    # ---- kinds of axes ----
    ("E0322", "reduce", AXES.format("SS"), AXES.format("SR")),
    ("E0322", "reduce", AXES.format("RS"), AXES.format("SR")),
    ("E0323", "reduce", AXES.format("RR"), AXES.format("SR")),
    ("E0420", "file", PRODUCT.format("vk, vj").replace("SSR", "SS"), PRODUCT.format("vk, vj")),
    ("E0420", "file", PRODUCT.format("vk, vj").replace("SSR", "SSSR"), PRODUCT.format("vk, vj")),
    ("E0420", "file", PRODUCT.format("vk, vj").replace("SSR", "SS").replace("with T.init():\n                c[vi, vj] = T.float32(0)\n            ", ""), None),
    ("E0604", "graph", 'z = R.multiply(x, R.const(2.0, "float16"))', 'z = R.multiply(x, R.const(2.0, "float32"))'),
    ("E0610", "graph", "w = R.reshape(x, (4, 2))\nv = R.ones((2, 2), \"float32\")\nz = R.matmul(v, w)", None),
    ("E0264", "graph", 'z = R.multiply(x, R.const("2.0", "float32"))', 'z = R.multiply(x, R.const(2.0, "float32"))'),
    ("E0404", "kernel", "b[i] = T.maximum(a[i], T.float32(0))", "b[i] = T.max(a[i], T.float32(0))"),
    ("E0113", "kernel", "b(i) = a[i]", "b[i] = a[i]"),
    ("E0113", "kernel", "b(at=i) = a[i]", None),
    ("E0414", "kernel", "for j, k in T.grid((4, 2)):\n    b[j * 2 + k] = a[i]", "for j, k in T.grid(4, 2):\n    b[j * 2 + k] = a[i]"),
    ("E0414", "kernel", "for j, k in range(4, 2):\n    b[j * 2 + k] = a[i]", "for j, k in T.grid(4, 2):\n    b[j * 2 + k] = a[i]"),
    ("E0414", "kernel", "for j, k in range(0, 8):\n    b[j] = a[i]", None),
    ("E0414", "kernel", "for j, k in T.grid(8):\n    b[j] = a[i]", None),
    # ---- blocks, branches and arguments that are missing ----
    ("E0109", "kernel", "if i < 4:\nb[i] = a[i]", "if i < 4:\n    b[i] = a[i]"),
    ("E0109", "kernel", "for j in range(8):\npass\nb[i] = a[i]", "for j in range(8):\n    pass\nb[i] = a[i]"),
    ("E0109", "kernel", "if i < 4:\nn[i] = 0\nb[i] = a[i]", None),
    ("E0109", "kernel", "if i < 4:\nb[i] = T.max(\na[i], a[i])", None),
    ("E0137", "kernel", "for j in range(8):\n    b[j] = a[j]\nelse:\n    b[0] = a[0]", None),
    ("E0559", "graph", "z = R.exp(x)\nif c:\n    z = R.abs(z)", "z = R.exp(x)\nif c:\n    z = R.abs(z)\nelse:\n    z = z"),
    ("E0559", "graph", "if c:\n    z = R.abs(x)", None),
    ("E0564", "file", BRANCH.format("return", "return", ""), BRANCH.format("result =", "result =", "\n    return result")),
    ("E0653", "graph", "z = R.add(x, R.zeros((8,)))", 'z = R.add(x, R.zeros((8,), dtype="float32"))'),
    ("E0653", "graph", "z = R.one_hot(y, depth=4)", "z = R.one_hot(y, depth=4, on_value=T.float32(1), off_value=T.float32(0))"),
    ("E0653", "graph", "z = R.one_hot(y, depth=4, off_value=T.float32(0))", None),
    ("E0653", "graph", "z = R.reshape(x)", None),
    # ---- edits that were wrong ----
    ("E0404", "kernel", "b[i] = T.than(a[i])", "b[i] = T.tanh(a[i])"),
    ("E0404", "kernel", "b[i] = T.expp(a[i])", None),
    ("E0201", "file", KERNEL.format("        xi = a[i]\n        b[i] = ix").rstrip(), KERNEL.format("        xi = a[i]\n        b[i] = xi").rstrip()),
    ("E0201", "kernel", "b[i] = a[t]", None),
    ("E0410", "kernel", "n[i] = (n[i] and 15) - 8", "n[i] = (n[i] & 15) - 8"),
    ("E0410", "kernel", "n[i] = 16 or n[i]", "n[i] = 16 | n[i]"),
    ("E0410", "kernel", "n[i] = n[i] and n[0]", None),
    ("E0513", "file", MIXED.format("uint8", "uint8"), None),
    ("E0513", "file", MIXED.format("uint8", "float32"), None),
    ("E0513", "file", DTYPES.replace("a: T.Buffer((8,), \"float32\")", "a: T.Buffer((8,), \"int32\")").replace("        return z", '        w = R.call_tir(Module.scale, (y,), out_ty=R.Tensor((8,), "float32"))\n        return z'), None),
    ("E0650", "graph", "w = R.reshape(x, (2, 2, 2))\nz = R.transpose(w, 0, 1)", "w = R.reshape(x, (2, 2, 2))\nz = R.permute_dims(w, (1, 0, 2))"),
    ("E0650", "graph", "w = R.reshape(x, (2, 2, 2))\nz = R.transpose(w, -1, 0)", "w = R.reshape(x, (2, 2, 2))\nz = R.permute_dims(w, (2, 1, 0))"),
    ("E0650", "graph", "z = R.transpose(R.reshape(x, (2, 4)), 0, 1)", None),
    ("E0443", "file", KERNEL.replace("range(8)", "range(7)").format('        with T.sblock("k"):\n            v = T.axis.spatial(8, i)\n            b[v] = a[v]').rstrip(),
     KERNEL.format('        with T.sblock("k"):\n            v = T.axis.spatial(8, i)\n            b[v] = a[v]').rstrip()),
    # ---- signs and words that were mended wrongly ----
    ("E0101", "graph", 'R.func_attr({"relax.inplace_arg" = [0]})\nz = x + x', 'R.func_attr({"relax.inplace_arg": [0]})\nz = x + x'),
    ("E0101", "graph", 'R.func_attr({"relax.force_pure" True})\nz = x + x', 'R.func_attr({"relax.force_pure": True})\nz = x + x'),
    ("E0101", "file", SMALL.replace("):", ') => R.Tensor((8,), "float32"):'), SMALL.replace("):", ') -> R.Tensor((8,), "float32"):')),
    ("E0101", "file", SMALL.replace("(8,)", "(8,,)"), SMALL),
    ("E0101", "file", SMALL.replace("def f", "f"), SMALL),
    ("E0105", "kernel", "b[i = a[i] * (a[0] + 1.0)", "b[i] = a[i] * (a[0] + 1.0)"),
    ("E0151", "file", DTYPES.replace("@T.prim", "T.prim"), DTYPES),
    ("E0201", "file", HEAD + "from typing import TypeVar\n" + SMALL.removeprefix(HEAD).replace('(8,)', '(t,)'),
     HEAD + 'from typing import TypeVar\nt = TypeVar("t")\n' + SMALL.removeprefix(HEAD).replace('(8,)', '(t,)')),
    ("E0201", "graph", "with R.dataflow():\n    z = R.exp(x)\n    print(z)\n    R.output(z)", None),
    ("E0258", "graph", "w == R.exp(x)\nz = R.abs(w)", "w = R.exp(x)\nz = R.abs(w)"),
    ("E0513", "file", UPDATE.format("y, w").replace("call_tir_inplace", "call_tir").replace(", inplace_indices=[0]", "").replace("(y, w)", "(y,)"), None),
    ("E0650", "graph", "with R.dataflow():\n    z = R.exp(x)\n    R.ouput(z)", "with R.dataflow():\n    z = R.exp(x)\n    R.output(z)"),
    ("E0571", "graph", "with R.dataflow() as d:\n    z = R.exp(x)\n    R.output(z)", "with R.dataflow():\n    z = R.exp(x)\n    R.output(z)"),
    ("E0404", "kernel", "b[i] = T.where(a[i] > 0.0, a[i], 0.0)", None),
    # ---- names of kernels that nothing reads ----
    ("E0574", "kernel", "acc: T.float32 = 0.0\nac = acc + a[i]\nb[i] = acc", None),
    ("E0574", "kernel", "low: T.let[T.float32] = a[i]\nif a[i] < 0.0:\n    low = 0.0\nb[i] = low", None),
    # ---- what says nothing ----
    ("E0577", "file", BOUND.replace('"rows",', "8,"), None),
    ("E0151", "file", MODULE.replace("module_attrs", "module_attr"), MODULE),
    ("E0318", "file", MODULE.replace("reads", "read"), MODULE),
    ("E0318", "file", MODULE.replace("[0]", "0"), MODULE),
    ("E0318", "file", MODULE.replace("reads", "effects"), None),
    ("E0324", "file", DTYPES.replace("            b[i] =", "            if a[i] > T.float32(0):\n                b[i] ="), None),
    ("E0575", "file", MODULE.replace("contracts", "contract"), MODULE),
    ("E0577", "file", BOUND.replace('{"rows"', '{"row"'), BOUND),
    ("E0577", "file", BOUND.replace("upper", "lower").replace('{"rows"', '{"n"'), BOUND.replace("upper", "lower")),
]
# Edits that are shown to people, and that `--fix` does not make: what is said after them is not less.
REFUSED = [
    ("graph", "w = R.transpose(x, (0, 0))\nz = R.abs(w)"),
    # what a public function gives is its author's to say
    ("file", SMALL.replace("):", ') -> R.Tensor((9,), dtype="float32"):')),
    ("file", PAIR),
    ("graph", 'w = R.call_pure_packed("f", x, ty_args=(R.Tensor((9,), "float32"),))\nq: R.Tensor((8,), "float32") = R.exp(w)\nz = R.add(q, x)'),
    # nothing but errors of syntax is mended of a text that was not read in whole
    ("graph", "for i in range(8):\nw = R.exq(x)\nz = R.exp(x)"),
]
# One mistake, one message.
ALONE = [
    ("kernel", "for j in range(8):\n    b[j] = Scale * a[j]\nfor j in range(8):\n    b[j] = Scale + a[j]"),
    ("graph", "z = x\nfor i in range(8):\n    z = R.exp(z)\nelse:\n    z = R.abs(z)"),
    ("file", BRANCH.format("return", "return", "")),
    ("file", KERNEL.replace("range(8)", "range(9)").format("        b[i] = a[i]\n        b[i] = a[i] * a[i]")),
    ("file", UPDATE.format("y, w")),
    ("reduce", AXES.format("RS")),
    ("file", SCALAR.replace("{}", "x").replace("(x, x)", "(3, x)")),
    ("file", KERNEL.format("        b[i] = a[i]").replace("prim_func\n", "prim_func(private=True s_tir=True)\n")),
    ("file", HEAD + "MEAN = np.array([0.5])\n" + SMALL.removeprefix(HEAD).replace("R.exp(x)", 'R.add(x, R.const(MEAN, "float32"))')),
    ("graph", 'z = R.topk(x, k=2, ret_type="values, dtype="int32")'),
    ("graph", "w == R.exp(x)\nz = R.abs(w)"),
    ("graph", "with R.dataflow():\n    z = R.exp(x)\n    R.ouput(z)"),
    ("graph", "with R.dataflow():\n    z = R.exp(x)\n    R.output"),
    ("file", DTYPES.replace("@T.prim", "T.prim")),
]
# Warnings that are not what the case is about.
QUIET = {"E0320", "E0321"}


def make(template, text):
    frame, blanks = TEMPLATES[template]
    return frame.format("\n".join(" " * blanks + line if line and blanks else line for line in text.split("\n")))


def run(tool, *arguments):
    done = subprocess.run([tool, "check", *map(str, arguments)], stdin=subprocess.DEVNULL, capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


def edits_of(text):
    """code -> (byte range, replacement) of the messages of a JSON listing that have one edit"""
    found = {}
    for line in text.splitlines():
        message = json.loads(line)
        spans = [s for child in message["children"] for s in child["spans"] if s["suggested_replacement"] is not None]
        if message["code"]:
            found.setdefault(message["code"]["code"], spans)
    return found


def on_terminal(tool, file, columns):
    """What is shown on a terminal of so many columns."""
    master, slave = pty.openpty()
    environment = dict(os.environ, COLUMNS=str(columns), NO_COLOR="1")
    done = subprocess.Popen([tool, "check", str(file)], stdin=subprocess.DEVNULL, stdout=slave, stderr=slave, env=environment)
    os.close(slave)
    text = b""
    while True:
        try:
            text += (part := os.read(master, 65536))
        except OSError:
            break
        if not part:
            break
    done.wait()
    os.close(master)
    return text.decode().splitlines()


def main(tool):
    tool = str(pathlib.Path(tool).resolve())
    problems = {}
    with tempfile.TemporaryDirectory() as folder:
        files = []
        for number, (code, template, broken, mended) in enumerate(CASES):
            file = pathlib.Path(folder, f"case{number}.py")
            file.write_text(make(template, broken))
            files.append(file)
            found = problems.setdefault(number, [])
            _, out, _ = run(tool, "--diagnostics=json", file)
            edits = edits_of(out)
            if code not in edits:
                found.append(f"{code} is not said, but {sorted(edits)}")
            elif mended is None:
                found += [f"there is an edit: {edits[code]}"] if len(edits[code]) == 1 else []
            elif len(edits[code]) != 1:
                found.append(f"{len(edits[code])} edits in the JSON")
            else:
                span, text = edits[code][0], file.read_bytes()
                text = text[:span["byte_start"]] + span["suggested_replacement"].encode() + text[span["byte_end"]:]
                if out.count("\n") == 1 and code != "E0110" and text.decode() != make(template, mended):
                    found.append("the edit of the JSON makes\n" + text.decode())
        _, sarif, _ = run(tool, "--diagnostics=sarif", *files[-8:])
        results = json.loads(sarif)["runs"][0]["results"]
        problems["sarif"] = [] if sum("fixes" in r for r in results) >= 6 else ["there are no fixes in the SARIF"]
        wide = pathlib.Path(folder, "wide.py")
        wide.write_text(GRAPH.format(8 * " " + "z = R.add(x, " + "R.abs(" * 30 + "yy1q" + ")" * 31 + "\n" + 8 * " " + "w = R.add(x, xx1q)"))
        lines = on_terminal(tool, wide, 70)
        problems["terminal"] = [line for line in lines if len(line) > 70 and not line.lstrip().startswith("=")]
        problems["terminal"] += [] if sum("inlay explain E0201" in line for line in lines) == 1 else ["the page is not named once", *lines]
        page = subprocess.run([tool, "explain", "IP004", "ip25", "LP014", "fu53"], capture_output=True, text=True).stdout
        problems["reasons"] = [] if "# IP004: the storage belongs to the caller" in page and "# IP025: " in page and "# LP014: " in page and "# FU053: " in page else [page]
        run(tool, "--fix", *files)
        problems["refused"] = []
        for template, text in REFUSED:
            file = pathlib.Path(folder, "refused.py")
            file.write_text(make(template, text))
            _, out, _ = run(tool, "--diagnostics=json", file)
            problems["refused"] += [] if any(edits_of(out).values()) else ["there is no edit in " + out]
            _, _, said = run(tool, "--fix", file)
            problems["refused"] += [] if file.read_text() == make(template, text) else [file.read_text() + said]
        problems["alone"] = []
        for template, text in ALONE:
            file = pathlib.Path(folder, "alone.py")
            file.write_text(make(template, text))
            _, out, _ = run(tool, "--diagnostics=json", file)
            problems["alone"] += [] if out.count("\n") == 1 else [out]
        for number, (file, (code, template, broken, mended)) in enumerate(zip(files, CASES)):
            text, wanted = file.read_text(), make(template, broken if mended is None else mended)
            if text != wanted:
                problems[number].append("--fix makes\n" + text)
        for number, (file, case) in enumerate(zip(files, CASES)):
            if case[3] is None or problems[number]:
                continue
            _, out, _ = run(tool, "--diagnostics=json", file)
            left = set(edits_of(out)) - QUIET
            problems[number] += [f"mended, it still has {sorted(left)}"] if left else []
    print(f"1..{len(problems)}")
    for index, (number, found) in enumerate(problems.items(), 1):
        name = number if isinstance(number, str) else f"{CASES[number][0]} {CASES[number][2].splitlines()[0][:60]!r}"
        print(f"{'not ok' if found else 'ok'} {index} - {name}".replace("#", " "))
        for line in "\n".join(found).splitlines():
            print(f"# {line}")
    return any(problems.values())


sys.exit(main(*sys.argv[1:]))
