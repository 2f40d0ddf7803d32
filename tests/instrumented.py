#!/usr/bin/env python3
"""Of a tool that is built with AddressSanitizer: code that checks its memory asks it at each load and store. Prints TAP.

usage: instrumented.py TOOL EXAMPLES
"""
import pathlib
import subprocess
import sys
import tempfile


def main():
    tool, examples = sys.argv[1:]
    script = pathlib.Path(examples) / "double_buffer.py"
    print("1..2")
    with tempfile.TemporaryDirectory() as folder:
        for number, (options, wanted) in enumerate([([], False), (["--check-memory"], True)], 1):
            text = pathlib.Path(folder) / f"{number}.ll"
            done = subprocess.run([tool, "run", *options, f"--dump-llvm={text}", str(script)], capture_output=True, text=True)
            is_asked = "__asan_report_store" in text.read_text() and "__asan_report_load" in text.read_text()
            good = done.returncode == 0 and is_asked == wanted
            print(f"{'ok' if good else 'not ok'} {number} - run {' '.join(options)}" + ("" if good else f"\n# {done.stderr}"))


if __name__ == "__main__":
    main()
