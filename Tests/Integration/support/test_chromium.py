"""Numbers read from a page, also while it does not show one yet."""

import pytest

from chromium import number_in


@pytest.mark.parametrize("text, number", [
    ("25° left", 25), ("−12.5 dB", -12.5), ("-0", 0), (" 3 ", 3), ("0.4 ms", 0.4),
    ("–", None), ("", None), (None, None), ("waiting", None), ("− dB", None),
])
def test_a_dash_is_no_number(text, number):
    assert number_in(text) == number
