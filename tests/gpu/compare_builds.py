#!/usr/bin/env python3
"""Two builds of kolmo on the same cases: the fields after 100 steps must agree to 1e-12 of the largest value.

usage: compare_builds.py --one build/cpu/kolmo --other build/cuda/kolmo [--steps 100] [--bound 1e-12]

Catches arithmetic that one backend does otherwise, and state that a checkpoint of one build has and the other
wants. Both schemes, explicit and implicit diffusion, the exact method, stretched and uniform grids, walls at
rest and moving, forces, averages, open faces; fixed time step, tolerances near rounding. Then a restart from
each build's checkpoint by the other build. Ends with 'N passed, N failed'."""
import argparse
import glob
import os
import signal
import subprocess
import sys
import tempfile

import h5py
import numpy as np

CHANNEL = ("&grid n=16,12,24 length=3.2,1.6,2 stretching='uniform','uniform','tanh' "
           "stretching_factor=0,0,1.4 /\n"
           "&boundary z_low='wall' z_high='wall' /\n&initial type='channel' /\n")
CASES = {
    "taylor-green, rk3-half": "&grid n=24,20,16 /\n&time dt=0.02 /\n",
    "taylor-green stretched, rk3-wray": "&grid n=20,24,18 stretching='sine','uniform','tanh' "
                                        "stretching_factor=0.3,0,1.2 /\n"
    "&time dt=0.01 scheme='rk3-wray' /\n",
    "isotropic, implicit": "&grid n=24,24,24 /\n&time dt=0.005 diffusion='implicit' "
                           "diffusion_tolerance=1e-13 /\n"
    "&initial type='isotropic' k_peak=3 /\n",
    "isotropic stretched, implicit, rk3-wray": "&grid n=16,20,24 stretching='uniform','sine','sine' "
    "stretching_factor=0,0.4,0.2 /\n"
    "&time dt=0.004 scheme='rk3-wray' diffusion='implicit' "
    "diffusion_tolerance=1e-13 /\n&initial type='isotropic' k_peak=2 /\n",
    "channel, implicit-z": "&grid n=24,20,24 length=6,3,2 stretching='uniform','uniform','tanh' "
                           "stretching_factor=0,0,1.2 /\n"
    "&boundary z_low='wall' z_high='wall' /\n&forcing type='bulk-velocity' value=1 /\n"
    "&time dt=0.02 diffusion='implicit-z' /\n&initial type='channel' /\n",
    "exact, rk3-wray": "&grid n=16,20,18 /\n&time dt=0.005 scheme='rk3-wray' /\n&pressure tolerance=1e-12 "
                       "method='exact' /\n"
    "&initial type='isotropic' k_peak=3 /\n",
    "channel by power, a wall moving, rk3-wray, direct": CHANNEL.replace(
        "/\n&initial", "z_high_velocity=0.3,0.1,0 /\n&initial"
    )
    + "&time dt=0.002 scheme='rk3-wray' /\n&forcing type='power' value=0.1 /\n&pressure tolerance=1e-12 "
      "preconditioner='direct' /\n",
    "channel, averages": CHANNEL
    + "&time dt=0.002 /\n&forcing type='bulk-velocity' value=1 /\n&statistics start=0 interval=5 /\n",
    "duct, averages": "&grid n=24,20,16 length=6,2,2 stretching='uniform','tanh','tanh' "
                      "stretching_factor=0,1.1,1.2 /\n"
    "&boundary y_low='wall' y_high='wall' z_low='wall' z_high='wall' /\n&initial type='channel' /\n"
    "&time dt=0.002 /\n&forcing type='bulk-velocity' value=1 /\n&statistics start=0 interval=5 /\n",
    "convection with salt, turned gravity": CHANNEL.replace("type='channel'", "type='rest'")
    + "&time dt=0.005 scheme='rk3-wray' /\n"
    "&scalars name='heat','salt' prandtl=0.7,2 initial='conduction','uniform' disturbance=0.3,0.2 "
    "waves(:,1)=1,1,1 z_low='value','flux' z_low_value=0.5,0.1 z_high='value','flux' "
    "z_high_value=-0.5,-0.1 /\n&buoyancy gravity=0.3,0,-1 expansion=1,-0.5 /\n",
    "turbulence that comes in, outflow": "&grid n=24,16,20 length=3,1.5,2 "
                                         "stretching='uniform','uniform','tanh' stretching_factor=0,0,1 /\n"
    "&boundary x_low='inflow' x_low_velocity=1,0,0 x_low_turbulence=0.1,0.06,0.03 x_high='outflow' "
    "turbulence_length=0.3 turbulence_modes=50 /\n&time dt=0.01 /\n"
    "&initial type='uniform' velocity=1,0,0 /\n",
}


def run(program, case, directory, steps, more=()):
    """Run a case; the fields of its last checkpoint, planes of outflows and state of averages too."""
    path = os.path.join(directory, "case.nml")
    with open(path, "w", encoding="utf-8") as f:
        f.write(f"&run steps_max={steps} /\n&fluid nu=0.02 /\n&output directory='{directory}' "
                "log_interval=1000 /\n"
                + ("" if "&pressure" in case else "&pressure tolerance=1e-12 /\n") + case)
    done = subprocess.run([program, path, *more], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"{program} ended with {done.returncode}: "
                           f"{done.stdout[-500:]}{done.stderr[-2000:]}")
    name = sorted(glob.glob(os.path.join(directory, "checkpoint_*.h5")))[-1]
    with h5py.File(name) as f:
        return name, {k: v[()] for k, v in f["fields"].items()}


def difference(a, b):
    """Largest difference over the largest value: velocity with that on outflows, pressure, averages."""
    speed = max(np.abs(a[k]).max() for k in "uvw")
    flow = [k for k in a if k in "uvw" or k.startswith("outflow_")]
    found = [np.abs(a[k] - b[k]).max() / speed for k in flow] + [np.abs(a["p"] - b["p"]).max() / speed**2]
    if "statistics" in a or "statistics" in b:
        found.append(np.abs(a["statistics"] - b["statistics"]).max() / np.abs(a["statistics"]).max())
    return max(found)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--one", required=True)
    parser.add_argument("--other", required=True)
    parser.add_argument("--steps", type=int, default=100)
    parser.add_argument("--bound", type=float, default=1e-12)
    options = parser.parse_args()
    passed = failed = 0
    with tempfile.TemporaryDirectory() as top:
        for number, (name, case) in enumerate(CASES.items()):
            folders = [os.path.join(top, f"{number}-{i}") for i in range(6)]
            for folder in folders:
                os.mkdir(folder)
            try:
                half = options.steps // 2
                _, a = run(options.one, case, folders[0], options.steps)
                _, b = run(options.other, case, folders[1], options.steps)
                file_one, _ = run(options.one, case, folders[2], half)
                _, c = run(options.other, case, folders[3], options.steps, ["--restart", file_one])
                file_other, _ = run(options.other, case, folders[4], half)
                _, d = run(options.one, case, folders[5], options.steps, ["--restart", file_other])
                values = {"fields": difference(a, b),
                          "--one's checkpoint, ended by --other": difference(a, c),
                          "--other's checkpoint, ended by --one": difference(b, d)}
            except RuntimeError as error:
                print(f"FAIL {name}: {error}")
                failed += 3
                continue
            for what, value in values.items():
                good = value <= options.bound
                passed += good
                failed += not good
                print(f"{'ok  ' if good else 'FAIL'} {name}, {what}: {value:.2e} (bound {options.bound:.0e})")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # quietly ended where nobody reads on, as `| head`
    sys.exit(main())
