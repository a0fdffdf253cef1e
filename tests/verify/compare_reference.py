#!/usr/bin/python3
"""Runs kolmo on small cases and compares its results with tests/reference/navier_stokes.py.

    compare_reference.py [--kolmo build/cpu/kolmo] [--ranks 1] [--only TEXT] [--keep FOLDER] [--no-fields]
    [--long]

    --kolmo   the program under test
    --ranks   1 runs it directly; more through `mpirun --oversubscribe -n RANKS`
    --only    only cases whose name contains TEXT
    --keep    a folder that keeps each case's namelist, output and series (default: a temporary one)
    --long    100 steps in place of 10, the pressure by the exact inverse, and velocity and pressure to 1e-12

Both solve the same discrete equations, kolmo with its pressure solved to 1e-12 and its implicit diffusion to
1e-13, so that kinetic energy, dissipation and enstrophy agree to 1e-10, relative, at every step: another
scheme, metric or term moves them by 1e-9 to 1e-2. The divergence is judged by kolmo's own tolerance. No case
is turbulent: differences grow by what each step adds, and --long shows that this is rounding.

Then the faces, the velocity and the pressure of the checkpoint at the end (checkpoint_*.h5, /grid/x_face ..
and /fields/u, v, w, p): in a periodic box the velocity does not depend on the pressure, so the series would
pass any error in its update. --no-fields leaves this part out.

One line per case, then "N passed, N failed"; exit code 0 if all passed, 1 if one failed, 2 where nothing
could be run.
"""

import argparse
import collections
import glob
import math
import os
import subprocess
import sys
import tempfile

import h5py
import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), 'reference'))
import navier_stokes  # noqa: E402  (found through the line above)

RELATIVE = 1e-10             # of energy, dissipation and enstrophy
RELATIVE_TIME = 1e-12        # of the time: sums of dt
FACES = 1e-14                # of the face coordinates, over the length of the box
DIVERGENCE_MARGIN = 10.0     # over the pressure tolerance: round-off of the divergence itself
SECONDS = 600                # time limit of one run

# steps; given to kolmo: the pressure tolerance on max|div u| h/U, that of the Helmholtz solves, more of
# &pressure; bounds: the largest difference of the velocity over the largest speed, of p over its square: the
# error of p is that of u, over the stage length.
Study = collections.namedtuple('Study',
                               'steps pressure_tolerance diffusion_tolerance solver velocity pressure')
SHORT = Study(10, 1e-12, 1e-13, [], 1e-11, 2e-10)
LONG = Study(100, 1e-13, 1e-14, ["preconditioner='direct'"], 1e-12, 1e-12)
# [UL] flows of this viscosity and more take as long for LONG's steps as for SHORT's, or little would be left
# of them
VISCOUS = 0.4

TWO_PI = 2.0 * math.pi
CUBE = (TWO_PI, TWO_PI, TWO_PI)
BOX = (TWO_PI, 4.5, 5.25)
SMALL = (12, 10, 8)
MEDIUM = (16, 12, 10)
UNIFORM = (('uniform', 'uniform', 'uniform'), (0.0, 0.0, 0.0))
SINE = (('sine', 'sine', 'sine'), (0.3, 0.2, 0.4))
MIXED = (('sine', 'uniform', 'tanh'), (0.3, 0.0, 1.2))
TANH = (('tanh', 'tanh', 'uniform'), (0.8, 1.1, 0.0))

TAYLOR_GREEN = {'type': 'taylor-green', 'amplitude': 1.0, 'wavenumber': 1}
CARRIED = {'type': 'taylor-green', 'amplitude': 0.8, 'wavenumber': 1, 'velocity': (0.4, -0.3, 0.2)}
ABC = {'type': 'abc', 'amplitude': 1.0, 'wavenumber': 1, 'abc': (1.0, 0.7, 0.4)}
ABC_STRONG = {'type': 'abc', 'amplitude': 1.5, 'wavenumber': 1, 'abc': (0.6, 1.0, -0.5),
              'velocity': (0.0, 0.3, 0.1)}
PLANE = {'type': 'taylor-green-2d', 'amplitude': 0.9, 'wavenumber': 1, 'velocity': (0.7, -0.4, 0.3)}
PLANE_TWICE = {'type': 'taylor-green-2d', 'amplitude': 1.0, 'wavenumber': 2, 'velocity': (0.5, 0.6, 0.0)}
BELTRAMI = {'type': 'beltrami', 'amplitude': 1.0, 'wavenumber': 1}


