"""Several listeners on one device: in a file, and on a sound card of four channels."""

import numpy
import pytest

import wave_file
from program import Engine, run
from pulse_sink import available, pulse_sink
from waiting import until

RATE = 48_000


@pytest.fixture
def tones(tmp_path):
    """A recording whose left half plays 1 kHz and whose right half 3 kHz."""
    time = numpy.arange(2 * RATE) / RATE
    low, high = (0.25 * numpy.sin(2 * numpy.pi * hertz * time) for hertz in (1000, 3000))
    wave_file.write(tmp_path / "tones.wav", numpy.stack([low] * 4 + [high] * 4, axis=1))
    return tmp_path / "tones.wav"


def amplitudes(sound):
    """Amplitudes of both tones: a row for each channel."""
    time = numpy.arange(len(sound)) / RATE
    waves = numpy.exp(-2j * numpy.pi * numpy.outer(time, [1000, 3000]))
    return 2 * numpy.abs(sound.T @ waves) / len(sound)


def test_a_file_has_as_many_channels_as_its_listeners_need(tones, tmp_path):
    def play(name, *options):
        with Engine("--recording", tones, "--device", f"file:{tmp_path / name}", "--listeners", 2, *options, wait=False) as engine:
            until(lambda: engine.process.poll() is not None, lambda: engine.log)
            assert engine.process.returncode == 0, engine.log
        return wave_file.read(tmp_path / name)[0]

    alone = play("stereo.wav")
    both = play("both.wav", "--output", "2=6,3")
    assert alone.shape[1] == 2 and both.shape[1] == 6
    assert numpy.array_equal(both[:, :2], alone)
    # Both heads point ahead: the ears are the same.
    assert numpy.array_equal(both[:, [5, 2]], alone)
    assert not both[:, [3, 4]].any()


@pytest.mark.skipif(not available(), reason="needs pulseaudio, pulseaudio-utils, libasound2-plugins")
def test_listeners_of_a_sound_card_hear_their_own_heads(tones):
    with pulse_sink(channels=4) as sink:
        with Engine(
            "--recording", tones, "--device", "alsa:default", "--listeners", 2, "--output", "2=3,4", "--period", 256, "--periods", 4,
            env=sink.env,
        ) as engine:
            engine.osc().send_message("/listener/*/method", "linear")
            engine.osc().send_message("/listener/2/ypr", [180.0, 0.0, 0.0])
            until(lambda: abs(abs(engine.value("/listener/2/ypr")[0]) - 180) < 1)
            with sink.record() as recording:
                def found():
                    """Amplitudes in the latest second."""
                    data = recording.bytes
                    return amplitudes(numpy.frombuffer(data[:len(data) // 16 * 16], "<f4").reshape(-1, 4)[-RATE:])

                def is_turned():
                    # The second listener has turned round: each of its ears is where the other one of the first listener is.
                    ears = found()
                    return numpy.abs(ears[0] - ears[1]).max() > 0.1 and numpy.allclose(ears[[3, 2]], ears[[0, 1]], atol=0.005)

                until(lambda: len(recording.bytes) > 4 * 4 * RATE and is_turned(), lambda: f"{found()}")


@pytest.mark.parametrize(
    "output, reason",
    [
        ("2=3", '--output 2=3: "3" is not a pair of channels: give two different numbers from 1 to 128'),
        ("3,4", "--output 3,4: give a listener and two channels, as in 2=3,4."),
        ("3=3,4", "There is no listener 3 to play on channels 3,4: the listeners are 1 to 2. Start the engine with more --listeners."),
        ("2=127,129", "is not a pair of channels"),
    ])
def test_a_wrong_output_is_refused_with_what_would_be_right(output, reason):
    result = run("serve", "--listeners", 2, "--output", output, check=False)
    assert result.returncode == 64 and reason in result.stderr.replace("\n", " ")


def test_two_listeners_on_one_channel_are_refused():
    result = run("serve", "--listeners", 2, "--output", "1=1,2", "--output", "2=2,3", check=False)
    assert result.returncode == 64 and "Channels 2,3 are not free: listener 1 is played on 1,2." in result.stderr
