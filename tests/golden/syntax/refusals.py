# FAIL: check
# Python that TVMScript has no meaning for: each is named, and the rest of the file is read.
from tvm.script import relax as R


@R.function
def main(x: R.Tensor((4,), "float32"), y: R.Tensor((4,), "float32") = 0):
    return x


@R.function
def second(x: R.Tensor((4,), "float32")):
    a = R.add(x, x) if (b := 1) else x
    c = [x for i in range(4)]
    d = R.call_pure_packed(f"name{1}", x, ty_args=(R.Tensor((4,), "float32"),))
    try:
        e = R.add(x, x)
    except ValueError:
        e = x
    f = g = x
    global h
    del a
    with R.dataflow():
        i = lambda j: j
    match x:
        case 1:
            pass
    yield x
    return x


async def third():
    pass


class Module(Base):
    pass
# OUT:
# error[E0129]: parameter `y` has a default value
#  --> refusals.py:7:69
#   |
# 7 | def main(x: R.Tensor((4,), "float32"), y: R.Tensor((4,), "float32") = 0):
#   |                                                                     ^
#   |
# help: every caller gives every argument
#   |
# 7 | def main(x: R.Tensor((4,), "float32"), y: R.Tensor((4,), "float32") = 0):
#   |                                                                    ----
#
# error[E0124]: `:=` is not part of TVMScript
#   --> refusals.py:13:27
#    |
# 13 |     a = R.add(x, x) if (b := 1) else x
#    |                           ^^
#    |
#    = help: bind the name in a statement of its own before
#
# error[E0122]: comprehensions are not part of TVMScript
#   --> refusals.py:14:12
#    |
# 14 |     c = [x for i in range(4)]
#    |            ^^^
#    |
#    = help: write the elements out
#
# error[E0120]: f-strings are not part of TVMScript
#   --> refusals.py:15:28
#    |
# 15 |     d = R.call_pure_packed(f"name{1}", x, ty_args=(R.Tensor((4,), "float32"),))
#    |                            ^^^^^^^^^^
#    |
#    = help: write the text that it stands for
#
# error[E0126]: exceptions are not part of TVMScript: `try`
#   --> refusals.py:16:5
#    |
# 16 |     try:
#    |     ^^^
#
# error[E0136]: one assignment has one target
#   --> refusals.py:20:11
#    |
# 20 |     f = g = x
#    |       -   ^
#    |       |
#    |       the first one
#    |
# help: write one statement for each target
#    |
# 20 |     g = x
#    |     ~~~~~
# 21 |     f = g
#    | ~~~~~~~~~
#
# error[E0127]: `global` is not part of TVMScript
#   --> refusals.py:21:5
#    |
# 21 |     global h
#    |     ^^^^^^
#    |
#    = help: give the value to the function as a parameter, or write it in front of the module (`N = 16`), where it is seen without this
# help: remove it
#    |
# 21 |     global h
#    | ------------
#
# error[E0133]: `del` is not part of TVMScript
#   --> refusals.py:22:5
#    |
# 22 |     del a
#    |     ^^^
#    |
#    = note: a value ends with its last use
# help: remove it
#    |
# 22 |     del a
#    | ---------
#
# error[E0123]: a lambda may only stand for an index map
#   --> refusals.py:24:13
#    |
# 24 |         i = lambda j: j
#    |             ^^^^^^
#    |
#    = note: index maps are written T.index_map(lambda i, j: (j, i))
#
# error[E0132]: `match` is not part of TVMScript
#   --> refusals.py:25:5
#    |
# 25 |     match x:
#    |     ^^^^^
#    |
#    = help: use `if` and `elif`
#
# error[E0135]: `yield` is not part of TVMScript
#   --> refusals.py:28:5
#    |
# 28 |     yield x
#    |     ^^^^^
#    |
# help: write `return`
#    |
# 28 |     return x
#    |     ~~~~~~
#
# error[E0125]: `async` is not part of TVMScript
#   --> refusals.py:32:1
#    |
# 32 | async def third():
#    | ^^^^^
#    |
# help: leave it out
#    |
# 32 | async def third():
#    | ------
#
# error[E0128]: a module has no base classes
#   --> refusals.py:36:14
#    |
# 36 | class Module(Base):
#    |              ^^^^
#    |
# help: write `class Module:`
#    |
# 36 | class Module(Base):
#    |             ------
#