def make(n, length, spacing, nu, scheme, diffusion, initial, dt=0.05, origin=(0.0, 0.0, 0.0)):
    """A case of navier_stokes.py, but for its steps."""
    return {'n': n, 'length': length, 'origin': origin, 'stretching': spacing[0], 'factor': spacing[1],
            'nu': nu, 'scheme': scheme, 'diffusion': diffusion, 'dt': dt, 'initial': initial}


CASES = {
    'taylor-green uniform half explicit':
        make(SMALL, CUBE, UNIFORM, 0.05, 'rk3-half', 'explicit', TAYLOR_GREEN),
    'taylor-green uniform wray explicit, box, carried':
        make(MEDIUM, BOX, UNIFORM, 0.02, 'rk3-wray', 'explicit', CARRIED),
    'taylor-green uniform half implicit, viscous':
        make(SMALL, BOX, UNIFORM, 0.5, 'rk3-half', 'implicit', TAYLOR_GREEN),
    'taylor-green stretched half explicit, origin':
        make(SMALL, BOX, MIXED, 0.05, 'rk3-half', 'explicit', CARRIED, origin=(0.5, -1.0, 2.0)),
    'taylor-green stretched wray explicit, inviscid':
        make(MEDIUM, CUBE, TANH, 0.0, 'rk3-wray', 'explicit', CARRIED),
    'taylor-green stretched half implicit, viscous':
        make(MEDIUM, BOX, MIXED, 0.4, 'rk3-half', 'implicit', CARRIED, dt=0.08),
    'taylor-green stretched wray implicit':
        make(SMALL, BOX, SINE, 0.1, 'rk3-wray', 'implicit', CARRIED),
    'abc uniform half implicit':
        make(SMALL, CUBE, UNIFORM, 0.1, 'rk3-half', 'implicit', ABC_STRONG),
    'abc stretched half explicit':
        make(SMALL, CUBE, TANH, 0.03, 'rk3-half', 'explicit', ABC),
    'abc stretched wray explicit, origin':
        make(MEDIUM, CUBE, SINE, 0.05, 'rk3-wray', 'explicit', ABC, origin=(-1.0, 0.25, 3.0)),
    'abc stretched wray implicit, carried':
        make(MEDIUM, CUBE, MIXED, 0.2, 'rk3-wray', 'implicit', ABC_STRONG),
    'taylor-green-2d uniform wray explicit, carried':
        make(MEDIUM, BOX, UNIFORM, 0.01, 'rk3-wray', 'explicit', PLANE),
    'taylor-green-2d stretched half explicit, carried':
        make(MEDIUM, BOX, SINE, 0.05, 'rk3-half', 'explicit', PLANE),
    'taylor-green-2d stretched half implicit, two waves':
        make(MEDIUM, BOX, MIXED, 0.1, 'rk3-half', 'implicit', PLANE_TWICE),
    'beltrami stretched half explicit':
        make(SMALL, CUBE, SINE, 0.05, 'rk3-half', 'explicit', BELTRAMI),
    'beltrami uniform wray implicit':
        make(MEDIUM, CUBE, UNIFORM, 0.05, 'rk3-wray', 'implicit', BELTRAMI),
}


def stepped(case, study):
    """The case with the steps of a study."""
    dt = case['dt'] * SHORT.steps / study.steps if case['nu'] >= VISCOUS else case['dt']
    return dict(case, dt=dt, steps=study.steps)


def real(x):
    """A number that reads back as the same double."""
    return repr(float(x))


def reals(values):
    """Numbers of a namelist array."""
    return ','.join(real(x) for x in values)


