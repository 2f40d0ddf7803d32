# RUN: run --dim n=8 --dim m=9
# Proofs about a dimension of 40 remainders, each of the one before, end: the search for parts of it is bounded.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @R.function
    def main(
        x: R.Tensor(("n",), "float32"),
        y: R.Tensor(("m",), "float32"),
        z: R.Tensor(("((((((((((((((((((((((((((((((((((((((((n + m) % 22 + m) % 23 + m) % 24 + m) % 25 + m) % 26 + m) % 27 + m) % 28 + m) % 29 + m) % 30 + m) % 31 + m) % 32 + m) % 33 + m) % 34 + m) % 35 + m) % 36 + m) % 37 + m) % 38 + m) % 39 + m) % 40 + m) % 41 + m) % 42 + m) % 43 + m) % 44 + m) % 45 + m) % 46 + m) % 47 + m) % 48 + m) % 49 + m) % 50 + m) % 51 + m) % 52 + m) % 53 + m) % 54 + m) % 55 + m) % 56 + m) % 57 + m) % 58 + m) % 59 + m) % 60 + m) % 61 + 2",), "float32"),
    ):
        a = R.multiply(R.ones_like(z), R.const(2, "float32"))
        return a
# OUT:
# result: (21,) float32
# [2. 2. 2. 2. 2. 2. 2. 2. 2. 2. 2. 2. 2. 2. 2. 2. 2. 2. 2. 2. 2.]
