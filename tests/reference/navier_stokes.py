#!/usr/bin/python3
"""Slow, independent reference solver for the incompressible Navier-Stokes equations in a periodic box.

    du/dt = -div(u u) - grad p + nu lap u,   div u = 0        (density 1)

It computes the same discretisation as kolmo (design.md, section 1), derived from the equations and written
with numpy alone, without a line of the fast code: it judges the fast code.

    navier_stokes.py case.json out.json     runs a case and writes its series
    navier_stokes.py --self-test            measures invariants and orders; exit code 1 if one is missed

Case (JSON object; every key but `initial` members and `origin` must be there):

    n [3], length [3], origin [3] (0), stretching [3] ('uniform' | 'sine' | 'tanh'), factor [3], nu,
    scheme ('rk3-half' | 'rk3-wray'), diffusion ('explicit' | 'implicit'), dt, steps,
    initial {type, velocity [3] (0), amplitude (1), wavenumber (1), abc [3] (1, 1, 1)}

with initial type 'taylor-green', 'taylor-green-2d', 'abc', 'beltrami', 'uniform' or 'rest'.

Output (JSON object): `case`, and `series`, an object of equally long lists, one entry for step 0 and for
every step: step, t, energy, dissipation, enstrophy, momentum (3 numbers: mean velocity, each component
weighted with its own volumes), max_div.

Arrays are indexed [k, j, i], x fastest. u[k, j, i] sits on the lower x face of cell i, v and w alike on
their faces, p at the centre. Locations: c centre or f face, for x, y, z: u fcc, v cfc, w ccf, p ccc; the
vorticity at the edges cff, fcf, ffc.
"""

import json
import math
import sys

import numpy as np

X, Y, Z = 0, 1, 2
VELOCITY_LOCATIONS = ('fcc', 'cfc', 'ccf')


# --- grid -------------------------------------------------------------------------------------------


def face_coordinates(kind, n, origin, length, factor):
    """The n + 1 face coordinates of one direction, with s = i/n:

        uniform  x = origin + L s
        tanh     x = origin + L (1 + tanh(f (2 s - 1)) / tanh(f)) / 2        clustered at both ends
        sine     x = origin + L (s - f sin(2 pi s) / (2 pi)),  |f| < 1    smooth over the periodic boundary
    """
    s = np.arange(n + 1) / n
    if kind == 'uniform':
        return origin + length * s
    if kind == 'tanh':
        return origin + length * (1.0 + np.tanh(factor * (2.0 * s - 1.0)) / np.tanh(factor)) / 2.0
    if kind == 'sine':
        return origin + length * (s - factor * np.sin(2.0 * np.pi * s) / (2.0 * np.pi))
    raise ValueError(f"stretching '{kind}' is not 'uniform', 'tanh' or 'sine'")


def along(values, direction):
    """1-D values of one direction, shaped so that they broadcast over [k, j, i]."""
    shape = [1, 1, 1]
    shape[2 - direction] = len(values)
    return np.reshape(values, shape)


def below(q, direction):
    """q one point lower: result[i] = q[i - 1], periodic."""
    return np.roll(q, 1, axis=2 - direction)


def above(q, direction):
    """q one point higher: result[i] = q[i + 1], periodic."""
    return np.roll(q, -1, axis=2 - direction)


class Grid:
    """Coordinates and spacings of the staggered periodic grid.

    xf[d], xc[d]  coordinates of the lower faces and of the centres; centres are midpoints of faces [L]
    dc[d]         cell width between faces i and i + 1
    df[d]         distance of centres i - 1 and i, at face i; over the periodic boundary for i = 0
    """

    def __init__(self, n, length, origin, stretching, factor):
        self.n = tuple(n)
        self.length = tuple(float(x) for x in length)
        self.origin = tuple(float(x) for x in origin)
        self.xf, self.xc, self.dc, self.df = [], [], [], []
        for d in range(3):
            faces = face_coordinates(stretching[d], n[d], self.origin[d], self.length[d], factor[d])
            if not np.all(np.diff(faces) > 0.0):
                raise ValueError(f'face coordinates of direction {d} do not increase')
            centres = 0.5 * (faces[:-1] + faces[1:])
            previous = np.concatenate(([centres[-1] - self.length[d]], centres[:-1]))
            self.xf.append(faces[:-1])
            self.xc.append(centres)
            self.dc.append(faces[1:] - faces[:-1])
            self.df.append(centres - previous)
        self.shape = (n[Z], n[Y], n[X])
        self.box_volume = self.length[X] * self.length[Y] * self.length[Z]

    def coordinate(self, location, d):
        """Coordinate of direction d of the points at a location, broadcastable."""
        return along(self.xf[d] if location[d] == 'f' else self.xc[d], d)

    def width(self, location, d):
        """Width in direction d of the volumes round the points of a location: 1-D."""
        return self.df[d] if location[d] == 'f' else self.dc[d]

    def distance(self, location, d):
        """Distance in direction d of the points i - 1 and i of a location, at index i: 1-D.

        Faces i - 1 and i enclose cell i - 1; centres i - 1 and i are df[i] apart."""
        return np.roll(self.dc[d], 1) if location[d] == 'f' else self.df[d]

    def volume(self, location):
        """Volume round the points of a location."""
        return (along(self.width(location, X), X) * along(self.width(location, Y), Y)
                * along(self.width(location, Z), Z))


