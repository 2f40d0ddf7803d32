# What is compiled for tests of the door of tvm-ffi: results of each form, symbols, updates in place, errors.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @T.prim_func(private=True)
    def double(state: T.Buffer((4,), "float32")):
        for i in range(4):
            with T.sblock("double"):
                v = T.axis.spatial(4, i)
                state[v] = state[v] * T.float32(2.0)

    @R.function
    def add(x: R.Tensor(("n", 4), "float32"), y: R.Tensor(("n", 4), "float32")) -> R.Tensor(("n", 4), "float32"):
        z = R.add(x, y)
        return z

    @R.function
    def nested(x: R.Tensor((3,), "float32"), y: R.Tensor((3,), "int32")):
        a = R.add(x, x)
        b = R.multiply(y, y)
        c = R.subtract(x, x)
        return (a, (b, c), ())

    @R.function
    def update(state: R.Tensor((4,), "float32"), x: R.Tensor((4,), "float32")):
        R.func_attr({"relax.inplace_arg": 0})
        cls = Module
        grown = R.call_tir_inplace(cls.double, (state,), out_ty=R.Tensor((4,), "float32"), inplace_indices=[0])
        total = R.add(grown, x)
        return (total, grown)

    @R.function
    def take(table: R.Tensor((5, 2), "float32"), indices: R.Tensor(("n",), "int64")) -> R.Tensor(("n", 2), "float32"):
        rows = R.take(table, indices, axis=0)
        return rows

    @R.function
    def append(past: R.Tensor(("n", 4), "float32"), x: R.Tensor((1, 4), "float32")):
        n = T.int64()
        R.func_attr({"relax.inplace_arg": [0], "relax.capacity": {"past": 8}})
        with R.dataflow():
            row = R.add(x, x)
            now = R.concat((past, row), axis=0)
            total = R.sum(now, axis=[0])
            R.output(now, total)
        return (now, total)

    @R.function
    def pair(x: R.Tensor((2, 3), "float32"), y: R.Tensor((2, 3), "float32")):
        a = R.add(x, y)
        b = R.subtract(x, y)
        return (a, b)

    @R.function
    def scalar(x: R.Tensor((), "float32"), flag: R.Tensor((4,), "bool")):
        y = R.add(x, x)
        z = R.logical_not(flag)
        return (y, z)
