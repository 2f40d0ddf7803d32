#!/bin/sh
# clang-tidy over the C files of a build folder, or over those whose path starts with FILTER.
#
# usage: tidy.sh ROOT BUILD [FILTER]
set -eu
cd "$1"
exec run-clang-tidy-19 -quiet -p "$2" "^$PWD/${3:-(base|ir|ops|analysis|passes|frontend|codegen|runtime|io|driver|cli|tests)/}"
