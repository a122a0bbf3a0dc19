#!/usr/bin/env python3
"""Runs tests, then prints the ten slowest and the whole time, also when some failed.

    slowest.py MINUTES FILE... -- COMMAND...

The files are written by the command: event streams of `swift test` (.jsonl) or JUnit XML of pytest and Node. A time beyond the limit in
minutes is a warning. The Swift tests run one after another (--experimental-maximum-parallelization-width 1): the time of a test, or of a
case of one, is counted from the end of the previous one.
"""

import collections
import json
import pathlib
import subprocess
import sys
import time
import xml.etree.ElementTree


def payloads(path):
    """Yields the events of a stream. A run that was killed leaves an incomplete last line."""
    for line in path.read_text(errors="replace").splitlines():
        try:
            yield json.loads(line).get("payload", {})
        except json.JSONDecodeError:
            return


def serial(path):
    """Yields seconds and name of every Swift test of a run in which one follows another."""
    with_cases, ends, before = set(), [], None
    for payload in payloads(path):
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


def junit(path):
    """Yields seconds and name of every Python or panel test."""
    try:
        for case in xml.etree.ElementTree.parse(path).iter("testcase"):
            yield float(case.get("time")), f"{case.get('classname')}::{case.get('name')}"
    except xml.etree.ElementTree.ParseError:
        return


def read(path):
    return junit(path) if path.suffix == ".xml" else serial(path)


def main():
    limit, *rest = sys.argv[1:]
    files, command = [pathlib.Path(name) for name in rest[:rest.index("--")]], rest[rest.index("--") + 1:]
    for path in files:
        path.unlink(missing_ok=True)
    begin = time.monotonic()
    status = subprocess.run(command).returncode
    minutes = (time.monotonic() - begin) / 60
    found = [test for path in files if path.exists() for test in read(path)]
    print(f"The slowest ten of {len(found)} tests:")
    for seconds, name in sorted(found, reverse=True)[:10]:
        print(f"{seconds:8.1f} s  {name}")
    print(f"{minutes:.1f} minutes in all")
    if minutes > float(limit):
        print(f"warning: more than the {limit} minutes that this should take on two cores")
    sys.exit(status)


if __name__ == "__main__":
    main()
