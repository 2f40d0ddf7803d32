# FAIL: check
# What contracts may not say: each mistake is told once, at the contracts.
from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    I.module_attrs({"relax.contracts": {
        "no.dict": 1,
        "no.key": {"writes": [0]},
        "no.list": {"reads": 0},
        "no.number": {"mutates": ["x"]},
        "below": {"retains": [-1]},
        "twice": {"reads": [0, 1, 0]},
        "aliases.no.list": {"aliases": 1},
        "aliases.flat": {"aliases": [1]},
        "aliases.below": {"aliases": [[-2]]},
        "aliases.twice": {"aliases": [[-1, -1]]},
        "aliases.unnamed": {"reads": [0], "mutates": [1], "aliases": [[0], [1, 2]]},
        "right": {"reads": [0, 2], "mutates": [1], "retains": [2], "aliases": [[1, -1], None, []]},
    }})

    @R.function
    def main(x: R.Tensor((4,), "float32")):
        return x
# OUT:
# error[E0318]: the contract of `no.dict`: it is no dict
#   --> contracts.py:10:9
#    |
# 10 |         "no.dict": 1,
#    |         ^^^^^^^^^
#    |
#    = help: it says what the function does: `{"reads": [0], "mutates": [1]}`
#
# error[E0318]: the contract of `no.key`: there is no key `writes`
#   --> contracts.py:11:20
#    |
# 11 |         "no.key": {"writes": [0]},
#    |                    ^^^^^^^^
#    |
# help: the keys are reads, mutates, retains and aliases
#    |
# 11 |         "no.key": {"mutates": [0]},
#    |                     ~~~~
#
# error[E0318]: the contract of `no.list`: `reads` is no list of arguments
#   --> contracts.py:12:21
#    |
# 12 |         "no.list": {"reads": 0},
#    |                     ^^^^^^^
#    |
# help: arguments are numbers and count from 0: `"reads": [0]`
#    |
# 12 |         "no.list": {"reads": [0]},
#    |                              ~~~
#
# error[E0318]: the contract of `no.number`: an item of `mutates` is no number
#   --> contracts.py:13:35
#    |
# 13 |         "no.number": {"mutates": ["x"]},
#    |                                   ^^^
#
# error[E0318]: the contract of `below`: `retains` names argument -1; arguments count from 0
#   --> contracts.py:14:31
#    |
# 14 |         "below": {"retains": [-1]},
#    |                               ^^
#
# error[E0318]: the contract of `twice`: `reads` names 0 twice
#   --> contracts.py:15:35
#    |
# 15 |         "twice": {"reads": [0, 1, 0]},
#    |                                   ^
#
# error[E0318]: the contract of `aliases.no.list`: `aliases` is no list
#   --> contracts.py:16:29
#    |
# 16 |         "aliases.no.list": {"aliases": 1},
#    |                             ^^^^^^^^^
#    |
#    = help: it has an item for each result: a list of arguments, with -1 for new storage, or None
#
# error[E0318]: the contract of `aliases.flat`: an item of `aliases` is no list of arguments
#   --> contracts.py:17:26
#    |
# 17 |         "aliases.flat": {"aliases": [1]},
#    |                          ^^^^^^^^^
#    |
#    = help: arguments are numbers and count from 0: `"aliases": [[0]]`
#
# error[E0318]: the contract of `aliases.below`: `aliases` names argument -2; arguments count from 0
#   --> contracts.py:18:27
#    |
# 18 |         "aliases.below": {"aliases": [[-2]]},
#    |                           ^^^^^^^^^
#
# error[E0318]: the contract of `aliases.twice`: `aliases` names -1 twice
#   --> contracts.py:19:27
#    |
# 19 |         "aliases.twice": {"aliases": [[-1, -1]]},
#    |                           ^^^^^^^^^
#
# error[E0318]: the contract of `aliases.unnamed`: a result may lie in argument 2, which it neither reads nor writes nor retains
#   --> contracts.py:20:59
#    |
# 20 |         "aliases.unnamed": {"reads": [0], "mutates": [1], "aliases": [[0], [1, 2]]},
#    |                                                           ^^^^^^^^^
#    |
#    = help: who has the result reads the argument: `"reads"`
#
