"""One of several cases that are alike: what sanitizers see, they see in few, and each takes ten times as long."""
import itertools
import os

SLOW = int(os.environ.get("INLAY_SLOW", "1"))


def part(cases, every=3):
    """Iterates over @cases, which may be made as they are asked for; with sanitizers over one of @every."""
    return itertools.islice(cases, 0, None, every if SLOW > 1 else 1)
