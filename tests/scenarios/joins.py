"""Joined, split and appended tensors (94 to 109)."""
from scenarios.row import OK, XY, XYR, row

ROWS = [
    row("97 joined twice from one value", XY, """
        t = R.negative(x)
        j = R.concat((t, t), axis=0)
        a = neg!(t)@0
        return (j, a)
    """, [OK]),
    row("98 in two joins", XY, """
        t = R.negative(x)
        j = R.concat((t, y), axis=0)
        k = R.concat((x, t), axis=0)
        a = neg!(t)@0
        l = R.add(j, k)
        return (l, a)
    """, [OK]),
    row("100 join of a join", XY, """
        t = R.negative(x)
        j = R.concat((t, y), axis=0)
        k = R.concat((j, t), axis=0)
        a = neg!(t)@0
        return (k, a)
    """, [OK]),
    row("101 joined along the inner axis", XY, """
        t = R.reshape(R.negative(x), R.shape([2, 2]))
        u = R.reshape(y, R.shape([2, 2]))
        j = R.concat((t, u), axis=1)
        a = neg22!(t)@0
        return (j, a)
    """, [OK]),
    row("104 field of a split", XY, """
        s = R.split(R.negative(x), 2, axis=0)
        f = R.concat((s[0], s[1]), axis=0)
        a = neg!(f)@0
        return a
    """, [OK]),
    row("104 split and joined again", XY, """
        t = R.negative(x)
        s = R.split(t, 2, axis=0)
        j = R.concat((s[0], s[1]), axis=0)
        k = R.concat((s[1], s[0]), axis=0)
        a = add!(j, k)@0
        b = R.add(a, t)
        return b
    """, [OK]),
    row("106 appended, then read", XYR, """
        a = append!(x, r, T.int64(2))@0
        s = R.sum(a)
        return (a, s)
    """, [OK], donated=0),
    row("106 appended, the old state read", XYR, """
        a = append!(x, r, T.int64(2))@0
        s = R.sum(x)
        return (a, s)
    """, ["IP001"], donated=0),
    row("107 both halves of one storage", XY, """
        t = R.reshape(R.negative(x), R.shape([2, 2]))
        s = R.split(y, 2, axis=0)
        a = first_half!(t, s[0])@0
        b = second_half!(a, s[1])@0
        return b
    """, [OK, OK]),
    row("107 half of one storage from the other half", XY, """
        t = R.reshape(R.negative(x), R.shape([2, 2]))
        r = R.reshape(t, R.shape([4]))
        s = R.split(r, 2, axis=0)
        a = first_half!(t, s[1])@0
        b = second_half!(a, s[0])@0
        return b
    """, [OK, OK]),
    row("109 ring, shifted by an operator", XYR, """
        s = R.strided_slice(x, axes=[0], begin=[1], end=[4])
        j = R.concat((s, r), axis=0)
        a = add!(x, j)@0
        return a
    """, [OK], donated=0),
    row("109 ring, shifted by the kernel", XYR, """
        a = shift_in!(x, x, r)@0
        return a
    """, [OK], donated=0),
    row("109 ring, shifted up by the kernel", XYR, """
        a = shift_up!(x, x, r)@0
        return a
    """, [OK], donated=0),
    row("109 ring, mirrored by the kernel", XYR, """
        a = mirror!(x, x)@0
        return a
    """, ["IP010"], donated=0),
    # ---- discovered, nobody asks
    row("94 three producers and their join", XY, """
        a = R.add(x, y)
        b = R.subtract(x, y)
        c = R.multiply(x, y)
        j = R.concat((a, b, c), axis=0)
        return j
    """, [], copies=0, tensors=1),
    row("95 a producer is read behind the join, too", XY, """
        a = R.add(x, y)
        b = R.subtract(x, y)
        j = R.concat((a, b), axis=0)
        c = R.multiply(a, y)
        return (j, c)
    """, []),
    row("95 a producer is updated behind the join", XY, """
        a = R.add(x, y)
        b = R.subtract(x, y)
        j = R.concat((a, b), axis=0)
        c = neg!(a)@0
        return (j, c)
    """),
    row("96 parameters are joined", XY, """
        j = R.concat((x, y), axis=0)
        k = R.nn.relu(j)
        return (k, x)
    """, []),
    row("97 one value twice, and something else", XY, """
        a = R.add(x, y)
        b = R.subtract(x, y)
        j = R.concat((a, b, a), axis=0)
        return j
    """, []),
    row("98 in two joins, at two places", XY, """
        a = R.add(x, y)
        b = R.subtract(x, y)
        j = R.concat((a, b), axis=0)
        k = R.concat((b, a), axis=0)
        return (j, k)
    """, []),
    row("99 in another order than they are made", XY, """
        a = R.add(x, y)
        b = R.multiply(a, y)
        j = R.concat((b, a), axis=0)
        return j
    """, []),
    row("100 a join of joins", XY, """
        a = R.add(x, y)
        b = R.subtract(x, y)
        j = R.concat((a, b), axis=0)
        k = R.concat((b, a), axis=0)
        l = R.concat((j, k), axis=0)
        return l
    """, []),
    row("101 along the inner axis, producers", "x: R.Tensor((2, 2), 'float32'), y: R.Tensor((2, 2), 'float32')", """
        a = R.add(x, y)
        b = R.subtract(x, y)
        j = R.concat((a, b), axis=1)
        return j
    """, [], copies=0, tensors=1),
    row("102 a stack of producers", XY, """
        a = R.add(x, y)
        b = R.subtract(x, y)
        j = R.stack((a, b), axis=0)
        return j
    """, [], copies=0, tensors=1),
    row("102 a stack of producers on the last axis", XY, """
        a = R.add(x, y)
        b = R.subtract(x, y)
        j = R.stack((a, b), axis=1)
        k = R.nn.relu(j)
        return (k, a)
    """, []),
    row("103 made before what it is written into", XY, """
        s = R.add(x, y)
        d = R.negative(x)
        a = inner_update!(d, s)@0
        b = R.add(a, s)
        return b
    """, [OK]),
    row("103 what it is written into is read in between", XY, """
        d = R.negative(x)
        s = R.add(x, y)
        r = R.multiply(d, s)
        a = inner_update!(d, s)@0
        return (a, r)
    """, [OK]),
    row("104 pieces in their order are the whole", XY, """
        t = R.negative(x)
        s = R.split(t, 2, axis=0)
        j = R.concat((s[0], s[1]), axis=0)
        k = neg!(j)@0
        return k
    """),
    row("104 pieces in their order, and the whole is read later", XY, """
        t = R.negative(x)
        s = R.split(t, 2, axis=0)
        j = R.concat((s[0], s[1]), axis=0)
        k = neg!(j)@0
        return (k, t)
    """),
    row("104 pieces in the other order", XY, """
        t = R.negative(x)
        s = R.split(t, 2, axis=0)
        j = R.concat((s[1], s[0]), axis=0)
        k = neg!(j)@0
        return k
    """),
    row("105 pieces, each changed, and joined again", XY, """
        t = R.negative(x)
        s = R.split(t, 2, axis=0)
        a = R.nn.relu(s[0])
        b = R.multiply(s[1], s[1])
        j = R.concat((a, b), axis=0)
        return j
    """, [], tensors=1),
    row("105 pieces, one changed by the other, and joined again", XY, """
        t = R.negative(x)
        s = R.split(t, 2, axis=0)
        a = R.add(s[0], s[1])
        b = R.subtract(s[1], a)
        j = R.concat((a, b), axis=0)
        return j
    """, []),
    row("106 four appends in a row", XYR, """
        a = append!(x, r, T.int64(0))@0
        b = append!(a, r, T.int64(1))@0
        s = R.sum(b)
        c = append!(b, r, T.int64(2))@0
        d = append!(c, r, T.int64(3))@0
        return (d, s)
    """, [OK, OK, OK, OK], donated=0, copies=0),
    row("107 keys and values, updated by one call", XY, """
        p = update_both!(x, y, R.const([1.0, 2.0, 3.0, 4.0], 'float32'))@[0, 1]
        return p
    """, [OK, OK], donated=[0, 1], copies=0, tensors=0),
    row("108 appended, and the cache before it is a result, too", XYR, """
        a = append!(x, r, T.int64(2))@0
        b = append!(a, r, T.int64(3))@0
        return (a, b)
    """, [OK, "IP003"], donated=0),
    row("109 a ring that is shifted by a join and written back", XYR, """
        s = R.strided_slice(x, axes=[0], begin=[1], end=[4])
        j = R.concat((s, r), axis=0)
        a = R.add(j, R.const(0.0, 'float32'))
        return a
    """, [], donated=0),
    row("106 joined to a cache that has room", XYR, """
        a = R.concat((x, r), axis=0)
        return a
    """, [], donated=0, copies=0, tensors=0, alone=0, room={"x": [5]}),
    row("106 joined to a cache of any length that has room", "x: R.Tensor(('n',), 'float32'), y: R.Tensor((2,), 'float32')", """
        a = R.concat((x, R.negative(y)), axis=0)
        b = R.concat((a, y), axis=0)
        return b
    """, [], donated=0, copies=0, room={"x": 64}),
    row("106 joined to a cache that has no room", XYR, """
        a = R.concat((x, r), axis=0)
        return a
    """, [], donated=0, copies=1, tensors=1),
    row("106 joined to a cache that has too little room", XYR, """
        a = R.concat((x, r, r), axis=0)
        return a
    """, [], donated=0, copies=1, tensors=1, room={"x": [5]}),
    row("106 joined to a cache, the old state read", XYR, """
        s = R.sum(x)
        n = R.negative(r)
        a = R.concat((x, n), axis=0)
        t = R.max(x)
        return (a, s, t)
    """, [], donated=0, copies=0, tensors=2, room={"x": [8]}),
    row("106 joined to a cache, attended to, and joined again", XYR, """
        a = R.concat((x, r), axis=0)
        s = R.sum(a, axis=[0], keepdims=True)
        b = R.concat((a, s), axis=0)
        return (b, s)
    """, [], donated=0, copies=1, room={"x": [8]}),
    row("106 joined in front of a cache", XYR, """
        a = R.concat((r, x), axis=0)
        return a
    """, [], donated=0, copies=1, tensors=1, room={"x": [8]}),
    row("106 joined to itself", XY, """
        a = R.concat((x, x), axis=0)
        return a
    """, [], donated=0, copies=0, tensors=0, room={"x": [8]}),
    row("106 joined to a cache twice", XYR, """
        a = R.concat((x, r), axis=0)
        b = R.concat((x, R.negative(r)), axis=0)
        return (a, b)
    """, [], donated=0, copies=1, tensors=1, room={"x": [8]}),
    row("106 joined to a cache in either branch", XYR + ", c: R.Tensor((), 'bool')", """
        if c:
            a = R.concat((x, r), axis=0)
            k = a
        else:
            b = R.concat((x, R.negative(r)), axis=0)
            k = b
        return k
    """, [], donated=0, copies=0, tensors=0, room={"x": [8]}),
    row("107 keys and values, each joined to its cache", XYR, """
        n = R.negative(r)
        k = R.concat((x, r), axis=0)
        v = R.concat((y, n), axis=0)
        s = R.add(k, v)
        return (k, v, s)
    """, [], donated=[0, 1], copies=0, tensors=1, room={"x": [8], "y": [8]}),
    row("107 keys have room, values have none", XYR, """
        k = R.concat((x, r), axis=0)
        v = R.concat((y, r), axis=0)
        return (k, v)
    """, [], donated=[0, 1], copies=1, tensors=1, room={"x": [8]}),
    row("108 joined to a cache, and the cache is a result, too", XYR, """
        a = R.concat((x, r), axis=0)
        return (a, x)
    """, [], donated=0, copies=1, tensors=1, room={"x": [8]}),
    row("109 a ring of rows with room, turned by a join", XYR, """
        a = R.concat((x, r), axis=0)
        b = R.strided_slice(a, axes=[0], begin=[1], end=[5])
        return b
    """, [], donated=0, copies=0, tensors=1, room={"x": [8]}),
    row("106 joined to a cache along an inner axis", "x: R.Tensor((2, 3), 'float32'), r: R.Tensor((2, 1), 'float32')", """
        a = R.concat((x, R.negative(r)), axis=1)
        s = R.sum(a)
        return (a, s)
    """, [], donated=0, tensors=1, room={"x": [2, 8]}),
    row("106 joined to a cache along an inner axis, the old state read later", "x: R.Tensor((2, 3), 'float32'), r: R.Tensor((2, 1), 'float32')", """
        a = R.concat((x, r), axis=1)
        s = R.negative(x)
        return (a, s)
    """, [], donated=0, copies=1, tensors=1, room={"x": [2, 8]}),
    row("107 keys and values of many heads, each joined to its cache", "x: R.Tensor((3, 'n', 2), 'float32'), y: R.Tensor((3, 'n', 2), 'float32'), r: R.Tensor((3, 1, 2), 'float32')", """
        k = R.concat((x, r), axis=1)
        v = R.concat((y, R.negative(r)), axis=1)
        s = R.add(k, v)
        return (k, v, s)
    """, [], donated=[0, 1], tensors=1, room={"x": 64, "y": 64}),
]
