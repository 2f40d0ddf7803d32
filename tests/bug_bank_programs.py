"""Programs in which mistakes about storage can be planted that the scenarios of in-place updates have no place for."""

HEAD = '''from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @T.prim_func(private=True)
    def scan(x: T.Buffer((4,), "float32")):
        for i in range(3):
            x[i + 1] = x[i + 1] + x[i]

    @T.prim_func(private=True)
    def swap(a: T.Buffer((4,), "float32"), b: T.Buffer((4,), "float32")):
        for i in range(4):
            x: T.let[T.float32] = a[i]
            a[i] = b[i] + T.float32(1)
            b[i] = x - T.float32(1)

    @T.prim_func(private=True)
    def add_flipped(a: T.Buffer((4,), "float32"), b: T.Buffer((4,), "float32")):
        for i in range(4):
            a[i] = a[i] + b[3 - i]

    @T.prim_func(private=True)
    def add_shifted(a: T.Buffer((4,), "float32"), b: T.Buffer((4,), "float32")):
        for i in range(3):
            a[i + 1] = a[i + 1] + b[i]

    @T.prim_func(private=True)
    def add_transposed(a: T.Buffer((2, 2), "float32"), b: T.Buffer((2, 2), "float32")):
        for i, j in T.grid(2, 2):
            a[i, j] = a[i, j] + b[j, i]

'''
T4 = 'R.Tensor((4,), "float32")'
SCAN = f"R.call_tir_inplace(cls.scan, ({{}},), out_ty={T4}, inplace_indices=[0])"


def main(body, params=f"x: {T4}, y: {T4}, c: R.Tensor((), 'bool')", extra="", pure=True):
    """A module whose main has this body; $T4 and $scan(v) stand for what is long."""
    lines = [f"    @R.function(pure={pure})", f"    def main({params}):", "        cls = Module",
             *("        " + line for line in body.strip("\n").split("\n"))]
    text = "\n".join(lines) + "\n" + extra
    text = text.replace("$T4", T4)
    while "$scan(" in text:
        start = text.index("$scan(")
        end = text.index(")", start)
        text = text[:start] + SCAN.format(text[start + 6:end]) + text[end + 1:]
    return HEAD + text