# --- operators --------------------------------------------------------------------------------------


def divergence(grid, vel):
    """div u at ccc: sum over the directions of (u[i + 1] - u[i]) / dx_c[i]."""
    total = np.zeros(grid.shape)
    for d in range(3):
        total += (above(vel[d], d) - vel[d]) / along(grid.dc[d], d)
    return total


def gradient(grid, p):
    """grad p at the faces: (p[i] - p[i - 1]) / dx_f[i]."""
    return [(p - below(p, d)) / along(grid.df[d], d) for d in range(3)]


def laplacian(grid, location, q):
    """Flux form, summed over the directions:

        (1 / width[i]) ((q[i+1] - q[i]) / distance[i+1] - (q[i] - q[i-1]) / distance[i])
    """
    total = np.zeros(grid.shape)
    for d in range(3):
        flux = (q - below(q, d)) / along(grid.distance(location, d), d)
        total += (above(flux, d) - flux) / along(grid.width(location, d), d)
    return total


def convection(grid, vel):
    """(1/V) sum over the six faces of the momentum volume V of mass flux * convected velocity.

    The mass flux is the half-half mean of the fluxes through two cell faces, each weighted with its own
    area; the convected velocity is the half-half mean of its two neighbours. With div u = 0 the operator is
    skew-symmetric on any grid: R.W.C.P. Verstappen, A.E.P. Veldman, J. Comput. Phys. 187 (2003) 343.

    The nine products are written out, one for each pair of momentum component and face direction. Products
    at cell centres (component = direction) join faces i and i + 1; those at the edges join i - 1 and i.
    """
    u, v, w = vel
    dx, dy, dz = along(grid.dc[X], X), along(grid.dc[Y], Y), along(grid.dc[Z], Z)

    # volumes of u, at fcc: faces at ccc, ffc, fcf
    u_centre = 0.5 * (u + above(u, X))
    xx = (u_centre * dy * dz) * u_centre
    xy = 0.5 * (below(v * dx, X) + v * dx) * dz * 0.5 * (below(u, Y) + u)
    xz = 0.5 * (below(w * dx, X) + w * dx) * dy * 0.5 * (below(u, Z) + u)
    conv_u = (xx - below(xx, X)) + (above(xy, Y) - xy) + (above(xz, Z) - xz)

    # volumes of v, at cfc: faces at ffc, ccc, cff
    v_centre = 0.5 * (v + above(v, Y))
    yx = 0.5 * (below(u * dy, Y) + u * dy) * dz * 0.5 * (below(v, X) + v)
    yy = (v_centre * dx * dz) * v_centre
    yz = 0.5 * (below(w * dy, Y) + w * dy) * dx * 0.5 * (below(v, Z) + v)
    conv_v = (above(yx, X) - yx) + (yy - below(yy, Y)) + (above(yz, Z) - yz)

    # volumes of w, at ccf: faces at fcf, cff, ccc
    w_centre = 0.5 * (w + above(w, Z))
    zx = 0.5 * (below(u * dz, Z) + u * dz) * dy * 0.5 * (below(w, X) + w)
    zy = 0.5 * (below(v * dz, Z) + v * dz) * dx * 0.5 * (below(w, Y) + w)
    zz = (w_centre * dx * dy) * w_centre
    conv_w = (above(zx, X) - zx) + (above(zy, Y) - zy) + (zz - below(zz, Z))

    return [conv_u / grid.volume('fcc'), conv_v / grid.volume('cfc'), conv_w / grid.volume('ccf')]


# --- exact solutions of the linear systems ----------------------------------------------------------


