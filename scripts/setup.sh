#!/bin/sh
# Installs the Debian packages that are missing and sets up build/; does nothing when all is there.
#
# usage: setup.sh            what building needs, and build/
#        setup.sh --tests    what the tests need besides
set -eu
cd "$(dirname "$0")/.."

build="gcc libc6-dev meson ninja-build pkg-config re2c llvm-19-dev libcmocka-dev libcjson-dev
    libisl-dev libzip-dev libprotobuf-c-dev protobuf-c-compiler python3 clang-19"
tests="clang-format-19 clang-tidy-19 libclang-rt-19-dev gdb python3-numpy libonnx-testdata"

packages=$build
[ "${1-}" != --tests ] || packages=$tests

if command -v dpkg-query >/dev/null; then
    missing=
    for package in $packages; do
        # Status files are read once a package: 1 ms each.
        [ -e "/var/lib/dpkg/info/$package.list" ] || [ -e "/var/lib/dpkg/info/$package:amd64.list" ] ||
            [ -e "/var/lib/dpkg/info/$package:arm64.list" ] || missing="$missing $package"
    done
    if [ -n "$missing" ]; then
        echo "installing:$missing"
        sudo=
        [ "$(id -u)" = 0 ] || sudo=sudo
        $sudo apt-get update -q
        # shellcheck disable=SC2086
        $sudo env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends $missing
    fi
else
    echo "setup.sh: no dpkg here; these Debian packages must be present under your system's names:" >&2
    echo "    $packages" >&2
fi

[ "${1-}" = --tests ] || [ -e build/build.ninja ] || meson setup build
