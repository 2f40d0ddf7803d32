"""What a scenario is: a program, the decisions that it must get, and what it may cost at most.

In a body `r = add!(t, y)@0` stands for R.call_tir_inplace(cls.add, (t, y), .., inplace_indices=[0]) of a kernel of kernels.py. All
tensors are float32 of shape (4,) unless the body says otherwise. Expectations are worked out by hand from docs/inplace.md.
"""
import collections
import textwrap

XY = "x: R.Tensor((4,), 'float32'), y: R.Tensor((4,), 'float32')"
XYC = XY + ", c: R.Tensor((), 'bool')"
XYR = XY + ", r: R.Tensor((1,), 'float32')"
N = "x: R.Tensor(('n',), 'float32'), y: R.Tensor(('n',), 'float32')"
OK = "IP000"

Row = collections.namedtuple("Row", "name params body decisions donated copies tensors alone room")


def row(name, params, body, decisions=None, donated=None, copies=None, tensors=None, alone=None, room=None):
    """@name begins with the number of the scenario. @decisions, of the calls of the script in program order: OK, or the code of
    what forbids it; None: what passes make of the calls decides. @copies, @tensors: as many copies and allocations at most
    has the module that runs (None: whatever it takes); @alone: allocations when each operator is a kernel of its own.
    @room: of donated parameters, what their storage holds: {"x": [8]}."""
    return Row(name, params, textwrap.dedent(body).strip("\n"), decisions, donated, copies, tensors, alone, room)
