"""Random numbers for tests: always from a seed, which is printed.

A test names its seed, which is the same in every run. SEED=N in the environment adds N to all of them, and SEED=random a number that is
drawn anew in each run.
"""

import functools
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
    print(f"seed {seed} with SEED={added()}", file=sys.stderr)
    return seed + added()


@functools.cache
def added():
    """The number that is added to every seed of this process."""
    text = os.environ.get("SEED", "0")
    return random.SystemRandom().randrange(2**32) if text == "random" else int(text)
