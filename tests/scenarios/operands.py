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
    """, ["IP010"]),
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
]
