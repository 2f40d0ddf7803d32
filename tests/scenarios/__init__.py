"""Programs that must, or must not, run in place: 121 scenarios and variants of them, by theme.

What the language cannot say has no row: loops of graphs but by recursion, orders of parallel executors, random numbers as a state, a
result of another size or dtype than the argument of its own call (refused: E0302 and following have golden tests).
"""
from scenarios import branches, calls, joins, liveness, operands, params, peers, regions, sizes, tuples, views

ROOMS = [liveness, params, views, operands, sizes, tuples, branches, calls, joins, peers, regions]
SCENARIOS = [row for room in ROOMS for row in room.ROWS]
