"""Music for all listeners: files and streams, a station that dies, stalls or is none, beside a recording that must not suffer."""

import contextlib
import json
import os
import socket
import struct

import numpy
import pytest
from websockets.sync.client import connect

import radio_server
import wave_file
from figures import figure, measured
from program import Engine, run
from radio_server import RadioServer
from waiting import until

RATE = 48_000
RECORDED, LEFT, RIGHT = 500, 2000, 3000


def tone(hertz, seconds, rate=RATE, level=0.2):
    return level * numpy.sin(2 * numpy.pi * hertz * numpy.arange(int(seconds * rate)) / rate)


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    """Stereo music in every format, one tone on each side, and a mono file."""
    folder = tmp_path_factory.mktemp("station")
    for name, rate, seconds in (
            ("tone.wav", 44_100, 12), ("tone.flac", 48_000, 12), ("tone.ogg", 44_100, 12), ("tone.mp3", 44_100, 12),
            ("long.mp3", 44_100, 60)):
        radio_server.write(folder / name, numpy.stack([tone(LEFT, seconds, rate), tone(RIGHT, seconds, rate)], axis=1), rate)
    radio_server.write_aac(folder / "tone.aac", numpy.stack([tone(LEFT, 12, 44_100), tone(RIGHT, 12, 44_100)], axis=1), 44_100)
    wave_file.write(folder / "mono.wav", tone(LEFT, 5))
    return folder


@pytest.fixture
def running(library, tmp_path):
    wave_file.write(tmp_path / "scene.wav", numpy.repeat(tone(RECORDED, 4, level=0.1)[:, None], 4, axis=1))
    with Engine(
        "--recording", tmp_path / "scene.wav", "--method", "nearest", "--sounds", library,
        env=dict(os.environ, XDG_DATA_HOME=str(tmp_path))) as engine:
        yield engine


@pytest.fixture
def station(library):
    station = RadioServer(library)
    yield station
    station.released.set()
    station.stop()


def state(engine):
    return engine.value("/music/state")


def is_state(engine, wanted):
    names = ["stopped", "connecting", "buffering", "playing", "failed"]
    return state(engine) in (wanted, names.index(wanted))


def play(engine, source):
    osc = engine.osc()
    osc.send_message("/music/source", source)
    osc.send_message("/music/run", True)


