#!/bin/sh
# Builds build/ and says how far it is: a line that counts on terminals, else one in front and one behind.
#
# usage: build.sh [TARGET...]      default: all of it
set -eu
cd "$(dirname "$0")/../build"

steps=$(ninja -n "$@" | grep -c '^\[' || true)
[ "$steps" != 0 ] || exit 0
if [ -t 1 ]; then
    NINJA_STATUS='building %f of %t, %es: ' ninja "$@"
else
    begin=$(date +%s)
    echo "building: $steps steps"
    ninja --quiet "$@"
    echo "built in $(($(date +%s) - begin)) s"
fi
