#!/usr/bin/env python3
"""Runs stages of the tests, each a target of the Makefile, and sums them up: stages.py STAGES...

Arguments follow one another; `+` separates lanes that run side by side, `,` stages of a lane that follow one another. A stage that fails
does not keep the others from running, except a build. The output of each is printed when it has ended, and kept beside the results in
.build/test-results. The last lines are the seconds of every stage, the ten slowest tests, the end of the output of the stages that failed,
and the names of the failed tests with their first message.
"""

import collections
import json
import os
import pathlib
import re
import subprocess
import sys
import threading
import time
import xml.etree.ElementTree

RESULTS = pathlib.Path(".build/test-results")

# Lines of a Swift test run that say only that something has begun or passed.
QUIET = re.compile(r"^(◇|✔) (Test|Suite|Passing) (?!run)")


class Run:
    def __init__(self):
        self.seconds, self.failed, self.lock = {}, [], threading.Lock()

    def stage(self, name):
        """Runs a stage, and returns whether it passed."""
        log = RESULTS / f"{name}.log"
        begin = time.monotonic()
        with log.open("w") as output:
            status = subprocess.run(
                ["make", "--no-print-directory", name], stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT,
                env={**os.environ, "STAGES": "1"}).returncode
        with self.lock:
            self.seconds[name] = time.monotonic() - begin
            if status:
                self.failed.append(name)
            print(f"==== {name}: {'passed' if status == 0 else f'FAILED with status {status}'} in {self.seconds[name]:.0f} s", flush=True)
            for line in log.read_text(errors="replace").splitlines():
                if not QUIET.match(line):
                    print(line)
            sys.stdout.flush()
        return status == 0

    def lane(self, names):
        for name in names:
            if not self.stage(name) and name.startswith("build"):
                return

    def step(self, text):
        """Runs the lanes of one argument, and returns whether what follows can run."""
        lanes = [threading.Thread(target=self.lane, args=(lane.split(","),)) for lane in text.split("+")]
        for lane in lanes:
            lane.start()
        for lane in lanes:
            lane.join()
        return not any(name.startswith("build") for name in self.failed)


def swift_results(path):
    """Returns the seconds of every Swift test of an event stream, and the messages of those that failed.

    The tests run one after another: the time of a test, or of a case of one, is counted from the end of the one before it.
    """
    with_cases, ends, before, failures, is_complete = set(), [], None, collections.defaultdict(list), False
    for line in path.read_text(errors="replace").splitlines():
        try:
            payload = json.loads(line).get("payload", {})
        except ValueError:  # The line that was being written when the program ended.
            continue
        kind, test = payload.get("kind"), payload.get("testID", "")
        is_complete = is_complete or kind == "runEnded"
        if kind == "runStarted":
            before = payload["instant"]["absolute"]
        if kind == "testCaseEnded":
            with_cases.add(test)
        # Ends of suites have no parentheses.
        if kind == "testCaseEnded" or kind == "testEnded" and "(" in test and test not in with_cases:
            ends.append((payload["instant"]["absolute"], test))
        if kind == "issueRecorded" and not payload.get("issue", {}).get("isKnown"):
            place = payload["issue"].get("sourceLocation") or {}
            text = " ".join(message.get("text", "") for message in payload.get("messages", []))
            failures[test].append(f"{place.get('fileID', '?')}:{place.get('line', '?')}: {text}")
    seconds = collections.Counter()
    for end, test in sorted(ends):
        seconds["/".join(test.split("/")[:-1])] += end - (before or end)
        before = end
    if not is_complete:
        failures[path.stem].append("the run did not come to its end: see its log")
    return seconds, failures


def junit_results(path):
    """The same of pytest's or Node's XML."""
    seconds, failures = collections.Counter(), {}
    for case in xml.etree.ElementTree.parse(path).iter("testcase"):
        name = f"{case.get('classname')}::{case.get('name')}"
        seconds[name] += float(case.get("time") or 0)
        for outcome in (*case.findall("failure"), *case.findall("error")):
            failures.setdefault(name, []).append((outcome.get("message") or outcome.text or "").strip())
    return seconds, failures


def main():
    RESULTS.mkdir(parents=True, exist_ok=True)
    for path in RESULTS.iterdir():
        path.unlink()
    run, begin = Run(), time.monotonic()
    all(run.step(text) for text in sys.argv[1:])
    seconds, failures = collections.Counter(), {}
    for path in sorted(RESULTS.iterdir()):
        if path.suffix in (".jsonl", ".xml"):
            try:
                times, messages = (swift_results if path.suffix == ".jsonl" else junit_results)(path)
            except (xml.etree.ElementTree.ParseError, OSError) as error:
                times, messages = {}, {path.name: [str(error)]}
            seconds.update(times)
            failures.update(messages)
    print(f"\nThe slowest ten of {len(seconds)} tests:")
    for name, duration in seconds.most_common(10):
        print(f"{duration:8.1f} s  {name}")
    print("Stages:")
    for name, duration in run.seconds.items():
        print(f"{duration:8.0f} s  {name}{'  FAILED' if name in run.failed else ''}")
    print(f"{(time.monotonic() - begin) / 60:8.1f} minutes in all")
    for name in run.failed:
        print(f"The end of {name}, which failed:")
        for line in (RESULTS / f"{name}.log").read_text(errors="replace").splitlines()[-12:]:
            print(f"    {line[:400]}")
    for name, messages in failures.items():
        print(f"FAILED  {name}\n    {' '.join(messages[0].split())[:400]}")
    if run.failed:
        print(f"FAILED stages: {', '.join(run.failed)}")
    print(f"{len(seconds) - len(failures)} passed, {len(failures)} failed", flush=True)
    sys.exit(1 if run.failed or failures else 0)


if __name__ == "__main__":
    main()