class Separable:
    """The Laplacian L of one location, diagonalised direction by direction.

    In one direction L = -W^-1 K, with W the diagonal matrix of the widths and K symmetric (a periodic chain
    of conductances 1/distance). S = W^-1/2 K W^-1/2 is symmetric, S = Q diag(lambda) Q^T, and

        L = -W^-1/2 Q diag(lambda) Q^T W^1/2.

    In three dimensions the eigenvalues add: R.E. Lynch, J.R. Rice, D.H. Thomas, Numer. Math. 6 (1964) 185.
    """

    def __init__(self, grid, location):
        self.vectors, self.root_width, eigenvalues = [], [], []
        for d in range(3):
            n = grid.n[d]
            root = np.sqrt(grid.width(location, d))
            conductance = 1.0 / grid.distance(location, d)
            stiffness = np.zeros((n, n))
            for i in range(n):  # the link of points i - 1 and i
                stiffness[i, i] += conductance[i]
                stiffness[i - 1, i - 1] += conductance[i]
                stiffness[i, i - 1] -= conductance[i]
                stiffness[i - 1, i] -= conductance[i]
            value, vector = np.linalg.eigh(stiffness / np.outer(root, root))
            value[0] = 0.0  # eigh sorts upwards; K times a constant is zero
            self.vectors.append(vector)
            self.root_width.append(root)
            eigenvalues.append(value)
        self.lap = -(along(eigenvalues[X], X) + along(eigenvalues[Y], Y) + along(eigenvalues[Z], Z))

    def solve(self, shift, scale, rhs):
        """q with shift q + scale L q = rhs. For shift = 0 the constant is dropped from rhs and from q."""
        q = np.array(rhs)
        for d in range(3):
            q = self._transform(q * along(self.root_width[d], d), self.vectors[d].T, d)
        symbol = shift + scale * self.lap
        if shift == 0.0:
            symbol[0, 0, 0] = 1.0
            q[0, 0, 0] = 0.0
        q = q / symbol
        for d in range(3):
            q = self._transform(q, self.vectors[d], d) / along(self.root_width[d], d)
        return q

    @staticmethod
    def _transform(q, matrix, d):
        """result[.., m, ..] = sum over i of matrix[m, i] q[.., i, ..] along direction d."""
        axis = 2 - d
        return np.moveaxis(np.tensordot(q, matrix, axes=([axis], [1])), -1, axis)


# --- initial flows ----------------------------------------------------------------------------------


def initial_point_values(grid, initial, t=0.0, nu=0.0):
    """Velocity of an initial flow at the points of u, v, w, plus the uniform velocity U.

    X = kx (x - origin - U t), kx = 2 pi wavenumber / length, and so on; A is the amplitude.

        taylor-green     u = A sin X cos Y cos Z,  v = -A (kx/ky) cos X sin Y cos Z,  w = 0
        taylor-green-2d  u = A sin X cos Y,  v = -A (kx/ky) cos X sin Y,  w = 0
        abc              u = A (a sin Z + c cos Y),  v = A (b sin X + a cos Z),  w = A (c sin Y + b cos X)
        beltrami         M. Antuono, J. Fluid Mech. 890 (2020) A23

    With t > 0 the exact solution: taylor-green-2d decays with exp(-nu (kx^2 + ky^2) t) in any box (G.I.
    Taylor, Phil. Mag. 46 (1923) 671), in a cube abc with exp(-nu k^2 t) (T. Dombre et al., J. Fluid Mech.
    167 (1986) 353) and beltrami with exp(-3 nu k^2 t); each is advected with U.
    """
    kind = initial['type']
    amplitude = float(initial.get('amplitude', 1.0))
    wavenumber = initial.get('wavenumber', 1)
    uniform = [float(x) for x in initial.get('velocity', (0.0, 0.0, 0.0))]
    k = [2.0 * np.pi * wavenumber / grid.length[d] for d in range(3)]
    a, b, c = (float(x) for x in initial.get('abc', (1.0, 1.0, 1.0)))
    sin, cos = np.sin, np.cos

    def phases(location):
        return [k[d] * (grid.coordinate(location, d) - grid.origin[d] - uniform[d] * t) for d in range(3)]

    def beltrami(p, q, r):
        """One component of Antuono's flow; the other two follow by cyclic exchange of the phases."""
        s, e = 5.0 * np.pi / 6.0, np.pi / 6.0
        return (4.0 * math.sqrt(2.0) / (3.0 * math.sqrt(3.0))
                * (sin(p - s) * cos(q - e) * sin(r) - cos(r - s) * sin(p - e) * sin(q)))

    (xu, yu, zu), (xv, yv, zv), (xw, yw, zw) = (phases(loc) for loc in VELOCITY_LOCATIONS)
    decay = 1.0
    if kind == 'taylor-green':
        if t != 0.0:
            raise ValueError('taylor-green has no closed form for t > 0')
        flow = [sin(xu) * cos(yu) * cos(zu), -(k[X] / k[Y]) * cos(xv) * sin(yv) * cos(zv), 0.0]
    elif kind == 'taylor-green-2d':
        flow = [sin(xu) * cos(yu), -(k[X] / k[Y]) * cos(xv) * sin(yv), 0.0]
        decay = math.exp(-nu * (k[X] ** 2 + k[Y] ** 2) * t)
    elif kind == 'abc':
        flow = [a * sin(zu) + c * cos(yu), b * sin(xv) + a * cos(zv), c * sin(yw) + b * cos(xw)]
        decay = math.exp(-nu * k[X] ** 2 * t)
    elif kind == 'beltrami':
        flow = [beltrami(xu, yu, zu), beltrami(yv, zv, xv), beltrami(zw, xw, yw)]
        decay = math.exp(-3.0 * nu * k[X] ** 2 * t)
    elif kind in ('uniform', 'rest'):
        flow = [0.0, 0.0, 0.0]
        uniform = [0.0, 0.0, 0.0] if kind == 'rest' else uniform
    else:
        raise ValueError(f"initial type '{kind}' is not known")
    return [amplitude * decay * flow[d] + np.full(grid.shape, uniform[d]) for d in range(3)]


# --- time stepping ----------------------------------------------------------------------------------


