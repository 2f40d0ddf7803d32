#!/bin/sh
# Checks the layout of every C file; .def and .re files are tables and stand as they were typed.
#
# usage: check-format.sh ROOT
set -u
cd "$1" || exit 1
find include examples base ir ops analysis passes frontend codegen runtime io driver cli python tests bench -name '*.[ch]' -print0 |
    xargs -0 clang-format-19 --dry-run --Werror 2>&1 | grep '^[a-z].*error:' && exit 1
exit 0
