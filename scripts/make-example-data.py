#!/usr/bin/env python3
"""Works out the inputs and expected results of the examples, with NumPy in double precision.

Nothing here knows Inlay: each formula is written from what the example's comments say it computes. Writes
examples/<name>/<input>.npy and examples/<name>/expected_<i>.npy; the results are checked in, so that
tests need no NumPy. mlp.py and its data come from TVM's own importer: see mlp() below.

usage: make-example-data.py [NAME ...]
"""
import pathlib
import sys

import numpy as np

EXAMPLES = pathlib.Path(__file__).resolve().parent.parent / "examples"


def softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def kv_cache(rng):
    k_cache, v_cache = rng.standard_normal((2, 48, 64)).astype("float32")
    q, k, v = rng.standard_normal((3, 1, 64)).astype("float32")
    pos = 40
    inputs = {"k_cache": k_cache, "v_cache": v_cache, "q": q, "k": k, "v": v}
    k_new, v_new = k_cache.copy(), v_cache.copy()
    k_new[pos], v_new[pos] = k[0], v[0]
    window = slice(pos - 31, pos + 1)
    weight = softmax(q.astype("float64") @ k_new[window].T.astype("float64") / 8.0)
    return inputs, [k_new, v_new, (weight @ v_new[window]).astype("float32")]


def generate(rng):
    table, head = rng.standard_normal((64, 32)).astype("float32"), rng.standard_normal((32, 64)).astype("float32")
    wq, wk, wv = (rng.standard_normal((3, 32, 32)) / 4).astype("float32")
    tokens = rng.integers(0, 64, 48)
    k_cache, v_cache = rng.standard_normal((2, 48, 32)).astype("float32")
    inputs = {"tokens": tokens, "k_cache": k_cache, "v_cache": v_cache, "table": table, "wq": wq, "wk": wk, "wv": wv, "head": head}
    tokens, k, v = tokens.copy(), k_cache.astype("float64"), v_cache.astype("float64")
    for pos in range(45):  # `last`; of the tokens 5 are `given`
        x = table[tokens[pos]].astype("float64")
        k[pos], v[pos] = x @ wk, x @ wv
        window = slice(max(0, pos - 31), pos + 1)
        logits = (x + softmax(k[window] @ (x @ wq) * 0.17677669) @ v[window]) @ head
        if pos + 1 >= 5:
            tokens[pos + 1] = logits.argmax()
    return inputs, [tokens, k.astype("float32"), v.astype("float32")]


def kv_cache_concat(rng):
    x = rng.standard_normal((1, 32)).astype("float32")
    wq, wk, wv = (rng.standard_normal((3, 32, 32)) / 4).astype("float32")
    past_k, past_v = rng.standard_normal((2, 12, 4, 8)).astype("float32")
    x64 = x.astype("float64")
    k = np.concatenate([past_k, (x64 @ wk).reshape(1, 4, 8)])
    v = np.concatenate([past_v, (x64 @ wv).reshape(1, 4, 8)])
    weight = softmax(np.einsum("hd,nhd->hn", (x64 @ wq).reshape(4, 8), k) * 0.35355338)
    out = np.einsum("hn,nhd->hd", weight, v).reshape(1, 32)
    inputs = {"x": x, "wq": wq, "wk": wk, "wv": wv, "past_k": past_k, "past_v": past_v}
    return inputs, [value.astype("float32") for value in (out, k, v)]


def concat_update(rng):
    a, b, c = rng.standard_normal((3, 8)).astype("float32")
    return {"a": a, "b": b, "c": c}, [np.stack([a, b, c])]


def log_concat_update(rng):
    a, b, c = rng.uniform(0.1, 9, (3, 8)).astype("float32")
    expected = np.log(np.stack([a, b, c]).astype("float64")).astype("float32")
    return {"a": a, "b": b, "c": c}, [expected]


