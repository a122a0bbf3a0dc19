"""Functions for waiting in tests: their results and their failure messages."""

import urllib.error

import pytest

from waiting import Missing, holds, saw, until


def test_until_returns_what_the_condition_returned():
    looks = []
    assert until(lambda: looks.append(0) or len(looks) > 2 and "third") == "third"


def test_a_failure_names_the_condition_and_the_values_read():
    with pytest.raises(AssertionError) as failure:
        until(lambda: saw("/listener/1/gain", -6.0) == 0, seconds=0.1)
    assert 'saw("/listener/1/gain", -6.0) == 0' in str(failure.value)
    assert "last seen: /listener/1/gain = -6.0" in str(failure.value)


def refuse(kind, code):
    raise kind("http://engine/rack/input/slot/1/state", code, "", {}, None)


def test_a_parameter_that_is_not_there_yet_is_waited_for():
    codes = [404, 404]
    assert until(lambda: refuse(Missing, codes.pop()) if codes else "ready") == "ready"
    with pytest.raises(AssertionError, match="slot/1/state = 'missing'"):
        until(lambda: refuse(Missing, 404), seconds=0.1)
    with pytest.raises(urllib.error.HTTPError):
        until(lambda: refuse(urllib.error.HTTPError, 404))


def test_holds_fails_as_soon_as_the_condition_does():
    looks = []
    with pytest.raises(AssertionError, match="does not hold"):
        holds(lambda: saw("looks", looks.append(0) or len(looks)) < 3, 60)