def levels(engine, blocks=60, path="/audio/1"):
    """Amplitudes of the three tones at both ears: recorded, left, right."""
    packets = []
    with connect(engine.socket_url + path) as sound:
        while len(packets) < blocks:
            data = sound.recv(timeout=60)
            if isinstance(data, bytes):
                packets.append(numpy.frombuffer(data[16:], "<i2").reshape(-1, 2) / 32768)
    ears = numpy.concatenate(packets)
    ears = ears[len(ears) // 4:]
    window = numpy.hanning(len(ears))[:, None]
    time = numpy.arange(len(ears))[:, None] / RATE
    return [2 * numpy.abs((ears * window * numpy.exp(-2j * numpy.pi * hertz * time)).sum(axis=0)) / window.sum()
            for hertz in (RECORDED, LEFT, RIGHT)]


def is_heard(engine, gain=1):
    recorded, left, right = levels(engine)
    near = numpy.allclose
    return (near(recorded, 0.1, atol=0.01) and near(left, [0.2 * gain, 0], atol=0.02 * gain + 0.002)
            and near(right, [0, 0.2 * gain], atol=0.02 * gain + 0.002))


@pytest.mark.parametrize("name", ["tone.wav", "tone.flac", "tone.ogg", "tone.mp3", "tone.aac"])
def test_a_stream_is_heard_by_both_ears_whatever_the_head_does(running, station, name):
    play(running, f"{station.url}/{name}")
    until(lambda: is_state(running, "playing"))
    until(lambda: is_heard(running))
    running.osc().send_message("/listener/1/ypr", [90.0, 0.0, 0.0])
    until(lambda: is_heard(running))
    running.osc().send_message("/music/gain", -20.0)
    until(lambda: is_heard(running, gain=0.1))
    assert running.value("/music/problem") == ""
    running.osc().send_message("/music/run", False)
    until(lambda: is_state(running, "stopped"))
    until(lambda: levels(running)[1].max() < 0.001)


@contextlib.contextmanager
def secure(library, folder, name, *more, trusted=True):
    """An engine and a station with a certificate for a name, whose authority the engine knows, or not."""
    authority, own = radio_server.certificate(folder, name, *more)
    station = RadioServer(library, certificate=own)
    known = {"SSL_CERT_FILE": str(authority)} if trusted else {}
    try:
        with Engine("--sounds", library, env=dict(os.environ, XDG_DATA_HOME=str(folder), **known)) as engine:
            yield engine, station
    finally:
        station.stop()


def test_a_station_with_a_good_certificate_is_heard(library, tmp_path):
    with secure(library, tmp_path, "DNS:localhost") as (engine, station):
        # Its length is told: the end of a station without one, which this sound reaches soon, is a problem.
        play(engine, f"{station.url}/tone.aac")
        until(lambda: is_state(engine, "playing"))
        until(lambda: levels(engine)[1].max() > 0.15)
        assert engine.value("/music/problem") == ""


@pytest.mark.parametrize("fault", ["unknown authority", "other name", "out of date"])
def test_a_station_with_a_bad_certificate_is_not_heard(library, tmp_path, fault):
    name = "DNS:other.example" if fault == "other name" else "DNS:localhost"
    past = ["-days", "-1"] if fault == "out of date" else []
    with secure(library, tmp_path, name, *past, trusted=fault != "unknown authority") as (engine, station):
        play(engine, f"{station.url}/tone.mp3")
        until(lambda: "no secure connection is made; its certificate" in engine.value("/music/problem"))
        assert station.connections == 0
        assert levels(engine)[1].max() < 0.001


def test_network_listeners_hear_it(running, station):
    play(running, f"{station.url}/long.mp3")
    until(lambda: is_state(running, "playing"))
    with connect(running.socket_url + "/audio/join") as sound:
        assert json.loads(sound.recv(timeout=60))["listener"] > 1

        def loudest():
            """The loudest frequency above 1 kHz at each ear, in the next 60 packets."""
            packets = [data for data in (sound.recv(timeout=60) for _ in range(60)) if isinstance(data, bytes)]
            ears = numpy.concatenate([numpy.frombuffer(data[16:], "<i2").reshape(-1, 2) / 32768 for data in packets])
            spectrum = numpy.abs(numpy.fft.rfft(ears * numpy.hanning(len(ears))[:, None], axis=0))
            hertz = numpy.fft.rfftfreq(len(ears), 1 / RATE)
            above = hertz > 1000
            return hertz[above][spectrum[above].argmax(axis=0)]

        until(lambda: numpy.allclose(loudest(), [LEFT, RIGHT], atol=20))


def test_a_station_announces_its_title(running, station):
    play(running, f"{station.url}/titled/long.mp3")
    until(lambda: running.value("/music/title") == "Rain - Slow Song")
    until(lambda: is_heard(running))


@pytest.mark.parametrize(("announced", "title"), [
    ("StreamTitle='Beyoncé - Déjà';".encode("latin-1"), "Beyoncé - Déjà"), ("StreamTitle='Björk – Jóga'".encode(), "Björk – Jóga"),
    (b"StreamTitle='Guns N' Roses; live';StreamUrl='http://example.org/';", "Guns N' Roses; live"), (b"StreamUrl='';", "Night FM")])
def test_titles_are_whole_in_every_encoding(running, station, announced, title):
    station.title = announced
    play(running, f"{station.url.replace('http', 'Http')}/titled/long.mp3")
    until(lambda: running.value("/music/title") == title, lambda: running.value("/music/title"))


@pytest.mark.parametrize("kind", ["ogg", "opus"])
def test_titles_of_ogg_stations_are_in_the_sound(running, station, library, kind):
    """Each title begins a stream of its own, which follows the one before (RFC 3533, 4)."""
    for name, hertz, tags in (("first", LEFT, ("Déjà vu", "Ana")), ("second", RIGHT, ("Night", None))):
        radio_server.write(library / f"{name}.{kind}", numpy.stack([tone(hertz, 5)] * 2, axis=1), RATE, *tags)
    (library / f"chain.{kind}").write_bytes((library / f"first.{kind}").read_bytes() + 3 * (library / f"second.{kind}").read_bytes())
    play(running, f"{station.url}/live/chain.{kind}")
    for title in ("Ana - Déjà vu", "Night"):
        until(lambda: running.value("/music/title") == title, lambda: running.value("/music/title"))
    until(lambda: is_state(running, "playing"))


def test_a_login_is_in_a_file_and_goes_to_its_station_only(library, station, tmp_path):
    other = RadioServer(library)
    logins = tmp_path / "logins"
    logins.write_text(f"{station.url} user p@ss\n")
    logins.chmod(0o600)
    try:
        with Engine("--sounds", library, "--music-login-file", logins, env=dict(os.environ, XDG_DATA_HOME=str(tmp_path))) as engine:
            play(engine, f"{station.url}/closed/tone.mp3")
            until(lambda: is_state(engine, "playing"), lambda: engine.value("/music/problem"))
            assert engine.value("/music/source") == f"{station.url}/closed/tone.mp3"
            # Another station is not given the login, not even one that asks for it.
            play(engine, f"{station.url}/elsewhere/{other.port}/closed/tone.mp3")
            until(lambda: "refuses access" in engine.value("/music/problem"), lambda: engine.value("/music/problem"))
            assert other.logins and not any(other.logins)
            engine.osc().send_message("/music/source", f"http://user:s3cr3t@127.0.0.1:{station.port}/closed/tone.mp3")
            until(lambda: "--music-login-file" in engine.log)
            assert "s3cr3t" not in engine.log and "p@ss" not in engine.log
    finally:
        other.stop()


def test_a_file_of_the_library_repeats_or_ends(running):
    play(running, "mono.wav")
    until(lambda: numpy.allclose(levels(running)[1], [0.2, 0.2], atol=0.02))
    assert running.value("/music/title") == "mono.wav"
    running.osc().send_message("/music/loop", False)
    until(lambda: is_state(running, "stopped"))
    play(running, "none.wav")
    until(lambda: "There is no sound" in running.value("/music/problem"))


def only_the_recording_is_heard(engine, blocks=60):
    recorded, left, right = levels(engine, blocks)
    return numpy.allclose(recorded, 0.1, atol=0.01) and left.max() < 0.001 and right.max() < 0.001


def lose_a_station(running, library):
    """Plays a station that goes and returns."""
    # Keeps the station's port while there is no station.
    with socket.socket() as place:
        place.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        place.bind(("127.0.0.1", 0))
        station = RadioServer(library, place.getsockname()[1])
        play(running, f"{station.url}/live/tone.mp3")
        until(lambda: is_heard(running))
        station.stop()
        # The sound that was received is played to its end.
        until(lambda: is_state(running, "connecting"))
        until(lambda: running.value("/music/losses") >= 1)
        until(lambda: running.value("/music/problem") != "")
        until(lambda: only_the_recording_is_heard(running))
        station = RadioServer(library, station.port)
    try:
        until(lambda: is_state(running, "playing"))
        until(lambda: is_heard(running))
    finally:
        station.stop()


def stall_a_station(running, station):
    """Plays a station that sends nothing for a while."""
    play(running, f"{station.url}/stall/tone.wav")
    until(lambda: is_heard(running))
    # Before the silent connection counts as lost, its store is empty: silence, and no crackle in the recording.
    until(lambda: not is_state(running, "playing") and only_the_recording_is_heard(running, blocks=100))
    station.released.set()
    until(lambda: is_heard(running))


def test_it_connects_again_when_the_station_returns(running, library):
    lose_a_station(running, library)


def test_a_station_that_stalls_leaves_the_recording_alone(running, station):
    stall_a_station(running, station)


@measured
def test_the_recording_has_no_dropouts_beside_a_station_that_is_lost_or_stalls(running, library, station):
    lose_a_station(running, library)
    stall_a_station(running, station)
    figure("dropouts of the recording", running.value("/engine/dropouts"), at_most=0)


@pytest.mark.parametrize(("path", "words"), [
    ("page", "its type is text/html; charset=utf-8, not sound"),
    ("lie", "it sends no sound in a known format"), ("playlist", "it is a playlist"),
    ("nothing.mp3", "there is nothing at this address"), ("away", None)])
def test_what_is_no_sound_is_refused_with_the_reason(running, station, path, words):
    play(running, f"{station.url}/{path}")
    if words:
        until(lambda: is_state(running, "failed"))
        until(lambda: words in running.value("/music/problem"))
        # It does not try again by itself.
        assert station.connections <= 2
    else:
        until(lambda: running.value("/music/problem") != "")
        assert running.value("/music/buffered") == 0
    # Another source plays in its place.
    play(running, f"{station.url}/moved/tone.ogg")
    until(lambda: is_heard(running))


def write_float(path, samples, rate):
    """Writes a stereo WAV file whose header may say anything."""
    data = numpy.asarray(samples, "<f4").tobytes()
    path.write_bytes(
        b"RIFF" + struct.pack("<I", 36 + len(data)) + b"WAVEfmt " + struct.pack("<IHHIIHH", 16, 3, 2, rate, rate * 8, 8, 32) + b"data"
        + struct.pack("<I", len(data)) + data)


def test_samples_that_are_no_sound_become_silence(running, station, library):
    bad = numpy.tile(numpy.array([numpy.nan, numpy.inf, -numpy.inf, 1e30], "<f4"), 200_000)
    write_float(library / "bad.wav", bad, RATE)
    play(running, f"{station.url}/bad.wav")
    until(lambda: is_state(running, "playing"))
    # Samples of 1e30 are limited; the others are silence, and nothing has to be healed.
    assert numpy.isfinite(levels(running)).all()
    running.osc().send_message("/music/run", False)
    until(lambda: numpy.allclose(levels(running)[0], 0.1, atol=0.01))
    assert running.value("/engine/resets") == 0


@pytest.mark.parametrize("name, frames, rate, words", [
    ("empty.wav", 0, RATE, "sound"), ("slow.wav", 100_000, 1, "cannot be resampled"),
    ("fast.wav", 100_000, 10_000_000, "cannot be resampled")])
def test_a_stream_of_nothing_or_of_another_world_is_refused(running, station, library, name, frames, rate, words):
    write_float(library / name, numpy.zeros(2 * frames), rate)
    play(running, f"{station.url}/{name}")
    until(lambda: words in running.value("/music/problem"), lambda: running.value("/music/problem"))
    until(lambda: is_state(running, "failed"))


def test_redirections_end(running, station):
    play(running, f"{station.url}/round")
    until(lambda: running.value("/music/problem") != "")
    assert 2 <= station.connections <= 40


@pytest.mark.parametrize("source", ["file:///etc/passwd", "ftp://host/a.mp3", "rtmp://host/a", "http://"])
def test_other_addresses_are_refused(running, source):
    running.osc().send_message("/music/source", source)
    until(lambda: "begins with http:// or https://" in running.log)
    assert running.value("/music/source") == ""


def test_the_command_line_starts_it_and_a_session_keeps_it(library, station, tmp_path):
    with Engine("--music", f"{station.url}/long.mp3", "--sessions", tmp_path) as engine:
        until(lambda: is_state(engine, "playing"))
        engine.osc().send_message("/session/save-as", "night")
        until(lambda: (tmp_path / "night.json").exists())
    with Engine("night", "--sessions", tmp_path) as engine:
        until(lambda: is_state(engine, "playing"))
    with Engine("--music", library / "mono.wav") as engine:
        until(lambda: numpy.allclose(levels(engine)[1], 0.2, atol=0.02))
    failed = run("serve", "--music", library / "mono.wav", "--device", f"file:{tmp_path / 'out.wav'}", check=False)
    assert failed.returncode != 0
