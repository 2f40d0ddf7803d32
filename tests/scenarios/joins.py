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
    """, ["IP010"], donated=0),
]
