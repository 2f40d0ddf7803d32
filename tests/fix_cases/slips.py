"""Names, words and numbers with a slip that no distance between names finds, and those that are wrong where they are bound."""
from fix_cases.frames import HEAD

BOTH = HEAD + """@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def pick(row: T.Buffer((8, 4), "float32"), which: T.Buffer((8,), "int64"), best: T.Buffer((), "float32"), b: T.Buffer((8,), "float32")):
        best[()] = T.float32("-inf")
        for i in range(8):
            with T.sblock("s"):
                vi = T.axis.spatial(8, i)
                s: T.let[T.float32] = row[vi, which[vi]]
                b[vi] = s + row[vi, which[vi]]
        for i in range(8):
            best[()] = T.max(best[()], b[i])

    @R.function(private=True)
    def main(x: R.Tensor((8, 4), "float32"), which: R.Tensor((8,), "int64")) -> R.Tensor((), "float32"):
        cls = Module
        y = R.call_tir(cls.pick, (x, which), out_ty=[R.Tensor((), "float32"), R.Tensor((8,), "float32")])
        z = cls.other(y[0])
        return cls.other(z)

    @R.function(private=True)
    def other(kept: R.Tensor((), "float32")) -> R.Tensor((), "float32"):
        y = R.exp(kept)
        return R.add(y, R.multiply(kept, kept))"""

INPLACE = HEAD + """@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def step(w: T.Buffer((8,), "float32"), g: T.Buffer((8,), "float32"), norm: T.Buffer({}, "float32")):
        norm[()] = T.float32(0)
        for i in range(8):
            norm[()] += w[i] * w[i]
            w[i] = w[i] - g[i]

    @R.function(private=True)
    def main(w: R.Tensor((8,), "float32"), g: R.Tensor((8,), "float32")):
        z = R.call_tir_inplace(Module.step, (w, g), out_ty=[R.Tensor((8,), "float32"), R.Tensor((), "float32")], inplace_indices=[0, -1])
        return z
"""


def case(code, right, wrong, mends=True):
    broken = BOTH.replace(right, wrong, 1)
    assert broken != BOTH
    return code, "file", broken, BOTH if mends else None


CASES = [
    case("E0101", "private=True, s", "private=Tre, s"),
    case("E0101", "@R.function(private=True)", "@R.function(private==True)"),
    case("E0413", "in range", "in rang"),
    case("E0201", "R.exp", "RR.exp"),
    case("E0201", "cls.other", "clsother"),
    case("E0431", "T.sblock", "Ts.sblock"),
    case("E0429", '"-inf"', '"-nf"'),
    case("E0430", "T.let[", "T.et["),
    case("E0250", "x: R.Tensor", "x: RTensor"),
    # what is read often is right, and bound with a slip
    case("E0201", "other(kept", "other(kpet"),
    case("E0201", "row: T", "rwo: T"),
    case("E0572", "def other", "def othre"),
    # the calls say what is declared wrongly, once for all uses
    case("E0408", 'which: T.Buffer((8,), "int64")', 'which: T.Buffer((8,), "float32")'),
    case("E0407", 'best: T.Buffer(()', 'best: T.Buffer((1,)'),
    ("E0407", "file", INPLACE.format("(1,)"), INPLACE.format("()")),
]
ALONE = [("file", broken) for _, _, broken, _ in CASES]
# A name of two letters may be another one; a loop that runs downwards may count on it.
SHOWN = [
    ("file", BOTH.replace("= row[vi", "= ow[vi")),
    ("file", BOTH.replace("in range(8)", "in range(7, -1, -1)", 1)),
]