def scheme_stages(scheme):
    """The three stages as (from_start, weight, weight_old, length), in units of dt.

        rk3-half  u(m) = u(n)   + dt c_m F(u(m-1)),  c = 1/2, 1/2, 1; stage length c_m dt
        rk3-wray  u(m) = u(m-1) + dt (gamma_m F(u(m-1)) + zeta_m F(u(m-2))), gamma = 8/15, 5/12, 3/4,
                  zeta = 0, -17/60, -5/12; stage length (gamma_m + zeta_m) dt
                  (A.A. Wray 1990; P.R. Spalart, R.D. Moser, M.M. Rogers, J. Comput. Phys. 96 (1991) 297)
    """
    if scheme == 'rk3-half':
        return [(True, c, 0.0, c) for c in (1.0 / 2.0, 1.0 / 2.0, 1.0)]
    if scheme == 'rk3-wray':
        weights = ((8.0 / 15.0, 0.0), (5.0 / 12.0, -17.0 / 60.0), (3.0 / 4.0, -5.0 / 12.0))
        return [(False, gamma, zeta, gamma + zeta) for gamma, zeta in weights]
    raise ValueError(f"scheme '{scheme}' is not 'rk3-half' or 'rk3-wray'")


class Solver:
    """State and one time step of the incremental fractional-step method.

    Stage m of length dts, from the velocity u_start (u(n) for rk3-half, u(m-1) for rk3-wray):

        u* = u_start + dt (weight F + weight_old F_old) [+ dts nu/2 L (u* + u_start)] - dts grad p
        L phi = div(u*) / dts
        u = u* - dts grad phi,   p = p + phi [- dts nu/2 L phi],   mean of p = 0

    The brackets hold where diffusion is implicit (trapezoidal); F is then convection alone, otherwise
    convection and diffusion. p starts from zero and runs on from stage to stage. Incremental form:
    J. van Kan, SIAM J. Sci. Stat. Comput. 7 (1986) 870; the last bracket: D.L. Brown, R. Cortez,
    M.L. Minion, J. Comput. Phys. 168 (2001) 464.

    In a periodic box the Laplacians and the gradient commute on every such grid (in x, L_fcc G = G D G =
    G L_ccc; y and z act on another index), so the velocity does not depend on p: judge p by itself.
    """

    def __init__(self, grid, nu, scheme, diffusion, vel):
        if diffusion not in ('explicit', 'implicit'):
            raise ValueError(f"diffusion '{diffusion}' is not 'explicit' or 'implicit'")
        self.grid, self.nu = grid, float(nu)
        self.implicit = diffusion == 'implicit'
        self.stages = scheme_stages(scheme)
        self.poisson = Separable(grid, 'ccc')
        self.helmholtz = [Separable(grid, loc) for loc in VELOCITY_LOCATIONS] if self.implicit else None
        self.vel = [np.array(q) for q in vel]
        self.p = np.zeros(grid.shape)
        self.t = 0.0

    def project(self, vel):
        """vel - grad phi with L phi = div vel: the nearest divergence-free field in the energy norm."""
        phi = self.poisson.solve(0.0, 1.0, divergence(self.grid, vel))
        grad = gradient(self.grid, phi)
        return [vel[d] - grad[d] for d in range(3)], phi

    def right_hand_side(self, vel):
        """F: -convection, and nu L u where diffusion is explicit."""
        rhs = [-c for c in convection(self.grid, vel)]
        if not self.implicit:
            for d in range(3):
                rhs[d] = rhs[d] + self.nu * laplacian(self.grid, VELOCITY_LOCATIONS[d], vel[d])
        return rhs

    def step(self, dt):
        """One time step of length dt."""
        vel_n = self.vel
        old = None
        for from_start, weight, weight_old, length in self.stages:
            dts = length * dt
            start = vel_n if from_start else self.vel
            rhs = self.right_hand_side(self.vel)
            grad_p = gradient(self.grid, self.p)
            star = []
            for d in range(3):
                q = start[d] + dt * weight * rhs[d] - dts * grad_p[d]
                if weight_old != 0.0:
                    q = q + dt * weight_old * old[d]
                if self.implicit:
                    half = 0.5 * dts * self.nu
                    q = q + half * laplacian(self.grid, VELOCITY_LOCATIONS[d], start[d])
                    q = self.helmholtz[d].solve(1.0, -half, q)
                star.append(q)
            old = rhs
            phi = self.poisson.solve(0.0, 1.0, divergence(self.grid, star) / dts)
            grad_phi = gradient(self.grid, phi)
            self.vel = [star[d] - dts * grad_phi[d] for d in range(3)]
            self.p = self.p + phi
            if self.implicit:
                self.p = self.p - 0.5 * dts * self.nu * laplacian(self.grid, 'ccc', phi)
            volume = self.grid.volume('ccc')
            self.p = self.p - np.sum(volume * self.p) / np.sum(volume)
        self.t += dt


# --- diagnostics ------------------------------------------------------------------------------------


