"""Generated programs as text."""
from gen.graph import walk
from gen.kinds import SYMBOLS, head_text, tuple_text, used_symbols

HEAD = """from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
"""


def line_of(statement):
    text = statement.text.format(*(value.name for value in statement.args))
    if statement.out is None:
        return text
    hint = f": {statement.annotation}" if statement.annotation else ""
    return f"{statement.out.name}{hint} = {text}"


def lines_of(statements, pad):
    for statement in statements:
        if not statement.blocks:
            yield pad + line_of(statement)
            continue
        for head, block in zip((f"if {statement.args[0].name}:", "else:"), statement.blocks):
            yield pad + head
            yield from lines_of(block.statements, pad + "    ")
            yield f"{pad}    {statement.out.name} = {block.result.name}"


def read_in(statements):
    return {arg.name for s in walk(statements) for arg in s.args} | {block.result.name for s in walk(statements) for block in s.blocks}


def dataflow_lines(function):
    """The body with straight runs of statements as dataflow blocks, which show what is read behind them."""
    todo, wanted = list(function.statements), {value.name for value in function.results}
    while todo:
        length = next((i for i, s in enumerate(todo) if s.blocks), len(todo))
        if not length:
            yield from lines_of(todo[:1], "        ")
            del todo[0]
            continue
        run, todo = todo[:length], todo[length:]
        later = wanted | read_in(todo)
        shown = [s.out.name for s in run if s.out.name in later] or [run[-1].out.name]
        yield "        with R.dataflow():"
        yield from lines_of(run, "            ")
        yield f"            R.output({', '.join(shown)})"


def symbols_in(function):
    used = set().union(*(used_symbols(param.kind) for param in function.params), used_symbols(function.kind()))
    return [name for name in SYMBOLS if name in used]


def function_text(function, has_blocks=False, bounds=None):
    params = ", ".join(f"{param.name}: {head_text(param.kind)}" for param in function.params)
    lines = [f"    @R.function{'(private=True)' if function.is_private else ''}",
             f"    def {function.name}({params}) -> {head_text(function.kind())}:"]
    bounds = {name: most for name, most in (bounds or {}).items() if name in symbols_in(function)}
    if bounds and not function.donated:  # of those it would say how much room they have
        text = ", ".join(f'"{name}": {most}' for name, most in bounds.items())
        lines.append(f'        R.func_attr({{"tir_var_upper_bound": {{{text}}}}})')
    if function.donated:
        lines.append(f'        R.func_attr({{"relax.inplace_arg": {function.donated}}})')
    lines += [f"        {name} = T.int64()" for name in symbols_in(function)]
    if any(s.callee or s.kernel for s in walk(function.statements)):
        lines.append("        cls = Module")
    lines += dataflow_lines(function) if has_blocks else lines_of(function.statements, "        ")
    results = tuple_text([value.name for value in function.results]) if function.is_tuple else function.results[0].name
    return "\n".join([*lines, f"        return {results}"])


def reached(program):
    """Functions and kernels that `main` reaches, callees first."""
    functions, kernels, seen = [], [], set()

    def visit(function):
        seen.add(function.name)
        for statement in walk(function.statements):
            if statement.kernel and statement.kernel not in kernels:
                kernels.append(statement.kernel)
            if statement.callee and statement.callee.name not in seen:
                visit(statement.callee)
        functions.append(function)

    visit(program.main)
    return functions, kernels


CONTRACTS = """    I.module_attrs({"relax.contracts": {"gen_reverse": {"reads": [0], "mutates": [0]}, "gen_reversed": {"reads": [0]}}})

"""


def text_of_program(program):
    functions, kernels = reached(program)
    has_packed = any(s.tag == "packed" for function in functions for s in walk(function.statements))
    contracts = CONTRACTS if has_packed and program.has_contracts else ""
    most = {name: max(env[i] for env in program.envs) for i, name in enumerate(SYMBOLS)} if program.has_bounds else None
    texts = [function_text(function, program.has_blocks, most if function is program.main else None) for function in functions]
    return HEAD + contracts + "\n\n".join([kernel.text for kernel in kernels] + texts) + "\n"
