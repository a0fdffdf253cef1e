"""The standard error of a mean over batches, by numpy: docs/statistics.md, "Error bars"."""
import numpy as np

# Shapes of the spectrum near frequency zero: (falling, rising, weight with 5 ordinates).
SHAPES = ((0.01, 0, 1), (0.1, 0, 1), (0.4, 0, 1), (1.5, 0, 0.25), (0, 1, 20), (0, 2.5, 14), (0, 6, 8),
          (0, 0, 1))
# The share of the weight that rising shapes have with fewer ordinates.
EXPECTED = {3: 0.2, 4: 0.6, 5: 1.0}


def of_deviations(d):
    """Of what the jackknife gives: d[m, ...] = (N - 1)(all - without batch m)."""
    n = len(d)
    k = np.arange(1, min((n - 1) // 2, 5) + 1)
    column = (-1,) + (1,) * (np.ndim(d) - 1)
    ordinate = np.abs(np.fft.fft(d, axis=0)[k])**2 / n
    levels, likely = [], []
    for falling, rising, expected in SHAPES:
        prior = expected * (EXPECTED.get(len(k), 0.0) if rising else 1.0)
        h = (1 + rising * (n - 1) * (1 - np.cos(2 * np.pi * k / n))) / (1 + falling * k**2)
        levels.append((ordinate / h.reshape(column)).mean(axis=0))
        likely.append(prior / np.prod(h) * levels[-1]**-float(len(k)))
    return np.sqrt((np.array(likely) * np.array(levels)).sum(axis=0) / np.array(likely).sum(axis=0) / n)


def of_ratio(weight, values):
    """Of the ratio of sums over batches, values[m, ...] and weight[m]."""
    n = len(weight)
    without = np.array([np.delete(values, m, 0).sum(axis=0) / np.delete(weight, m).sum() for m in range(n)])
    return of_deviations((n - 1) * (values.sum(axis=0) / weight.sum() - without))