def kinetic_energy(grid, vel):
    """Sum of V u^2 / 2 over the three components, each with its own volumes, over the volume of the box."""
    total = sum(np.sum(grid.volume(loc) * q * q) for loc, q in zip(VELOCITY_LOCATIONS, vel))
    return 0.5 * total / grid.box_volume


def dissipation(grid, nu, vel):
    """nu times the sum of area / distance * difference^2 over all links of all components, over the volume.

    By summation by parts equal to -nu sum of V u L u: what diffusion takes from the kinetic energy."""
    total = 0.0
    for location, q in zip(VELOCITY_LOCATIONS, vel):
        for d in range(3):
            e1, e2 = (d + 1) % 3, (d + 2) % 3
            area = along(grid.width(location, e1), e1) * along(grid.width(location, e2), e2)
            total += np.sum(area / along(grid.distance(location, d), d) * (q - below(q, d)) ** 2)
    return nu * total / grid.box_volume


def vorticity(grid, vel):
    """curl u at the edges cff, fcf, ffc: omega_z = (v[i] - v[i-1]) / dx_f[i] - (u[j] - u[j-1]) / dy_f[j],
    the others by cyclic exchange."""
    u, v, w = vel
    dx, dy, dz = along(grid.df[X], X), along(grid.df[Y], Y), along(grid.df[Z], Z)
    return [(w - below(w, Y)) / dy - (v - below(v, Z)) / dz,
            (u - below(u, Z)) / dz - (w - below(w, X)) / dx,
            (v - below(v, X)) / dx - (u - below(u, Y)) / dy]


def enstrophy(grid, vel):
    """Sum of V omega^2 / 2 over the edges, V from the widths there, over the volume of the box."""
    omega = vorticity(grid, vel)
    edges = ('cff', 'fcf', 'ffc')
    return 0.5 * sum(np.sum(grid.volume(loc) * q * q) for loc, q in zip(edges, omega)) / grid.box_volume


def momentum(grid, vel):
    """Mean of u, v, w: sum of V u over the volume of the box."""
    return [np.sum(grid.volume(loc) * q) / grid.box_volume for loc, q in zip(VELOCITY_LOCATIONS, vel)]


# --- cases ------------------------------------------------------------------------------------------

CASE_KEYS = {'n', 'length', 'origin', 'stretching', 'factor', 'nu', 'scheme', 'diffusion', 'dt', 'steps',
             'initial'}
INITIAL_KEYS = {'type', 'velocity', 'amplitude', 'wavenumber', 'abc'}


def start_case(case):
    """Checked case -> grid and solver at t = 0, the initial flow projected."""
    missing = CASE_KEYS - {'origin'} - set(case)
    unknown = (set(case) - CASE_KEYS) | (set(case.get('initial', {})) - INITIAL_KEYS)
    if missing or unknown:
        raise ValueError(f'case: missing {sorted(missing)}, unknown {sorted(unknown)}')
    origin = case.get('origin', (0.0, 0.0, 0.0))
    grid = Grid(case['n'], case['length'], origin, case['stretching'], case['factor'])
    vel = initial_point_values(grid, case['initial'])
    solver = Solver(grid, case['nu'], case['scheme'], case['diffusion'], vel)
    solver.vel, _ = solver.project(solver.vel)
    return grid, solver


def run_case(case):
    """Series of a case (lists of step, t, energy, dissipation, enstrophy, momentum, max_div) and its solver,
    which holds the velocity and pressure of the last step."""
    grid, solver = start_case(case)
    names = ('step', 't', 'energy', 'dissipation', 'enstrophy', 'momentum', 'max_div')
    series = {name: [] for name in names}
    for step in range(case['steps'] + 1):
        if step > 0:
            solver.step(case['dt'])
        series['step'].append(step)
        series['t'].append(step * case['dt'])
        series['energy'].append(float(kinetic_energy(grid, solver.vel)))
        series['dissipation'].append(float(dissipation(grid, solver.nu, solver.vel)))
        series['enstrophy'].append(float(enstrophy(grid, solver.vel)))
        series['momentum'].append([float(x) for x in momentum(grid, solver.vel)])
        series['max_div'].append(float(np.max(np.abs(divergence(grid, solver.vel)))))
    return series, solver


# --- self-test --------------------------------------------------------------------------------------


class Judge:
    """Prints each figure with its bound and counts those missed."""

    def __init__(self):
        self.failed = 0

    def at_most(self, what, value, bound):
        self._line(what, value, f'<= {bound:g}', value <= bound)

    def between(self, what, value, low, high):
        self._line(what, value, f'in {low:g} .. {high:g}', low <= value <= high)

    def _line(self, what, value, bound, good):
        print(f"{'ok  ' if good else 'FAIL'} {what:<66s} {value:10.3e}  {bound}", flush=True)
        self.failed += not good


def norm(grid, vel):
    """Root of the volume mean of u.u."""
    return math.sqrt(2.0 * kinetic_energy(grid, vel))


def minus(a, b):
    """Difference of two velocity fields."""
    return [p - q for p, q in zip(a, b)]


