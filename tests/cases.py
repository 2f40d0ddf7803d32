"""Cases of a test script as functions, each with a folder of its own; texts that are to be what the tool says.  Prints TAP."""
import difflib
import sys
import tempfile

SHOWN = 3000 # characters of one failure


class Cases:
    """Decorates functions of one argument; @skipped says why a case of that name cannot run here, or None."""
    def __init__(self, skipped=lambda name: None):
        self.functions = {}
        self.skipped = skipped

    def __call__(self, function):
        self.functions[function.__name__] = function
        return function

    def main(self, make):
        """Calls the cases (those that an argument behind the first two is part of) with make(arguments.., folder)."""
        first, second, *filters = sys.argv[1:]
        names = [name for name in self.functions if not filters or any(f in name for f in filters)]
        print(f"1..{len(names)}")
        failed = 0
        for number, name in enumerate(names, 1):
            if self.skipped(name):
                print(f"ok {number} - {name} # SKIP {self.skipped(name)}")
                continue
            with tempfile.TemporaryDirectory() as folder:
                try:
                    self.functions[name](make(first, second, folder))
                    print(f"ok {number} - {name}", flush=True)
                except Exception as error: # a test that cannot go on has failed
                    failed += 1
                    print(f"not ok {number} - {name}")
                    print("\n".join("# " + line for line in f"{type(error).__name__}: {error}"[:SHOWN].splitlines()), flush=True)
        sys.exit(failed > 0)


def compare(rows, renew):
    """Holds texts against what they should be, rows of (what is said of it, text, wanted); @renew: the command that writes all. True if one differs."""
    rows, failed = list(rows), 0
    print(f"1..{len(rows)}")
    for number, (says, text, wanted) in enumerate(rows, 1):
        failed += text != wanted
        print(f"{'ok' if text == wanted else 'not ok'} {number} - {says}")
        for line in difflib.unified_diff(text.splitlines(), wanted.splitlines(), "page", "tool", lineterm="", n=1):
            print(f"# {line}")
    if failed:
        print(f"# run {renew}")
    return failed > 0
