# RUN: opt
# Lines may end in CR LF, start with a byte order mark, and go on behind brackets and backslashes.
from tvm.script import relax as R


@R.function
def main(
    x: R.Tensor((4,), "float32"),  # a comment
    y: R.Tensor(
        (4,),
        "float32",
    ),
):
    """A text
    of two lines."""
    z = \
        R.add(
            x,
            y,
        ); w = R.call_pure_packed("a" 'b', z, ty_args=(R.Tensor((4,), "float32"),))
    return w
# OUT:
# # from tvm.script import relax as R
#
# @R.function
# def main(x: R.Tensor((4,), dtype="float32"), y: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
#     z: R.Tensor((4,), dtype="float32") = R.add(x, y)
#     w: R.Tensor((4,), dtype="float32") = R.call_pure_packed("ab", z, ty_args=(R.Tensor((4,), dtype="float32"),))
#     return w