def uneven_grid(n):
    """Non-cubic box, another stretching in each direction."""
    return Grid(n, (3.0, 2.0, 1.7), (0.4, -1.0, 0.0), ('sine', 'tanh', 'sine'), (0.5, 1.3, -0.4))


def test_operators(judge):
    """Invariants of the discretisation for random fields on an uneven grid."""
    random = np.random.default_rng(7)
    grid = uneven_grid((12, 10, 8))
    nu = 0.03
    rough = [random.standard_normal(grid.shape) for _ in range(3)]
    solver = Solver(grid, nu, 'rk3-half', 'implicit', rough)
    vel, _ = solver.project(solver.vel)
    volume = [grid.volume(loc) for loc in VELOCITY_LOCATIONS]
    judge.at_most('projection: max |div u| h / U, random field',
                  np.max(np.abs(divergence(grid, vel))) * min(map(np.min, grid.dc)) / norm(grid, vel), 1e-13)

    conv = convection(grid, vel)
    products = [volume[d] * vel[d] * conv[d] for d in range(3)]
    judge.at_most('skew symmetry: |sum V u.conv| / sum |V u.conv|, uneven grid',
                  abs(sum(map(np.sum, products))) / sum(np.sum(np.abs(q)) for q in products), 1e-13)
    conv = convection(grid, rough)
    products = [volume[d] * rough[d] * conv[d] for d in range(3)]
    judge.between('  the same without div u = 0 (the test can fail)',
                  abs(sum(map(np.sum, products))) / sum(np.sum(np.abs(q)) for q in products), 1e-5, 1.0)
    other = [random.standard_normal(grid.shape) for _ in range(3)]
    for d, name in enumerate('xyz'):
        location = VELOCITY_LOCATIONS[d]
        judge.at_most(f'momentum {name}: |sum V conv| / sum |V conv|, random field, div u not 0',
                      abs(np.sum(volume[d] * conv[d])) / np.sum(np.abs(volume[d] * conv[d])), 1e-13)
        lap = laplacian(grid, location, other[d])
        judge.at_most(f'momentum {name}: |sum V lap| / sum |V lap|',
                      abs(np.sum(volume[d] * lap)) / np.sum(np.abs(volume[d] * lap)), 1e-13)
        left = np.sum(volume[d] * vel[d] * lap)
        right = np.sum(volume[d] * other[d] * laplacian(grid, location, vel[d]))
        judge.at_most(f'diffusion {name} symmetric: |a.VLb - b.VLa| / |a.VLb|',
                      abs(left - right) / abs(left), 1e-12)
        half = 0.01
        q = solver.helmholtz[d].solve(1.0, -half, other[d])
        rest = q - half * laplacian(grid, location, q) - other[d]
        judge.at_most(f'Helmholtz solve at {location}: max residual', np.max(np.abs(rest)), 1e-12)

    power = -nu * sum(np.sum(volume[d] * vel[d] * laplacian(grid, loc, vel[d]))
                      for d, loc in enumerate(VELOCITY_LOCATIONS))
    eps = dissipation(grid, nu, vel)
    judge.at_most('dissipation = -nu sum V u.lap u: relative',
                  abs(power / grid.box_volume - eps) / eps, 1e-13)
    judge.at_most('dissipation = 2 nu enstrophy where div u = 0: relative',
                  abs(eps - 2.0 * nu * enstrophy(grid, vel)) / eps, 1e-12)
    p = random.standard_normal(grid.shape)
    grad = gradient(grid, p)
    left = sum(np.sum(volume[d] * other[d] * grad[d]) for d in range(3))
    right = -np.sum(grid.volume('ccc') * p * divergence(grid, other))
    judge.at_most('gradient = -transpose of divergence: relative', abs(left - right) / abs(left), 1e-12)
    judge.at_most('div grad = lap at ccc: max difference over max',
                  np.max(np.abs(divergence(grid, grad) - laplacian(grid, 'ccc', p)))
                  / np.max(np.abs(laplacian(grid, 'ccc', p))), 1e-13)


