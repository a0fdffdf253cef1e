"""The GPUs that a program started from here can use."""
import os
import re
import subprocess


def visible():
    """Their names for CUDA_VISIBLE_DEVICES, or those of that variable if it is set: CUDA takes those before
    the first that can't be one, as '-1'."""
    given = os.environ.get("CUDA_VISIBLE_DEVICES")
    if given is not None:
        names = [g.strip() for g in given.split(",")]
        return names[:next((n for n, g in enumerate(names) if not g or g.startswith("-")), len(names))]
    try:
        listed = subprocess.run(["nvidia-smi", "-L"], capture_output=True, text=True, check=False)
    except OSError:
        return []
    return [str(n) for n in range(len(re.findall(r"^GPU \d+:", listed.stdout, re.M)))]
