# One decoding step with a key-value cache: append a row to each cache, attend to the last 32 rows.
#
# Both caches are donated (relax.inplace_arg), so the step writes one row of each where it lies, however
# long they are; without the donation it would have to copy both.
#
#   inlay run examples/kv_cache.py --dim t=1024 --in pos=100
#   inlay why examples/kv_cache.py
from __future__ import annotations

from typing import TypeVar

from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T

t = TypeVar("t")


@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def append(cache: T.Buffer((t, 64), "float32"), row: T.Buffer((1, 64), "float32"), pos: T.int64):
        for j in range(64):
            with T.sblock("append"):
                v_j = T.axis.spatial(64, j)
                T.reads(row[0, v_j])
                T.writes(cache[pos, v_j])
                cache[pos, v_j] = row[0, v_j]

    @T.prim_func(private=True, s_tir=True)
    def attend(
        q: T.Buffer((1, 64), "float32"),
        k: T.Buffer((t, 64), "float32"),
        v: T.Buffer((t, 64), "float32"),
        pos: T.int64,
        out: T.Buffer((1, 64), "float32"),
    ):
        score = T.sblock_alloc_buffer((32,), "float32")
        largest = T.sblock_alloc_buffer((1,), "float32")
        weight = T.sblock_alloc_buffer((32,), "float32")
        total = T.sblock_alloc_buffer((1,), "float32")
        for w, j in T.grid(32, 64):
            with T.sblock("score"):
                v_w, v_j = T.axis.remap("SR", [w, j])
                with T.init():
                    score[v_w] = T.float32(0)
                score[v_w] = score[v_w] + q[0, v_j] * k[T.max(pos - 31 + v_w, 0), v_j]
        for w in range(32):
            with T.sblock("mask"):
                v_w = T.axis.spatial(32, w)
                # rows in front of the first one do not exist
                score[v_w] = T.if_then_else(pos - 31 + v_w >= 0, score[v_w] * T.float32(0.125), T.float32("-inf"))
        for w in range(32):
            with T.sblock("largest"):
                v_w = T.axis.reduce(32, w)
                with T.init():
                    largest[0] = T.float32("-inf")
                largest[0] = T.max(largest[0], score[v_w])
        for w in range(32):
            with T.sblock("weight"):
                v_w = T.axis.spatial(32, w)
                weight[v_w] = T.exp(score[v_w] - largest[0])
        for w in range(32):
            with T.sblock("total"):
                v_w = T.axis.reduce(32, w)
                with T.init():
                    total[0] = T.float32(0)
                total[0] = total[0] + weight[v_w]
        for j, w in T.grid(64, 32):
            with T.sblock("out"):
                v_j, v_w = T.axis.remap("SR", [j, w])
                with T.init():
                    out[0, v_j] = T.float32(0)
                out[0, v_j] = out[0, v_j] + weight[v_w] / total[0] * v[T.max(pos - 31 + v_w, 0), v_j]

    @R.function
    def main(
        k_cache: R.Tensor((t, 64), "float32"),
        v_cache: R.Tensor((t, 64), "float32"),
        q: R.Tensor((1, 64), "float32"),
        k: R.Tensor((1, 64), "float32"),
        v: R.Tensor((1, 64), "float32"),
        pos: T.int64,
    ) -> R.Tuple(R.Tensor((t, 64), "float32"), R.Tensor((t, 64), "float32"), R.Tensor((1, 64), "float32")):
        R.func_attr({"relax.inplace_arg": [0, 1]})
        cls = Module
        with R.dataflow():
            k_new = R.call_tir_inplace(cls.append, (k_cache, k, pos), out_ty=R.Tensor((t, 64), "float32"), inplace_indices=[0])
            v_new = R.call_tir_inplace(cls.append, (v_cache, v, pos), out_ty=R.Tensor((t, 64), "float32"), inplace_indices=[0])
            out = R.call_tir(cls.attend, (q, k_new, v_new, pos), out_ty=R.Tensor((1, 64), "float32"))
            R.output(k_new, v_new, out)
        return (k_new, v_new, out)