def test_convergence_of_operators(judge):
    """Convection and diffusion of a smooth flow against the differential operators: order of the root mean
    square of the difference on sine grids. ABC flow with phases of three different wavelengths:
    u.grad u and lap u by hand. Catches a wrong flux that every invariant would let pass."""
    errors = []
    for n in (16, 32):
        grid = Grid((n, n, n), (3.0, 2.0, 1.7), (0.3, 0.0, -1.0), ('sine',) * 3, (0.3, -0.2, 0.25))
        flow = {'type': 'abc', 'abc': (1.0, 0.7, 0.4)}
        vel = initial_point_values(grid, flow)
        k = [2.0 * np.pi / length for length in grid.length]
        a, b, c = flow['abc']

        def values(location):
            xx, yy, zz = (k[d] * (grid.coordinate(location, d) - grid.origin[d]) for d in range(3))
            u, v, w = (a * np.sin(zz) + c * np.cos(yy), b * np.sin(xx) + a * np.cos(zz),
                       c * np.sin(yy) + b * np.cos(xx))
            return {'fcc': v * (-c * k[Y] * np.sin(yy)) + w * (a * k[Z] * np.cos(zz)),
                    'cfc': u * (b * k[X] * np.cos(xx)) + w * (-a * k[Z] * np.sin(zz)),
                    'ccf': u * (-b * k[X] * np.sin(xx)) + v * (c * k[Y] * np.cos(yy))}[location]

        conv = convection(grid, vel)
        lap_u = -(a * k[Z] ** 2 * np.sin(k[Z] * (grid.coordinate('fcc', Z) - grid.origin[Z]))
                  + c * k[Y] ** 2 * np.cos(k[Y] * (grid.coordinate('fcc', Y) - grid.origin[Y])))
        errors.append([norm(grid, [conv[d] - values(loc) for d, loc in enumerate(VELOCITY_LOCATIONS)]),
                       math.sqrt(np.mean((laplacian(grid, 'fcc', vel[X]) - lap_u) ** 2))])
    for m, name in enumerate(('convection', 'diffusion')):
        judge.between(f'truncation order of {name}, sine grid 16 -> 32',
                      math.log2(errors[0][m] / errors[1][m]), 1.85, 2.3)


