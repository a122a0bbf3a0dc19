"""Numbers on the command line: negative ones after a space or an equals sign, angles that go round, and absurd ones."""

import numpy
import pytest

import wave_file
from program import run
from seeds import generator


@pytest.fixture(scope="module")
def voice(tmp_path_factory):
    path = tmp_path_factory.mktemp("numbers") / "voice.wav"
    wave_file.write(path, 0.1 * generator(3).standard_normal((4800, 1)))
    return path


def rendered(voice, folder, *arguments):
    """Both ears, after any warnings."""
    run("render", *arguments, "--output", folder / "ears.wav", "--overwrite")
    return wave_file.read(folder / "ears.wav")[0]


@pytest.mark.parametrize("form", ["{0} {1}", "{0}={1}"])
@pytest.mark.parametrize(
    ("command", "option", "value", "words"),
    [
        ("render", "--ear-azimuth", "-20", "--ear-azimuth is -20.0, but must be from 60.0 to 120.0 degrees."),
        ("render", "--head-radius", "-.5", "--head-radius is -0.5, but must be"),
        ("render", "--yaw", "-inf", "--yaw is -inf, but must be at most 1000000 degrees either way."),
        ("render", "--ceiling", "-30", "-30"),
        ("process", "--gain", "-61", "-61"),
        ("process", "--tempo", "-1", "-1"),
        ("room", "--source", "-1,2", "--source -1,2: give three numbers"),
        ("room", "--rate", "-48000", "--rate -48000: give 8000 to 192000"),
        ("encode", "--order", "-1", "-1"),
        ("synth", "--microphones", "-4", "--microphones -4: give 4 to 64."),
        ("serve", "--crossfade", "-3", "-3"),
        ("evaluate", "--seed", "-1", "The value '-1' is invalid for '--seed <seed>'"),
    ])
def test_a_negative_number_after_a_space_is_a_value(tmp_path, form, command, option, value, words):
    files = {"render": ["a.wav", "--output", "b.wav"], "process": ["a.wav", "--rack", "dub", "--output", "b.wav"], "room": ["a.json"],
             "encode": ["a.wav", "--output", "b.wav"], "synth": ["--demo", "--output", "b.wav"]}.get(command, [])
    result = run(command, *files, *form.format(option, value).split(), check=False, cwd=tmp_path)
    print(result.stderr)
    assert result.returncode == 64 and words in result.stderr and "Missing value" not in result.stderr


def test_words_that_are_no_values_stay_what_they_are(tmp_path):
    missing = run("render", "a.wav", "--output", "b.wav", "--yaw", "--overwrite", check=False, cwd=tmp_path)
    assert missing.returncode == 64 and "--yaw" in missing.stderr
    # After the end of the options everything is a file.
    file = run("package", "--output", "out", "--", "-5.wav", check=False, cwd=tmp_path)
    assert file.returncode == 1 and "-5.wav" in file.stderr


@pytest.mark.parametrize(("turned", "same"), [("1000", "-80"), ("190", "-170"), ("-360000", "0")])
def test_a_yaw_goes_round(voice, tmp_path, turned, same):
    wanted = rendered(voice, tmp_path, "--object", f"{voice}@30", "--yaw", same)
    assert numpy.array_equal(rendered(voice, tmp_path, "--object", f"{voice}@30", "--yaw", turned), wanted)
    other = rendered(voice, tmp_path, "--object", f"{voice}@30", "--yaw", "45")
    assert numpy.abs(other - wanted).max() > 0.01


def test_the_azimuth_of_an_object_goes_round(voice, tmp_path):
    wanted = rendered(voice, tmp_path, "--object", f"{voice}@-170,10")
    for azimuth in ["190", "550", "-3770"]:
        assert numpy.array_equal(rendered(voice, tmp_path, "--object", f"{voice}@{azimuth},10"), wanted)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--yaw", "1e9"], "--yaw is 1000000000.0, but must be at most 1000000 degrees either way."),
        (["--object", "{0}@1e9"], "azimuth is at most 1000000 degrees either way, not 1e9"),
        (["--object", "{0}@0,100"], "elevation is -90 to 90, not 100"),
        (["--motion", "motion.csv"], "motion motion.csv:3: yaw is 1e9, expected at most 1000000 degrees either way"),
    ])
def test_an_absurd_angle_is_refused(voice, tmp_path, arguments, words):
    (tmp_path / "motion.csv").write_text("time,yaw\n0,0\n1,1e9\n")
    given = ["--object", f"{voice}@0"] + [argument.format(voice) for argument in arguments]
    result = run("render", *given, "--output", "out.wav", check=False, cwd=tmp_path)
    print(result.stderr)
    assert result.returncode != 0 and words in result.stderr
    assert not (tmp_path / "out.wav").exists()
