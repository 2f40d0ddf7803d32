"""Programs that must, or must not, run in place: 121 scenarios and variants of them, by theme.

What the language cannot say has no row: loops of graphs but by recursion, orders of parallel executors, random numbers as a state, a
result of another size or dtype than the argument of its own call (refused: E0302 and following have golden tests).
"""
import re

from scenarios import branches, calls, joins, liveness, operands, params, peers, plans, regions, reported, sizes, tuples, views

ROOMS = [liveness, params, views, operands, sizes, tuples, branches, calls, joins, plans, regions, reported, peers]
SCENARIOS = [row for room in ROOMS for row in room.ROWS]

# Scenarios that are no row, and where they are instead.
ELSEWHERE = {
    61: "tests/golden/run/too-many-bytes.py: sizes that do not fit into 64 bits",
    65: "tests/golden/verify/inplace-index-rules.py: all outputs fresh is call_tir",
    91: "tests/golden/why/opaque.py: what an opaque function was given is not written",
    113: "tests/growth.py: many values, in time that grows with them",
    115: "tests/inplace.py: each module of these is the same twice",
    116: "nowhere: there is no plan of one arena yet",
    121: "tests/random_sharing.py and tests/random_discovery.py: random programs",
}
NUMBERS = {int(match[1]) for row in SCENARIOS if (match := re.match(r"(\d+) ", row.name))}
