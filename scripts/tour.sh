#!/bin/sh
# The first screen after a build: what Inlay is about, and where to go on.
#
# usage: tour.sh TOOL
set -eu
tool=$1
cd "$(dirname "$0")/.."
script=examples/use_after_update.py

show() {
    printf '\n$ %s' "$tool"
    for word; do
        case $word in *' '*) printf " '%s'" "$word" ;; *) printf ' %s' "$word" ;; esac
    done
    printf '\n'
    "$tool" "$@"
}

echo "$tool is built. $script doubles a value in place, and reads the old one behind it:"
grep -n -A 2 'state = R.add' "$script"
show run --check --in 'x=4xf32=1 2 3 4' "$script"
show why "$script" updated
echo
echo "Both results are right: the update got storage of its own, and \`why\` says what it costs. Strictly it is refused:"
echo "    $tool check --inplace=strict $script"
echo "Go on with docs/tutorial.md, README.md, \`$tool help\`, examples/."
