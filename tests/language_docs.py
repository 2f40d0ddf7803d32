#!/usr/bin/env python3
"""The tables of docs/language.md and docs/coming-from-tvm.md that say what things mean: each row is tried. Prints TAP.

usage: language_docs.py TOOL ROOT
"""
import pathlib
import re
import subprocess

from cases import Cases

case = Cases()
HEAD = """\
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T

@I.ir_module
class Module:
"""


class Tool:
    def __init__(self, path, root, folder):
        self.path, self.folder = str(pathlib.Path(path).resolve()), pathlib.Path(folder)
        self.page = "".join((pathlib.Path(root) / "docs" / name).read_text() for name in ("language.md", "coming-from-tvm.md"))

    def rows(self, head):
        """The cells of the table with this head, without the marks of code."""
        table = self.page[self.page.index(head):].split("\n\n")[0]
        rows = [[cell.strip().strip("`").replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in table.splitlines()[2:]]
        assert len(rows) > 5, table
        return rows

    def opt(self, text):
        (self.folder / "m.py").write_text(HEAD + text)
        done = subprocess.run([self.path, "opt", "m.py"], cwd=self.folder, capture_output=True, text=True)
        return done.returncode, done.stdout, done.stderr


@case
def dimensions(tool):
    for one, other, verdict in tool.rows("| one | the other | verdict |"):
        for a, b in ((one, other), (other, one)):
            status, out, err = tool.opt(f"""\
    @R.function
    def main(x: R.Tensor(("n", "m"), "float32"), y: R.Tensor(("{a}",), "float32")):
        n, m = T.int64(), T.int64()
        z: R.Tensor(({b},), "float32") = y
        return (x, z)
""")
            found = "checked" if "match_cast" in out else "the same" if status == 0 else "differ" if "E0253" in err else err
            assert found == verdict, f"{a} and {b}: {found}"


@case
def precedence(tool):
    for text, meaning in tool.rows("| text | is |"):
        printed = [tool.opt(f"""\
    @T.prim_func
    def main(a: T.int32, b: T.int32, c: T.int32, y: T.Buffer((1,), "int32")):
        y[0] = {form}
""") for form in (text, meaning)]
        assert printed[0] == printed[1] and printed[0][0] == 0, f"{text}: {printed}"


def statements(text):
    """Lines of a suite: `;` between statements, `:` in front of those of a loop, a branch or T.init()."""
    for part in text.split("; "):
        match = re.fullmatch(r"((?:for|if|with) .*?\)?): (.*)", part)
        yield from (f"{match[1]}:", f"    {match[2]}") if match else (part,)


@case
def regions(tool):
    for text, reads, writes in tool.rows("| statements of a block | reads | writes |"):
        body = "".join(f"                {line}\n" for line in statements(text))
        status, out, err = tool.opt(f"""\
    @T.prim_func(s_tir=True)
    def main(A: T.Buffer((16, 16), "float32"), B: T.Buffer((16,), "float32"), C: T.Buffer((16,), "float32"), P: T.Buffer((16,), "int32")):
        for i in range(16):
            with T.sblock("block"):
                vi = T.axis.{'reduce' if 'init' in text else 'spatial'}(16, i)
{body}""")
        assert status == 0, err
        found = re.search(r"T\.reads\((.*)\)\n\s*T\.writes\((.*)\)\n", out).groups()
        assert found == (reads, writes), f"{text}: {found}"


@case
def broadcasting(tool):
    status, out, err = tool.opt("""\
    @R.function
    def main(x: R.Tensor(("n",), "float32"), y: R.Tensor(("n + 1",), "float32")):
        z = R.add(x, y)
        return z
""")
    assert status == 0 and 'z: R.Tensor(dtype="float32", ndim=1)' in out, err or out


def graph(*lines, params='x: R.Tensor((4,), "float32")'):
    return f"    @R.function\n    def main({params}):\n" + "".join(f"        {line}\n" for line in lines)


def kernel(*lines):
    return ("    @T.prim_func(private=True)\n    def f(x: T.Buffer((4,), 'int32'), y: T.Buffer((4,), 'int32')):\n" + "".join(f"        {line}\n" for line in lines)
            + graph("return R.call_tir(Module.f, (x,), out_ty=R.Tensor((4,), 'int32'))", params="x: R.Tensor((4,), 'int32')"))


REFUSED = {
    "functions of Python": "    def f(n):\n        return n\n",
    "f-strings": graph("R.func_attr({'k': f'a'})", "return x"),
    "comprehensions": graph("y = [i for i in x]", "return y"),
    "names of the Python around a script": graph("y = R.reshape(x, (N,))", "return y"),
    "threads and instructions of graphics processors": kernel("for i in T.thread_binding(4, thread='threadIdx.x'):", "    y[i] = x[i]"),
    "tensors over several devices": graph("return x", params="x: R.DTensor((4,), 'float32')"),
    "an int32 beside a float32 in an operator": graph("y = R.add(x, R.const([1, 2, 3, 4], 'int32'))", "return y"),
    "/ on integers in a kernel": kernel("for i in range(4):", "    y[i] = x[i] / 2"),
}


@case
def refused_scripts_of_tvm(tool):
    rows = tool.rows("| text | why | message |")
    assert {row[0].replace("`", "") for row in rows} == set(REFUSED)
    for text, _, code in rows:
        (tool.folder / "m.py").write_text(HEAD + REFUSED[text.replace("`", "")])
        done = subprocess.run([tool.path, "run", "m.py"], cwd=tool.folder, capture_output=True, text=True)
        assert done.returncode == 1 and f"error[{code}]" in done.stderr, f"{text}: {done.stderr}"


def passes(tool):
    return set(re.findall(r"^(\w+) \(", subprocess.run([tool.path, "list", "passes"], capture_output=True, text=True).stdout, re.MULTILINE))


@case
def passes_of_tvm(tool):
    """Each pass stands in one column or the sentence below, and is there."""
    there = passes(tool)
    named = {row[1] for row in tool.rows("| pass of TVM 0.27 | here |")} - {"code generation, as far as iterations are proved independent"}
    rest = set(re.findall(r"`(\w+)`", re.search(r"Without a counterpart there: (.*?)\. ", tool.page)[1]))
    assert named | rest == there, (named | rest) ^ there


if __name__ == "__main__":
    case.main(Tool)
