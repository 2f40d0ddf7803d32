"""Views and other names of a storage (20 to 33)."""
from scenarios.row import OK, XY, XYR, row

ROWS = [
    row("20 view is read later", XY, """
        t = R.negative(x)
        v = R.reshape(t, R.shape([2, 2]))
        a = add!(t, y)@0
        b = R.multiply(v, v)
        return (a, b)
    """, ["IP002"]),
    row("20 view of the result, then the result", XY, """
        t = R.negative(x)
        a = neg!(t)@0
        v = R.reshape(a, R.shape([2, 2]))
        b = neg!(a)@0
        c = R.add(R.reshape(b, R.shape([2, 2])), v)
        return c
    """, [OK, "IP002"]),
    row("21 view is dead", XY, """
        t = R.negative(x)
        v = R.reshape(t, R.shape([2, 2]))
        w = R.negative(v)
        a = add!(t, y)@0
        return (a, w)
    """, [OK]),
    row("21 shape_of does not read", XY, """
        t = R.negative(x)
        a = add!(t, y)@0
        s = R.shape_of(t)
        b = R.reshape(a, s)
        return a
    """, [OK]),
    row("22 two expansions of one value", XY, """
        t = R.negative(x)
        a = R.expand_dims(t, axis=[1])
        b = R.expand_dims(t, axis=[1])
        p = R.multiply(a, b)
        r = R.concat((p, b), axis=0)
        return r
    """, []),
    row("22 two expansions, one updated with the other", XY, """
        t = R.negative(x)
        a = R.expand_dims(t, axis=[1])
        b = R.expand_dims(t, axis=[1])
        p = add41!(a, b)@0
        r = R.concat((p, b), axis=0)
        return r
    """, ["IP002"]),
    row("22 two expansions, both dead", XY, """
        t = R.negative(x)
        a = R.expand_dims(t, axis=[1])
        b = R.expand_dims(t, axis=[1])
        p = add41!(a, b)@0
        return p
    """, [OK]),
    row("23 match_cast is another name", XY, """
        t = R.negative(x)
        m = R.match_cast(t, R.Tensor((4,), 'float32'))
        a = add!(t, y)@0
        b = R.add(a, m)
        return b
    """, ["IP002"]),
    row("23 a cast does not end a life", XY, """
        t = R.negative(x)
        l = R.match_cast(t, R.Tensor((4,), 'float32'))
        r = R.add(y, y)
        a = R.add(l, r)
        b = neg!(r)@0
        c = R.add(a, b)
        d = R.add(c, l)
        return d
    """, [OK]),
    row("24 behind R.Object", XY, """
        t = R.negative(x)
        o = R.match_cast(t, R.Object)
        a = neg!(t)@0
        u = R.match_cast(o, R.Tensor((4,), 'float32'))
        b = R.add(a, u)
        return b
    """, ["IP002"]),
    row("24 tuple behind R.Object, first field", XY, """
        t = R.negative(x)
        u = R.negative(y)
        o = R.match_cast((t, u), R.Object)
        a = neg!(t)@0
        p = R.match_cast(o, R.Tuple(R.Tensor((4,), 'float32'), R.Tensor((4,), 'float32')))
        f = p[0]
        b = R.add(a, f)
        return b
    """, ["IP002"]),
    row("25 overlapping slices are copies", XY, """
        t = R.negative(x)
        v = R.strided_slice(t, axes=[0], begin=[0], end=[2])
        w = R.strided_slice(t, axes=[0], begin=[1], end=[3])
        a = neg2!(v)@0
        b = R.multiply(w, w)
        return (a, b)
    """, [OK]),
    row("26 interleaved slices are copies", XY, """
        t = R.negative(x)
        v = R.strided_slice(t, axes=[0], begin=[0], end=[4], strides=[2])
        w = R.strided_slice(t, axes=[0], begin=[1], end=[4], strides=[2])
        a = neg2!(v)@0
        b = R.multiply(w, w)
        return (a, b, t)
    """, [OK]),
    row("28 transpose of itself", XY, """
        t = R.reshape(R.negative(x), R.shape([2, 2]))
        a = add_transposed!(t, t)@0
        return a
    """, ["IP010"]),
    row("28 transpose of itself as an operator", XY, """
        t = R.reshape(R.negative(x), R.shape([2, 2]))
        v = R.permute_dims(t, axes=[1, 0])
        a = add22!(t, v)@0
        return a
    """, [OK]),
    row("29 broadcast before an update", XY, """
        t = R.strided_slice(x, axes=[0], begin=[0], end=[1])
        e = R.broadcast_to(t, R.shape([4]))
        a = add!(e, y)@0
        return (a, t)
    """, [OK]),
    row("30 expand_dims and squeeze are views", XY, """
        t = R.negative(x)
        e = R.expand_dims(t, axis=[0])
        s = R.squeeze(e, axis=[0])
        a = add!(s, y)@0
        b = R.add(a, t)
        return b
    """, ["IP002"]),
    row("31 view of a view, base dead", XY, """
        t = R.negative(x)
        v = R.reshape(t, R.shape([2, 2]))
        w = R.reshape(v, R.shape([4]))
        a = neg!(w)@0
        return a
    """, [OK]),
    row("31 view of a view, base read", XY, """
        t = R.negative(x)
        v = R.reshape(t, R.shape([2, 2]))
        w = R.reshape(v, R.shape([4]))
        a = neg!(w)@0
        b = R.add(a, t)
        return b
    """, ["IP002"]),
    row("32 copy has storage of its own", XY, """
        k = R.copy(x)
        a = add!(k, y)@0
        return a
    """, [OK]),
    row("32 what changes nothing: astype", XY, """
        t = R.negative(x)
        v = R.astype(t, 'float32')
        a = neg!(v)@0
        b = R.add(a, t)
        return b
    """, None),
    row("32 what changes nothing: reshape", XY, """
        t = R.negative(x)
        v = R.reshape(t, R.shape([4]))
        a = neg!(v)@0
        b = R.add(a, t)
        return b
    """, ["IP002"]),
    row("32 what changes nothing: concat of one", XY, """
        t = R.negative(x)
        v = R.concat((t,), axis=0)
        a = neg!(v)@0
        b = R.add(a, t)
        return b
    """, [OK]),
    row("32 what changes nothing: slice of all", XY, """
        t = R.negative(x)
        v = R.strided_slice(t, axes=[0], begin=[0], end=[4])
        a = neg!(v)@0
        b = R.add(a, t)
        return b
    """, [OK]),
    row("32 what changes nothing: permute_dims", XY, """
        t = R.reshape(R.negative(x), R.shape([2, 2]))
        v = R.permute_dims(t, axes=[0, 1])
        a = neg22!(v)@0
        b = R.add(a, t)
        return b
    """, [OK]),
    row("32 what changes nothing: flip of one element", XYR, """
        t = R.negative(r)
        v = R.flip(t, axis=0)
        u = R.broadcast_to(v, R.shape([4]))
        a = add!(u, y)@0
        b = R.add(a, t)
        return b
    """, [OK]),
    # ---- discovered, nobody asks
    row("20 nobody asks, and a view is read later", XY, """
        t = R.negative(x)
        v = R.reshape(t, R.shape([2, 2]))
        a = R.add(t, y)
        b = R.multiply(v, v)
        return (a, b)
    """, [], alone=2),
    row("21 nobody asks, and the view dies", XY, """
        t = R.negative(x)
        v = R.reshape(t, R.shape([2, 2]))
        a = R.multiply(v, v)
        b = R.nn.relu(a)
        return b
    """, [], alone=1),
    row("22 nobody asks: two expansions, one is read later", XY, """
        t = R.negative(x)
        a = R.expand_dims(t, axis=[1])
        b = R.expand_dims(t, axis=[1])
        p = R.multiply(a, b)
        r = R.subtract(p, b)
        return r
    """, [], alone=2),
    row("23 nobody asks, and a cast keeps it alive", XY, """
        t = R.negative(x)
        l = R.match_cast(t, R.Tensor((4,), 'float32'))
        r = R.add(t, y)
        s = R.multiply(r, l)
        u = R.add(s, l)
        return u
    """, [], alone=2),
    row("24 nobody asks, and it is behind R.Object", XY, """
        t = R.negative(x)
        o = R.match_cast(t, R.Object)
        a = R.add(t, y)
        u = R.match_cast(o, R.Tensor((4,), 'float32'))
        b = R.add(a, u)
        return b
    """, [], alone=2),
    row("25 overlapping slices, added", XY, """
        t = R.negative(x)
        v = R.strided_slice(t, axes=[0], begin=[0], end=[3])
        w = R.strided_slice(t, axes=[0], begin=[1], end=[4])
        a = R.add(v, w)
        return a
    """, []),
    row("25 overlapping slices, both updated", XY, """
        t = R.negative(x)
        v = R.strided_slice(t, axes=[0], begin=[0], end=[2])
        w = R.strided_slice(t, axes=[0], begin=[1], end=[3])
        a = neg2!(v)@0
        b = neg2!(w)@0
        return (a, b)
    """),
    row("26 even and odd elements, both updated", XY, """
        t = R.negative(x)
        v = R.strided_slice(t, axes=[0], begin=[0], end=[4], strides=[2])
        w = R.strided_slice(t, axes=[0], begin=[1], end=[4], strides=[2])
        a = neg2!(v)@0
        b = neg2!(w)@0
        return (a, b)
    """),
    row("26 even elements updated, all read later", XY, """
        t = R.negative(x)
        v = R.strided_slice(t, axes=[0], begin=[0], end=[4], strides=[2])
        a = neg2!(v)@0
        return (a, t)
    """),
    row("27 disjoint slices, one updated, the other read later", XY, """
        t = R.negative(x)
        v = R.strided_slice(t, axes=[0], begin=[0], end=[2])
        w = R.strided_slice(t, axes=[0], begin=[2], end=[4])
        a = neg2!(v)@0
        b = R.multiply(w, w)
        return (a, b)
    """),
    row("27 disjoint slices, one updated, the whole read later", XY, """
        t = R.negative(x)
        v = R.strided_slice(t, axes=[0], begin=[0], end=[2])
        a = neg2!(v)@0
        b = R.multiply(t, t)
        return (a, b)
    """),
    row("28 nobody asks: the sum with its own transpose", XY, """
        t = R.reshape(R.negative(x), R.shape([2, 2]))
        v = R.permute_dims(t, axes=[1, 0])
        a = R.add(t, v)
        b = R.nn.relu(a)
        return b
    """, [], alone=2),
    row("29 a broadcast row is updated, the row read later", XY, """
        t = R.strided_slice(R.negative(x), axes=[0], begin=[1], end=[2])
        e = R.broadcast_to(t, R.shape([4]))
        a = R.add(e, y)
        b = R.add(a, t)
        return b
    """, [], alone=3),
    row("30 squeeze of an expansion, nobody asks", XY, """
        t = R.negative(x)
        e = R.expand_dims(t, axis=[0])
        a = R.nn.relu(e)
        s = R.squeeze(a, axis=[0])
        b = R.add(s, y)
        return b
    """, [], alone=1),
    row("33 other bytes of the same storage", XY, """
        t = R.negative(x)
        v = R.memory.view(t, R.shape([2]), R.dtype('float32'), R.prim_value(8))
        a = neg!(t)@0
        b = R.add(v, v)
        return (a, b)
    """, ["IP002"]),
    row("33 elements seen as another dtype, read later", XY, """
        t = R.negative(x)
        v = R.memory.view(t, R.shape([4]), R.dtype('int32'), R.prim_value(0))
        a = neg!(t)@0
        b = R.add(v, v)
        return (a, b)
    """, ["IP002"]),
    row("33 elements seen as another dtype, dead", XY, """
        t = R.negative(x)
        v = R.memory.view(t, R.shape([4]), R.dtype('int32'), R.prim_value(0))
        b = R.maximum(v, v)
        a = neg!(t)@0
        return (a, b)
    """, [OK]),
]
