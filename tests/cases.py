"""Cases of a test script as functions, each with a folder of its own.  Prints TAP."""
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
