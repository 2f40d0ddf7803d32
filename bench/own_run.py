"""One run of the tool on a model, for the benches that stand beside ONNX Runtime."""
import os
import re
import subprocess
import sys

import numpy as np


def run_ms(tool, path, inputs, folder, extra=()):
    """The median of 15 runs in one thread, as the tool measures it; ends the program if it cannot."""
    command = [tool, "run", path, "--threads=1", "--repeat=15", "--stats=json", "--out", os.path.join(folder, "y.npz"), *extra]
    for index, (name, array) in enumerate(inputs.items()):
        file = os.path.join(folder, f"{index}.npy")
        np.save(file, array)
        command += ["--in", f"{name}=@{file}"]
    result = subprocess.run(command, capture_output=True, text=True)
    found = re.search(r'"run_ms": ([\d.]+)', result.stdout + result.stderr)
    if result.returncode != 0 or not found:
        sys.exit(f"failed: {' '.join(command)}\n{result.stderr}")
    return float(found[1])
