#!/usr/bin/env python3
"""How long the tool takes from start to end on a small script. Goal: `run` under 0.15 s on two slow cores.

usage: startup.py TOOL
"""
import pathlib
import sys

from measure import median

tool = sys.argv[1]
script = str(pathlib.Path(__file__).resolve().parent.parent / "examples" / "use_after_update.py")
print(f"{'command':34} {'median ms':>10} {'peak MiB':>9}")
for command in (["--version"], ["check", script], ["why", script], ["run", "--interpret", script],
                ["run", "-O0", script], ["run", script], ["run", "-O3", script]):
    seconds, mib = median([tool, *command])
    shown = " ".join(command).replace(script, "use_after_update.py")
    print(f"{shown:34} {seconds * 1e3:10.1f} {mib:9.1f}")
