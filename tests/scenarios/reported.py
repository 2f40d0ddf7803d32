"""Programs that other compilers got wrong, or copied without need: by the number of the report."""
from scenarios.row import N, OK, XY, XYC, XYR, row

ROWS = [
    # ---- ExecuTorch, reinplace.py and memory_planning.py
    row("ExecuTorch seed: an operand is only read by what is updated next", XY, """
        t = R.negative(x)
        w = R.multiply(y, y)
        a = add!(t, y)@0
        b = add!(w, t)@0
        c = R.multiply(a, b)
        return c
    """, ["IP001", OK], copies=1),
    row("ExecuTorch seed, nobody asks", XY, """
        t = R.negative(x)
        w = R.multiply(y, y)
        a = R.add(t, y)
        b = R.add(w, t)
        c = R.multiply(a, b)
        return c
    """, [], alone=3),
    row("ExecuTorch H1: an operand is also a result", XY, """
        t = R.negative(x)
        a = R.add(t, y)
        return (t, a)
    """, [], alone=2),
    row("ExecuTorch H3: a view of it is read later", XY, """
        t = R.negative(x)
        v = R.reshape(t, R.shape([2, 2]))
        a = R.add(t, y)
        b = R.multiply(v, v)
        return (R.reshape(a, R.shape([2, 2])), b)
    """, [], alone=2),
    row("ExecuTorch H4: two results of one value", XY, """
        t = R.negative(x)
        a = R.maximum(t, y)
        b = R.maximum(t, x)
        c = R.multiply(a, b)
        return c
    """, [], alone=2),
    row("ExecuTorch H5: the seed with another operator", XY, """
        t = R.negative(x)
        w = R.multiply(y, y)
        a = R.add(t, y)
        b = R.maximum(w, t)
        c = R.multiply(a, b)
        return c
    """, [], alone=3),
    row("ExecuTorch H6: result and operand are returned", XY, """
        t = R.negative(x)
        a = R.maximum(t, y)
        return (a, t)
    """, [], alone=2),
    row("ExecuTorch H7: a value is permuted into itself", XY, """
        t = R.negative(x)
        i = R.const([1, 2, 3, 0], 'int32')
        a = scatter!(t, t, i)@0
        return a
    """, ["IP010"]),
    row("ExecuTorch H8: one element seen four times", XYR, """
        t = R.negative(r)
        e = R.broadcast_to(t, R.shape([4]))
        a = add!(e, y)@0
        b = R.add(a, e)
        return b
    """, ["IP001"]),
    row("ExecuTorch H9: overlapping slices of one value", XY, """
        t = R.negative(x)
        v = R.strided_slice(t, axes=[0], begin=[0], end=[3])
        w = R.strided_slice(t, axes=[0], begin=[1], end=[4])
        a = R.add(v, w)
        b = R.concat((a, R.strided_slice(t, axes=[0], begin=[3], end=[4])), axis=0)
        return b
    """, []),
    row("ExecuTorch H10: a value and its transpose", XY, """
        t = R.reshape(R.negative(x), R.shape([2, 2]))
        a = R.add(t, R.permute_dims(t))
        return a
    """, []),
    row("ExecuTorch H11: disjoint slices of one value", XY, """
        t = R.negative(x)
        v = R.strided_slice(t, axes=[0], begin=[0], end=[2])
        w = R.strided_slice(t, axes=[0], begin=[2], end=[4])
        a = R.add(v, w)
        b = R.concat((a, w), axis=0)
        return b
    """, []),
    row("ExecuTorch test_multi_user_blocks_inplace", XY, """
        c = R.add(x, y)
        d = R.multiply(c, y)
        e = R.add(c, d)
        return e
    """, [], alone=2),
    row("ExecuTorch test_ops_to_inplace_extends_with_add", XY, """
        t = R.add(x, y)
        a = R.add(t, x)
        return a
    """, [], alone=1),
    row("ExecuTorch test_unsafe_downstream_blocks_upstream_reinplace", XYR, """
        t = R.negative(x)
        a = append!(t, r, T.int64(1))@0
        b = append!(t, r, T.int64(2))@0
        c = R.add(a, b)
        return c
    """, ["IP001", OK]),
    row("ExecuTorch test_broadcasting_self_not_reinplaced", XYR, """
        t = R.negative(r)
        a = R.add(t, x)
        return a
    """, [], alone=2),
    row("ExecuTorch test_dtype_changing_op_not_reinplaced", XY, """
        t = R.negative(x)
        a = R.less(t, y)
        return a
    """, [], alone=2),
    row("ExecuTorch test_dynamic_shapes_no_guard_error", "x: R.Tensor(('n', 3), 'float32'), r: R.Tensor((1, 3), 'float32')", """
        n = T.int64()
        t = R.negative(x)
        u = R.negative(r)
        a = R.add(t, x)
        b = R.add(u, a)
        return b
    """, [], alone=2),
    row("ExecuTorch test_kv_cache_style_reinplace", XYR, """
        k = append!(x, r, T.int64(1))@0
        v = append!(y, r, T.int64(1))@0
        a = R.multiply(k, v)
        return (a, k, v)
    """, [OK, OK], donated=[0, 1], alone=1),
    # ---- PyTorch Inductor
    row("Inductor view_inplaced2: a view made before is a result", XY, """
        v = R.reshape(x, R.shape([2, 2]))
        a = neg22!(v)@0
        w = R.reshape(a, R.shape([4]))
        return (a, w)
    """, [OK], donated=0, copies=0),
    row("Inductor views_not_inplaced: a view is read in between", XY, """
        v = R.reshape(x, R.shape([2, 2]))
        a = neg!(x)@0
        b = R.add(v, v)
        return (a, b)
    """, ["IP002"], donated=0, copies=1),
    row("Inductor multi_output_intermediate", XY, """
        t = R.negative(x)
        p = neg_and_sum!(t)@[0, -1]
        a = p[0]
        b = p[1]
        c = R.add(a, b)
        return c
    """, [OK], copies=0),
    row("Inductor lists_v2: two pieces of one value are updated by one call", XY, """
        t = R.negative(x)
        u = R.negative(y)
        p = update_both!(t, u, y)@[0, 1]
        return (p[0], p[1])
    """, [OK, OK], copies=0),
    row("Inductor #100314: joined while a view of it is still to be read", XY, """
        t = R.negative(x)
        v = R.reshape(t, R.shape([4]))
        j = R.concat((t, y), axis=0)
        k = R.nn.relu(j)
        a = R.add(v, y)
        return (k, a)
    """, []),
    row("Inductor #198101: read as another dtype behind the update", XY, """
        t = R.negative(x)
        v = R.memory.view(t, R.shape([4]), R.dtype('int32'), R.prim_value(0))
        a = R.nn.relu(t)
        b = R.add(v, v)
        return (a, b)
    """, []),
    row("Inductor #198270: added to its mirror image", XY, """
        t = R.negative(x)
        a = add!(t, R.flip(t, axis=0))@0
        return a
    """, [OK]),
    row("Inductor PR 189735: what a call returns is its argument", XY, """
        t = R.negative(x)
        a = cls.consume(t)
        b = R.add(a, y)
        c = R.add(b, a)
        return c
    """, [OK, OK]),
    # ---- TVM
    row("TVM #19577: two expansions of one value are operands of one call", XY, """
        t = R.negative(x)
        a = R.expand_dims(t, axis=[1])
        b = R.expand_dims(t, axis=[1])
        p = R.multiply(a, b)
        r = R.concat((p, b), axis=0)
        return r
    """, []),
    row("TVM #20190: a cast names the storage", XY, """
        t = R.negative(x)
        l = R.match_cast(t, R.Tensor((4,), 'float32'))
        r = R.add(y, y)
        a = R.add(l, r)
        return (a, l)
    """, [], alone=2),
    row("TVM #20191: storage of a branch is not that of the other", XYC, """
        if c:
            t = R.add(x, y)
            a = R.multiply(t, t)
        else:
            u = R.subtract(x, y)
            a = R.multiply(u, u)
        return a
    """, []),
    row("TVM PR 20134: a call that gives a view", XY, """
        t = R.negative(x)
        v = cls.view_of(t)
        a = R.add(t, y)
        b = R.add(R.reshape(v, R.shape([4])), a)
        return b
    """, []),
    row("TVM PR 18663: nothing but the run says how large it is", N, """
        n = T.int64()
        t = R.negative(x)
        a = R.concat((t, y), axis=0)
        b = R.add(t, y)
        return (a, b)
    """, []),
    # ---- XLA, JAX
    row("XLA #49176: each element from the one in front, shifted within one storage", XY, """
        t = R.negative(x)
        a = inner_update!(t, t)@0
        b = inner_update!(a, a)@0
        return b
    """, [OK, OK]),
    row("JAX #17845: shifted by one, then written", XYR, """
        s = R.concat((R.strided_slice(x, axes=[0], begin=[1], end=[4]), r), axis=0)
        a = append!(s, r, T.int64(0))@0
        b = R.add(a, x)
        return (a, b)
    """, [OK], donated=0),
    # ---- others
    row("tflite-micro PR 712, ONNX Runtime PR 21019: an output that nobody reads", XY, """
        p = R.negative(x)
        q = R.negative(y)
        t = swap!(p, q)@[1, 0]
        u = R.add(x, y)
        b = t[1]
        c = R.add(u, b)
        return c
    """, [OK, OK]),
    row("nnfusion #200: updated in front of another reader", XY, """
        t = R.negative(x)
        a = neg!(t)@0
        b = R.add(t, y)
        c = R.add(a, b)
        return c
    """, ["IP001"]),
    row("tinygrad #15698: a buffer is shifted by a slice of itself", XYR, """
        t = R.negative(x)
        j = R.concat((R.strided_slice(t, axes=[0], begin=[1], end=[4]), r), axis=0)
        b = R.add(j, t)
        return (j, b)
    """, []),
    row("Futhark #1789: overlapping slices of one array", XY, """
        t = R.negative(x)
        v = R.strided_slice(t, axes=[0], begin=[1], end=[3])
        a = inner_two!(t, v)@0
        return a
    """),
    row("Futhark #1927: made before the array that it is written into", XY, """
        s = R.add(x, y)
        d = R.zeros(R.shape([4]), 'float32')
        a = inner_update!(d, s)@0
        return a
    """),
    row("Futhark #2288: an alias through a function", XY, """
        t = R.negative(x)
        p = cls.twice(t)
        a = R.add(p[0], y)
        b = R.add(a, p[1])
        return b
    """, []),
]
