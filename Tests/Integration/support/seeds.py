"""Random numbers for tests: always from a seed, which is printed."""

import os
import random
import sys

import numpy


def generator(seed):
    """Returns NumPy's generator for the test's seed, to which SEED is added. pytest shows the seed when the test fails."""
    return numpy.random.default_rng(printed(seed))


def chooser(seed):
    """Returns Python's generator for the test's seed, to which SEED is added."""
    return random.Random(printed(seed))


def printed(seed):
    seed += int(os.environ.get("SEED", 0))
    print(f"seed {seed}", file=sys.stderr)
    return seed