def namelist(case, study, directory):
    """The case as kolmo's input. Names without effect in this case are left out: kolmo refuses them."""
    grid = [f"n={','.join(str(n) for n in case['n'])}", f"length={reals(case['length'])}",
            f"origin={reals(case['origin'])}"]
    if any(kind != 'uniform' for kind in case['stretching']):
        grid.append('stretching=' + ','.join(f"'{kind}'" for kind in case['stretching']))
        grid.append(f"stretching_factor={reals(case['factor'])}")
    time = [f"scheme='{case['scheme']}'", f"diffusion='{case['diffusion']}'", f"dt={real(case['dt'])}"]
    if case['diffusion'] == 'implicit':
        time.append(f'diffusion_tolerance={real(study.diffusion_tolerance)}')
    flow = case['initial']
    initial = [f"type='{flow['type']}'", f"amplitude={real(flow['amplitude'])}",
               f"wavenumber={flow['wavenumber']}"]
    for name in ('velocity', 'abc'):
        if name in flow:
            initial.append(f'{name}={reals(flow[name])}')
    groups = (('run', [f"steps_max={case['steps']}"]), ('grid', grid), ('fluid', [f"nu={real(case['nu'])}"]),
              ('time', time), ('pressure', [f'tolerance={real(study.pressure_tolerance)}'] + study.solver),
              ('initial', initial),
              ('output', [f"directory='{directory}'", 'series_interval=1']))
    text = ''
    for name, lines in groups:
        text += f'&{name}\n' + ''.join(f'    {line}\n' for line in lines) + '/\n'
    return text


