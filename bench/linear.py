#!/usr/bin/env python3
"""Parsing, checking and printing must grow linearly with the module.

Makes modules of 1,000 to 100,000 bindings (elementwise operators, views, tuples, in-place calls and
dataflow blocks in turn) and prints seconds and memory of `check`, `opt` and `why`. Goal: 100,000 bindings in
under 3 s and 1 GiB.

usage: linear.py TOOL
"""
import os
import sys
import tempfile

from measure import median

HEAD = '''from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T

@I.ir_module
class Module:
    @T.prim_func(private=True)
    def double(a: T.Buffer((4, 8), "float32")):
        for i, j in T.grid(4, 8):
            with T.sblock("double"):
                v_i, v_j = T.axis.remap("SS", [i, j])
                a[v_i, v_j] = a[v_i, v_j] * T.float32(2)

    @R.function
    def main(x: R.Tensor((4, 8), "float32")) -> R.Tensor((4, 8), "float32"):
        cls = Module
'''
KINDS = [
    "v{i}: R.Tensor((4, 8), dtype=\"float32\") = R.add({last}, x)",
    "v{i}: R.Tensor((4, 8), dtype=\"float32\") = R.multiply({last}, {last})",
    "v{i} = R.call_tir_inplace(cls.double, ({last},), out_ty=R.Tensor((4, 8), dtype=\"float32\"), inplace_indices=[0])",
    "v{i}: R.Tensor((8, 4), dtype=\"float32\") = R.reshape({last}, R.shape([8, 4]))",
    "v{i}: R.Tensor((4, 8), dtype=\"float32\") = R.reshape({last}, R.shape([4, 8]))",
    "v{i}: R.Tensor((4, 8), dtype=\"float32\") = R.nn.relu({last})",
]


def module(count):
    lines, last = [HEAD], "x"
    for i in range(count):
        if i % 600 == 0:
            lines.append("        with R.dataflow():\n")
        kind = KINDS[i % len(KINDS)]
        lines.append("            " + kind.format(i=i, last=last) + "\n")
        last = f"v{i}"
        if i % 600 == 599 or i == count - 1:
            lines.append(f"            R.output({last})\n")
    lines.append(f"        return {last}\n")
    return "".join(lines)


tool = sys.argv[1]
print(f"{'bindings':>9} {'command':8} {'seconds':>8} {'us/binding':>11} {'peak MiB':>9}")
for count in (1200, 12000, 60000, 100200):
    with tempfile.NamedTemporaryFile("w", suffix=".py", delete=False) as file:
        file.write(module(count))
    for command, *options in (["check"], ["opt"], ["why", "-p", "ResolveInplace"]):
        seconds, mib = median([tool, command, *options, file.name], runs=3)
        print(f"{count:9} {command:8} {seconds:8.2f} {seconds / count * 1e6:11.1f} {mib:9.0f}")
    os.unlink(file.name)
