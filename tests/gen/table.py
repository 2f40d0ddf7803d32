"""Which operators the generator makes, how often, and by which function; and which it leaves out, and why."""

ROWS = []  # (weight, function, names)


def makes(*names, weight=1.0):
    """Registers a function of a Body that adds one of these operators, or raises Unfit."""
    def register(function):
        ROWS.append((weight, function, names))
        return function
    return register


# What no generated program has. A prefix ends with a dot.
LEFT_OUT = {
    "call": "a statement of the language: statements.py", "call_tir": "statements.py", "call_tir_inplace": "statements.py", "if": "statements.py",
    "tuple": "statements.py", "tuple_get": "statements.py", "bind": "statements.py", "match_cast": "statements.py", "copy": "statements.py",
    "function": "nested functions: tests/sharing", "call_closure": "tests/sharing", "invoke_closure": "tests/sharing",
    "invoke_pure_closure": "tests/sharing", "make_closure": "tests/sharing",
    "call_tir_with_grad": "as call_tir", "call_packed": "an effect: tests/contracts.py",
    "call_pure_packed": "it makes storage of the host's: tests/contracts.py", "call_py_func": "it cannot run",
    "call_builtin_with_ctx": "it cannot run", "vm.call_tir_dyn": "it cannot run",
    "dynamic_strided_slice": "its shape depends on values", "unique": "its shape depends on values", "nonzero": "its shape depends on values",
    "multinomial_from_uniform": "tests/op_values", "nn.attention_var_len": "tests/op_values",
    "image.grid_sample": "tests/op_values", "vision.": "tests/op_values", "ccl.": "the operand, tests/golden", "dist.": "the operand, tests/golden",
    "to_vdevice": "the operand, tests/golden", "hint_on_device": "the operand, tests/golden",
    "builtin.": "storage by hand: tests/sharing, tests/unit/verify_storage.cases", "memory.": "storage by hand", "vm.": "storage by hand",
    "inspect.": "it asks about storage, which has no meaning in NumPy", "assert_inplace": "it asks about storage", "print": "an effect",
    "assert_op": "an effect", "null_value": "no tensor", "prim_value": "no tensor", "const": "an operand", "str": "no tensor", "dtype": "no tensor",
}


def left_out(name):
    return LEFT_OUT.get(name) or next((why for key, why in LEFT_OUT.items() if key.endswith(".") and name.startswith(key)), None)
