"""The examples of passes in pass_examples.txt: what each makes of its script."""
import difflib
import pathlib
import re
import shutil
import subprocess
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
HEAD = """\
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T

@I.ir_module
class Module:
"""
# What most texts have, and no example is about: imports, constants, regions, the root block.
LEFT_OUT = re.compile(r"^(# (from|import) .*|@I\.ir_module|class Module:|\s*T\.(reads|writes)\(.*|\s*# with T\.sblock\(\"root\"\):|"
                      r"\s*T\.func_attr\(\{\"tirx\.noalias\": True\}\)|\s*)$")
METADATA = re.compile(r'^metadata = .*?^}"""\)$', re.MULTILINE | re.DOTALL)


def split(pipeline):
    """(what runs before, the last item)"""
    depth = 0
    for at in range(len(pipeline) - 1, -1, -1):
        depth += {")": 1, "(": -1}.get(pipeline[at], 0)
        if pipeline[at] == "," and depth == 0:
            return pipeline[:at], pipeline[at + 1:]
    return "", pipeline


def examples():
    """{pass: (pipeline, class body)}"""
    blocks = re.findall(r"^== (.*)\n((?:(?!== ).*\n)*)", (HERE / "pass_examples.txt").read_text(), re.MULTILINE)
    return {re.match(r"\w+", split(pipeline)[1])[0]: (pipeline, body.rstrip("\n") + "\n") for pipeline, body in blocks}


def printed(tool, folder, pipeline):
    args = ["-p", pipeline] if pipeline else []
    done = subprocess.run([tool, "opt", "example.py", *args], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, f"{pipeline}: {done.stderr}"
    return [line for line in METADATA.sub("", done.stdout).splitlines() if not LEFT_OUT.match(line)]


def change(tool, pipeline, body):
    """The lines of a diff of what the last pass does, and what ran before it."""
    before, _ = split(pipeline)
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "example.py").write_text(HEAD + body.replace("WEIGHTS", str(list(range(1024)))))
        shutil.copy(HERE / "golden/opt/scale.safetensors", folder)
        old, new = (printed(tool, folder, passes) for passes in (before, pipeline))
    lines = list(difflib.unified_diff(old, new, n=2, lineterm=""))[2:]
    assert lines, f"{pipeline} changes nothing"
    text = "".join((line[0] + " " + line[1:].removeprefix("    ")).rstrip() + "\n" if not line.startswith("@@") else "  ...\n" for line in lines)
    return re.sub(r"^  \.\.\.\n", "", text), before
