# Text generation as one call: the loop over tokens is in the graph, on caches that are updated where they lie.
#
# `steps` calls itself as the last thing that it does, so it is a loop: it takes the memory of one turn, however often
# it goes round. Tokens and both caches are donated (relax.inplace_arg), so that a turn writes one token and one row of
# each cache. The first `given` tokens are the prompt; each later one is the most likely behind those in front of it.
#
#   inlay run examples/generate.py --dim t=64 --in last=40 --in given=3 --in tokens=64:iota
#   inlay plan examples/generate.py --dim t=64
from __future__ import annotations

from typing import TypeVar

from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T

t = TypeVar("t")


@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def look_up(tokens: T.Buffer((t,), "int64"), table: T.Buffer((64, 32), "float32"), pos: T.int64, x: T.Buffer((1, 32), "float32")):
        for j in range(32):
            with T.sblock("look_up"):
                v_j = T.axis.spatial(32, j)
                x[0, v_j] = table[tokens[pos], v_j]

    @T.prim_func(private=True, s_tir=True)
    def append(cache: T.Buffer((t, 32), "float32"), row: T.Buffer((1, 32), "float32"), pos: T.int64):
        for j in range(32):
            with T.sblock("append"):
                v_j = T.axis.spatial(32, j)
                cache[pos, v_j] = row[0, v_j]

    @T.prim_func(private=True, s_tir=True)
    def attend(
        q: T.Buffer((1, 32), "float32"),
        k: T.Buffer((t, 32), "float32"),
        v: T.Buffer((t, 32), "float32"),
        pos: T.int64,
        out: T.Buffer((1, 32), "float32"),
    ):
        # the last 32 rows, as in kv_cache.py
        score = T.sblock_alloc_buffer((32,), "float32")
        largest = T.sblock_alloc_buffer((1,), "float32")
        weight = T.sblock_alloc_buffer((32,), "float32")
        total = T.sblock_alloc_buffer((1,), "float32")
        for w, j in T.grid(32, 32):
            with T.sblock("score"):
                v_w, v_j = T.axis.remap("SR", [w, j])
                with T.init():
                    score[v_w] = T.float32(0)
                score[v_w] = score[v_w] + q[0, v_j] * k[T.max(pos - 31 + v_w, 0), v_j]
        for w in range(32):
            with T.sblock("mask"):
                v_w = T.axis.spatial(32, w)
                score[v_w] = T.if_then_else(pos - 31 + v_w >= 0, score[v_w] * T.float32(0.17677669), T.float32("-inf"))
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
        for j, w in T.grid(32, 32):
            with T.sblock("out"):
                v_j, v_w = T.axis.remap("SR", [j, w])
                with T.init():
                    out[0, v_j] = T.float32(0)
                out[0, v_j] = out[0, v_j] + weight[v_w] / total[0] * v[T.max(pos - 31 + v_w, 0), v_j]

    @T.prim_func(private=True, s_tir=True)
    def put(tokens: T.Buffer((t,), "int64"), best: T.Buffer((1,), "int64"), pos: T.int64, given: T.int64):
        with T.sblock("put"):
            if pos >= given:
                tokens[pos] = best[0]

    @R.function(private=True)
    def steps(
        tokens: R.Tensor((t,), "int64"),
        k_cache: R.Tensor((t, 32), "float32"),
        v_cache: R.Tensor((t, 32), "float32"),
        table: R.Tensor((64, 32), "float32"),
        wq: R.Tensor((32, 32), "float32"),
        wk: R.Tensor((32, 32), "float32"),
        wv: R.Tensor((32, 32), "float32"),
        head: R.Tensor((32, 64), "float32"),
        pos: R.Prim("int64"),
        last: R.Prim("int64"),
        given: R.Prim("int64"),
    ) -> R.Tuple(R.Tensor((t,), "int64"), R.Tensor((t, 32), "float32"), R.Tensor((t, 32), "float32")):
        R.func_attr({"relax.inplace_arg": [0, 1, 2]})
        cls = Module
        if R.prim_value(pos < last):
            x = R.call_tir(cls.look_up, (tokens, table, pos), out_ty=R.Tensor((1, 32), "float32"))
            k_new = R.call_tir_inplace(cls.append, (k_cache, R.matmul(x, wk), pos), out_ty=R.Tensor((t, 32), "float32"), inplace_indices=[0])
            v_new = R.call_tir_inplace(cls.append, (v_cache, R.matmul(x, wv), pos), out_ty=R.Tensor((t, 32), "float32"), inplace_indices=[0])
            out = R.call_tir(cls.attend, (R.matmul(x, wq), k_new, v_new, pos), out_ty=R.Tensor((1, 32), "float32"))
            logits = R.matmul(R.add(x, out), head)
            best = R.argmax(logits, axis=1)
            tokens_new = R.call_tir_inplace(cls.put, (tokens, best, R.prim_value(pos + 1), given), out_ty=R.Tensor((t,), "int64"), inplace_indices=[0])
            r: R.Tuple(R.Tensor((t,), "int64"), R.Tensor((t, 32), "float32"), R.Tensor((t, 32), "float32")) = cls.steps(
                tokens_new, k_new, v_new, table, wq, wk, wv, head, R.prim_value(pos + 1), last, given)
        else:
            r = (tokens, k_cache, v_cache)
        return r

    @R.function
    def main(
        tokens: R.Tensor((t,), "int64"),
        k_cache: R.Tensor((t, 32), "float32"),
        v_cache: R.Tensor((t, 32), "float32"),
        table: R.Tensor((64, 32), "float32"),
        wq: R.Tensor((32, 32), "float32"),
        wk: R.Tensor((32, 32), "float32"),
        wv: R.Tensor((32, 32), "float32"),
        head: R.Tensor((32, 64), "float32"),
        last: R.Prim("int64"),
        given: R.Prim("int64"),
    ) -> R.Tuple(R.Tensor((t,), "int64"), R.Tensor((t, 32), "float32"), R.Tensor((t, 32), "float32")):
        R.func_attr({"relax.inplace_arg": [0, 1, 2]})
        cls = Module
        r: R.Tuple(R.Tensor((t,), "int64"), R.Tensor((t, 32), "float32"), R.Tensor((t, 32), "float32")) = cls.steps(
            tokens, k_cache, v_cache, table, wq, wk, wv, head, R.prim_value(0), last, given)
        return r
