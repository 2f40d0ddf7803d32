#!/usr/bin/env python3
"""Compiles the runtime of artifacts to LLVM bitcode, once for each target, and writes it down as C.

Freestanding: only the headers of clang itself and those in runtime/artifact/libc are read, so that one machine
makes the bitcode of every target.

usage: embed-bitcode.py CLANG ROOT OUTPUT DEPFILE TARGET... -- SOURCE...
"""
import pathlib
import subprocess
import sys
import tempfile

FLAGS = ["-std=c17", "-Oz", "-fPIC", "-ffreestanding", "-nostdlibinc", "-fno-stack-protector", "-fno-ident",
         "-fno-asynchronous-unwind-tables", "-fno-unwind-tables", "-Wall", "-Werror", "-emit-llvm", "-c"]


def compiled(clang, root, target, source, folder):
    """The bitcode of @source, and the files that it was made from."""
    out, dep = folder / "out.bc", folder / "out.d"
    subprocess.run([clang, f"--target={target}", *FLAGS, "-isystem", root / "runtime/artifact/libc", f"-I{root}",
                    f"-ffile-prefix-map={root}/=", "-MD", "-MF", dep, "-o", out, source], check=True)
    words = dep.read_text().replace("\\\n", " ").split()
    return out.read_bytes(), words[1:]


def rows(data):
    for i in range(0, len(data), 24):
        yield "    " + ", ".join(str(byte) for byte in data[i:i + 24]) + ",\n"


def main():
    clang, root, output, depfile = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3], sys.argv[4]
    split = sys.argv.index("--")
    targets, sources = sys.argv[5:split], sys.argv[split + 1:]
    parts, table, inputs = [], [], set()
    with tempfile.TemporaryDirectory() as folder:
        for target in targets:
            for source in sources:
                data, read = compiled(clang, root, target, source, pathlib.Path(folder))
                name = f"bitcode_{len(parts)}"
                inputs.update(read)
                parts.append(f"static const unsigned char {name}[] = {{\n{''.join(rows(data))}}};\n")
                part = pathlib.Path(source).stem
                table.append(f'    {{"{target.split("-")[0]}", "{part}", {name}, sizeof({name})}},\n')
    with open(output, "w", encoding="utf-8") as file:
        file.write("/* Made by scripts/embed-bitcode.py. */\n#include \"codegen/llvm/bitcode.h\"\n\n" + "".join(parts))
        file.write(f"const struct cg_bitcode cg_bitcode[] = {{\n{''.join(table)}    {{0, 0, 0, 0}},\n}};\n")
    pathlib.Path(depfile).write_text(f"{output}: {' '.join(sorted(inputs))}\n", encoding="utf-8")


main()
