"""The loop of generate.c in Python: the caches are NumPy's arrays, updated where they lie.

    inlay compile ../kv_cache.py -o kv.so
    python3 generate.py

Takes `pip install apache-tvm-ffi numpy`, and no binding of Inlay. PyTorch's tensors do as well as NumPy's arrays.
"""
import numpy as np
import tvm_ffi

ROWS, WIDTH, WINDOW, STEPS = 128, 64, 32, 100
step = tvm_ffi.load_module("./kv.so").main
keys, values = np.zeros((ROWS, WIDTH), "float32"), np.zeros((ROWS, WIDTH), "float32")
random = np.random.default_rng(1)


def expect(q, pos):
    first = max(0, pos - WINDOW + 1)
    score = keys[first:pos + 1] @ q[0] * 0.125
    weight = np.exp(score - score.max())
    return weight / weight.sum() @ values[first:pos + 1]


out = np.zeros((1, WIDTH), "float32")
for pos in range(STEPS):
    q, k, v = (random.standard_normal((1, WIDTH)).astype("float32") + out for _ in range(3))
    new_keys, new_values, result = step(keys, values, q, k, v, pos)
    assert np.from_dlpack(new_keys).ctypes.data == keys.ctypes.data  # the same memory: nothing was copied
    out = np.from_dlpack(result)
    assert np.array_equal(keys[pos], k[0]) and np.allclose(out, expect(q, pos), atol=1e-4), pos
print(STEPS, "steps")

try:
    step(keys, values[:, :32], q, k, v, 0)
except ValueError as error:
    print("refused:", str(error).splitlines()[0])
