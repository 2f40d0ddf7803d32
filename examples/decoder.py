# A whole decoder: 8 tokens go in, 256 come out, each the likeliest one behind all before it.
#
# The model is a small Llama: two layers with four heads on two of keys and values (GQA), rotary positions (RoPE),
# RMSNorm, SwiGLU, one matrix for what goes in and comes out.  Its weights have the names that PyTorch gives them
# (decoder/weights.safetensors, made by scripts/make-decoder.py with transformers and a seed), and decoder/expected_0.npy
# is what `generate()` of transformers answers with them.
#
# `generate` is a loop: a private function whose last act is to call itself.  Its caches and the row of tokens are
# donated, so that a turn writes one row of each where it lies.  `step` is one turn of it for hosts that have a loop
# of their own (host/llama.c).
#
#   inlay run examples/decoder.py -p 'BindParams(file="examples/decoder/weights.safetensors"),default' \
#       --in prompt=@examples/decoder/prompt.npy
#   inlay why examples/decoder.py
from __future__ import annotations

from typing import TypeVar

from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T

ROWS = 264  # of the caches: 8 tokens that are given, 256 that are made
heads = TypeVar("heads")


@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def look_up(table: T.Buffer((96, 32), "float32"), tokens: T.Buffer((ROWS,), "int64"), pos: T.int64, out: T.Buffer((1, 32), "float32")):
        for j in range(32):
            with T.sblock("look_up"):
                v_j = T.axis.spatial(32, j)
                out[0, v_j] = table[tokens[pos], v_j]

    @T.prim_func(private=True, s_tir=True)
    def rotate(x: T.Buffer((heads, 8), "float32"), pos: T.int64, out: T.Buffer((heads, 8), "float32")):
        for h, j in T.grid(heads, 8):
            with T.sblock("rotate"):
                v_h, v_j = T.axis.remap("SS", [h, j])
                angle: T.let[T.float32] = T.Cast("float32", pos) * T.pow(T.float32(10000), T.Cast("float32", v_j % 4) * T.float32(-0.25))
                other: T.let[T.float32] = T.if_then_else(v_j < 4, T.float32(0) - x[v_h, v_j + 4], x[v_h, v_j - 4])
                out[v_h, v_j] = x[v_h, v_j] * T.cos(angle) + other * T.sin(angle)

    @T.prim_func(private=True, s_tir=True)
    def append(cache: T.Buffer((ROWS, 2, 8), "float32"), row: T.Buffer((2, 8), "float32"), pos: T.int64):
        for h, j in T.grid(2, 8):
            with T.sblock("append"):
                v_h, v_j = T.axis.remap("SS", [h, j])
                cache[pos, v_h, v_j] = row[v_h, v_j]

    @T.prim_func(private=True, s_tir=True)
    def attend(
        q: T.Buffer((4, 8), "float32"),
        k: T.Buffer((ROWS, 2, 8), "float32"),
        v: T.Buffer((ROWS, 2, 8), "float32"),
        pos: T.int64,
        out: T.Buffer((1, 32), "float32"),
    ):
        score = T.sblock_alloc_buffer((4, ROWS), "float32")
        largest = T.sblock_alloc_buffer((4,), "float32")
        total = T.sblock_alloc_buffer((4,), "float32")
        for h, r, j in T.grid(4, pos + 1, 8):
            with T.sblock("score"):
                v_h, v_r, v_j = T.axis.remap("SSR", [h, r, j])
                with T.init():
                    score[v_h, v_r] = T.float32(0)
                score[v_h, v_r] = score[v_h, v_r] + q[v_h, v_j] * k[v_r, v_h // 2, v_j]
        for h, r in T.grid(4, pos + 1):
            with T.sblock("largest"):
                v_h, v_r = T.axis.remap("SR", [h, r])
                with T.init():
                    largest[v_h] = T.float32("-inf")
                largest[v_h] = T.max(largest[v_h], score[v_h, v_r])
        for h, r in T.grid(4, pos + 1):
            with T.sblock("weight"):
                v_h, v_r = T.axis.remap("SS", [h, r])
                score[v_h, v_r] = T.exp((score[v_h, v_r] - largest[v_h]) * T.float32(0.35355338))
        for h, r in T.grid(4, pos + 1):
            with T.sblock("total"):
                v_h, v_r = T.axis.remap("SR", [h, r])
                with T.init():
                    total[v_h] = T.float32(0)
                total[v_h] = total[v_h] + score[v_h, v_r]
        for h, j, r in T.grid(4, 8, pos + 1):
            with T.sblock("out"):
                v_h, v_j, v_r = T.axis.remap("SSR", [h, j, r])
                with T.init():
                    out[0, v_h * 8 + v_j] = T.float32(0)
                out[0, v_h * 8 + v_j] = out[0, v_h * 8 + v_j] + score[v_h, v_r] / total[v_h] * v[v_r, v_h // 2, v_j]

    @T.prim_func(private=True, s_tir=True)
    def put(tokens: T.Buffer((ROWS,), "int64"), best: T.Buffer((1,), "int64"), pos: T.int64):
        # the tokens that are given stay, and behind the last one there is no room
        if pos >= 7 and pos < ROWS - 1:
            tokens[pos + 1] = best[0]

    @R.function(private=True)
    def layer(
        x: R.Tensor((1, 32), "float32"),
        k: R.Tensor((ROWS, 2, 8), "float32"),
        v: R.Tensor((ROWS, 2, 8), "float32"),
        pos: R.Prim("int64"),
        n1: R.Tensor((32,), "float32"),
        wq: R.Tensor((32, 32), "float32"),
        wk: R.Tensor((16, 32), "float32"),
        wv: R.Tensor((16, 32), "float32"),
        wo: R.Tensor((32, 32), "float32"),
        n2: R.Tensor((32,), "float32"),
        wg: R.Tensor((64, 32), "float32"),
        wu: R.Tensor((64, 32), "float32"),
        wd: R.Tensor((32, 64), "float32"),
    ) -> R.Tuple(R.Tensor((1, 32), "float32"), R.Tensor((ROWS, 2, 8), "float32"), R.Tensor((ROWS, 2, 8), "float32")):
        R.func_attr({"relax.inplace_arg": [1, 2]})
        cls = Module
        h = R.nn.rms_norm(x, n1, axes=[-1], epsilon=1e-6)
        q = R.reshape(R.matmul(h, R.permute_dims(wq)), (4, 8))
        key = R.reshape(R.matmul(h, R.permute_dims(wk)), (2, 8))
        value = R.reshape(R.matmul(h, R.permute_dims(wv)), (2, 8))
        q_at = R.call_tir(cls.rotate, (q, pos), out_ty=R.Tensor((4, 8), "float32"))
        key_at = R.call_tir(cls.rotate, (key, pos), out_ty=R.Tensor((2, 8), "float32"))
        k1 = R.call_tir_inplace(cls.append, (k, key_at, pos), out_ty=R.Tensor((ROWS, 2, 8), "float32"), inplace_indices=[0])
        v1 = R.call_tir_inplace(cls.append, (v, value, pos), out_ty=R.Tensor((ROWS, 2, 8), "float32"), inplace_indices=[0])
        seen = R.call_tir(cls.attend, (q_at, k1, v1, pos), out_ty=R.Tensor((1, 32), "float32"))
        y = R.add(x, R.matmul(seen, R.permute_dims(wo)))
        m = R.nn.rms_norm(y, n2, axes=[-1], epsilon=1e-6)
        up = R.multiply(R.nn.silu(R.matmul(m, R.permute_dims(wg))), R.matmul(m, R.permute_dims(wu)))
        z = R.add(y, R.matmul(up, R.permute_dims(wd)))
        return (z, k1, v1)

    @R.function(private=True)
    def turn(
        tokens: R.Tensor((ROWS,), "int64"),
        k0: R.Tensor((ROWS, 2, 8), "float32"),
        v0: R.Tensor((ROWS, 2, 8), "float32"),
        k1: R.Tensor((ROWS, 2, 8), "float32"),
        v1: R.Tensor((ROWS, 2, 8), "float32"),
        pos: R.Prim("int64"),
        model_embed_tokens_weight: R.Tensor((96, 32), "float32"),
        model_layers_0_input_layernorm_weight: R.Tensor((32,), "float32"),
        model_layers_0_self_attn_q_proj_weight: R.Tensor((32, 32), "float32"),
        model_layers_0_self_attn_k_proj_weight: R.Tensor((16, 32), "float32"),
        model_layers_0_self_attn_v_proj_weight: R.Tensor((16, 32), "float32"),
        model_layers_0_self_attn_o_proj_weight: R.Tensor((32, 32), "float32"),
        model_layers_0_post_attention_layernorm_weight: R.Tensor((32,), "float32"),
        model_layers_0_mlp_gate_proj_weight: R.Tensor((64, 32), "float32"),
        model_layers_0_mlp_up_proj_weight: R.Tensor((64, 32), "float32"),
        model_layers_0_mlp_down_proj_weight: R.Tensor((32, 64), "float32"),
        model_layers_1_input_layernorm_weight: R.Tensor((32,), "float32"),
        model_layers_1_self_attn_q_proj_weight: R.Tensor((32, 32), "float32"),
        model_layers_1_self_attn_k_proj_weight: R.Tensor((16, 32), "float32"),
        model_layers_1_self_attn_v_proj_weight: R.Tensor((16, 32), "float32"),
        model_layers_1_self_attn_o_proj_weight: R.Tensor((32, 32), "float32"),
        model_layers_1_post_attention_layernorm_weight: R.Tensor((32,), "float32"),
        model_layers_1_mlp_gate_proj_weight: R.Tensor((64, 32), "float32"),
        model_layers_1_mlp_up_proj_weight: R.Tensor((64, 32), "float32"),
        model_layers_1_mlp_down_proj_weight: R.Tensor((32, 64), "float32"),
        model_norm_weight: R.Tensor((32,), "float32"),
    ) -> R.Tuple(R.Tensor((ROWS,), "int64"), R.Tensor((ROWS, 2, 8), "float32"), R.Tensor((ROWS, 2, 8), "float32"), R.Tensor((ROWS, 2, 8), "float32"), R.Tensor((ROWS, 2, 8), "float32")):
        R.func_attr({"relax.inplace_arg": [0, 1, 2, 3, 4]})
        cls = Module
        x = R.call_tir(cls.look_up, (model_embed_tokens_weight, tokens, pos), out_ty=R.Tensor((1, 32), "float32"))
        a: R.Tuple(R.Tensor((1, 32), "float32"), R.Tensor((ROWS, 2, 8), "float32"), R.Tensor((ROWS, 2, 8), "float32")) = cls.layer(x, k0, v0, R.prim_value(pos), model_layers_0_input_layernorm_weight, model_layers_0_self_attn_q_proj_weight, model_layers_0_self_attn_k_proj_weight, model_layers_0_self_attn_v_proj_weight, model_layers_0_self_attn_o_proj_weight, model_layers_0_post_attention_layernorm_weight, model_layers_0_mlp_gate_proj_weight, model_layers_0_mlp_up_proj_weight, model_layers_0_mlp_down_proj_weight)
        b: R.Tuple(R.Tensor((1, 32), "float32"), R.Tensor((ROWS, 2, 8), "float32"), R.Tensor((ROWS, 2, 8), "float32")) = cls.layer(a[0], k1, v1, R.prim_value(pos), model_layers_1_input_layernorm_weight, model_layers_1_self_attn_q_proj_weight, model_layers_1_self_attn_k_proj_weight, model_layers_1_self_attn_v_proj_weight, model_layers_1_self_attn_o_proj_weight, model_layers_1_post_attention_layernorm_weight, model_layers_1_mlp_gate_proj_weight, model_layers_1_mlp_up_proj_weight, model_layers_1_mlp_down_proj_weight)
        y = R.nn.rms_norm(b[0], model_norm_weight, axes=[-1], epsilon=1e-6)
        best = R.argmax(R.matmul(y, R.permute_dims(model_embed_tokens_weight)), axis=-1)
        t1 = R.call_tir_inplace(cls.put, (tokens, best, pos), out_ty=R.Tensor((ROWS,), "int64"), inplace_indices=[0])
        return (t1, a[1], a[2], b[1], b[2])

    @R.function
    def step(
        tokens: R.Tensor((ROWS,), "int64"),
        k0: R.Tensor((ROWS, 2, 8), "float32"),
        v0: R.Tensor((ROWS, 2, 8), "float32"),
        k1: R.Tensor((ROWS, 2, 8), "float32"),
        v1: R.Tensor((ROWS, 2, 8), "float32"),
        pos: R.Prim("int64"),
        model_embed_tokens_weight: R.Tensor((96, 32), "float32"),
        model_layers_0_input_layernorm_weight: R.Tensor((32,), "float32"),
        model_layers_0_self_attn_q_proj_weight: R.Tensor((32, 32), "float32"),
        model_layers_0_self_attn_k_proj_weight: R.Tensor((16, 32), "float32"),
        model_layers_0_self_attn_v_proj_weight: R.Tensor((16, 32), "float32"),
        model_layers_0_self_attn_o_proj_weight: R.Tensor((32, 32), "float32"),
        model_layers_0_post_attention_layernorm_weight: R.Tensor((32,), "float32"),
        model_layers_0_mlp_gate_proj_weight: R.Tensor((64, 32), "float32"),
        model_layers_0_mlp_up_proj_weight: R.Tensor((64, 32), "float32"),
        model_layers_0_mlp_down_proj_weight: R.Tensor((32, 64), "float32"),
        model_layers_1_input_layernorm_weight: R.Tensor((32,), "float32"),
        model_layers_1_self_attn_q_proj_weight: R.Tensor((32, 32), "float32"),
        model_layers_1_self_attn_k_proj_weight: R.Tensor((16, 32), "float32"),
        model_layers_1_self_attn_v_proj_weight: R.Tensor((16, 32), "float32"),
        model_layers_1_self_attn_o_proj_weight: R.Tensor((32, 32), "float32"),
        model_layers_1_post_attention_layernorm_weight: R.Tensor((32,), "float32"),
        model_layers_1_mlp_gate_proj_weight: R.Tensor((64, 32), "float32"),
        model_layers_1_mlp_up_proj_weight: R.Tensor((64, 32), "float32"),
        model_layers_1_mlp_down_proj_weight: R.Tensor((32, 64), "float32"),
        model_norm_weight: R.Tensor((32,), "float32"),
    ) -> R.Tuple(R.Tensor((ROWS,), "int64"), R.Tensor((ROWS, 2, 8), "float32"), R.Tensor((ROWS, 2, 8), "float32"), R.Tensor((ROWS, 2, 8), "float32"), R.Tensor((ROWS, 2, 8), "float32")):
        R.func_attr({"relax.inplace_arg": [0, 1, 2, 3, 4]})
        cls = Module
        r: R.Tuple(R.Tensor((ROWS,), "int64"), R.Tensor((ROWS, 2, 8), "float32"), R.Tensor((ROWS, 2, 8), "float32"), R.Tensor((ROWS, 2, 8), "float32"), R.Tensor((ROWS, 2, 8), "float32")) = cls.turn(tokens, k0, v0, k1, v1, R.prim_value(pos), model_embed_tokens_weight, model_layers_0_input_layernorm_weight, model_layers_0_self_attn_q_proj_weight, model_layers_0_self_attn_k_proj_weight, model_layers_0_self_attn_v_proj_weight, model_layers_0_self_attn_o_proj_weight, model_layers_0_post_attention_layernorm_weight, model_layers_0_mlp_gate_proj_weight, model_layers_0_mlp_up_proj_weight, model_layers_0_mlp_down_proj_weight, model_layers_1_input_layernorm_weight, model_layers_1_self_attn_q_proj_weight, model_layers_1_self_attn_k_proj_weight, model_layers_1_self_attn_v_proj_weight, model_layers_1_self_attn_o_proj_weight, model_layers_1_post_attention_layernorm_weight, model_layers_1_mlp_gate_proj_weight, model_layers_1_mlp_up_proj_weight, model_layers_1_mlp_down_proj_weight, model_norm_weight)
        return r

    @R.function(private=True)
    def generate(
        tokens: R.Tensor((ROWS,), "int64"),
        k0: R.Tensor((ROWS, 2, 8), "float32"),
        v0: R.Tensor((ROWS, 2, 8), "float32"),
        k1: R.Tensor((ROWS, 2, 8), "float32"),
        v1: R.Tensor((ROWS, 2, 8), "float32"),
        pos: R.Prim("int64"),
        model_embed_tokens_weight: R.Tensor((96, 32), "float32"),
        model_layers_0_input_layernorm_weight: R.Tensor((32,), "float32"),
        model_layers_0_self_attn_q_proj_weight: R.Tensor((32, 32), "float32"),
        model_layers_0_self_attn_k_proj_weight: R.Tensor((16, 32), "float32"),
        model_layers_0_self_attn_v_proj_weight: R.Tensor((16, 32), "float32"),
        model_layers_0_self_attn_o_proj_weight: R.Tensor((32, 32), "float32"),
        model_layers_0_post_attention_layernorm_weight: R.Tensor((32,), "float32"),
        model_layers_0_mlp_gate_proj_weight: R.Tensor((64, 32), "float32"),
        model_layers_0_mlp_up_proj_weight: R.Tensor((64, 32), "float32"),
        model_layers_0_mlp_down_proj_weight: R.Tensor((32, 64), "float32"),
        model_layers_1_input_layernorm_weight: R.Tensor((32,), "float32"),
        model_layers_1_self_attn_q_proj_weight: R.Tensor((32, 32), "float32"),
        model_layers_1_self_attn_k_proj_weight: R.Tensor((16, 32), "float32"),
        model_layers_1_self_attn_v_proj_weight: R.Tensor((16, 32), "float32"),
        model_layers_1_self_attn_o_proj_weight: R.Tensor((32, 32), "float32"),
        model_layers_1_post_attention_layernorm_weight: R.Tensor((32,), "float32"),
        model_layers_1_mlp_gate_proj_weight: R.Tensor((64, 32), "float32"),
        model_layers_1_mlp_up_proj_weight: R.Tensor((64, 32), "float32"),
        model_layers_1_mlp_down_proj_weight: R.Tensor((32, 64), "float32"),
        model_norm_weight: R.Tensor((32,), "float32"),
    ) -> R.Tensor((ROWS,), "int64"):
        R.func_attr({"relax.inplace_arg": [0, 1, 2, 3, 4]})
        cls = Module
        if R.prim_value(pos < ROWS - 1):
            s: R.Tuple(R.Tensor((ROWS,), "int64"), R.Tensor((ROWS, 2, 8), "float32"), R.Tensor((ROWS, 2, 8), "float32"), R.Tensor((ROWS, 2, 8), "float32"), R.Tensor((ROWS, 2, 8), "float32")) = cls.turn(tokens, k0, v0, k1, v1, R.prim_value(pos), model_embed_tokens_weight, model_layers_0_input_layernorm_weight, model_layers_0_self_attn_q_proj_weight, model_layers_0_self_attn_k_proj_weight, model_layers_0_self_attn_v_proj_weight, model_layers_0_self_attn_o_proj_weight, model_layers_0_post_attention_layernorm_weight, model_layers_0_mlp_gate_proj_weight, model_layers_0_mlp_up_proj_weight, model_layers_0_mlp_down_proj_weight, model_layers_1_input_layernorm_weight, model_layers_1_self_attn_q_proj_weight, model_layers_1_self_attn_k_proj_weight, model_layers_1_self_attn_v_proj_weight, model_layers_1_self_attn_o_proj_weight, model_layers_1_post_attention_layernorm_weight, model_layers_1_mlp_gate_proj_weight, model_layers_1_mlp_up_proj_weight, model_layers_1_mlp_down_proj_weight, model_norm_weight)
            r: R.Tensor((ROWS,), "int64") = cls.generate(s[0], s[1], s[2], s[3], s[4], R.prim_value(pos + 1), model_embed_tokens_weight, model_layers_0_input_layernorm_weight, model_layers_0_self_attn_q_proj_weight, model_layers_0_self_attn_k_proj_weight, model_layers_0_self_attn_v_proj_weight, model_layers_0_self_attn_o_proj_weight, model_layers_0_post_attention_layernorm_weight, model_layers_0_mlp_gate_proj_weight, model_layers_0_mlp_up_proj_weight, model_layers_0_mlp_down_proj_weight, model_layers_1_input_layernorm_weight, model_layers_1_self_attn_q_proj_weight, model_layers_1_self_attn_k_proj_weight, model_layers_1_self_attn_v_proj_weight, model_layers_1_self_attn_o_proj_weight, model_layers_1_post_attention_layernorm_weight, model_layers_1_mlp_gate_proj_weight, model_layers_1_mlp_up_proj_weight, model_layers_1_mlp_down_proj_weight, model_norm_weight)
        else:
            r = tokens
        return r

    @R.function
    def main(
        prompt: R.Tensor((8,), "int64"),
        model_embed_tokens_weight: R.Tensor((96, 32), "float32"),
        model_layers_0_input_layernorm_weight: R.Tensor((32,), "float32"),
        model_layers_0_self_attn_q_proj_weight: R.Tensor((32, 32), "float32"),
        model_layers_0_self_attn_k_proj_weight: R.Tensor((16, 32), "float32"),
        model_layers_0_self_attn_v_proj_weight: R.Tensor((16, 32), "float32"),
        model_layers_0_self_attn_o_proj_weight: R.Tensor((32, 32), "float32"),
        model_layers_0_post_attention_layernorm_weight: R.Tensor((32,), "float32"),
        model_layers_0_mlp_gate_proj_weight: R.Tensor((64, 32), "float32"),
        model_layers_0_mlp_up_proj_weight: R.Tensor((64, 32), "float32"),
        model_layers_0_mlp_down_proj_weight: R.Tensor((32, 64), "float32"),
        model_layers_1_input_layernorm_weight: R.Tensor((32,), "float32"),
        model_layers_1_self_attn_q_proj_weight: R.Tensor((32, 32), "float32"),
        model_layers_1_self_attn_k_proj_weight: R.Tensor((16, 32), "float32"),
        model_layers_1_self_attn_v_proj_weight: R.Tensor((16, 32), "float32"),
        model_layers_1_self_attn_o_proj_weight: R.Tensor((32, 32), "float32"),
        model_layers_1_post_attention_layernorm_weight: R.Tensor((32,), "float32"),
        model_layers_1_mlp_gate_proj_weight: R.Tensor((64, 32), "float32"),
        model_layers_1_mlp_up_proj_weight: R.Tensor((64, 32), "float32"),
        model_layers_1_mlp_down_proj_weight: R.Tensor((32, 64), "float32"),
        model_norm_weight: R.Tensor((32,), "float32"),
    ) -> R.Tensor((256,), "int64"):
        cls = Module
        tokens = R.concat((prompt, R.zeros(R.shape([256]), "int64")), axis=0)
        k0 = R.zeros(R.shape([ROWS, 2, 8]), "float32")
        v0 = R.zeros(R.shape([ROWS, 2, 8]), "float32")
        k1 = R.zeros(R.shape([ROWS, 2, 8]), "float32")
        v1 = R.zeros(R.shape([ROWS, 2, 8]), "float32")
        all_: R.Tensor((ROWS,), "int64") = cls.generate(tokens, k0, v0, k1, v1, R.prim_value(0), model_embed_tokens_weight, model_layers_0_input_layernorm_weight, model_layers_0_self_attn_q_proj_weight, model_layers_0_self_attn_k_proj_weight, model_layers_0_self_attn_v_proj_weight, model_layers_0_self_attn_o_proj_weight, model_layers_0_post_attention_layernorm_weight, model_layers_0_mlp_gate_proj_weight, model_layers_0_mlp_up_proj_weight, model_layers_0_mlp_down_proj_weight, model_layers_1_input_layernorm_weight, model_layers_1_self_attn_q_proj_weight, model_layers_1_self_attn_k_proj_weight, model_layers_1_self_attn_v_proj_weight, model_layers_1_self_attn_o_proj_weight, model_layers_1_post_attention_layernorm_weight, model_layers_1_mlp_gate_proj_weight, model_layers_1_mlp_up_proj_weight, model_layers_1_mlp_down_proj_weight, model_norm_weight)
        return R.strided_slice(all_, axes=(0,), begin=(8,), end=(ROWS,))
