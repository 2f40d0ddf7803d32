"""The ways in which a program is run: as written, behind passes, compiled, with random options and pipelines."""
from gen.runner import AUTO, COMPILE, INTERPRET, LOWER, OFF, PASS, STRICT, Way

# Passes between operators, which may stand in any order; what they leave is the same program.
GRAPH = ["CanonicalizeBindings", "CombineParallelMatmul", "ConvertToDataflow", "DeadCodeElimination", "EliminateCommonSubexpr", "ExpandTupleArguments",
         "FoldConstant", "InlinePrivateFunctions", "LambdaLift", "Normalize", "RemoveUnusedOutputs", "RemoveUnusedParameters",
         "ReorderForPeak", "ReorderPermuteDimsAfterConcat", "SimplifyGraph", "TopologicalSort", "ToNonDataflow"]
# Those that may round differently. (DecomposeOpsFor.. decide whether batch_norm trains: another program.)
ROUNDING = ["AdjustMatmulOrder", "ExpandMatmulOfSum", "ReorderTakeAfterMatmul"]
FUSION = ["AnnotateTIROpPattern,FuseOps", "AnnotateTIROpPattern,FuseOps,FuseTIR", "FuseTIR", "ViewCalls", "ElideConcat", "DeadCodeElimination", "FoldConstant",
          "Functionalize"]
LOOPS = ["LowerBlocks", "LowerInitBlock", "LowerIntrin", "Simplify", "HoistExpression", "FuseLoops", "CompactBufferAllocation", "LoopPartition", "ScheduleCPU"]
PLAIN = Way(INTERPRET)
CHECKED = Way(LOWER)


def pipeline(rng):
    """One that ends with what code generation needs."""
    items = rng.sample(GRAPH, rng.randint(0, 4))
    if rng.random() < 0.3:
        items.append(rng.choice(ROUNDING))
        rng.shuffle(items)
    kind = rng.random()
    if kind < 0.35:
        return ",".join(items + [rng.choice(["default", "debug", "unscheduled", "default"])])
    items += ["LegalizeOps"] + rng.sample(FUSION, rng.randint(0, 4)) + rng.sample(GRAPH, rng.choice([0, 0, 1]))
    if rng.random() < 0.5:
        items += ["AnnotateTIROpPattern", "FuseOps", "FuseTIR"] + ["ViewCalls", "ElideConcat"][:rng.randint(0, 2)]
    items += ["ResolveInplace"] + rng.sample(LOOPS, rng.randint(0, 3)) + ["ToNonDataflow"]
    items += ["ReorderForPeak"] * (rng.random() < 0.3) + ["Rematerialize(max_arena=64)"] * (rng.random() < 0.3) + ["InplaceCalls"] * (rng.random() < 0.7) + ["CallTIRRewrite"]
    items += ["PassDestinations"] * (rng.random() < 0.7) + ["KillAfterLastUse"]
    items += [rng.choice(["PlanMemory", "PlanMemory", "PlanMemory(budget_ms=0)", "PlanMemory(budget_ms=5)"])] * (rng.random() < 0.6)
    return ",".join(items)


def interpreted(rng):
    """Cheap ones: no code is made."""
    kind = rng.random()
    if kind < 0.6:
        return [PLAIN]
    if kind < 0.85:
        return [PLAIN, CHECKED]
    return [PLAIN, Way(rng.choice([LOWER, LOWER, PASS]), pipeline(rng))]


def compiled(rng):
    """Expensive ones, twice each."""
    usual = rng.choice([0, 0, 2])  # -O2 takes four times as long, and storage is the same
    ways = [PLAIN, CHECKED, Way(COMPILE, level=usual, runs=2), Way(COMPILE, inplace=OFF, level=usual, runs=2)]
    level, threads, vectors = rng.randint(0, 3), rng.choice([1, 1, 2]), rng.choice([0, 16, 32, 64])
    ways.append(Way(COMPILE, pipeline(rng), rng.choice([AUTO, AUTO, AUTO, OFF]), level, threads, vectors, 2))
    if rng.random() < 0.5:
        ways.append(Way(COMPILE, "default", AUTO, rng.choice([0, 1, 3]), threads, vectors, 2))
    if rng.random() < 0.25:
        ways.append(Way(COMPILE, "default", STRICT, 0, 1, 0, 2))  # may be refused
    if rng.random() < 0.25:
        ways.append(Way(COMPILE, pipeline(rng), AUTO, 0, threads, 0, 2, 1))
    return ways


def command(way):
    """The options of `inlay run` for it."""
    if way.how == INTERPRET:
        return ["--interpret"]
    options = [] if way.pipeline == "default" else ["-p", way.pipeline]
    options += [f"-O{way.level}"] if way.level != 2 else []
    options += ["--inplace=off"] if way.inplace == OFF else ["--inplace=strict"] if way.inplace else []
    options += [f"--threads={way.threads}"] + ([f"--vectors={way.vectors}"] if way.vectors else [])
    options += ["--check-memory"] * way.checks
    return options + (["--check"] if way.how in (LOWER, PASS) else ["--repeat=2"])
