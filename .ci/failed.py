#!/usr/bin/env python3
"""Prints the Swift tests that failed, each with its first messages: failed.py FILE..., event streams of `swift test` (.jsonl)."""

import collections
import json
import pathlib
import sys

# Messages per test.
MOST = 4


def failures(path):
    """Messages of every test of a file that failed, by its name."""
    found = collections.defaultdict(list)
    for line in path.read_text(errors="replace").splitlines():
        try:
            payload = json.loads(line).get("payload", {})
        except ValueError:  # The line that was being written when the program ended.
            continue
        if payload.get("kind") != "issueRecorded" or payload.get("issue", {}).get("isKnown"):
            continue
        place = payload["issue"].get("sourceLocation") or {}
        text = " ".join(message.get("text", "") for message in payload.get("messages", []))
        found[payload.get("testID", "?")].append(f"{place.get('fileID', '?')}:{place.get('line', '?')}: {text}")
    return found


def main():
    for path in map(pathlib.Path, sys.argv[1:]):
        if not path.exists():
            continue
        for test, messages in failures(path).items():
            print(f"FAILED  {test}")
            for message in messages[:MOST]:
                print(f"    {message}")
            if len(messages) > MOST:
                print(f"    and {len(messages) - MOST} more")


if __name__ == "__main__":
    main()
