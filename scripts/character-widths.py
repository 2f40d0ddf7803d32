#!/usr/bin/env python3
"""Writes base/width.def: the characters that take no column of a terminal, or two, by the Unicode data of this Python.

usage: character-widths.py > base/width.def
"""
import unicodedata


def width(code):
    if unicodedata.category(chr(code)) in ("Mn", "Me") or code in (0x200B, 0x200C, 0x200D, 0x2060, 0xFEFF):
        return 0  # marks on the letter in front, joiners, variation selectors
    if unicodedata.category(chr(code)) == "Cn":
        return 1  # nobody knows
    return 2 if unicodedata.east_asian_width(chr(code)) in "WF" else 1


print("/* Characters that take no column, or two, on a terminal: WIDTH(first, last, columns), by scripts/character-widths.py. */")
ranges = []
for code in range(0x300, 0x3FFFF):
    if ranges and ranges[-1][1] == code - 1 and ranges[-1][2] == width(code):
        ranges[-1][1] = code
    else:
        ranges.append([code, code, width(code)])
line = ""
for first, last, columns in ranges:
    item = f"WIDTH(0x{first:x}, 0x{last:x}, {columns})"
    if columns == 1:
        continue
    if len(line) + len(item) + 1 > 100:
        print(line)
        line = item
    else:
        line = f"{line} {item}".strip()
print(line)
