#!/usr/bin/env python3
"""The pictures of docs/ are what scripts/pictures.py draws of what the tool says now. Prints TAP.

usage: pictures.py TOOL ROOT
"""
import importlib.util
import pathlib
import sys

from cases import compare

if __name__ == "__main__":
    spec = importlib.util.spec_from_file_location("drawing", pathlib.Path(sys.argv[2]) / "scripts/pictures.py")
    drawing = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(drawing)
    rows = [(f"docs/{path.name} shows what the tool says", path.read_text(), picture) for path, picture in drawing.drawn(*sys.argv[1:3]).items()]
    sys.exit(compare(rows, "scripts/pictures.py TOOL ROOT"))
