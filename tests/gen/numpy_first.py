"""Imported first: modules are found from tests/ on, and NumPy is there, by Debian's Python if need be."""
import os
import pathlib
import sys

sys.path[0] = str(pathlib.Path(__file__).resolve().parent.parent)
try:
    import numpy  # noqa: F401
except ImportError:
    OTHER = "/usr/bin/python3"  # Debian's, which python3-numpy is for
    if os.path.exists(OTHER) and os.path.realpath(sys.executable) != os.path.realpath(OTHER):
        os.execv(OTHER, [OTHER, *sys.argv])
    print("1..0 # SKIP there is no NumPy")
    sys.exit(77)
