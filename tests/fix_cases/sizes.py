"""Sizes that do not belong together: axes that stay, that a norm does not go along, that are transposed."""
from fix_cases.frames import HEAD

POOLED = HEAD + '@R.function\ndef f(x: R.Tensor((2, 16, 1, 1), "float32"), w: R.Tensor((16, 10), "float32")):\n    y = R.squeeze(x, axis={})\n    z = R.matmul(y, w)\n    return z'
NORM = HEAD + '@R.function\ndef f(x: R.Tensor(("b", "s", 32), "float32"), g: R.Tensor((32,), "float32")):\n    y = R.nn.layer_norm(x, g, g, axes={})\n    return y'
LOOP = HEAD + '@R.function(private=True)\ndef f(x: R.Tensor((4,), "float32"), i: R.Prim("int64"), n: R.Prim("int64")):\n    if {}:\n        y = R.exp(x)\n    else:\n        y = R.abs(x)\n    return y'
SYMBOLS = HEAD + '@R.function\ndef f(x: R.Tensor(("b", "s", 8), "float32")):\n    {}\n    y = R.zeros((b, s), "float32")\n    return y'
CONV = HEAD + '@R.function\ndef f(x: R.Tensor((1, 3, 8, 8), "float32"), w: R.Tensor((4, 3, {}), "float32")):\n    y = R.nn.conv2d(x, w, {})\n    return y'

CASES = [
    ("E0613", "file", POOLED.format("[1, 2]"), POOLED.format("[2, 3]")),
    ("E0613", "file", POOLED.format("[-3, 2]"), POOLED.format("[2, 3]")),
    ("E0613", "file", POOLED.format("[1]").replace("16, 1, 1", "16, 2, 2"), None),
    ("E0614", "file", NORM.format("[1]"), NORM.format("[2]")),
    # as other libraries have it
    ("E0655", "file", CONV.format("3, 5", 'padding="same"'), CONV.format("3, 5", "padding=[1, 2, 1, 2]")),
    ("E0655", "file", CONV.format("3, 3", 'strides=[2, 2], padding="valid"'), CONV.format("3, 3", "strides=[2, 2], padding=[0, 0, 0, 0]")),
    ("E0655", "file", CONV.format("3, 3", 'strides=[2, 2], padding="same"'), None),
    ("E0655", "file", CONV.format("2, 2", 'padding="same"'), None),
    # a tensor of zeros is of any dtype
    ("E0604", "graph", 'z = R.add(y, R.zeros((8,), "float32"))', 'z = R.add(y, R.zeros((8,), "int32"))'),
    ("E0604", "graph", 'z = R.add(R.ones((8,), dtype="float32"), y)', 'z = R.add(R.ones((8,), dtype="int32"), y)'),
    # sizes are symbols of types, and numbers as conditions are compared
    ("E0266", "file", SYMBOLS.format("b, s, _ = x.shape"), SYMBOLS.format("b, s = T.int64(), T.int64()")),
    ("E0266", "file", SYMBOLS.format("b, t, _ = x.shape"), None),
    ("E0480", "file", LOOP.format("R.prim_value(n - i)"), LOOP.format("R.prim_value(n - i != 0)")),
]

# What is meant is the author's to say: shown, and not made.
SHOWN = [
    # transposed, or permuted in another way where it was made
    ("file", HEAD + '@R.function\ndef f(q: R.Tensor(("b", 4, "s", 8), "float32"), k: R.Tensor(("b", 4, "s", 8), "float32")):\n    y = R.matmul(q, k)\n    return y'),
]