def run_kolmo(options, case, folder):
    """Runs the case in a folder. Returns the path of its series; RuntimeError where the run failed."""
    source = os.path.join(folder, 'case.nml')
    with open(source, 'w', encoding='utf-8') as target:
        target.write(namelist(case, options.study, folder))
    command = [options.kolmo, source]
    environment = dict(os.environ, OMP_NUM_THREADS='1')
    if options.ranks > 1:
        command = ['mpirun', '--oversubscribe', '-n', str(options.ranks)] + command
        if os.geteuid() == 0:  # Open MPI otherwise refuses to start in a container
            environment.update(OMPI_ALLOW_RUN_AS_ROOT='1', OMPI_ALLOW_RUN_AS_ROOT_CONFIRM='1')
    try:
        result = subprocess.run(command, env=environment, timeout=SECONDS, stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    except subprocess.TimeoutExpired as late:
        raise RuntimeError(f'not done after {SECONDS} s') from late
    text = result.stdout.decode('utf-8', 'replace')
    with open(os.path.join(folder, 'terminal.txt'), 'w', encoding='utf-8') as target:
        target.write(text)
    if result.returncode != 0:
        raise RuntimeError(f'exit code {result.returncode}: ' + ' | '.join(text.strip().splitlines()[-5:]))
    return os.path.join(folder, 'series.nc')


def read_series(path):
    """Columns of series.nc; NetCDF-4 is HDF5. RuntimeError where the file or a column is missing."""
    names = ('step', 'time', 'kinetic_energy', 'dissipation', 'enstrophy', 'divergence_max')
    try:
        with h5py.File(path, 'r') as source:
            return {name: np.array(source[name]) for name in names}
    except (OSError, KeyError) as fault:
        raise RuntimeError(f'{path}: {fault}') from fault


def compare_series(case, study, series, expected, solver):
    """Judges kolmo's series. Returns the largest relative difference and where; RuntimeError on a miss.

    Differences are relative to the reference's value of the same step; NaN never passes."""
    grid = solver.grid
    speed = max(np.max(np.abs(q)) for q in solver.vel)
    size = (grid.box_volume / np.prod(case['n'])) ** (1.0 / 3.0)
    if list(series['step']) not in (expected['step'], expected['step'][1:]):
        raise RuntimeError(f"steps {list(series['step'])}, expected 0 or 1 to {study.steps}")
    steps = [int(step) for step in series['step']]
    worst, where = 0.0, 'nothing'
    columns = (('time', 't', RELATIVE_TIME), ('kinetic_energy', 'energy', RELATIVE),
               ('dissipation', 'dissipation', RELATIVE), ('enstrophy', 'enstrophy', RELATIVE))
    for name, reference_name, tolerance in columns:
        for got, step in zip(series[name], steps):
            want = expected[reference_name][step]
            difference = abs(got - want) / abs(want) if want != 0.0 else abs(got)
            if not difference <= tolerance:
                raise RuntimeError(f'{name} of step {step} is {got:.15e}, reference {want:.15e}: '
                                   f'relative {difference:.1e} > {tolerance:.0e}')
            if difference > worst:
                worst, where = difference, f'{name}, step {step}'
    bound = DIVERGENCE_MARGIN * study.pressure_tolerance * speed / size
    if not np.max(series['divergence_max']) <= bound:
        raise RuntimeError(f"divergence_max {np.max(series['divergence_max']):.2e} > {bound:.2e}")
    return worst, where


def compare_fields(case, study, folder, solver):
    """Judges faces, velocity and pressure of the checkpoint of the last step. Returns the largest difference
    of velocity and pressure; RuntimeError where a part is missing or missed."""
    paths = glob.glob(os.path.join(folder, 'checkpoint_*.h5'))
    if len(paths) != 1:
        raise RuntimeError(f'{len(paths)} files checkpoint_*.h5, expected that of the last step alone')
    speed = max(np.max(np.abs(q)) for q in solver.vel)
    wanted = [(f'/fields/{name}', q, study.velocity * speed) for name, q in zip('uvw', solver.vel)]
    wanted.append(('/fields/p', solver.p, study.pressure * speed ** 2))
    for d, name in enumerate('xyz'):
        faces = navier_stokes.face_coordinates(case['stretching'][d], case['n'][d], case['origin'][d],
                                               case['length'][d], case['factor'][d])
        scale = max(case['length'][d], abs(case['origin'][d]))
        wanted.append((f'/grid/{name}_face', faces, FACES * scale))
    found = {}
    for name, want, bound in wanted:
        try:
            with h5py.File(paths[0], 'r') as source:
                got = np.array(source[name])
        except (OSError, KeyError) as fault:
            raise RuntimeError(f'{paths[0]}: {name}: {fault}') from fault
        if got.size != want.size:
            raise RuntimeError(f'{name} has shape {got.shape}, reference {want.shape}')
        found[name] = np.max(np.abs(got.reshape(want.shape) - want))
        if not found[name] <= bound:
            raise RuntimeError(f'{name} differs by {found[name]:.2e} > {bound:.2e}')
    return max(found[f'/fields/{name}'] for name in 'uvw'), found['/fields/p']


def run_one(options, case, folder):
    """Runs and judges a case. Returns what to print; RuntimeError where it failed."""
    case, study = stepped(case, options.study), options.study
    series = read_series(run_kolmo(options, case, folder))
    expected, solver = navier_stokes.run_case(case)
    worst, where = compare_series(case, study, series, expected, solver)
    text = f'series {worst:.1e} ({where})'
    if options.fields:
        velocity, pressure = compare_fields(case, study, folder, solver)
        text += f', velocity {velocity:.1e}, pressure {pressure:.1e}'
    return text


def run_all(options, folder):
    """Runs the cases. Returns the numbers of those that passed and failed."""
    passed, failed = 0, 0
    for number, (name, case) in enumerate(CASES.items()):
        if options.only not in name:
            continue
        place = os.path.join(folder, f'case_{number:02d}')
        os.makedirs(place, exist_ok=True)
        try:
            text = run_one(options, case, place)
        except RuntimeError as fault:
            failed += 1
            print(f'FAIL {name}: {fault}', flush=True)
        else:
            passed += 1
            print(f'ok   {name:<52s} {text}', flush=True)
    return passed, failed


def main():
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('--kolmo', default='build/cpu/kolmo')
    parser.add_argument('--ranks', type=int, default=1)
    parser.add_argument('--only', default='')
    parser.add_argument('--keep')
    parser.add_argument('--no-fields', dest='fields', action='store_false')
    parser.add_argument('--long', dest='study', action='store_const', const=LONG, default=SHORT)
    options = parser.parse_args()
    if not os.access(options.kolmo, os.X_OK) or os.path.isdir(options.kolmo):
        print(f'compare_reference.py: {options.kolmo} is not a program', file=sys.stderr)
        return 2
    options.kolmo = os.path.abspath(options.kolmo)
    if options.keep:
        os.makedirs(options.keep, exist_ok=True)
        passed, failed = run_all(options, os.path.abspath(options.keep))
    else:
        with tempfile.TemporaryDirectory(prefix='kolmo_compare_') as folder:
            passed, failed = run_all(options, folder)
    print(f'{passed} passed, {failed} failed')
    if passed + failed == 0:
        return 2
    return 0 if failed == 0 else 1


if __name__ == '__main__':
    sys.exit(main())
