"""Waiting in tests: for a condition with a deadline, never for a fixed time.

until       waits for a condition that has to come true
holds       checks that a condition stays true for a short time; for what must NOT happen
paced       yields values evenly, for senders that need a rate
stimulus    keeps up a condition that is part of the test itself (a stopped process, a pause between gestures)

A failure names the condition and what was last seen: every value read through `Engine.value` and `Engine.get`, or what
`describe` returns. No test calls `time.sleep` or `page.wait_for_timeout`.
"""

import inspect
import time
import urllib.error

# Seconds between two evaluations of a condition.
INTERVAL = 0.02

# Seconds that a condition may take: only a hang takes them, however busy the machine is.
LIMIT = 60


class Missing(urllib.error.HTTPError):
    """A parameter that is not there, or not yet, such as one of a slot that is being added."""


# Values read while the current condition was evaluated, by address.
_seen = {}


def saw(name, value):
    """Records a value for the message of a condition that does not come true. Returns the value."""
    _seen[name] = value
    return value


def until(condition, describe=None, seconds=LIMIT):
    """Waits until the condition returns something true, and returns that. A parameter that is missing counts as false.

    Raises AssertionError after the deadline, with the condition's source and what was last seen.
    """
    end = time.monotonic() + seconds
    while True:
        _seen.clear()
        try:
            result = condition()
        except Missing as error:
            result = saw(error.url, "missing") and None
        if result:
            return result
        if time.monotonic() > end:
            raise AssertionError(f"not within {seconds} s: {_source(condition)}; last seen: {_last(result, describe)}")
        time.sleep(INTERVAL)


def holds(condition, seconds=0.3, describe=None):
    """Checks that the condition is true and stays true for a number of seconds, which are always spent; keep them few."""
    end = time.monotonic() + seconds
    while True:
        _seen.clear()
        result = condition()
        if not result:
            raise AssertionError(f"does not hold for {seconds} s: {_source(condition)}; seen: {_last(result, describe)}")
        if time.monotonic() > end:
            return
        time.sleep(INTERVAL)


def paced(values, interval):
    """Yields the values one after another at intervals of the given number of seconds."""
    for value in values:
        yield value
        time.sleep(interval)


def stimulus(seconds):
    """Waits for the duration of a stimulus. To wait for a result use `until`."""
    time.sleep(seconds)


def _last(result, describe):
    if describe:
        return describe()
    return ", ".join(f"{name} = {value!r}" for name, value in _seen.items()) or repr(result)


def _source(condition):
    try:
        lines = inspect.getsource(condition).strip().splitlines()
    except (OSError, TypeError):
        return repr(condition)
    return " ".join(line.strip() for line in lines[:4])
