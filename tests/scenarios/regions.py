"""Updates of a part of a tensor, with other parts read, returned or updated (25, 26, 70, 71, 107 as views).

Views are R.memory.view(tensor, shape, dtype, byte offset); X is a parameter of eight elements, bytes 0 to 32.
"""
from scenarios import row as rows

FUNCTIONS = '''
    @R.function(private=True)
    def upper(x: R.Tensor((8,), "float32")) -> R.Tensor((4,), "float32"):
        v = R.memory.view(x, R.shape([4]), "float32", 16)
        return v

    @R.function(private=True)
    def either(c: R.Tensor((), "bool"), x: R.Tensor((8,), "float32")) -> R.Tensor((2,), "float32"):
        if c:
            v = R.memory.view(x, R.shape([2]), "float32", 0)
        else:
            v = R.memory.view(x, R.shape([2]), "float32", 16)
        return v

    @R.function(private=True)
    def halves(x: R.Tensor((8,), "float32")) -> R.Tuple(R.Tensor((4,), "float32"), R.Tensor((4,), "float32")):
        t = R.negative(x)
        v = R.memory.view(t, R.shape([4]), "float32", 0)
        w = R.memory.view(t, R.shape([4]), "float32", 16)
        return (v, w)

    @R.function(private=True)
    def consume_upper(x: R.Tensor((8,), "float32")) -> R.Tensor((4,), "float32"):
        R.func_attr({"relax.inplace_arg": 0})
        cls = Module
        v = R.memory.view(x, R.shape([4]), "float32", 16)
        y = R.call_tir_inplace(cls.neg, (v,), out_ty=R.Tensor((4,), "float32"), inplace_indices=[0])
        return y

    @R.function(private=True)
    def second_half_of(x: R.Tensor(("2 * k",), "float32"), y: R.Tensor(("k",), "float32")) -> R.Tensor(("k",), "float32"):
        k = T.int64()
        v = R.memory.view(x, R.shape([k]), "float32", k * 4)
        return v

    @R.function(private=True)
    def deeper(c: R.Tensor((), "bool"), x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        cls = Module
        if c:
            v = cls.deeper(R.const(False, "bool"), x)
            y = R.memory.view(v, R.shape([4]), "float32", 0)
        else:
            y = x
        return y
'''
X = 'x: R.Tensor((8,), "float32")'
XC = f'{X}, c: R.Tensor((), "bool")'
TWO_N = "n = T.int64(); t = R.concat((x, y), axis=0)"
THREE_N = "n = T.int64(); t = R.concat((x, y, x), axis=0)"
N = rows.N
OK = rows.OK


def view(of, offset, count=4, dtype="float32"):
    return f"R.memory.view({of}, R.shape([{count}]), '{dtype}', {offset})"


def row(name, body, decisions, params=X, donated=None, copies=None, tensors=None):
    """A body on one line, with semicolons; branches have lines of their own."""
    return rows.row("regions: " + name, params, body.replace("; ", "\n"), decisions, donated, copies, tensors)


def part(of, begin, end, step=1):
    return f"R.strided_slice({of}, axes=[0], begin=[{begin}], end=[{end}], strides=[{step}])"


