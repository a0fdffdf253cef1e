"""What the tests of implicit diffusion between walls share: the explicit limit of dt and the steady flow."""
import kolmo_case as kc
import numpy as np


def explicit_limit(case, kolmo):
    """dt by stability of the same case with explicit diffusion, as --check tells it."""
    case = kc.merge(case, {"time": {"diffusion": "explicit", "diffusion_tolerance": None}})
    path = kolmo.write(case, kolmo.place())
    text = kolmo.call("--check", path).out
    return float(text.split("dt by stability")[1].split()[0])


def laminar(face, gradient, high, nu):
    """The steady flow of the discrete equations under a force: the stress is linear, its flux lies over the
    distance of centres."""
    centre = 0.5 * (face[1:] + face[:-1])
    stress = gradient * ((face[-1] if high == "slip" else 0.5 * (face[-1] + face[0])) - face[:-1])
    distance = np.concatenate(([centre[0] - face[0]], np.diff(centre)))
    return np.cumsum(stress * distance) / nu
