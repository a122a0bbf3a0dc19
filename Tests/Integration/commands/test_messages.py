"""Output of commands that have nothing to print, or get a wrong option."""

import os

import pytest
from program import run


@pytest.mark.parametrize(
    "arguments, reason",
    [
        (["render", "scene.wav", "--output", "ears.wav", "--method", "magic"], 'There is no method "magic"'),
        (["render", "scene.wav", "--output", "ears.wav", "--loudness", "3"], "Unknown option '--loudness'"),
        (["synth", "--demo", "--microphones", "2", "--output", "scene.wav"], "--microphones 2: give 4 to 64."),
        (["serve", "--period", "many"], "The value 'many' is invalid for '--period <period>'"),
    ])
def test_a_wrong_option_is_answered_without_the_usage_line(arguments, reason, tmp_path):
    result = run(*arguments, check=False, cwd=tmp_path)
    print(result.stderr)
    assert result.returncode == 64 and reason in result.stderr
    assert f"See 'vestibule {arguments[0]} --help'" in result.stderr
    assert "Usage:" not in result.stderr and len(result.stderr.splitlines()) <= 3
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("command, words", [("list", "No sessions."), ("trash", "The trash is empty.")])
def test_an_empty_list_says_so_on_the_standard_error(command, words, tmp_path):
    result = run("session", command, env=os.environ | {"XDG_DATA_HOME": str(tmp_path)})
    assert result.stdout == "" and result.stderr.startswith(words)
