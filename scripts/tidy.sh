#!/bin/sh
# clang-tidy over every C file of a build folder's compile_commands.json.
#
# usage: tidy.sh ROOT BUILD [FILTER]
set -eu
cd "$1"
exec run-clang-tidy-19 -quiet -p "$2" -extra-arg=-Wno-unknown-warning-option "^$(pwd)/(base|ir|ops|analysis|passes|frontend|codegen|runtime|cli|tests)/${3-}"
