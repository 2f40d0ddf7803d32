"""A decoder of GPT-2's form with random weights, as ONNX and as GGUF: for llama.py.

Both files hold the same numbers: a matrix is quantised once, in blocks of 32 along the sum, and its blocks go to
MatMulNBits (the scale as float32) and to GGUF (as float16, which it is a value of).
"""
import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

WIDTH, HEADS, LAYERS, WORDS, PLACES = 768, 12, 12, 50257, 1024
BITS = {"float32": 32, "q8_0": 8, "q4_0": 4}


class Matrix:
    """Weights (out, in): as floats, or as whole numbers with a scale for each 32 along the sum."""

    def __init__(self, rows, kind):
        self.kind, self.rows = kind, rows
        if kind == "float32":
            return
        blocks = rows.reshape(len(rows), -1, 32)
        most = np.abs(blocks).max(axis=2)
        self.scales = (most / (127 if kind == "q8_0" else 7)).astype(np.float16)
        whole = np.rint(blocks / np.maximum(self.scales, np.float16(1e-7)).astype(np.float32)[:, :, None])
        self.whole = whole.clip(-127, 127) if kind == "q8_0" else whole.clip(-8, 7)

    def gguf(self):
        """What GGUF has for it: float32, or the bytes of block_q8_0 and block_q4_0."""
        if self.kind == "float32":
            return self.rows
        scales = self.scales[:, :, None].view(np.uint8)
        if self.kind == "q8_0":
            return np.concatenate([scales, self.whole.astype(np.int8).view(np.uint8)], 2).reshape(len(self.rows), -1)
        moved = (self.whole + 8).astype(np.uint8)
        return np.concatenate([scales, moved[:, :, :16] | moved[:, :, 16:] << 4], 2).reshape(len(self.rows), -1)

    def onnx(self):
        """Weights and scales of MatMulNBits, or the matrix (in, out) of MatMul."""
        if self.kind == "float32":
            return [np.ascontiguousarray(self.rows.T)]
        if self.kind == "q8_0":
            return [(self.whole + 128).astype(np.uint8), self.scales.astype(np.float32)]
        moved = (self.whole + 8).astype(np.uint8)
        return [moved[:, :, 0::2] | moved[:, :, 1::2] << 4, self.scales.astype(np.float32)]


def weights(kind, seed=0):
    """By the names that GGUF has for them."""
    random = np.random.default_rng(seed)

    def floats(*shape, size=0.02):
        return random.standard_normal(shape, np.float32) * np.float32(size)

    made = {"token_embd.weight": Matrix(floats(WORDS, WIDTH), kind), "position_embd.weight": floats(PLACES, WIDTH)}
    for layer in range(LAYERS):
        for name, (rows, columns) in {"attn_qkv": (3 * WIDTH, WIDTH), "attn_output": (WIDTH, WIDTH),
                                      "ffn_up": (4 * WIDTH, WIDTH), "ffn_down": (WIDTH, 4 * WIDTH)}.items():
            made[f"blk.{layer}.{name}.weight"] = Matrix(floats(rows, columns, size=0.05), kind)
            made[f"blk.{layer}.{name}.bias"] = floats(rows)
    for name in [f"blk.{layer}.{norm}" for layer in range(LAYERS) for norm in ("attn_norm", "ffn_norm")] + ["output_norm"]:
        made[f"{name}.weight"], made[f"{name}.bias"] = 1 + floats(WIDTH, size=0.1), floats(WIDTH)
    return made


def write_gguf(made, kind, path):
    import gguf
    writer = gguf.GGUFWriter(path, "gpt2")
    writer.add_context_length(PLACES)
    writer.add_embedding_length(WIDTH)
    writer.add_block_count(LAYERS)
    writer.add_feed_forward_length(4 * WIDTH)
    writer.add_head_count(HEADS)
    writer.add_layer_norm_eps(1e-5)
    writer.add_vocab_size(WORDS)
    writer.add_tokenizer_model("none")
    for name, value in made.items():
        if isinstance(value, Matrix) and kind != "float32":
            writer.add_tensor(name, value.gguf(), raw_dtype=getattr(gguf.GGMLQuantizationType, kind.upper()))
        else:
            writer.add_tensor(name, value.rows if isinstance(value, Matrix) else value)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


