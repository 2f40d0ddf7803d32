"""Random orders of all passes that the tool has: for pass_orders.py and random_programs.py."""
import re
import subprocess

# What a pass or code generation may say to an order that cannot work: a pass is missing, comes too late, an option is out
# of range, an in-place call is not resolved, the function has other parameters, a fixed point does not settle, there is no
# symbol to bind (any more).
REFUSALS = {"E0905", "E0908", "E0909", "E0314", "E0809", "E0910", "E0924", "E0925"}
# What code generation says to a nested function: LambdaLift is missing.
UNLIFTED = "error[E0620]: not supported yet: `R.function`"
# Passes that compute with fewer digits when they are asked to.
TOLERANCES = {"ToMixedPrecision": "0.05"}
INTEGERS = [1, 2, 3, 4, 8, 64]


class Passes:
    def __init__(self, tool):
        self.passes = {}
        self.pipelines = []
        for line in listing(tool, "passes"):
            if not line.startswith(" "):
                name = line.split()[0]
                self.passes[name] = []
            elif match := re.match(r"    options: (.*)", line):
                self.passes[name] = re.findall(r"(\w+): (int|bool|string)( = )?", match[1])
        self.pipelines = [line for line in listing(tool, "pipelines") if not line.startswith(" ")]
        # a text that must be given is a file, or a name that only a script has
        self.names = sorted(name for name, options in self.passes.items()
                            if not any(kind == "string" and not default for _, kind, default in options))

    def one(self, rng):
        name = rng.choice(self.names)
        given = []
        for option, kind, default in self.passes[name]:
            if kind != "string" and (not default or rng.random() < 0.4):
                given.append(f"{option}={rng.choice(INTEGERS) if kind == 'int' else rng.choice(['true', 'false'])}")
        return f"{name}({', '.join(given)})" if given else name

    def item(self, rng):
        kind = rng.random()
        if kind < 0.15:
            return f"fix({', '.join(self.one(rng) for _ in range(rng.randrange(1, 4)))})"
        return rng.choice(self.pipelines) if kind < 0.22 else self.one(rng)

    def order(self, rng):
        """A pipeline; most end with what code generation needs."""
        items = [self.item(rng) for _ in range(rng.randrange(1, 9))]
        if rng.random() < 0.75:
            items += ["LegalizeOps"] + [self.one(rng) for _ in range(rng.randrange(3))] + ["ResolveInplace"]
        return ",".join(items)


def listing(tool, topic):
    out = subprocess.run([tool, "list", topic], capture_output=True, text=True, check=True).stdout
    return [line for line in out.splitlines() if line and not line.startswith("#")]


def tolerance(order):
    """Options for `run --check` behind these passes."""
    for name, value in TOLERANCES.items():
        if name in order:
            return ["--tolerance", value]
    return []


def problem(order, status, errors):
    """What is wrong with how a run of @order ended; None: right, or clearly refused.

    A pass that alone does not settle is wrong.
    """
    if status == 0:
        return None
    codes = set(re.findall(r"error\[(E\d+)\]", errors.replace(UNLIFTED, UNLIFTED.replace("E0620", "E0905"))))
    alone = re.search(r"by `(\w+)`$", errors, re.MULTILINE) if "E0910" in codes else None
    if status == 1 and codes and codes <= REFUSALS and not alone:
        return None
    why = f"`{alone[1]}` alone does not settle" if alone else f"exit status {status}"
    return f"-p '{order}': {why}\n{errors[:2000]}"
