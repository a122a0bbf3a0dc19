#!/usr/bin/env python3
"""Prints the Swift tests that failed, each with its first messages: failed.py FILE..., event streams of `swift test` (.jsonl).

Up to three tests are run a second time by the command SWIFT_TEST where RETRIES is 1, and named; the status is 0 when all of them passed
then, otherwise 1.
"""

import collections
import json
import os
import pathlib
import re
import subprocess
import sys

# Messages per test, and tests that are run again.
MOST = 4
AGAIN = 3


def failures(path):
    """Messages of every test of a file that failed, by its name, and whether the run came to its end."""
    found, ended = collections.defaultdict(list), False
    for line in path.read_text(errors="replace").splitlines():
        try:
            payload = json.loads(line).get("payload", {})
        except ValueError:  # The line that was being written when the program ended.
            continue
        ended = ended or payload.get("kind") == "runEnded"
        if payload.get("kind") != "issueRecorded" or payload.get("issue", {}).get("isKnown"):
            continue
        place = payload["issue"].get("sourceLocation") or {}
        text = " ".join(message.get("text", "") for message in payload.get("messages", []))
        found[payload.get("testID", "?")].append(f"{place.get('fileID', '?')}:{place.get('line', '?')}: {text}")
    return found, ended


def passes_again(test):
    """Runs a test, named as in the event stream: MODULE.SUITE/FUNCTION()/FILE:LINE:COLUMN."""
    name = re.escape(test.rsplit("/", 1)[0])
    command = [".ci/tidy", *os.environ["SWIFT_TEST"].split(), "--filter", f"^{name}"]
    result = subprocess.run(command, capture_output=True, text=True, timeout=600)
    passed = result.returncode == 0 and re.search(r"Test run with [1-9]", result.stdout + result.stderr)
    print(f"{'PASSED at the second attempt' if passed else 'FAILED again'}  {test}")
    return passed


def main():
    found, ended = {}, True
    for path in map(pathlib.Path, sys.argv[1:]):
        if path.exists():
            more, end = failures(path)
            found |= more
            ended = ended and end
    for test, messages in found.items():
        print(f"FAILED  {test}")
        for message in messages[:MOST]:
            print(f"    {message}")
        if len(messages) > MOST:
            print(f"    and {len(messages) - MOST} more")
    if os.environ.get("RETRIES") != "1" or not ended or not 1 <= len(found) <= AGAIN:
        return 1
    return 0 if all([passes_again(test) for test in found]) else 1


if __name__ == "__main__":
    sys.exit(main())
