"""Random numbers for tests: always from a seed, which is printed."""

import os

import numpy


def generator(seed):
    """Returns NumPy's generator for the test's seed, to which SEED is added. pytest shows the seed when the test fails."""
    seed += int(os.environ.get("SEED", 0))
    print(f"seed {seed}")
    return numpy.random.default_rng(seed)
