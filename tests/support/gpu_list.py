"""The GPUs that a program started from here can use."""
import os
import re
import subprocess


def visible():
    """Their names for CUDA_VISIBLE_DEVICES, or those of that variable if it is set."""
    given = os.environ.get("CUDA_VISIBLE_DEVICES")
    if given is not None:
        return [g for g in given.split(",") if g]
    try:
        listed = subprocess.run(["nvidia-smi", "-L"], capture_output=True, text=True, check=False)
    except OSError:
        return []
    return [str(n) for n in range(len(re.findall(r"^GPU \d+:", listed.stdout, re.M)))]