def space_error(kind, n, scheme):
    """Error at t = 0.25 of an exact solution on stretched grids, dt in proportion to the spacing."""
    if kind == 'taylor-green-2d':
        case = {'n': (n, 3 * n // 4, 3), 'length': (2.0 * np.pi, 4.5, 1.0),
                'stretching': ('sine', 'sine', 'uniform'), 'factor': (0.3, -0.25, 0.0),
                'initial': {'type': kind, 'velocity': (0.7, -0.4, 0.2), 'amplitude': 0.9}}
    else:
        case = {'n': (n, n, n), 'length': (2.0 * np.pi,) * 3, 'stretching': ('sine',) * 3,
                'factor': (0.3, 0.2, -0.3),
                'initial': {'type': kind, 'velocity': (0.2, 0.0, -0.1)}}
        if kind == 'abc':
            case['initial']['abc'] = (1.0, 0.7, 0.4)
    steps = n // 2
    case.update(origin=(0.2, -0.5, 1.0), nu=0.05, scheme=scheme, diffusion='explicit', dt=0.25 / steps,
                steps=steps)
    grid, solver = start_case(case)
    for _ in range(steps):
        solver.step(case['dt'])
    exact = initial_point_values(grid, case['initial'], solver.t, case['nu'])
    difference = minus(solver.vel, exact)
    return norm(grid, difference) / norm(grid, exact), max(np.max(np.abs(q)) for q in difference)


def test_space(judge):
    """Order 2 in space on exact solutions, stretched (sine) grids."""
    flows = (('taylor-green-2d', (16, 32, 64)), ('abc', (12, 24, 48)), ('beltrami', (12, 24, 48)))
    for kind, sizes in flows:
        for scheme in ('rk3-half', 'rk3-wray') if kind == 'taylor-green-2d' else ('rk3-wray',):
            errors = [space_error(kind, n, scheme) for n in sizes]
            for n, (rms, largest) in zip(sizes, errors):
                print(f'     {kind} {scheme} n = {n:3d}: rms error {rms:.3e}, max {largest:.3e}')
            judge.between(f'space order of {kind}, {scheme}, {sizes[1]} -> {sizes[2]}, rms',
                          math.log2(errors[1][0] / errors[2][0]), 1.9, 2.2)
            judge.between(f'space order of {kind}, {scheme}, {sizes[1]} -> {sizes[2]}, max',
                          math.log2(errors[1][1] / errors[2][1]), 1.8, 2.3)


def pressure_error(n):
    """Root mean square error of p, relative, for the steady inviscid ABC flow after two steps, sine grid.

    Exact: p = -|u|^2/2 + const = -(b c cos X sin Y + a b sin X cos Z + c a sin Z cos Y)."""
    a, b, c = 1.0, 0.7, 0.4
    case = {'n': (n, n, n), 'length': (2.0 * np.pi,) * 3, 'stretching': ('sine',) * 3,
            'factor': (0.3, 0.2, -0.3), 'nu': 0.0, 'scheme': 'rk3-half', 'diffusion': 'explicit',
            'dt': 0.1 / n, 'steps': 2, 'initial': {'type': 'abc', 'abc': (a, b, c)}}
    grid, solver = start_case(case)
    for _ in range(case['steps']):
        solver.step(case['dt'])
    xx, yy, zz = (grid.coordinate('ccc', d) for d in range(3))
    exact = -(b * c * np.cos(xx) * np.sin(yy) + a * b * np.sin(xx) * np.cos(zz)
              + c * a * np.sin(zz) * np.cos(yy))
    volume = grid.volume('ccc')
    exact = exact - np.sum(volume * exact) / np.sum(volume)
    return math.sqrt(np.sum(volume * (solver.p - exact) ** 2) / np.sum(volume * exact ** 2))


def test_pressure(judge):
    """Order 2 of the pressure."""
    errors = [pressure_error(n) for n in (12, 24, 48)]
    print(f'     relative rms error of p, n = 12, 24, 48: {errors[0]:.3e} {errors[1]:.3e} {errors[2]:.3e}')
    judge.between('space order of the pressure, steady abc, 24 -> 48',
                  math.log2(errors[1] / errors[2]), 1.8, 2.2)


def test_time(judge):
    """Order in time by self-convergence, 3-D Taylor-Green with a uniform velocity on an uneven grid."""
    expected = {('rk3-half', 'explicit'): 2, ('rk3-wray', 'explicit'): 3,
                ('rk3-half', 'implicit'): 2, ('rk3-wray', 'implicit'): 2}
    for (scheme, diffusion), order in expected.items():
        results = []
        for steps in (10, 20, 40, 80):
            case = {'n': (10, 8, 8), 'length': (2.0 * np.pi, 5.0, 5.5),
                    'stretching': ('sine', 'uniform', 'tanh'), 'factor': (0.2, 0.0, 0.8),
                    'nu': 0.05, 'scheme': scheme, 'diffusion': diffusion, 'dt': 1.0 / steps, 'steps': steps,
                    'initial': {'type': 'taylor-green', 'velocity': (0.3, 0.2, -0.4)}}
            grid, solver = start_case(case)
            for _ in range(steps):
                solver.step(case['dt'])
            results.append(solver.vel)
        steps = [norm(grid, minus(results[m], results[m + 1])) for m in range(3)]
        print(f'     {scheme} {diffusion}: differences {steps[0]:.3e} {steps[1]:.3e} {steps[2]:.3e}, '
              f'order {math.log2(steps[0] / steps[1]):.2f} {math.log2(steps[1] / steps[2]):.2f}')
        judge.between(f'time order of {scheme}, {diffusion}', math.log2(steps[1] / steps[2]),
                      order - 0.2, order + 0.35)


def test_budget(judge):
    """Energy, momentum and analytic values over a run."""
    length = (2.0 * np.pi, 4.0, 5.0)
    case = {'n': (16, 12, 10), 'length': length, 'stretching': ('sine', 'tanh', 'uniform'),
            'factor': (0.3, 1.0, 0.0), 'nu': 0.0, 'scheme': 'rk3-wray', 'diffusion': 'explicit',
            'initial': {'type': 'taylor-green', 'velocity': (0.5, 0.3, -0.2)}}
    loss = []
    for dt in (0.04, 0.02):
        series, _ = run_case(dict(case, dt=dt, steps=round(0.4 / dt)))
        loss.append(abs(series['energy'][-1] / series['energy'][0] - 1.0))
    judge.between('inviscid energy change vanishes with dt: order (rk3-wray)',
                  math.log2(loss[0] / loss[1]), 2.7, 4.3)
    judge.at_most('mean momentum kept: largest change',
                  max(abs(a - b) for a, b in zip(series['momentum'][0], series['momentum'][-1])), 1e-14)
    judge.at_most('max |div u| over the run', max(series['max_div']), 1e-12)
    uniform = {'n': (16, 16, 16), 'length': (2.0 * np.pi,) * 3, 'stretching': ('uniform',) * 3,
               'factor': (0.0,) * 3, 'nu': 1.0 / 1600.0, 'scheme': 'rk3-half', 'diffusion': 'implicit',
               'dt': 0.01, 'steps': 0, 'initial': {'type': 'taylor-green'}}
    start, _ = run_case(uniform)
    judge.at_most('Taylor-Green: energy 1/8 at t = 0', abs(start['energy'][0] - 0.125), 1e-14)
    # second differences and staggered first differences of sin x both give (sin(h/2)/(h/2))^2
    factor = (math.sin(np.pi / 16.0) / (np.pi / 16.0)) ** 2
    judge.at_most('Taylor-Green: enstrophy 3/8 (sin(h/2)/(h/2))^2 at t = 0',
                  abs(start['enstrophy'][0] - 0.375 * factor), 1e-14)


def self_test():
    """All checks; True if every figure is within its bound."""
    judge = Judge()
    for test in (test_operators, test_convergence_of_operators, test_budget, test_space, test_pressure,
                 test_time):
        print(f'--- {test.__name__}')
        test(judge)
    print('self-test passed' if judge.failed == 0 else f'self-test: {judge.failed} figures missed')
    return judge.failed == 0


def main(arguments):
    """Command line; exit code 0 done, 1 self-test missed a figure, 2 wrong call or case."""
    if arguments == ['--self-test']:
        return 0 if self_test() else 1
    if len(arguments) != 2:
        print('usage: navier_stokes.py case.json out.json | --self-test', file=sys.stderr)
        return 2
    try:
        with open(arguments[0], encoding='utf-8') as source:
            case = json.load(source)
        series, _ = run_case(case)
    except (OSError, ValueError) as fault:
        print(f'navier_stokes.py: {arguments[0]}: {fault}', file=sys.stderr)
        return 2
    with open(arguments[1], 'w', encoding='utf-8') as target:
        json.dump({'case': case, 'series': series}, target, indent=1)
    return 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
