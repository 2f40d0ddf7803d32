"""Kernels: loops, axes, first values."""
from fix_cases.frames import KERNEL, AXES, NAMED, PRODUCT

CASES = [
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
]
