#!/bin/sh
# One archive of several whose only global symbols are those that an exports map names: the names that
# the layers use among themselves cannot meet those of the program that links it.
#
# usage: link-static.sh OUTPUT EXPORTS ARCHIVE...
set -eu
output=$1 exports=$2
shift 2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
sed -n '/global:/,/local:/s/^ *\([a-z_0-9]*\);$/\1/p' "$exports" >"$folder/names"
${CC:-cc} -r -nostdlib -o "$folder/inlay.o" -Wl,--whole-archive "$@" -Wl,--no-whole-archive
objcopy --keep-global-symbols="$folder/names" "$folder/inlay.o"
rm -f "$output"
ar rcs "$output" "$folder/inlay.o"
