#!/usr/bin/env python3
"""Products of bytes are one instruction where docs/schedules.md says so: what the assembly for each processor has. Prints TAP.

That all of them give the same bits is tested by the golden tests of products, and under qemu by targets.py.

usage: dots.py TOOL ROOT
"""
import pathlib
import re
import subprocess

from cases import Cases

case = Cases()
SCRIPT = """
from tvm.script import ir as I
from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((64, 64), "{x}"), w: R.Tensor((64, 64), "{w}")) -> R.Tensor((64, 64), "int32"):
        return R.matmul(R.astype(x, "int32"), R.astype(w, "int32"))
"""
WINDOWS = """
from tvm.script import ir as I
from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1, 16, 12, 12), "{x}"), w: R.Tensor((32, 16, 3, 3), "{w}")) -> R.Tensor((1, 32, 12, 12), "int32"):
        return R.nn.conv2d(R.subtract(R.astype(x, "int32"), R.const(7, "int32")), R.astype(w, "int32"), padding=[1, 1, 1, 1])
"""
SIGNS = [(x, w) for x in ("int8", "uint8") for w in ("int8", "uint8")]
WORDS = r"\b(?:[us]dot|usdot|vpdp[a-z]+|vpmaddwd|pmaddwd|vpmaddubsw)\b"


class Tool:
    def __init__(self, path, root, folder):
        self.path, self.folder = str(pathlib.Path(path).resolve()), pathlib.Path(folder)

    def words(self, x, w, *options, script=SCRIPT):
        """The instructions of WORDS that the code of a product has."""
        (self.folder / "m.py").write_text(script.format(x=x, w=w))
        done = subprocess.run([self.path, "compile", "m.py", "-o", "m.s", *options], cwd=self.folder, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return set(re.findall(WORDS, (self.folder / "m.s").read_text()))


@case
def neon(tool):
    for x, w in SIGNS:
        assert tool.words(x, w, "--target=aarch64", "--features=+dotprod") == {"sdot"}, (x, w)


@case
def neon_of_mixed_signs(tool):
    for x, w in SIGNS:
        assert tool.words(x, w, "--target=aarch64", "--features=+dotprod,+i8mm") == {"usdot"}, (x, w)


@case
def neon_of_a_processor(tool):
    assert tool.words("int8", "int8", "--target=aarch64", "--cpu=neoverse-n1") == {"sdot"}


@case
def neon_without(tool):
    for cpu in ("generic", "cortex-a72"):
        assert tool.words("int8", "int8", "--target=aarch64", f"--cpu={cpu}") == set()


@case
def avx_vnni(tool):
    for x, w in SIGNS:
        assert tool.words(x, w, "--target=x86_64", "--cpu=x86-64-v3", "--features=+avxvnni") == {"vpdpbusd"}, (x, w)


@case
def avx512_vnni(tool):
    for x, w in SIGNS:
        assert tool.words(x, w, "--target=x86_64", "--cpu=x86-64-v4", "--features=+avx512vnni") == {"vpdpbusd"}, (x, w)


@case
def x86_without(tool):
    """Never vpmaddubsw, which saturates."""
    for cpu, word in (("x86-64", "pmaddwd"), ("x86-64-v3", "vpmaddwd"), ("x86-64-v4", "vpmaddwd")):
        for x in ("int8", "uint8"):
            assert tool.words(x, "int8", "--target=x86_64", f"--cpu={cpu}") == {word}, cpu


@case
def convolutions(tool):
    for x, w in SIGNS:
        for more, word in (("--features=+avxvnni", "vpdpbusd"), ("--features=", "vpmaddwd")):
            assert tool.words(x, w, "--target=x86_64", "--cpu=x86-64-v3", more, script=WINDOWS) == {word}, (x, w, more)
        assert tool.words(x, w, "--target=aarch64", "--features=+dotprod", script=WINDOWS) == {"sdot"}, (x, w)


if __name__ == "__main__":
    case.main(Tool)
