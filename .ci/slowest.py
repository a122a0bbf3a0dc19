#!/usr/bin/env python3
"""Prints the ten slowest tests: slowest.py FILE..., the event stream of `swift test` (.jsonl) or JUnit XML of pytest.

Swift tests have to run one after another (--experimental-maximum-parallelization-width 1): the time of a test, or of a case
of one, is counted from the end of the one before.
"""

import collections
import json
import pathlib
import sys
import xml.etree.ElementTree


def swift(path):
    """Yields seconds and name of every Swift test."""
    with_cases, ends, before = set(), [], None
    for line in path.read_text(errors="replace").splitlines():
        payload = json.loads(line).get("payload", {})
        kind, test = payload.get("kind"), payload.get("testID", "")
        if kind == "runStarted":
            before = payload["instant"]["absolute"]
        if kind == "testCaseEnded":
            with_cases.add(test)
        # Ends of suites have no parentheses.
        if kind == "testCaseEnded" or kind == "testEnded" and "(" in test and test not in with_cases:
            ends.append((payload["instant"]["absolute"], test))
    seconds = collections.Counter()
    for end, test in sorted(ends):
        seconds[test] += end - (before or end)
        before = end
    for test, duration in seconds.items():
        yield duration, "/".join(test.split("/")[:-1])


def python(path):
    """Yields seconds and name of every Python test."""
    for case in xml.etree.ElementTree.parse(path).iter("testcase"):
        yield float(case.get("time")), f"{case.get('classname')}::{case.get('name')}"


def main():
    files = [path for path in map(pathlib.Path, sys.argv[1:]) if path.exists()]
    found = [test for path in files for test in (python if path.suffix == ".xml" else swift)(path)]
    print(f"The slowest ten of {len(found)} tests:")
    for seconds, name in sorted(found, reverse=True)[:10]:
        print(f"{seconds:8.1f} s  {name}")


if __name__ == "__main__":
    main()
