#!/usr/bin/env python3
"""Writes commit.h: the commit of the source, "unknown" where it is not known. An unchanged file stays as it is.

usage: commit.py FILE
"""
import pathlib
import subprocess
import sys


def commit():
    try:
        done = subprocess.run(["git", "-C", pathlib.Path(__file__).parent, "rev-parse", "--short=12", "HEAD"],
                              capture_output=True, text=True)
    except FileNotFoundError:
        return "unknown"
    return done.stdout.strip() if done.returncode == 0 else "unknown"


text = f'/* Made by scripts/commit.py. */\n#pragma once\n\n#define INLAY_COMMIT "{commit()}"\n'
path = pathlib.Path(sys.argv[1])
if not path.exists() or path.read_text() != text:
    path.write_text(text)
