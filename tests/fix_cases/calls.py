"""Calls of kernels, and the kernels that they are of."""
from fix_cases.frames import BLOCK, DTYPES, HEAD, INPLACE, MODULE, ONE_SIZE, ORDER, SCALAR, SMALL, SYMBOLS, UPDATE

CASES = [
    # ---- an argument that is missing ----
    ("E0233", "file", HEAD + BLOCK.format("x, shift"), HEAD + BLOCK.format("x, scale, shift")),
    ("E0233", "file", HEAD + BLOCK.format("x, scale"), HEAD + BLOCK.format("x, scale, shift")),
    ("E0233", "file", HEAD + BLOCK.format("scale, shift"), HEAD + BLOCK.format("x, scale, shift")),
    ("E0233", "file", HEAD + BLOCK.format("x, R.exp(scale)"), None),
    ("E0233", "file", HEAD + BLOCK.format("x"), None),
    # ---- calls of kernels that say something else than the kernel ----
    ("E0236", "graph", "z = R.call_tir(Module.scale, (x,))", 'z = R.call_tir(Module.scale, (x,), out_ty=R.Tensor((8,), dtype="float32"))'),
    ("E0305", "inplace", "[1, -1, -1]", "[1, -1]"),
    ("E0305", "file", INPLACE.replace('out_ty=[R.Tensor((8,), "float32"), R.Tensor((8,), "float32")]', 'out_ty=R.Tensor((8,), "float32")').format("[1, -1]").replace("return z", "return z[1]").rstrip(),
     INPLACE.replace('out_ty=[R.Tensor((8,), "float32"), R.Tensor((8,), "float32")]', 'out_ty=[R.Tensor((8,), dtype="float32"), R.Tensor((8,), dtype="float32")]').format("[1, -1]").replace("return z", "return z[1]").rstrip()),
    ("E0306", "file", INPLACE.replace('[R.Tensor((8,)', '[R.Tensor((9,)').format("[1, -1]").rstrip(),
     INPLACE.format("[1, -1]").rstrip()),
    ("E0511", "graph", "w = Module.scale(x)\nz = R.exp(w)", 'w = R.call_tir(Module.scale, (x,), out_ty=R.Tensor((8,), dtype="float32"))\nz = R.exp(w)'),
    ("E0513", "graph", 'w = R.call_tir(Module.scale, (x,), out_ty=R.Tensor((9,), "float32"))\nz = R.add(w, x)',
     'w = R.call_tir(Module.scale, (x,), out_ty=R.Tensor((8,), "float32"))\nz = R.add(w, x)'),
    ("E0513", "graph", 'z = R.call_tir(Module.scale, (y,), out_ty=R.Tensor((8,), "float32"))', None),
    ("E0513", "file", HEAD + ORDER.format("y, x"), HEAD + ORDER.format("x, y")),
    ("E0513", "file", HEAD + SYMBOLS.format("n + 1"), HEAD + SYMBOLS.format("n")),
    ("E0515", "graph", "z = R.call_tir(Module.scale, (x,), out_ty=R.Tensor((8,)))", 'z = R.call_tir(Module.scale, (x,), out_ty=R.Tensor((8,), dtype="float32"))'),
    ("E0573", "file", INPLACE.replace(", inplace_indices={}", "").rstrip(), INPLACE.format("[1, -1]").rstrip()),
    # ---- a kernel and its call say different dtypes ----
    ("E0513", "file", DTYPES.replace("a: T.Buffer((8,), \"float32\")", "a: T.Buffer((8,), \"int32\")"), DTYPES),
    ("E0513", "file", DTYPES.replace("b: T.Buffer((8,), \"float32\")", "b: T.Buffer((8,), \"float64\")"), DTYPES),
    ("E0513", "file", DTYPES.replace("x: R.Tensor((8,), \"float32\")", "x: R.Tensor((8,), \"float16\")"), DTYPES.replace("x: R.Tensor((8,), \"float32\")", "x: R.Tensor((8,), \"float16\")").replace("(x,)", '(R.astype(x, "float32"),)')),
    ("E0513", "file", DTYPES.replace('out_ty=R.Tensor((8,), "float32")', 'out_ty=R.Tensor((8,), "float64")'), DTYPES.replace('out_ty=R.Tensor((8,), "float32")', 'out_ty=R.Tensor((8,), "float32")')),
    # ---- swapped ----
    ("E0513", "file", UPDATE.format("y, w"), UPDATE.format("w, y")),
    # ---- what is updated, donated and converted ----
    ("E0305", "file", HEAD + UPDATE.format("w, y").replace("=[0]", "=[-1]"), HEAD + UPDATE.format("w, y")),
    ("E0316", "file", SMALL.replace("    y", '    R.func_attr({"relax.inplace_arg": ["x"]})\n    y'), SMALL.replace("    y", '    R.func_attr({"relax.inplace_arg": [0]})\n    y')),
    ("E0234", "file", SCALAR.replace("n: T.int64", "n: T.int32").format("3"), SCALAR.replace("n: T.int64", "n: T.int32").format("T.int32(3)")),
    ("E0234", "file", SCALAR.replace("n: T.int64", "n: T.int32").format("n=3"), SCALAR.replace("n: T.int64", "n: T.int32").format("n=T.int32(3)")),
    ("E0318", "file", MODULE.replace('"reads"', '"writes"'), MODULE.replace('"reads"', '"mutates"')),
    # ---- what fits for one size only ----
    ("E0516", "file", ONE_SIZE.format("(by, x)", "(n, 4)"), ONE_SIZE.format("(x, by)", "(n, 4)")),
    ("E0516", "file", ONE_SIZE.format("(x, by)", "(6, 4)"), ONE_SIZE.format("(x, by)", '(n, 4)')),
    ("E0516", "file", ONE_SIZE.format("(x, by)", "(n, 4)").replace("return y", "z = R.reshape(y, (24,))\n        return z"), None),
    ("E0516", "file", ONE_SIZE.format("(x, by)", "(n, 4)").replace("return y", "z = R.reshape(y, (n, 2, 1))\n        return z"), None),
]