PROGRAMS = {
    "sizes with upper bounds": main(
        'n = T.int64()\nm = T.int64()\nR.func_attr({"tir_var_upper_bound": {"n": 8, "m": 8}})\na = R.permute_dims(x)\nb = R.sum(R.matmul(x, a), axis=[1])\n'
        "c = R.matmul(R.reshape(b, (n, 1)), R.reshape(b, (1, n)))\nd = R.matmul(c, x)\ne = R.matmul(R.permute_dims(d), d)\n"
        "f = R.matmul(e, R.permute_dims(x))\nreturn R.sum(f, axis=[0])", params="x: R.Tensor(('n', 'm'), 'float32')"),
    "opaque code was given it": main("t = R.exp(x)\np = R.call_pure_packed('keep', t, ty_args=($T4,))\na = $scan(t)\nreturn (a, p)"),
    "opaque code made it": main("p = R.call_pure_packed('make', x, ty_args=($T4,))\na = $scan(p)\nreturn a"),
    "a tuple behind R.Object by a cast": main(
        "a = R.add(x, x)\nb = R.exp(x)\nt = (a, b)\no = R.match_cast(t, R.Object)\nc1 = $scan(b)\n"
        "p = R.match_cast(o, R.Tuple($T4, $T4))\nq = p[1]\nr = R.add(q, c1)\nreturn r"),
    "a tuple behind R.Object by an annotation": main(
        "a = R.add(x, x)\nb = R.exp(x)\nt: R.Object = (a, b)\nc1 = $scan(b)\n"
        "p = R.match_cast(t, R.Tuple($T4, $T4))\nq = p[1]\nr = R.add(q, c1)\nreturn r"),
    "mutual recursion": main(
        "if c:\n    t = R.add(x, x)\n    w = cls.other(t)\n    r = R.add(w, t)\nelse:\n    r = R.add(x, y)\nreturn r", extra='''
    @R.function(private=True)
    def other(x: $T4) -> $T4:
        R.func_attr({"relax.inplace_arg": [0]})
        cls = Module
        z = cls.main(x, x, R.const(False, "bool"))
        y = $scan(x)
        s = R.add(y, z)
        return s
''').replace(f"def main(x: {T4}, y: {T4}, c: R.Tensor((), 'bool')):", f"def main(x: {T4}, y: {T4}, c: R.Tensor((), 'bool')) -> {T4}:"),
    "a chain of calls": main("t = R.exp(x)\nw = cls.f0(t)\nr = R.add(w, t)\nreturn r", extra="".join(f'''
    @R.function(private=True)
    def f{i}(x: $T4) -> $T4:
        R.func_attr({{"relax.inplace_arg": [0]}})
        cls = Module
        y = {f"cls.f{i + 1}(x)" if i < 19 else "$scan(x)"}
        return y
''' for i in range(20))),
    "a nested function captures it": main('''
t = R.exp(x)

@R.function
def inner(z: $T4) -> $T4:
    u = $scan(t)
    v = R.add(u, z)
    return v

a = inner(y)
b = inner(t)
d = R.add(a, b)
return d
'''),
    "flip, shift and transposition of itself": main('''
t = R.exp(x)
a = R.call_tir_inplace(cls.add_flipped, (t, t), out_ty=$T4, inplace_indices=[0])
b = R.call_tir_inplace(cls.add_shifted, (a, a), out_ty=$T4, inplace_indices=[0])
m = R.reshape(b, R.shape([2, 2]))
n = R.call_tir_inplace(cls.add_transposed, (m, m), out_ty=R.Tensor((2, 2), "float32"), inplace_indices=[0])
return n
'''),
    "two outputs for one value": main('''
t = R.exp(x)
u = R.flatten(t)
p = R.call_tir_inplace(cls.swap, (t, u), out_ty=[$T4, $T4], inplace_indices=[0, 1])
a = p[0]
b = p[1]
return (a, b)
'''),
    "many results live at once": main("a = R.exp(x)\nb = R.add(a, y)\nd = R.multiply(b, a)\ne = R.subtract(d, b)\nf = R.add(e, d)\ng = R.add(f, a)\nreturn g"),
    "views are read late": main(
        "a = R.exp(x)\nv = R.reshape(a, R.shape([2, 2]))\nb = R.add(a, y)\nd = R.permute_dims(v)\ne = R.add(d, v)\n"
        "f = R.flatten(e)\ng = R.add(f, b)\nreturn g"),
    "fields and renames are read late": main(
        "a = R.exp(x)\nb = R.abs(y)\nt = (a, b)\nd = R.add(a, b)\nu = t[0]\ne = R.add(d, u)\nw = t[1]\nf = R.multiply(e, w)\nreturn f"),
    "read in front of, inside of and behind branches": main(
        "a = R.exp(x)\nb = R.abs(y)\nif c:\n    d = R.add(a, b)\n    e = R.multiply(d, a)\nelse:\n    e = R.subtract(a, b)\n"
        "f = R.add(e, b)\ng = R.add(f, a)\nreturn g"),
    "constants": main(
        "k = R.const([1.0, 2.0, 3.0, 4.0], 'float32')\na = R.add(x, k)\nb = $scan(k)\nd = R.add(a, b)\ne = R.add(d, k)\nreturn e"),
    "a callee returns an argument or a part of what it made": main(
        "a = R.exp(x)\nt = cls.pick(a, c)\nb = t[0]\nd = $scan(b)\ne = t[1]\nf = R.add(d, e)\ng = R.add(f, a)\nreturn g", extra='''
    @R.function(private=True)
    def pick(x: $T4, c: R.Tensor((), "bool")) -> R.Tuple($T4, $T4):
        if c:
            y = x
        else:
            y = R.exp(x)
        z = R.abs(x)
        return (y, z)
'''),
    "contracts": main("""
t = R.exp(x)
u = R.exp(y)
R.call_packed('keep', t, u, ty_args=(R.Tuple(),))
a = $scan(t)
b = $scan(u)
d = R.exp(x)
e = R.call_pure_packed('show', d, ty_args=($T4,))
f = $scan(d)
g = R.exp(y)
h = R.call_pure_packed('perhaps', g, x, ty_args=($T4,))
i = $scan(g)
j = R.exp(x)
k = R.call_inplace_packed('double', j, inplace_indices=[0], ty_args=($T4,))
l = R.call_dps_packed('fill', (x,), out_ty=$T4)
m = $scan(l)
return (a, b, e, f, h, i, j, k, m)
""", extra="""
    I.module_attrs({"relax.contracts": {
        "keep": {"reads": [0, 1], "retains": [1]}, "show": {"aliases": [[0]]}, "perhaps": {"aliases": [[0, -1]]}, "double": {"mutates": [0]},
        "fill": {"reads": [0], "retains": [1]}}})
""", pure=False),
    "a loop of two branches": main(
        "t = R.exp(x)\nif c:\n    a = $scan(t)\nelse:\n    a = t\nb = $scan(a)\nif c:\n    d = b\nelse:\n    d = R.abs(y)\ne = $scan(d)\nf = R.add(e, b)\nreturn f"),
}
