"""Operands of one call that share storage, and which elements a kernel reads (34 to 46)."""
from scenarios.row import OK, XY, row

ROWS = [
    row("34 same value twice, same index", XY, """
        t = R.negative(x)
        a = add!(t, t)@0
        return a
    """, [OK]),
    row("34 rename as the other operand", XY, """
        t = R.negative(x)
        u = t
        a = add!(t, u)@0
        return a
    """, [OK]),
    row("34 view as the other operand", XY, """
        t = R.negative(x)
        u = R.reshape(t, R.shape([2, 2]))
        v = R.reshape(t, R.shape([2, 2]))
        a = add22!(u, v)@0
        return a
    """, [OK]),
    row("35 product with itself", XY, """
        t = R.reshape(R.negative(x), R.shape([2, 2]))
        a = matmul_into!(t, t)@0
        return a
    """, ["IP010"]),
    row("35 product with itself, accumulated elsewhere", XY, """
        t = R.reshape(R.negative(x), R.shape([2, 2]))
        u = R.reshape(R.negative(y), R.shape([2, 2]))
        a = matmul_to!(t, t, u)@2
        return a
    """, [OK]),
    row("35 product accumulated into a factor", XY, """
        t = R.reshape(R.negative(x), R.shape([2, 2]))
        u = R.reshape(R.negative(y), R.shape([2, 2]))
        a = matmul_to!(t, u, u)@2
        return a
    """, ["IP010"]),
    row("36 same value twice, read after a write", XY, """
        t = R.negative(x)
        a = write_then_read!(t, t)@0
        return a
    """, ["IP010"]),
    row("37 same value twice, other index", XY, """
        t = R.negative(x)
        a = add_next!(t, t)@0
        return a
    """, ["IP010"]),
    row("37 mirrored by an operator", XY, """
        t = R.negative(x)
        f = R.flip(t, axis=0)
        a = add!(t, f)@0
        return a
    """, [OK]),
    row("38 kernel reads what it wrote, alone", XY, """
        t = R.negative(x)
        a = shift_self!(t)@0
        return a
    """, [OK]),
    row("39 same value twice, repeated", XY, """
        t = R.negative(x)
        a = add_thrice!(t, t)@0
        return a
    """, ["IP010"]),
    row("40 gathers from itself", XY, """
        t = R.negative(x)
        i = R.const([3, 2, 0, 0], 'int32')
        a = gather!(t, t, i)@0
        return a
    """, ["IP010"]),
    row("40 gathers from another", XY, """
        t = R.negative(x)
        i = R.const([3, 2, 0, 0], 'int32')
        a = gather!(t, y, i)@0
        return a
    """, [OK]),
    row("40 scatters itself", XY, """
        t = R.negative(x)
        i = R.const([1, 2, 3, 0], 'int32')
        a = scatter!(t, t, i)@0
        return a
    """, ["IP010"]),
    row("40 overwrites a part with another part", XY, """
        t = R.negative(x)
        a = inner_update!(t, t)@0
        return a
    """, [OK]),
    row("40 overwrites a part with a part of another", XY, """
        t = R.negative(x)
        a = inner_update!(t, y)@0
        return (a, y)
    """, [OK]),
    row("41 chosen into the first", XY, """
        t = R.negative(x)
        u = R.negative(y)
        c = R.less(x, y)
        a = select!(c, t, u)@1
        return a
    """, [OK]),
    row("41 chosen into the second", XY, """
        t = R.negative(x)
        u = R.negative(y)
        c = R.less(x, y)
        a = select_right!(c, t, u)@2
        return (a, t)
    """, [OK]),
    row("41 chosen among one value", XY, """
        t = R.negative(x)
        c = R.less(x, y)
        a = select!(c, t, t)@1
        return a
    """, [OK]),
    row("43 statistics of all in front of the update", XY, """
        t = R.negative(x)
        p = less_sum!(t)@[0, -1]
        a = p[0]
        return a
    """, [OK]),
    # ---- discovered, nobody asks
    row("34 nobody asks: the sum with itself", XY, """
        t = R.negative(x)
        a = R.add(t, t)
        b = R.multiply(a, a)
        return b
    """, [], alone=1),
    row("35 nobody asks: the product with itself", XY, """
        t = R.reshape(R.negative(x), R.shape([2, 2]))
        a = R.matmul(t, t)
        return a
    """, [], alone=2),
    row("37 nobody asks: the sum with its mirror image", XY, """
        t = R.negative(x)
        f = R.flip(t, axis=0)
        a = R.add(t, f)
        return a
    """, [], alone=2),
    row("37 mirrored in one kernel", XY, """
        t = R.negative(x)
        a = R.add(R.flip(R.nn.relu(t), axis=0), t)
        b = R.multiply(a, t)
        return b
    """, []),
    row("38 each element from the one in front", XY, """
        t = R.negative(x)
        a = previous_sum!(t, t)@0
        return a
    """),
    row("38 each element from the one behind", XY, """
        t = R.negative(x)
        a = next_sum!(t, t)@0
        return a
    """),
    row("38 each element from the one behind, of loops in parallel", XY, """
        t = R.negative(x)
        a = next_sum_parallel!(t, t)@0
        return a
    """),
    row("36 nobody asks: written twice and read between", XY, """
        t = R.negative(x)
        a = R.call_tir(cls.two_steps, (t,), out_ty=R.Tensor((4,), 'float32'))
        b = R.nn.relu(a)
        return b
    """, [], alone=2),
    row("39 a sum over rows of what is written", XY, """
        t = R.reshape(R.negative(x), R.shape([2, 2]))
        a = R.sum(t, axis=[0], keepdims=True)
        b = R.subtract(t, a)
        return b
    """, [], alone=2),
    row("40 nobody asks: elements picked of itself", XY, """
        t = R.negative(x)
        i = R.const([3, 2, 0, 0], 'int64')
        a = R.take(t, i, axis=0)
        b = R.nn.relu(a)
        return b
    """, [], alone=2),
    row("41 nobody asks: a choice of the two", XY, """
        t = R.negative(x)
        u = R.add(x, y)
        c = R.less(x, y)
        a = R.where(c, t, u)
        b = R.nn.relu(a)
        return b
    """, [], alone=3),
    row("41 nobody asks: the condition is of another dtype", XY, """
        c = R.less(x, y)
        d = R.logical_not(c)
        a = R.where(d, x, y)
        return a
    """, [], alone=2),
    row("42 a row less its greatest element", XY, """
        t = R.reshape(R.negative(x), R.shape([2, 2]))
        a = less_greatest!(t)@0
        b = less_greatest!(a)@0
        return b
    """, [OK, OK]),
    row("42 nobody asks: a row less its greatest element", XY, """
        t = R.reshape(R.negative(x), R.shape([2, 2]))
        a = R.call_tir(cls.row_less_greatest, (t,), out_ty=R.Tensor((2, 2), 'float32'))
        b = R.call_tir(cls.row_less_greatest, (a,), out_ty=R.Tensor((2, 2), 'float32'))
        return b
    """, [], alone=1),
    row("43 nobody asks: the greatest of neighbours", "x: R.Tensor((1, 1, 4), 'float32')", """
        t = R.negative(x)
        a = R.call_tir(cls.greatest_of_three, (t,), out_ty=R.Tensor((1, 1, 4), 'float32'))
        b = R.nn.relu(a)
        return b
    """, [], alone=2),
    row("44 read at two indices", XY, """
        t = R.negative(x)
        a = R.call_tir(cls.two_indices, (t,), out_ty=R.Tensor((4,), 'float32'))
        b = R.nn.relu(a)
        return b
    """, [], alone=2),
    row("45 running sums", XY, """
        t = R.negative(x)
        a = R.cumsum(t, axis=0)
        b = R.cumsum(a, axis=0)
        return b
    """, [], alone=1),
    row("45 running sums, the elements read later", XY, """
        t = R.negative(x)
        a = R.cumsum(t, axis=0)
        b = R.subtract(a, t)
        return b
    """, [], alone=2),
    row("46 a mask is used twice", XY, """
        m = R.less(x, y)
        a = R.where(m, x, R.zeros_like(x))
        b = R.where(m, y, R.zeros_like(y))
        c = R.add(a, b)
        return c
    """, []),
]
