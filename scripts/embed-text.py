#!/usr/bin/env python3
"""Writes files of text as C: usage: embed-text.py OUTPUT NAME=FILE...

Each becomes `const char NAME[]`; files of one name follow each other.  Long texts are arrays of bytes, since C promises no long literals.
"""
import pathlib
import sys

output, *pairs = sys.argv[1:]
text = ['#include "driver/page_parts.h"\n']
files = {}
for name, path in (pair.split("=", 1) for pair in pairs):
    files.setdefault(name, []).append(pathlib.Path(path).read_bytes())
for name, contents in files.items():
    numbers = [str(byte if byte < 128 else byte - 256) for byte in b"\n".join(contents)] + ["0"]
    rows = ",\n".join(",".join(numbers[i:i + 40]) for i in range(0, len(numbers), 40))
    text.append(f"const char {name}[] = {{\n{rows}}};\n")
pathlib.Path(output).write_text("\n".join(text))
