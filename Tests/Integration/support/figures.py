"""Figures that depend on the machine: times, rates, shares of a processor, memory.

`make test` runs no test that is marked `measured`, and asserts no figure. `make measure` runs only these, one after another, keeps the best
of three attempts of each figure, and ends with a table and a JSON file. It never fails because of a figure.
"""

import json
import os

import pytest

# Marks a test that asserts a figure.
measured = pytest.mark.measured

# True in `make measure`.
MEASURING = "MEASURE" in os.environ

# Test, name, value, unit, limit and whether at least the limit is wanted, in the order of measurement.
_figures = []


def figure(name, value, *, at_most=None, at_least=None, unit=""):
    """Records a figure, and asserts its limit, so that a test that missed it is attempted again. Returns the value."""
    test = os.environ.get("PYTEST_CURRENT_TEST", "").split(" (")[0].removeprefix("Tests/Integration/")
    limit = at_most if at_most is not None else at_least
    _figures.append({"test": test, "figure": name, "value": float(value), "unit": unit, "limit": limit, "least": at_least is not None})
    if at_most is not None:
        assert value <= at_most, f"{name}: {value} {unit}, wanted at most {at_most}"
    if at_least is not None:
        assert value >= at_least, f"{name}: {value} {unit}, wanted at least {at_least}"
    return value


def best():
    """The best attempt of each figure."""
    found = {}
    for each in _figures:
        key = each["test"], each["figure"]
        better = max if each["least"] else min
        found[key] = better(found[key], each, key=lambda row: row["value"]) if key in found else each
    return list(found.values())


def write(path):
    """Writes the figures to a JSON file, which .ci/figures.py prints as a table."""
    with open(path, "w", encoding="utf-8") as file:
        json.dump(best(), file, indent=1)


def select(items):
    """The tests that this run is for (those that measure, or all others), and the rest."""
    wanted, others = [], []
    for item in items:
        (wanted if (item.get_closest_marker("measured") is not None) == MEASURING else others).append(item)
    return wanted, others
