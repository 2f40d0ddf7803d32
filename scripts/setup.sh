#!/bin/sh
# Installs the Debian packages that are missing and sets up build/; does nothing when all is there.
# With INLAY_WERROR=1, as the CI has it, warnings of the compiler are errors.
#
# usage: setup.sh            what building needs, and build/
#        setup.sh --tests    what the tests need besides
set -eu
cd "$(dirname "$0")/.."

build="gcc libc6-dev meson ninja-build pkg-config re2c llvm-19-dev libcmocka-dev libcjson-dev
    libisl-dev libgmp-dev libzip-dev libprotobuf-c-dev libutf8proc-dev protobuf-c-compiler python3 clang-19"
tests="clang-format-19 clang-tidy-19 libclang-rt-19-dev gdb python3-numpy libpython3-dev patchelf libonnx-testdata"
info=${DPKG_INFO:-/var/lib/dpkg/info}

packages=$build
[ "${1-}" != --tests ] || packages=$tests

# Says what somebody has to do who may.
ask_for() {
    echo "setup.sh: these packages are missing, and you may not install them here; the administrator can, by" >&2
    echo "    apt-get update && apt-get install --no-install-recommends$1" >&2
    exit 1
}

if command -v dpkg-query >/dev/null; then
    missing=
    for package in $packages; do
        # Status files are read once a package: 1 ms each.
        [ -e "$info/$package.list" ] || [ -e "$info/$package:amd64.list" ] ||
            [ -e "$info/$package:arm64.list" ] || missing="$missing $package"
    done
    if [ -n "$missing" ]; then
        sudo=
        if [ "$(id -u)" != 0 ]; then
            command -v sudo >/dev/null || ask_for "$missing"
            sudo=sudo
        fi
        echo "installing:$missing"
        $sudo apt-get update -qq || ask_for "$missing"
        # shellcheck disable=SC2086
        $sudo env DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends $missing >/dev/null ||
            ask_for "$missing"
    fi
else
    echo "setup.sh: no dpkg here; these Debian packages must be present under your system's names:" >&2
    echo "    $packages" >&2
fi

if [ "${1-}" != --tests ] && [ ! -e build/build.ninja ]; then
    echo "setting up build/"
    said=$(meson setup build ${INLAY_WERROR:+-Dwerror=true} 2>&1) || {
        echo "$said" >&2
        exit 1
    }
fi
