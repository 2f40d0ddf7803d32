"""What programs of a wheel need beside the C library, brought along as auditwheel does it: copies under names of their own, so that nobody meets
another's version of a library in one process, which are looked for beside who needs them.
"""
import hashlib
import pathlib
import re
import shutil
import subprocess

# Of the system: all of glibc, whose version the tag of the wheel says.
SYSTEM = re.compile(r"(ld-linux.*|lib(c|m|dl|rt|pthread))\.so\.\d+")


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def needed(path):
    """The names of the libraries that @path asks for, but for the system's."""
    return [name for name in re.findall(r"\(NEEDED\).*\[(.*)\]", output("readelf", "-dW", path)) if not SYSTEM.fullmatch(name)]


def places(path):
    """Name -> path of all that the loader would take for @path."""
    return {name: pathlib.Path(found).resolve() for name, found in re.findall(r"(\S+) => (/\S+)", output("ldd", path))}


def renamed(name, path):
    """libisl.so.23 -> libisl-1a2b3c4d.so.23"""
    stem, dot, rest = name.partition(".so")
    return f"{stem}-{hashlib.sha256(path.read_bytes()).hexdigest()[:8]}{dot}{rest}"


def bring_along(programs, folder):
    """Copies what the files @programs of @folder need into it, and turns all to these; gives the libraries' paths in the system."""
    found, own = {}, {path.name for path in programs}
    for path in programs:
        found |= {name: place for name, place in places(path).items() if not SYSTEM.fullmatch(name) and name.split(".so")[0] + ".so" not in own}
    names = {name: renamed(name, path) for name, path in found.items()}
    for name, path in found.items():
        shutil.copy(path, folder / names[name])
        subprocess.run(["patchelf", "--set-soname", names[name], folder / names[name]], check=True)
    for path in [*programs, *(folder / name for name in names.values())]:
        turns = [word for name in needed(path) if name in names for word in ("--replace-needed", name, names[name])]
        if turns:
            subprocess.run(["patchelf", *turns, path], check=True)
        subprocess.run(["patchelf", "--set-rpath", "$ORIGIN", path], check=True)  # a run of its own: 0.14 forgets one of the two
    return list(found.values())


def least_glibc(paths):
    """(2, 36): the version of glibc that all of @paths can do with."""
    versions = re.findall(r"Name: GLIBC_(\d+)\.(\d+)", "".join(output("readelf", "-VW", path) for path in paths))
    return max((int(major), int(minor)) for major, minor in versions)


def licenses(paths):
    """Package -> what Debian says of the licenses of the files @paths; what is of no package is left out."""
    if not shutil.which("dpkg-query"):
        return {}
    said = {}
    for path in paths:
        ways = [str(path), str(path).removeprefix("/usr")]  # packages name files as they did in front of the merge
        asked = subprocess.run(["dpkg-query", "--search", *ways], capture_output=True, text=True, check=False).stdout
        package = asked.split(":")[0]
        text = pathlib.Path("/usr/share/doc", package, "copyright")
        if package and text.exists():
            said[package] = text.read_bytes()
    return said