ROWS = [
    row("parts, apart", f"t = R.negative(x); v = {view('t', 0)}; w = {view('t', 16)}; a = neg!(v)@0; b = R.multiply(w, w); return (a, b)", [OK]),
    row("parts, one element in common", f"t = R.negative(x); v = {view('t', 0)}; w = {view('t', 12)}; a = neg!(v)@0; b = R.multiply(w, w); return (a, b)", ["IP002"]),
    row("parts, both updated", f"t = R.negative(x); v = {view('t', 0)}; w = {view('t', 16)}; a = neg!(v)@0; b = neg!(w)@0; return (a, b)", [OK, OK]),
    row("parts, the second made behind the update of the first", f"t = R.negative(x); v = {view('t', 0)}; a = neg!(v)@0; w = {view('t', 16)}; b = neg!(w)@0; return (a, b)", [OK, OK]),
    row("a part made behind the update of its bytes", f"t = R.negative(x); v = {view('t', 0)}; a = neg!(v)@0; w = {view('t', 12)}; b = R.add(w, a); return b", ["IP002"]),
    row("a part made behind the update of all", "t = R.reshape(R.negative(x), R.shape([2, 4])); v = R.reshape(t, R.shape([8])); r = R.reshape(R.memory.view(v, R.shape([4]), 'float32', 0), R.shape([2, 2])); "
        f"a = neg22!(r)@0; w = {view('t', 0)}; return (a, w)", ["IP003"]),
    row("a part, all of it read", f"t = R.negative(x); v = {view('t', 0)}; a = neg!(v)@0; b = R.add(t, t); return (a, b)", ["IP002"]),
    row("a part, all of it returned", f"t = R.negative(x); v = {view('t', 0)}; a = neg!(v)@0; return (a, t)", ["IP003"]),
    row("a part, another one returned", f"t = R.negative(x); v = {view('t', 0)}; w = {view('t', 16)}; a = neg!(v)@0; return (a, w)", [OK]),
    row("a part of a part, apart", f"t = R.negative(x); v = {view('t', 16)}; w = {view('v', 8, 2)}; z = {view('t', 0, 6)}; a = neg2!(w)@0; b = R.add(z, z); return (a, b)", [OK]),
    row("a part of a part, not apart", f"t = R.negative(x); v = {view('t', 16)}; w = {view('v', 8, 2)}; z = {view('t', 0, 7)}; a = neg2!(w)@0; b = R.add(z, z); return (a, b)", ["IP002"]),
    row("a part of a part of a part", f"t = R.negative(x); u = {view('t', 4, 7)}; v = {view('u', 4, 6)}; w = {view('v', 4, 2)}; z = {view('t', 20, 3)}; a = neg2!(w)@0; b = R.add(z, z); return (a, b)", [OK]),
    row("a part in another shape", f"t = R.negative(x); v = R.reshape({view('t', 16)}, R.shape([2, 2])); w = {view('t', 0)}; a = neg22!(v)@0; b = R.add(w, w); return (a, b)", [OK]),
    row("a part of another shape", f"t = R.reshape(R.negative(x), R.shape([2, 4])); v = {view('t', 16)}; w = {view('t', 0)}; a = neg!(v)@0; b = R.add(w, w); return (a, b)", [OK]),
    row("a part by the bytes of another dtype, apart", f"t = R.negative(x); v = {view('t', 0)}; w = {view('t', 16, 4, 'int32')}; a = neg!(v)@0; b = R.equal(w, w); return (a, b)", [OK]),
    row("a part by the bytes of another dtype, not apart", f"t = R.negative(x); v = {view('t', 0)}; w = {view('t', 15, 4, 'uint8')}; a = neg!(v)@0; b = R.equal(w, w); return (a, b)", ["IP002"]),
    row("a part of nothing", f"t = R.negative(x); v = {view('t', 0)}; w = {view('t', 8, 0)}; a = neg!(v)@0; b = R.add(w, w); return (a, b)", [OK]),
    row("a tensor of nothing, by two names", f"t = R.negative(x); e = {view('t', 8, 0)}; v = {view('e', 0, 0)}; a = R.add(e, e); w = {view('a', 0, 0)}; b = R.multiply(a, a); return (v, w, b)", []),
    row("a part without an offset", "t = R.negative(x); v = R.memory.view(t, R.shape([4])); w = " + view("t", 16) + "; a = neg!(w)@0; b = R.add(v, v); return (a, b)", [OK]),
    row("a part of a borrowed parameter", f"v = {view('x', 0)}; a = neg!(v)@0; return a", ["IP004"]),
    row("a part of a donated parameter", f"v = {view('x', 0)}; w = {view('x', 16)}; a = neg!(v)@0; b = R.add(w, w); return (a, b)", [OK], donated=0),
    row("a part of a donated parameter, all of it returned", f"v = {view('x', 0)}; a = neg!(v)@0; return (a, x)", ["IP003"], donated=0),
    # ---- several operands of one call
    row("both halves of one storage, in one call", f"t = R.negative(x); k = {view('t', 0)}; v = {view('t', 16)}; s = swap!(k, v)@[0, 1]; a = s[0]; b = s[1]; return (a, b)", [OK, OK]),
    row("both halves of one storage, exchanged", f"t = R.negative(x); k = {view('t', 0)}; v = {view('t', 16)}; s = swap!(k, v)@[1, 0]; a = s[0]; b = s[1]; return (a, b)", [OK, OK]),
    row("both halves of one storage, with an element in common", f"t = R.negative(x); k = {view('t', 0)}; v = {view('t', 12)}; s = swap!(k, v)@[0, 1]; a = s[0]; b = s[1]; return (a, b)", [OK, "IP012"]),
    row("one half into the other", f"t = R.negative(x); k = {view('t', 0)}; v = {view('t', 16)}; a = add_next!(k, v)@0; return a", [OK]),
    row("one half into the other, shifted", f"t = R.negative(x); k = {view('t', 0)}; v = {view('t', 4)}; a = add!(k, v)@0; return a", [OK]),
    row("one half into the other, shifted back", f"t = R.negative(x); k = {view('t', 4)}; v = {view('t', 0)}; a = add!(k, v)@0; return a", [OK]),
    row("the same bytes by two views", f"t = R.negative(x); k = {view('t', 8)}; v = {view('t', 8)}; a = add!(k, v)@0; return a", [OK]),
    row("the same bytes by two views, other index", f"t = R.negative(x); k = {view('t', 8)}; v = {view('t', 8)}; a = add_next!(k, v)@0; return a", ["IP010"]),
    row("the same bytes by a view of a view", f"t = R.negative(x); u = {view('t', 4, 7)}; k = {view('u', 4)}; v = {view('t', 8)}; a = add!(k, v)@0; return a", [OK]),
    row("parts of the result of an update", f"t = R.negative(x); v = {view('t', 0)}; a = neg!(v)@0; k = {view('a', 0, 2)}; v2 = {view('a', 8, 2)}; b = neg2!(k)@0; d = R.add(v2, v2); return (b, d)", [OK, OK]),
    # ---- branches
    row("either of two parts, a third one read", f"t = R.negative(x); u = {view('t', 24, 2)}\nif c:\n    v = {view('t', 0)}\n    w = v\nelse:\n    w = {view('t', 8)}\na = neg!(w)@0; b = R.add(u, u); return (a, b)", [OK], XC),
    row("either of two parts, one of them read", f"t = R.negative(x); u = {view('t', 16)}\nif c:\n    v = {view('t', 0)}\n    w = v\nelse:\n    w = {view('t', 8)}\na = neg!(w)@0; b = R.add(u, u); return (a, b)", ["IP002"], XC),
    row("a part of either of two parts", f"t = R.negative(x); u = {view('t', 24, 2)}\nif c:\n    v = {view('t', 0)}\n    w = v\nelse:\n    w = {view('t', 8)}\np = {view('w', 8, 2)}; a = neg2!(p)@0; b = R.add(u, u); return (a, b)", [OK], XC),
    row("a part of either, its beginning read", f"t = R.negative(x); u = {view('t', 8, 2)}\nif c:\n    v = {view('t', 0)}\n    w = v\nelse:\n    w = {view('t', 8)}\np = {view('w', 8, 2)}; a = neg2!(p)@0; b = R.add(u, u); return (a, b)", ["IP002"], XC),
    row("a part of either, what both leave out read", f"t = R.negative(x); u = {view('t', 0, 2)}\nif c:\n    v = {view('t', 0)}\n    w = v\nelse:\n    w = {view('t', 8)}\np = {view('w', 8, 2)}; a = neg2!(p)@0; b = R.add(u, u); return (a, b)", [OK], XC),
    row("either of two parts that overlap, with itself", f"t = R.negative(x)\nif c:\n    v = {view('t', 0)}\n    w = v\nelse:\n    w = {view('t', 8)}\na = add!(w, w)@0; return a", [OK], XC),
    row("a part updated in a branch, another one behind it", f"t = R.negative(x); v = {view('t', 0)}; w = {view('t', 16)}\nif c:\n    a = neg!(v)@0\n    r = a\nelse:\n    r = v\nb = neg!(w)@0; d = R.add(b, r); return d", [OK, OK], XC),
    row("parts of either of two tensors", f"t = R.negative(x); s = R.add(x, x)\nif c:\n    v = t\n    w = v\nelse:\n    w = s\np = {view('w', 0)}; q = {view('t', 16)}; a = neg!(p)@0; b = R.add(q, q); return (a, b)", [OK], XC),
    row("parts of either of two tensors, not apart", f"t = R.negative(x); s = R.add(x, x)\nif c:\n    v = t\n    w = v\nelse:\n    w = s\np = {view('w', 0)}; q = {view('s', 12)}; a = neg!(p)@0; b = R.add(q, q); return (a, b)", ["IP002"], XC),
    # ---- calls
    row("a called function returns a part, another one read", f"t = R.negative(x); v = cls.upper(t); w = {view('t', 0)}; a = neg!(v)@0; b = R.add(w, w); return (a, b)", [OK]),
    row("a called function returns a part, which is read", f"t = R.negative(x); v = cls.upper(t); w = {view('t', 12)}; a = neg!(v)@0; b = R.add(w, w); return (a, b)", ["IP002"]),
    row("a part of what a called function returns", f"t = R.negative(x); v = cls.upper(t); p = {view('v', 8, 2)}; w = {view('t', 0, 6)}; a = neg2!(p)@0; b = R.add(w, w); return (a, b)", [OK]),
    row("a called function returns either part", f"t = R.negative(x); v = cls.either(c, t); w = {view('t', 8, 2)}; a = neg2!(v)@0; b = R.add(w, w); return (a, b)", [OK], XC),
    row("a called function returns either part, one is read", f"t = R.negative(x); v = cls.either(c, t); w = {view('t', 16, 2)}; a = neg2!(v)@0; b = R.add(w, w); return (a, b)", ["IP002"], XC),
    row("a called function returns parts of its own", "h = cls.halves(x); v = h[0]; w = h[1]; a = neg!(v)@0; b = R.add(w, w); return (a, b)", [OK]),
    row("a called function returns parts of its own, one twice", "h = cls.halves(x); v = h[0]; w = h[0]; a = neg!(v)@0; b = R.add(w, w); return (a, b)", ["IP002"]),
    row("a called function returns what it is given, by itself", f"t = R.negative(x); v = {view('t', 0)}; w = {view('t', 16)}; r = cls.deeper(c, v); a = neg!(r)@0; b = R.add(w, w); return (a, b)", [OK], XC),
    row("a called function updates its part", f"t = R.negative(x); a = cls.consume_upper(t); return a", [OK, OK]),
    # ---- symbolic sizes
    row("halves of a symbolic size", f"{TWO_N}; v = {view('t', 0, 'n')}; w = {view('t', 'n * 4', 'n')}; a = neg_n!(v)@0; b = R.add(w, w); return (a, b)", [OK], N),
    row("halves of a symbolic size, the upper one updated", f"{TWO_N}; v = {view('t', 0, 'n')}; w = {view('t', 'n * 4', 'n')}; a = neg_n!(w)@0; b = R.add(v, v); return (a, b)", [OK], N),
    row("halves of a symbolic size, both updated", f"{TWO_N}; v = {view('t', 0, 'n')}; w = {view('t', 'n * 4', 'n')}; a = neg_n!(v)@0; b = neg_n!(w)@0; return (a, b)", [OK, OK], N),
    row("halves of a symbolic size, one into the other", f"{TWO_N}; v = {view('t', 0, 'n')}; w = {view('t', 'n * 4', 'n')}; a = add_n!(v, w)@0; return a", [OK], N),
    row("parts of a symbolic size, not apart", f"{THREE_N}; v = {view('t', 0, '2 * n')}; w = {view('t', 'n * 4', 'n')}; a = neg_n!(w)@0; b = R.add(v, v); return (a, b)", ["IP002"], N),
    row("a part of a part of a symbolic size", f"{THREE_N}; v = {view('t', 'n * 4', '2 * n')}; w = {view('v', 'n * 4', 'n')}; z = {view('t', 0, '2 * n')}; a = neg_n!(w)@0; b = R.add(z, z); return (a, b)", [OK], N),
    row("a symbolic part behind a number of bytes", f"n = T.int64(); t = R.concat((x, R.const([1.0, 2.0], 'float32')), axis=0); v = {view('t', 8, 'n')}; w = {view('t', 0, 2)}; a = neg_n!(v)@0; b = R.add(w, w); return (a, b)", [OK], N),
    row("a symbolic part across a number of bytes", f"n = T.int64(); t = R.concat((x, R.const([1.0, 2.0], 'float32')), axis=0); v = {view('t', 4, 'n')}; w = {view('t', 0, 2)}; a = neg_n!(v)@0; b = R.add(w, w); return (a, b)", ["IP002"], N),
    row("a called function returns a symbolic part", f"{TWO_N}; v = cls.second_half_of(t, y); w = {view('t', 0, 'n')}; a = neg_n!(v)@0; b = R.add(w, w); return (a, b)", [OK], N),
    row("a called function returns a symbolic part, which is read", f"{THREE_N}; u = {view('t', 0, '2 * n')}; v = cls.second_half_of(u, y); w = {view('t', 'n * 4', '2 * n')}; a = neg_n!(v)@0; b = R.add(w, w); return (a, b)", ["IP002"], N),
    # ---- operators: what they cut out is a view where that costs no more (25, 26, 70, 71, 107)
    row("25 slices that overlap", f"t = R.negative(x); v = {part('t', 0, 4)}; w = {part('t', 3, 7)}; a = neg!(v)@0; b = R.multiply(w, w); return (a, b)", [OK], copies=1, tensors=3),
    row("25 slices that do not", f"t = R.negative(x); v = {part('t', 0, 4)}; w = {part('t', 4, 8)}; a = neg!(v)@0; b = R.multiply(w, w); return (a, b)", [OK], copies=0),
    row("26 even and odd elements", f"t = R.negative(x); v = {part('t', 0, 8, 2)}; w = {part('t', 1, 8, 2)}; a = neg!(v)@0; b = R.multiply(w, w); return (a, b)", [OK], copies=1),
    row("70 pieces of a split, updated", "t = R.negative(x); s = R.split(t, 2, axis=0); v = s[0]; w = s[1]; a = neg!(v)@0; b = neg!(w)@0; return (a, b)", [OK, OK], copies=0, tensors=2),
    row("71 pieces of a split, updated, and all of it returned", "t = R.negative(x); s = R.split(t, 2, axis=0); v = s[0]; w = s[1]; a = neg!(v)@0; b = neg!(w)@0; return (a, b, t)", [OK, OK], copies=1, tensors=3),
    row("107 both halves updated by one call", "t = R.negative(x); s = R.split(t, 2, axis=0); v = s[0]; w = s[1]; p = swap!(v, w)@[0, 1]; a = p[0]; b = p[1]; return (a, b)", [OK, OK], copies=0, tensors=2),
    row("a slice of a parameter is returned", f"v = {part('x', 0, 4)}; return v", [], copies=1, tensors=1),
    row("a slice of a parameter is updated", f"v = {part('x', 0, 4)}; a = neg!(v)@0; return a", [OK], copies=1, tensors=1),
    row("a slice of a donated parameter is updated", f"v = {part('x', 0, 4)}; a = neg!(v)@0; return a", [OK], donated=0, copies=1, tensors=1),
    row("slices of a slice", f"t = R.negative(x); u = {part('t', 2, 8)}; v = {part('u', 0, 4)}; w = {part('u', 4, 6)}; a = neg!(v)@0; b = neg2!(w)@0; return (a, b)", [OK, OK], copies=0),
    row("a small slice that outlives a large tensor", f"t = R.negative(x); u = R.sum(t); v = {part('t', 0, 2)}; a = neg2!(v)@0; return (u, a)", [OK], copies=1),
]
