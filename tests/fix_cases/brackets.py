"""Brackets, signs and lines whose mistake shows only behind it: one message, with the edit where it was made."""
from fix_cases.frames import HEAD

TWO = HEAD + """@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def scale(a: {}, b: T.Buffer((8, 4), "float32")):
        for i, j in T.grid(8, 4):
            b[i, j] = a[i, j] * T.float32(2)

    @R.function(private=True)
    def main(x: R.Tensor((8, 4), "float32"), c: R.Tensor((), "bool")) -> R.Tensor((8, 4), "float32"):
        cls = Module
        if c:
            y = R.call_tir(cls.scale, (x,), out_ty={}){}
        z = R.ones({}, dtype="float32")
        w = R.mean(R.add(y, z), axis={})
        return R.add(y, w)"""
BUFFER, TENSOR, ELSE, SHAPE, AXES = 'T.Buffer((8, 4), "float32")', 'R.Tensor((8, 4), "float32")', "\n        else:\n            y = R.exp(x)", "(8, 4)", "[0, 1]"
GOOD = TWO.format(BUFFER, TENSOR, ELSE, SHAPE, AXES)
ROOT = HEAD + """@T.prim_func(s_tir=True)
def root(v: T.Buffer((8,), "float32"), w: T.Buffer((8,), "float32")):
    for i in range(8):
        w[i] = w[i] / {}
"""
LAST = HEAD + """@T.prim_func(s_tir=True)
def last(x: T.Buffer((8,), "float32"), y: T.Buffer((8,), "float32")):
    for i in range(8):
        if x[i] > T.float32(0):
            y[i] = T.exp(x[i]{}
        else:
            y[i] = T.float32(0)
"""


def bad(buffer=BUFFER, tensor=TENSOR, otherwise=ELSE, shape=SHAPE, axes=AXES):
    return TWO.format(buffer, tensor, otherwise, shape, axes)


CASES = [
    # the brackets of a shape: one that is missing, or one too many
    ("E0101", "file", bad(buffer='T.Buffer(8, 4), "float32")'), GOOD),
    ("E0101", "file", bad(tensor='R.Tensor(8, 4), "float32")'), GOOD),
    ("E0106", "file", bad(buffer='T.Buffer((8, 4)), "float32")'), GOOD),
    ("E0106", "file", bad(tensor='R.Tensor((8, 4)), "float32")'), GOOD),
    ("E0106", "file", bad(shape="(8, 4))"), GOOD),
    # the bracket within the string
    ("E0106", "file", bad(buffer='T.Buffer((8, 4), "float32)"'), GOOD),
    # a list that was not opened
    ("E0106", "file", bad(axes="0, 1]"), GOOD),
    # a bracket that is missing in front of `else:`, a line that begins with it, and one blank too many in front of `if`
    ("E0105", "file", LAST.format(""), LAST.format(")")),
    ("E0105", "file", bad(tensor='R.Tensor((8, 4), "float32"'), GOOD),
    ("E0101", "file", bad(otherwise=" else:\n            y = R.exp(x)"), GOOD),
    ("E0109", "file", GOOD.replace("        if c:", "         if c:"), GOOD),
    # signs and quotes that stand twice, a dot that changed places
    ("E0101", "file", GOOD.replace('"bool")) ->', '"bool")) -->'), GOOD),
    ("E0101", "file", GOOD.replace('"float32"):\n        cls', '"float32")::\n        cls'), GOOD),
    ("E0101", "file", GOOD.replace("c: R.", "c:: R."), GOOD),
    ("E0104", "file", bad(buffer='T.Buffer((8, 4), "float32"")'), GOOD),
    ("E0101", "file", GOOD.replace("x: R.Tensor", "x: .RTensor"), GOOD),
    # several places fit, each with another meaning
    ("E0105", "file", ROOT.format("(T.sqrt(v[i] / w[i] + T.float32(1))"), None),
]
# Each of them is all that is said.
ALONE = [("file", case[2]) for case in CASES]
# The edit stands there, and is made by hand.
SHOWN = [("file", ROOT.format("(T.sqrt(v[i] / w[i] + T.float32(1))"))]
CASES = CASES[:-1]
