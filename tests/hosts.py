#!/usr/bin/env python3
"""Builds and runs examples/host as the head of each file says, in a folder that holds nothing else.  Prints TAP.

usage: hosts.py TOOL ROOT
"""
import os
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile

TIMEOUT = 120 * int(os.environ.get("INLAY_SLOW", "1"))
HOSTS = {"decode.c": r"hello.{86}\n91 tokens, \d+ bytes of arena\nrefused: generate.py:\d+: an index is out of range\n",
         "llama.c": None,  # what is in examples/decoder, token by token
         "generate.c": r"100 steps, \d+ bytes of arena\n",
         "generate.cc": r"100 steps\nrefused: line \d+: argument 2 \(`v_cache`\).*\n",
         "generate.rs": r"100 steps, \d+ bytes of arena\nrefused: kv_cache.py:\d+: an index is out of range\n",
         "generate.py": r"100 steps\nrefused: kv_cache.py:\d+: argument 2 \(`v_cache`\).*\n"}


def works(compiler):
    """Is it there?  What only stands for one that nobody has chosen yet is not."""
    return bool(shutil.which(compiler)) and subprocess.run([compiler, "--version"], capture_output=True, check=False).returncode == 0


def commands(path):
    """The indented lines in the comment at the head."""
    head = re.split(r'\*/|"""$|^#include|^use ', path.read_text(), maxsplit=1, flags=re.M)[0] if path.suffix != ".py" else path.read_text().split('"""')[1]
    return [m[1] for m in re.finditer(r"^(?: \*|//)?\s{4,}(\S.*)$", head, re.M)]


def main():
    tool, root = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
    peers = pathlib.Path(os.environ.get("INLAY_PEERS", root / "build/peers")) / "bin"
    tokens = struct.unpack("<256q", (root / "examples/decoder/expected_0.npy").read_bytes()[128:])
    HOSTS["llama.c"] = "".join(f"{token}{' ' if i % 32 < 31 else chr(10)}" for i, token in enumerate(tokens))
    compilers = {"llama.c": os.environ.get("CC", "cc").split()[-1], "decode.c": os.environ.get("CC", "cc").split()[-1], "generate.c": os.environ.get("CC", "cc").split()[-1], "generate.cc": "c++", "generate.rs": "rustc"}
    print(f"1..{len(HOSTS)}")
    failed = 0
    for count, (name, wanted) in enumerate(HOSTS.items(), 1):
        if name == "generate.py" and not (peers / "python3").exists():
            print(f"ok {count} - {name} # SKIP there is no tvm-ffi here: scripts/peers makes its environment")
            continue
        if name in compilers and not works(compilers[name]):
            print(f"ok {count} - {name} # SKIP there is no {compilers[name]}")
            continue
        with tempfile.TemporaryDirectory() as folder:
            work = pathlib.Path(folder) / "host"
            work.mkdir()
            for script in ("kv_cache.py", "generate.py", "decoder.py"):
                shutil.copy(root / "examples" / script, folder)
            shutil.copytree(root / "examples/decoder", pathlib.Path(folder) / "decoder")
            shutil.copy(root / "examples/host" / name, work)
            path = f"{tool.parent}:{peers}:{os.environ['PATH']}" if name == "generate.py" else f"{tool.parent}:{os.environ['PATH']}"
            todo = commands(work / name)
            done = subprocess.run("\n".join(["set -e", *todo]), shell=True, cwd=work, capture_output=True, text=True, timeout=TIMEOUT,
                                  env=dict(os.environ, PATH=path), check=False)
            is_good = len(todo) >= 2 and done.returncode == 0 and re.fullmatch(wanted, done.stdout) is not None
            failed += not is_good
            print(f"{'ok' if is_good else 'not ok'} {count} - {name}")
            if not is_good:
                print("\n".join("# " + line for line in [*todo, str(done.returncode), *done.stdout.splitlines(), *done.stderr.splitlines()]))
    return failed > 0


sys.exit(main())
