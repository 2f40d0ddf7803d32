#!/usr/bin/env python3
"""The page of `inlay report`: how large it is and how long it takes to make. Goal: under 2 s for 2,000 ops.

CPU time of all threads, which others on the machine do not change much; two rounds of the program itself are in it.

usage: page.py TOOL
"""
import pathlib
import resource
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "tests"))
from report import long_script


def used():
    now = resource.getrusage(resource.RUSAGE_CHILDREN)
    return now.ru_utime + now.ru_stime


print(f"{'ops':>6} {'KB':>8} {'s of CPU':>9}")
with tempfile.TemporaryDirectory() as folder:
    script, page = pathlib.Path(folder) / "script.py", pathlib.Path(folder) / "report.html"
    for count in (10, 100, 2000):
        script.write_text(long_script(count))
        begin = used()
        subprocess.run([sys.argv[1], "report", script, "-o", page, "--rounds=2"], check=True, capture_output=True)
        print(f"{count:6} {page.stat().st_size // 1024:8} {used() - begin:9.2f}")
