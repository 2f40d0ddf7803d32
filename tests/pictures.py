#!/usr/bin/env python3
"""The pictures of docs/ are what scripts/pictures.py draws of what the tool says now. Prints TAP.

usage: pictures.py TOOL ROOT
"""
import importlib.util
import pathlib
import sys

if __name__ == "__main__":
    spec = importlib.util.spec_from_file_location("drawing", pathlib.Path(sys.argv[2]) / "scripts/pictures.py")
    drawing = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(drawing)
    sys.exit(drawing.main(sys.argv[1], sys.argv[2], True))
