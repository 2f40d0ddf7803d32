"""`inlay` on the path: the tool that the wheel brings along takes the process over."""
import os
import sys

from pathlib import Path


def main():
    tool = str(Path(__file__).resolve().parent / "_lib" / "inlay")
    os.execv(tool, ["inlay", *sys.argv[1:]])
