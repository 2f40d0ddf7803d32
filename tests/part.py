"""One of several cases that are alike: what sanitizers see, they see in few, and each takes ten times as long."""
import os

SLOW = int(os.environ.get("INLAY_SLOW", "1"))


def part(cases, every=3):
    """All of @cases, a list; with sanitizers one of @every."""
    cases = list(cases)
    return cases[::every] if SLOW > 1 else cases
