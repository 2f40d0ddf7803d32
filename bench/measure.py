"""Whole-process figures for the benchmarks: wall seconds and peak memory, medians of several runs."""
import os
import statistics
import subprocess
import time


def once(args):
    """Wall seconds, peak MiB, exit status and standard output of one run."""
    read_end, write_end = os.pipe()
    start = time.perf_counter()
    process = subprocess.Popen(args, stdin=subprocess.DEVNULL, stdout=write_end)
    os.close(write_end)
    with os.fdopen(read_end, "rb") as pipe:
        output = pipe.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return time.perf_counter() - start, usage.ru_maxrss / 1024, process.returncode, output


def median(args, runs=7):
    """Median seconds and the largest peak MiB over @runs, after one run that does not count."""
    results = [once(args) for _ in range(runs + 1)][1:]
    if any(status != 0 for _, _, status, _ in results):
        raise SystemExit(f"failed: {' '.join(args)}")
    return statistics.median(r[0] for r in results), max(r[1] for r in results)