class Graph:
    def __init__(self):
        self.nodes, self.weights = [], []

    def weight(self, array):
        name = f"w{len(self.weights)}"
        self.weights.append(numpy_helper.from_array(np.ascontiguousarray(array), name))
        return name

    def add(self, operator, *inputs, count=1, domain="", **attributes):
        names = [f"v{len(self.nodes)}_{i}" for i in range(count)]
        inputs = [name if isinstance(name, str) else self.weight(name) for name in inputs]
        self.nodes.append(helper.make_node(operator, inputs, names, domain=domain, **attributes))
        return names[0] if count == 1 else names

    def norm(self, x, made, name):
        return self.add("LayerNormalization", x, made[f"{name}.weight"], made[f"{name}.bias"], axis=-1, epsilon=1e-5)

    def linear(self, x, made, name):
        matrix = made[f"{name}.weight"]
        if matrix.kind == "float32":
            y = self.add("MatMul", x, *matrix.onnx())
        else:
            y = self.add("MatMulNBits", x, *matrix.onnx(), domain="com.microsoft", K=matrix.rows.shape[1],
                         N=len(matrix.rows), bits=BITS[matrix.kind], block_size=32)
        return self.add("Add", y, made[f"{name}.bias"]) if f"{name}.bias" in made else y


def heads(graph, x):
    split = graph.add("Reshape", x, np.array([1, 1, HEADS, WIDTH // HEADS]))
    return graph.add("Transpose", split, perm=[0, 2, 1, 3])


def layer(graph, made, x, number):
    """The value behind the layer, and the names of its keys and values."""
    name = f"blk.{number}"
    qkv = graph.linear(graph.norm(x, made, f"{name}.attn_norm"), made, f"{name}.attn_qkv")
    q, k, v = [heads(graph, part) for part in graph.add("Split", qkv, np.array([WIDTH] * 3), count=3, axis=-1)]
    k, v = graph.add("Concat", f"k{number}", k, axis=2), graph.add("Concat", f"v{number}", v, axis=2)
    scores = graph.add("MatMul", q, graph.add("Transpose", k, perm=[0, 1, 3, 2]))
    scores = graph.add("Softmax", graph.add("Mul", scores, np.array((WIDTH // HEADS) ** -0.5, np.float32)), axis=-1)
    y = graph.add("Transpose", graph.add("MatMul", scores, v), perm=[0, 2, 1, 3])
    y = graph.add("Reshape", y, np.array([1, 1, WIDTH]))
    x = graph.add("Add", x, graph.linear(y, made, f"{name}.attn_output"))
    y = graph.linear(graph.norm(x, made, f"{name}.ffn_norm"), made, f"{name}.ffn_up")
    y = graph.linear(graph.add("Gelu", y, approximate="tanh"), made, f"{name}.ffn_down")
    return graph.add("Add", x, y), k, v


def rows_of(matrix):
    """The matrix as floats: an embedding reads one row of it."""
    if matrix.kind == "float32":
        return matrix.rows
    return (matrix.whole * matrix.scales.astype(np.float32)[:, :, None]).astype(np.float32).reshape(matrix.rows.shape)


def as_floats(made):
    """The same numbers, with which ONNX Runtime takes a tenth of the time that it takes with 8 bits."""
    return {name: Matrix(rows_of(value), "float32") if isinstance(value, Matrix) else value for name, value in made.items()}


def write_onnx(made, past, path):
    """A step behind @past tokens (None: any number): token, place and cache to logits and the cache with one more."""
    graph = Graph()
    x = graph.add("Add", graph.add("Gather", rows_of(made["token_embd.weight"]), "token"),
                  graph.add("Gather", made["position_embd.weight"], "place"))
    caches = []
    for number in range(LAYERS):
        x, k, v = layer(graph, made, x, number)
        caches += [k, v]
    logits = graph.linear(graph.norm(x, made, "output_norm"), made, "token_embd")
    size, before, behind = WIDTH // HEADS, past or "past", past + 1 if past else "present"
    inputs = [helper.make_tensor_value_info(name, TensorProto.INT64, [1, 1]) for name in ("token", "place")]
    inputs += [helper.make_tensor_value_info(f"{name}{number}", TensorProto.FLOAT, [1, HEADS, before, size])
               for number in range(LAYERS) for name in "kv"]
    outputs = [helper.make_tensor_value_info(logits, TensorProto.FLOAT, [1, 1, WORDS])]
    outputs += [helper.make_tensor_value_info(name, TensorProto.FLOAT, [1, HEADS, behind, size]) for name in caches]
    sets = [helper.make_opsetid("", 20), helper.make_opsetid("com.microsoft", 1)]
    whole = helper.make_model(helper.make_graph(graph.nodes, "decoder", inputs, outputs, graph.weights), opset_imports=sets, ir_version=9)
    onnx.save(whole, path)
