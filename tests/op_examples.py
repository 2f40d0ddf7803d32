"""The examples of operators in op_examples.txt: runs them, compiled and interpreted, and says what came out."""
import ast
import os
import pathlib
import re
import subprocess
import tempfile

SLOW = int(os.environ.get("INLAY_SLOW", "1"))
TABLE = pathlib.Path(__file__).resolve().parent / "op_examples.txt"
DTYPES = ("bool", "int8", "uint8", "int32", "int64", "float32")
HEAD = """\
from tvm.script import ir as I
from tvm.script import relax as R

@I.ir_module
class Module:
"""
BATCH = 24 # examples in a module: few enough to say which is wrong


class Example:
    def __init__(self, line):
        call, _, operands = line.partition(" | ")
        self.call, _, self.page = call.partition(" -> ")
        self.name = re.match(r"R\.([\w.]+)\(", call)[1]
        self.shown, self.operands = operands, [self.operand(text) for text in operands.split("; ") if text]

    @staticmethod
    def operand(text):
        """(name, dtype, shape, elements)"""
        name, dtype, value = re.fullmatch(rf"(\w+) = (?:({'|'.join(DTYPES)}) )?(.*)", text).groups()
        shape, item = [], ast.literal_eval(re.sub(r"[a-z]+", "0", value))
        while isinstance(item, list):
            shape.append(len(item))
            item = item[0]
        return name, dtype or "float32", shape, re.findall(r"[-\w.]+", value)

    def function(self, number):
        """A private function that does it, and how main calls it."""
        params = [f'{name}: R.Tensor(({"".join(f"{dim}, " for dim in shape)}), "{dtype}")' for name, dtype, shape, _ in self.operands]
        text = f"    @R.function(private=True)\n    def f{number}({', '.join(params)}):\n        return {self.call}\n"
        outer = [param.replace(":", f"{number}:", 1) for param in params]
        return text, outer, f"        r{number} = cls.f{number}({', '.join(f'{name}{number}' for name, *_ in self.operands)})\n"

    def inputs(self, number):
        for name, dtype, shape, elements in self.operands:
            short = dtype.replace("float", "f").replace("uint", "u").replace("int", "i")
            yield from ("--in", f"{name}{number}={'x'.join([*map(str, shape), short])}={' '.join(elements)}")


def examples():
    return [Example(line) for line in TABLE.read_text().splitlines() if line and not line.startswith("#")]


def run(tool, batch):
    """{operator: what its example gives}"""
    functions, params, calls, inputs = [], [], [], []
    for number, example in enumerate(batch):
        text, outer, call = example.function(number)
        functions.append(text)
        params += outer
        calls.append(call)
        inputs += example.inputs(number)
    script = (HEAD + "".join(functions) + f"    @R.function\n    def main({', '.join(params)}):\n        cls = Module\n" + "".join(calls)
              + f"        return ({''.join(f'r{number}, ' for number in range(len(batch)))})\n")
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "examples.py"
        path.write_text(script)
        done = subprocess.run([tool, "run", str(path), "-p", "debug", "--check", "--no-cache", *inputs], capture_output=True, text=True,
                              stdin=subprocess.DEVNULL, timeout=60 * SLOW)
    assert done.returncode == 0, f"{[example.name for example in batch]}: {done.stderr}"
    found = {}
    for number, field, kind, value in re.findall(r"^result\.(\d+)((?:\.\d+)*): (.*)\n((?:(?!result\.).*\n)*)", done.stdout, re.MULTILINE):
        value = re.sub(r"(?<=\d)\.(?=\s|\]|$)", "", " ".join(value.split()) or kind)
        found.setdefault(batch[int(number)].name, []).append(re.sub(r"\[ +", "[", re.sub(r" +\]", "]", value)))
    assert len(found) == len(batch), done.stdout
    return {name: ", ".join(values) for name, values in found.items()}


def results(tool):
    wanted, out = [example for example in examples() if not example.page], {}
    for start in range(0, len(wanted), BATCH):
        out |= run(tool, wanted[start:start + BATCH])
    return out
