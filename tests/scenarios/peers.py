"""Programs of other compilers' own tests, rewritten, with the copies or allocations that those tests state.

`copies` are copies of tensors that the compiler puts into the program; `tensors` is what it allocates.
"""
import collections

from scenarios.row import XY, XYC, row

Case = collections.namedtuple("Case", "peer test counts theirs row")
SQUARES = "x: R.Tensor((2, 2), 'float32'), y: R.Tensor((2, 2), 'float32')"
ROW_OF = "x: R.Tensor((2, 2), 'float32'), y: R.Tensor((2,), 'float32')"
DYNAMIC = "x: R.Tensor(('n', 'm'), 'float32'), y: R.Tensor(('n', 'm'), 'float32')"


def case(peer, test, params, body, copies=None, tensors=None, donated=None):
    """@copies or @tensors: what the peer's test states."""
    counts, theirs = ("copies", copies) if tensors is None else ("tensors", tensors)
    return Case(peer, test, counts, theirs, row(f"{peer}: {test}", params, body, None, donated, **{counts: theirs}))


TVM, MLIR, XLA, FUTHARK = "TVM", "MLIR", "XLA", "Futhark"

CASES = [
    # ---- TVM, test_dataflow_inplace.py: results of operators that are not computed in the storage of an operand
    case(TVM, "inplace_simple_case", XY, """
        with R.dataflow():
            z = R.add(x, y)
            p = R.add(z, z)
            r = p
            m = R.multiply(p, p)
            n = R.add(m, r)
            ret = R.subtract(n, m)
            R.output(ret)
        return ret
    """, tensors=2),
    case(TVM, "insert_inplace_calls", "x: R.Tensor((2, 3), 'float32'), y: R.Tensor((1, 3), 'float32')", """
        with R.dataflow():
            z = R.add(x, y)
            a = R.add(z, y)
            q = R.multiply(a, y)
            r = R.subtract(y, y)
            s = R.subtract(r, r)
            m = R.multiply(q, s)
            R.output(m)
        return m
    """, tensors=2),
    case(TVM, "dynamic", DYNAMIC, """
        with R.dataflow():
            z = R.add(x, y)
            a = R.add(z, y)
            s = R.subtract(a, a)
            R.output(s)
        return s
    """, tensors=1),
    case(TVM, "inplace_single_call, the second", XY, """
        z = R.add(x, y)
        q = R.nn.relu(z)
        return q
    """, tensors=1),
    # ---- MLIR, one-shot-*-analysis.mlir, one-shot-bufferize-*.mlir
    case(MLIR, "insert_slice into an argument that is not writable", XY, """
        a = inner_update!(x, y)@0
        return a
    """, copies=1),
    case(MLIR, "insert_slice into a writable argument", XY, """
        a = inner_update!(x, y)@0
        return a
    """, copies=0, donated=0),
    case(MLIR, "matmuls whose result is an operand: (A, B), (B, A), (A, A) into B", SQUARES, """
        d = matmul_to!(x, y, y)@2
        e = matmul_to!(y, x, y)@2
        f = matmul_to!(x, x, y)@2
        return (d, e, f)
    """, copies=2, donated=1),
    case(MLIR, "two fills of one argument, both results used", XY, """
        a = ones!(x)@0
        b = twos!(x)@0
        c = R.add(a, b)
        return (a, b, c)
    """, copies=1, donated=0),
    case(MLIR, "two fills of one new tensor", XY, """
        t = R.negative(x)
        a = ones!(t)@0
        b = twos!(t)@0
        return (a, b)
    """, copies=1),
    case(MLIR, "a slice of a constant is written", XY, """
        k = R.const([1.0, 2.0, 3.0, 4.0], 'float32')
        s = R.strided_slice(k, axes=[0], begin=[1], end=[3])
        a = neg2!(s)@0
        return a
    """, copies=1),
    case(MLIR, "one tensor for two results", XY, """
        t = R.negative(x)
        p = swap!(t, t)@[0, 1]
        return p
    """, copies=1),
    case(MLIR, "slice and base are both changed and returned", XY, """
        t = R.negative(x)
        s = R.strided_slice(t, axes=[0], begin=[1], end=[3])
        a = neg2!(s)@0
        b = neg!(t)@0
        return (a, b)
    """, copies=1),
    case(MLIR, "call of a function that writes its argument", XY, """
        t = R.negative(x)
        a = cls.consume(t)
        return a
    """, copies=0),
    case(MLIR, "select of two tensors is written, one of them read later", XYC, """
        t = R.negative(x)
        u = R.negative(y)
        if c:
            s = t
        else:
            s = u
        a = neg!(s)@0
        b = R.add(a, t)
        return b
    """, copies=1),
    case(MLIR, "select of two tensors is written, neither read later", XYC, """
        t = R.negative(x)
        u = R.negative(y)
        if c:
            s = t
        else:
            s = u
        a = neg!(s)@0
        return a
    """, copies=0),
    case(MLIR, "each element is written from the old ones next to it", XY, """
        t = R.negative(x)
        a = add_next!(t, t)@0
        return a
    """, copies=1),
    case(MLIR, "insert_slices of disjoint blocks of rows in a row", SQUARES, """
        t = R.negative(x)
        s = R.split(R.reshape(y, R.shape([4])), 2, axis=0)
        a = first_half!(t, s[0])@0
        b = second_half!(a, s[1])@0
        return b
    """, copies=0),
    case(MLIR, "one half of a tensor is read, the other half is written", SQUARES, """
        t = R.negative(x)
        h = R.reshape(R.strided_slice(t, [0], [0], [1], [1]), R.shape([2]))
        b = second_half!(t, h)@0
        return b
    """, copies=0),
    # ---- XLA, copy_insertion_test.cc
    case(XLA, "SingleParameter", XY, """
        return (x,)
    """, copies=1),
    case(XLA, "MultipleConstantsAndParameters", XY, """
        k = R.const([1.0, 2.0, 3.0, 4.0], 'float32')
        l = R.const([2.0, 3.0, 4.0, 5.0], 'float32')
        a = R.add(k, y)
        return (l, x, a)
    """, copies=2),
    case(XLA, "BitcastParameter", XY, """
        v = R.reshape(x, R.shape([2, 2]))
        return v
    """, copies=1),
    case(XLA, "InputOutputAliasing: a donated parameter and a bitcast of it", XY, """
        v = R.reshape(x, R.shape([2, 2]))
        return (v, x)
    """, copies=1),
    case(XLA, "dynamic-update-slice of a new value", XY, """
        t = R.negative(x)
        a = inner_update!(t, y)@0
        return a
    """, copies=0),
    case(XLA, "dynamic-update-slice, its operand read later", XY, """
        t = R.negative(x)
        a = inner_update!(t, y)@0
        b = R.add(t, a)
        return b
    """, copies=1),
    case(XLA, "dynamic-update-slice of an entry parameter", XY, """
        a = inner_update!(x, y)@0
        return a
    """, copies=1),
    case(XLA, "two dynamic-update-slices of a parameter in a row", XY, """
        a = inner_update!(x, y)@0
        b = append_first!(a, y)@0
        return b
    """, copies=1),
    case(XLA, "a fusion reads what another fusion updated", XY, """
        t = R.negative(x)
        a = inner_update!(t, y)@0
        b = inner_update!(a, t)@0
        return b
    """, copies=1),
    case(XLA, "one fusion with two updates, both operands read later", XY, """
        t = R.negative(x)
        u = R.add(x, x)
        p = update_both!(t, u, y)@[0, 1]
        b = R.add(t, u)
        return (p, b)
    """, copies=2),
    case(XLA, "one fusion with two updates, one operand read later", XY, """
        t = R.negative(x)
        u = R.add(x, x)
        p = update_both!(t, u, y)@[0, 1]
        b = R.add(t, t)
        return (p, b)
    """, copies=1),
    case(XLA, "scatter of a value into itself", XY, """
        t = R.negative(x)
        i = R.const([1, 2, 3, 0], 'int32')
        a = scatter!(t, t, i)@0
        return a
    """, copies=1),
    case(XLA, "horizontal fusion with two donated results", XY, """
        p = swap!(x, y)@[0, 1]
        return p
    """, copies=0, donated=[0, 1]),
    # ---- Futhark, tests/memory-block-merging/coalescing (the better of its back ends)
    case(FUTHARK, "concat/pos0", XY, """
        a = R.add(x, R.const(1.0, 'float32'))
        b = R.multiply(x, R.const(2.0, 'float32'))
        c = R.subtract(x, R.const(3.0, 'float32'))
        d = R.concat((a, b), axis=0)
        e = R.concat((d, c), axis=0)
        return e
    """, tensors=1),
    case(FUTHARK, "concat/pos3", XY, """
        a = R.add(x, R.const(1.0, 'float32'))
        b = R.multiply(x, R.const(2.0, 'float32'))
        c = R.concat((b, a), axis=0)
        return c
    """, tensors=1),
    case(FUTHARK, "concat/same", XY, """
        a = R.multiply(x, R.const(10.0, 'float32'))
        b = R.concat((a, a), axis=0)
        return b
    """, tensors=1),
    case(FUTHARK, "safety-condition-2/neg0", ROW_OF, """
        t = R.negative(x)
        a = first_half!(t, y)@0
        return a
    """, tensors=1),
    case(FUTHARK, "safety-condition-4/neg0", SQUARES, """
        z = R.multiply(y, R.const(3.0, 'float32'))
        v = R.strided_slice(z, axes=[0], begin=[1], end=[2])
        s = R.reshape(v, R.shape([2]))
        a = first_half!(x, s)@0
        return a
    """, tensors=1, donated=0),
    case(FUTHARK, "inplace-updates/fail", "x: R.Tensor((4,), 'float32')", """
        s = R.strided_slice(x, axes=[0], begin=[1], end=[3])
        a = inner_two!(x, s)@0
        return a
    """, tensors=1, donated=0),
    case(FUTHARK, "safety-condition-1/neg0", ROW_OF, """
        t = R.negative(x)
        s = R.add(y, R.const(1.0, 'float32'))
        a = first_half!(t, s)@0
        z = R.add(s, R.const(1.0, 'float32'))
        return (a, z)
    """, tensors=2),
    case(FUTHARK, "safety-condition-3/neg0", ROW_OF, """
        s = R.add(y, R.const(1.0, 'float32'))
        v = R.strided_slice(x, axes=[0], begin=[0], end=[1])
        z = R.add(R.reshape(v, R.shape([2])), s)
        a = first_half!(x, s)@0
        return (a, z)
    """, tensors=2, donated=0),
    case(FUTHARK, "copy/neg1", ROW_OF, """
        v = R.reshape(R.strided_slice(x, axes=[0], begin=[0], end=[1]), R.shape([2]))
        s = R.add(R.add(v, y), R.flip(v, axis=0))
        a = first_half!(x, s)@0
        return a
    """, tensors=1, donated=0),
]
ROWS = [case.row for case in CASES]
