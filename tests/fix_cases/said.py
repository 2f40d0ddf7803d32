"""What is said, and not made: edits for people to judge, and mistakes with one message."""
from fix_cases.frames import PRODUCT, HEAD, KERNEL, SCALAR, DTYPES, UPDATE, AXES, BRANCH, SMALL, PAIR, SUM
from fix_cases import blocks, brackets, counts, habits, results, scalars, sizes, slips, whole

# Edits that are shown to people, and that `--fix` does not make: what is said after them is not less.
REFUSED = [
    *results.SHOWN,
    *scalars.SHOWN,
    *sizes.SHOWN,
    *brackets.SHOWN,
    *slips.SHOWN,
    *habits.SHOWN,
    *blocks.SHOWN,
    *counts.SHOWN,
    *whole.SHOWN,
    # closed elsewhere it is another number; a declared integer; the value in front of `++` or behind
    ("kernel", "n[i] = ((n[i] * 2) >> 4 + n[0]\nb[i] = a[i]"),
    ("kernel", "b[i] = T.exp(a[i] + a[0]"),
    ("kernel", "acc: T.int32 = 0\nacc = acc + a[i]\nb[i] = T.float32(acc)"),
    ("file", HEAD + '@R.function\ndef f(x: R.Tensor((8,), "float32"), c: R.Tensor((), "bool")):\n    if c:\n        y = R.exp(x)\n    else:\n        return x\n    return y'),
    ("kernel", "n[i] = T.abs(n[0]++)\nb[i] = a[i]"),
    ("graph", "w = R.transpose(x, (0, 0))\nz = R.abs(w)"),
    # what a public function gives is its author's to say
    ("file", SMALL.replace("):", ') -> R.Tensor((9,), dtype="float32"):')),
    ("file", PAIR),
    ("graph", 'w = R.call_pure_packed("f", x, ty_args=(R.Tensor((9,), "float32"),))\nq: R.Tensor((8,), "float32") = R.exp(w)\nz = R.add(q, x)'),
    # which parameter is given away, and whether a number fits, is its author's to say
    ("file", SMALL.replace("    y", '    R.func_attr({"relax.inplace_arg": [5]})\n    y')),
    ("file", SCALAR.replace("n: T.int64", "n: T.int32").replace("def main(", "def main(m: T.int64, ").format("m")),
    # another variable goes through all of the axis; another modulus is as large as it
    ("reduce", "b[k] = a[i, k]"),
    ("file", HEAD + '@T.prim_func\ndef k(a: T.Buffer((1,), "int32"), b: T.Buffer((8,), "float32")):\n    b[a[0] % 9] = T.float32(1)'),
    # the quotient of floats, or that which is rounded; the matrix, or the type of the parameter; the value, or the type of the result
    ("file", HEAD + '@T.prim_func\ndef k(a: T.Buffer((8,), "uint8"), b: T.Buffer((8,), "float32")):\n    for i in range(8):\n        b[i] = a[i] / 255'),
    ("file", HEAD + '@R.function\ndef f(x: R.Tensor((2, 8), "float32"), w: R.Tensor((3, 8), "float32")):\n    y = R.matmul(x, w)\n    return y'),
    ("file", SMALL.replace("):", ') -> R.Tensor((8,), dtype="float16"):')),
    # counted from 1, or another axis
    ("file", HEAD + '@R.function\ndef f(x: R.Tensor((2, 8), "float32")):\n    y = R.sum(x, axis=[2])\n    return y'),
    ("file", HEAD + '@R.function\ndef f(x: R.Tensor((2, 8), "float32")):\n    y = R.permute_dims(x, [1, 1])\n    return y'),
    # a tab of 4 blanks or of 8: both are blocks around
    ("file", KERNEL.format("        b[i] = a[i]\n\tn[0] = 0")),
    # another call gives the kernel what it says
    ("file", DTYPES.replace("a: T.Buffer((8,), \"float32\")", "a: T.Buffer((8,), \"int32\")").replace("        return z", '        w = R.call_tir(Module.scale, (y,), out_ty=R.Tensor((8,), "float32"))\n        return z')),
    # of a function that is lost: without it, it has no place in the file
    ("file", HEAD + '    y = R.exp(x)\n\n\n@R.function\ndef f(x: R.Tensor((8,), "float32")):\n    return x\n'),
    # one line of the block, or all that follow
    ("kernel", "if i < 4:\nn[i] = 0\nb[i] = a[i]"),
    # a flag that is set, or a value by another name
    ("graph", "z = R.sum(x, axis=0, keepdims)"),
    # 0.5, or 5; 10, or 8
    ("kernel", "b[i] = T.float32(05)"),
    ("kernel", "b[i] = a[(i + 010) % 8]"),
    # no arrow of a result
    ("file", HEAD + '@T.prim_func\ndef k(a: T.Buffer((4,)->"float32")):\n    a[0] = T.float32(0)'),
    # kernels seldom call functions of the module
    ("file", DTYPES.replace("a[i]", "scle(a[i])")),
    # a closing bracket too much, or an opening one forgotten
    ("kernel", "bi] = a[i] + a[i]"),
    ("kernel", "b[i] = 0.0 - ai]"),
    ("graph", 'z = R.astypeR.minimum(x, x), "float32")'),
    # nothing but errors of syntax is mended of a text that was not read in whole
    ("graph", "for i in range(8):\nw = R.exq(x)\nz = R.exp(x)"),
]
# One mistake, one message.
ALONE = [
    *brackets.ALONE,
    *slips.ALONE,
    *habits.ALONE,
    *blocks.ALONE,
    *counts.ALONE,
    *whole.ALONE,
    ("file", DTYPES.replace("def scale", "func scale")),
    ("file", PRODUCT.format("vk, vj").replace("c[vi, vj] = T.float32(0)", "c[vj, vi] = T.float32(0)")),
    ("kernel", "n = T.int64\nb[i] = a[i]"),
    ("kernel", "for j in range(8):\n    b[j] = Scale * a[j]\nfor j in range(8):\n    b[j] = Scale + a[j]"),
    ("graph", "z = x\nfor i in range(8):\n    z = R.exp(z)\nelse:\n    z = R.abs(z)"),
    ("file", BRANCH.format("return", "return", "")),
    ("file", KERNEL.replace("range(8)", "range(9)").format("        b[i] = a[i]\n        b[i] = a[i] * a[i]")),
    ("file", UPDATE.format("y, w")),
    ("reduce", AXES.format("RS")),
    ("file", SCALAR.replace("{}", "x").replace("(x, x)", "(3, x)")),
    ("file", KERNEL.format("        b[i] = a[i]").replace("prim_func\n", "prim_func(private=True s_tir=True)\n")),
    ("file", HEAD + "MEAN = np.array([0.5])\n" + SMALL.removeprefix(HEAD).replace("R.exp(x)", 'R.add(x, R.const(MEAN, "float32"))')),
    ("graph", 'z = R.topk(x, k=2, ret_type="values, dtype="int32")'),
    ("graph", "w == R.exp(x)\nz = R.abs(w)"),
    ("graph", "with R.dataflow():\n    z = R.exp(x)\n    R.ouput(z)"),
    ("graph", "with R.dataflow():\n    z = R.exp(x)\n    R.output"),
    ("file", DTYPES.replace("@T.prim", "T.prim")),
    ("kernel", "if i < :\n    b[i] = a[i]\nelse:\n    b[i] = 0.0"),
    ("kernel", "if i < 4 5:\n    b[i] = a[i]\nelif i < 6:\n    b[i] = 1.0\nelse:\n    b[i] = 0.0"),
    ("graph", "z = R.exp(R.abs(x])"),
    ("graph", "z = R.reshape(x, [2, 4))"),
    ("file", SMALL.replace("    return", "\treturn")),
    ("file", DTYPES.replace("@T.prim_func", "@R.function")),
    ("file", SMALL.replace("tvm.script", "tvm.scirpt")),
    ("file", HEAD + '@R.function(private=True)\ndef g(x: R.Tensor((8,), "float32")) -> R.Tensor((8,), "int32"):\n    return x\n' + SMALL.removeprefix(HEAD).replace("R.exp(x)", "R.add(g(x), x)")),
    ("kernel", "v, w = T.foo(a[i])\nb[i] = v + w"),
    ("reduce", AXES.replace("T.axis.remap", "T.remap").format("SR")),
    ("graph", "z = T.max(x, x)"),
    ("file", SUM.format("vj, vi").replace("grid(4, 6)", "grid(6, 4)")),
    ("file", SUM.format("vj, vi").replace('vi, vj = T.axis.remap("SR", [i, j])', "vi = T.axis.spatial(4, i)\n            vj = T.axis.reduce(6, j)").replace("grid(4, 6)", "grid(6, 4)")),
    ("file", HEAD + '@R.function\ndef f(x: R.Tensor((BATCH,), "float32")):\n    return x\n\n\n@R.function\ndef g(x: R.Tensor((BATCH,), "float32")):\n    return x'),
]
