# FAIL: check
# What cannot be the room of a donated parameter.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @R.function
    def none(x: R.Tensor(("n",), "float32")):
        R.func_attr({"relax.inplace_arg": [0], "relax.capacity": {"y": 4}})
        return x

    @R.function
    def borrowed(x: R.Tensor(("n",), "float32")):
        R.func_attr({"relax.capacity": {"x": 4}})
        return x

    @R.function
    def fixed(x: R.Tensor((4, 4), "float32")):
        R.func_attr({"relax.inplace_arg": [0], "relax.capacity": {"x": 4}})
        return x

    @R.function
    def several(x: R.Tensor(("n", "m"), "float32")):
        R.func_attr({"relax.inplace_arg": [0], "relax.capacity": {"x": 4}})
        return x

    @R.function
    def short(x: R.Tensor((4, "m"), "float32")):
        R.func_attr({"relax.inplace_arg": [0], "relax.capacity": {"x": [3, 8]}})
        return x

    @R.function
    def ranks(x: R.Tensor((4, "m"), "float32")):
        R.func_attr({"relax.inplace_arg": [0], "relax.capacity": {"x": [8]}})
        return x

    @R.function
    def words(x: R.Tensor(("n",), "float32")):
        R.func_attr({"relax.inplace_arg": [0], "relax.capacity": {"x": "all"}})
        return x

    @R.function
    def negative(x: R.Tensor(("n",), "float32")):
        R.func_attr({"relax.inplace_arg": [0], "relax.capacity": {"x": -1}})
        return x

    @R.function
    def number(x: R.Tensor(("n",), "float32")):
        R.func_attr({"relax.inplace_arg": [0], "relax.capacity": 4})
        return x

# OUT:
# error[E0335]: `none` cannot say the capacity of `y`: there is no such parameter
#   --> capacity.py:12:67
#    |
# 12 |         R.func_attr({"relax.inplace_arg": [0], "relax.capacity": {"y": 4}})
#    |                                                                   ^^^
#    |
#    = help: "relax.capacity" is {"name": number}, the room of a donated parameter along its symbolic dimension, or {"name": [number, ..]}, along each
#
# error[E0335]: `borrowed` cannot say the capacity of `x`: the parameter is not donated
#   --> capacity.py:17:41
#    |
# 17 |         R.func_attr({"relax.capacity": {"x": 4}})
#    |                                         ^^^
#    |
#    = help: "relax.capacity" is {"name": number}, the room of a donated parameter along its symbolic dimension, or {"name": [number, ..]}, along each
#
# error[E0335]: `fixed` cannot say the capacity of `x`: the parameter has no symbolic dimension that the number could be of
#   --> capacity.py:22:67
#    |
# 22 |         R.func_attr({"relax.inplace_arg": [0], "relax.capacity": {"x": 4}})
#    |                                                                   ^^^
#    |
#    = help: "relax.capacity" is {"name": number}, the room of a donated parameter along its symbolic dimension, or {"name": [number, ..]}, along each
#
# error[E0335]: `several` cannot say the capacity of `x`: the parameter has several symbolic dimensions that the number could be of
#   --> capacity.py:27:67
#    |
# 27 |         R.func_attr({"relax.inplace_arg": [0], "relax.capacity": {"x": 4}})
#    |                                                                   ^^^
#    |
#    = help: "relax.capacity" is {"name": number}, the room of a donated parameter along its symbolic dimension, or {"name": [number, ..]}, along each
#
# error[E0335]: `short` cannot say the capacity of `x`: it is less than the parameter has
#   --> capacity.py:32:67
#    |
# 32 |         R.func_attr({"relax.inplace_arg": [0], "relax.capacity": {"x": [3, 8]}})
#    |                                                                   ^^^
#    |
#    = help: "relax.capacity" is {"name": number}, the room of a donated parameter along its symbolic dimension, or {"name": [number, ..]}, along each
#
# error[E0335]: `ranks` cannot say the capacity of `x`: the list has another number of dimensions than the parameter
#   --> capacity.py:37:67
#    |
# 37 |         R.func_attr({"relax.inplace_arg": [0], "relax.capacity": {"x": [8]}})
#    |                                                                   ^^^
#    |
#    = help: "relax.capacity" is {"name": number}, the room of a donated parameter along its symbolic dimension, or {"name": [number, ..]}, along each
#
# error[E0335]: `words` cannot say the capacity of `x`: it is neither a number from 0 on nor a list of such
#   --> capacity.py:42:67
#    |
# 42 |         R.func_attr({"relax.inplace_arg": [0], "relax.capacity": {"x": "all"}})
#    |                                                                   ^^^
#    |
#    = help: "relax.capacity" is {"name": number}, the room of a donated parameter along its symbolic dimension, or {"name": [number, ..]}, along each
#
# error[E0335]: `negative` cannot say the capacity of `x`: it is neither a number from 0 on nor a list of such
#   --> capacity.py:47:67
#    |
# 47 |         R.func_attr({"relax.inplace_arg": [0], "relax.capacity": {"x": -1}})
#    |                                                                   ^^^
#    |
#    = help: "relax.capacity" is {"name": number}, the room of a donated parameter along its symbolic dimension, or {"name": [number, ..]}, along each
#
# error[E0335]: `number` cannot say the capacity of `relax.capacity`: it is no dict
#   --> capacity.py:52:48
#    |
# 52 |         R.func_attr({"relax.inplace_arg": [0], "relax.capacity": 4})
#    |                                                ^^^^^^^^^^^^^^^^
#    |
#    = help: "relax.capacity" is {"name": number}, the room of a donated parameter along its symbolic dimension, or {"name": [number, ..]}, along each
#