def embedding_update(rng):
    table = rng.standard_normal((50, 16)).astype("float32")
    rows = np.array([3, 49, 0, 3, 17], dtype="int64")  # row 3 twice: both gradients count
    gradient = rng.standard_normal((5, 16)).astype("float32")
    updated = table.astype("float64")
    np.subtract.at(updated, rows, 0.5 * gradient)
    return {"table": table, "rows": rows, "gradient": gradient}, [updated.astype("float32")]


def double_buffer(rng):
    current = rng.standard_normal(12).astype("float32")
    x = current.astype("float64")
    for _ in range(3):
        x = (np.roll(x, 1) + np.roll(x, -1)) / 2
    return {"current": current, "spare": np.zeros(12, "float32")}, [x.astype("float32")]


def rotary_attention(rng):
    x = rng.standard_normal((4, 8)).astype("float32")
    w = rng.standard_normal((8, 8)).astype("float32")
    k, v = rng.standard_normal((2, 6, 8)).astype("float32")
    angle = np.arange(4)[:, None] * (10000.0 ** (-np.arange(4) / 4))[None, :]
    cosine, sine = np.cos(angle).astype("float32"), np.sin(angle).astype("float32")
    q = x.astype("float64") @ w
    left, right = q[:, :4], q[:, 4:]
    rotated = np.concatenate([left * cosine - right * sine, left * sine + right * cosine], axis=1)
    out = softmax(rotated @ k.T / np.sqrt(8)) @ v
    inputs = {"x": x, "w": w, "k": k, "v": v, "cosine": cosine, "sine": sine}
    return inputs, [rotated.astype("float32"), out.astype("float32")]


def use_after_update(rng):
    x = rng.standard_normal(4).astype("float32")
    return {"x": x}, [(2 * (x + 1)).astype("float32"), (x + (x + 1)).astype("float32")]


def mlp(rng):
    """A perceptron of two layers, exported to ONNX, imported by TVM and printed with its weights.

    Needs PyPI's onnx and apache-tvm 0.27 (with apache-tvm-ffi 0.1.14: 0.1.15 crashes on show_meta).
    """
    import onnx
    from onnx import TensorProto, helper, numpy_helper
    from tvm.relax.frontend.onnx import from_onnx

    w1, b1 = rng.standard_normal((8, 16)).astype("float32"), rng.standard_normal(16).astype("float32")
    w2, b2 = rng.standard_normal((16, 4)).astype("float32"), rng.standard_normal(4).astype("float32")
    weights = {"w1": w1, "b1": b1, "w2": w2, "b2": b2}
    graph = helper.make_graph(
        [
            helper.make_node("Gemm", ["x", "w1", "b1"], ["h"]),
            helper.make_node("Relu", ["h"], ["r"]),
            helper.make_node("Gemm", ["r", "w2", "b2"], ["y"]),
        ],
        "mlp",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, [2, 8])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, [2, 4])],
        [numpy_helper.from_array(a, n) for n, a in weights.items()],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    (EXAMPLES / "mlp.py").write_text(from_onnx(model).script(show_meta=True) + "\n")
    x = rng.standard_normal((2, 8)).astype("float32")
    hidden = np.maximum(x.astype("float64") @ w1 + b1, 0)
    return {"x": x}, [(hidden @ w2 + b2).astype("float32")]


def gated(rng):
    x = rng.standard_normal((3, 256)).astype("float32")
    b = rng.standard_normal(256).astype("float32")
    a = x.astype("float64") + b
    return {"x": x, "b": b}, [(a / (1 + np.exp(-a))).astype("float32")]


ALL = [kv_cache, concat_update, log_concat_update, embedding_update, double_buffer,
       rotary_attention, use_after_update, mlp, gated, kv_cache_concat, generate]

for seed, make in enumerate(ALL):
    if len(sys.argv) > 1 and make.__name__ not in sys.argv[1:]:
        continue
    inputs, expected = make(np.random.default_rng(seed))
    folder = EXAMPLES / make.__name__
    folder.mkdir(exist_ok=True)
    for name, array in inputs.items():
        np.save(folder / f"{name}.npy", array)
    for i, array in enumerate(expected):
        np.save(folder / f"expected_{i}.npy", array)
