# A sparse update of a large table: add a gradient to a few rows, where they lie.
#
# The table is donated; only the rows that `rows` names are touched, whatever the size of the table. A row
# out of range is an error at run time, never a write outside of the table.
#
#   inlay run examples/embedding_update.py --dim vocab=1000 --dim n=4
from __future__ import annotations

from typing import TypeVar

from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T

vocab = TypeVar("vocab")
n = TypeVar("n")


@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def add_rows(
        table: T.Buffer((vocab, 16), "float32"),
        rows: T.Buffer((n,), "int64"),
        gradient: T.Buffer((n, 16), "float32"),
    ):
        for i, j in T.grid(n, 16):
            with T.sblock("add_rows"):
                v_i, v_j = T.axis.remap("SS", [i, j])
                T.reads(table[rows[v_i], v_j], rows[v_i], gradient[v_i, v_j])
                T.writes(table[rows[v_i], v_j])
                table[rows[v_i], v_j] = table[rows[v_i], v_j] - T.float32(0.5) * gradient[v_i, v_j]

    @R.function
    def main(
        table: R.Tensor((vocab, 16), "float32"),
        rows: R.Tensor((n,), "int64"),
        gradient: R.Tensor((n, 16), "float32"),
    ) -> R.Tensor((vocab, 16), "float32"):
        R.func_attr({"relax.inplace_arg": 0})
        cls = Module
        with R.dataflow():
            updated = R.call_tir_inplace(cls.add_rows, (table, rows, gradient), out_ty=R.Tensor((vocab, 16), "float32"), inplace_indices=[0])
            R.output(updated)
        return updated
