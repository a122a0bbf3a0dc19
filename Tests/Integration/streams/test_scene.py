"""The scene for browsers that render their listeners themselves: packets, their quality, and a page that plays them."""

import json
import struct

import numpy
import pytest
import websockets.sync.client as websockets

import wave_file
from chromium import live_page
from figures import figure, measured
from opus_decoder import Decoder
from program import Engine, run
from waiting import until

RATE = 48_000
HEAD = struct.Struct("<IIqIBBBB")
# Frames of a packet.
PACKET = 1920


class Client:
    """A client of the scene that answers questions about times, and keeps what it is told. Its stream does not adapt."""

    def __init__(self, engine, listener=1, query="profile=full&adapt=0"):
        self.socket = websockets.connect(f"{engine.socket_url}/audio/scene/{listener}?{query}")
        self.texts, self.packets = [], []

    def take(self, count):
        """Receives until so many packets have come."""
        while len(self.packets) < count:
            frame = self.socket.recv(timeout=60)
            if isinstance(frame, bytes):
                self.packets.append(frame)
                continue
            self.texts.append(json.loads(frame))
            if self.texts[-1].get("type") == "time":
                self.socket.send(json.dumps({"type": "time", "id": self.texts[-1]["id"], "received": 1, "answered": 1}))
        return self.packets

    def round(self, frames, least):
        """Receives packets until those that follow at least so many others without a gap (a busy machine leaves some out) have every frame
        of a recording that is repeated. Returns the runs without a gap that have such packets."""
        runs, end, heard = [], None, numpy.zeros(frames, bool)
        while not heard.all():
            packet = self.take(len(self.packets) + 1)[-1]
            start = parts(packet)[0][2]
            if start != end:
                runs.append([])
            runs[-1].append(packet)
            end = start + PACKET
            if len(runs[-1]) > least:
                heard[numpy.arange(start, end) % frames] = True
        return [run for run in runs if len(run) > least]

    def told(self, kind):
        return [text for text in self.texts if text.get("type") == kind]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()


def parts(packet):
    """Header of a packet, and the Opus packets in it: those of the microphones, of the sides, and of the objects with their places."""
    number, frames, start, array, microphones, sides, objects, _ = HEAD.unpack_from(packet)
    at = HEAD.size

    def track():
        nonlocal at
        length, = struct.unpack_from("<H", packet, at)
        at += 2 + length
        return packet[at - length:at]

    channels = [track() for _ in range(microphones + sides)]
    places = []
    for _ in range(objects):
        place = struct.unpack_from("<Hfff", packet, at)
        at += 14
        places.append((place, track()))
    assert at == len(packet)
    return (number, frames, start, array), channels[:microphones], channels[microphones:], places


def test_the_scene_of_a_listener(engine):
    with Client(engine) as client:
        packets = client.take(50)
    first = client.texts[0]
    assert first == {
        "rate": 48000, "listener": 1, "format": "scene", "profile": "full", "bitrate": first["bitrate"], "frames": 1920, "delay": 120,
        "scale": 0.25}
    array, = client.told("array")
    assert len(array["azimuths"]) == 16 and array["dead"] == [] and 0.05 < array["radius"] < 0.2
    listener = client.told("listener")[0]
    assert listener["method"] == engine.value("/listener/1/method") and listener["mute"] is False
    heads = [parts(packet)[0] for packet in packets]
    assert all(head[1] == PACKET and head[3] == array["number"] for head in heads)
    # Numbers and sample counts show what is missing.
    steps = [(after[0] - before[0], after[2] - before[2]) for before, after in zip(heads, heads[1:])]
    assert all(number >= 1 and frames >= PACKET for number, frames in steps) and (1, PACKET) in steps, steps


@measured
def test_no_packet_is_lost(engine):
    with Client(engine) as client:
        starts = [parts(packet)[0][2] for packet in client.take(200)]
    figure("lost sound in eight seconds", (starts[-1] - starts[0]) / RATE - 199 * PACKET / RATE, at_most=0, unit="s")


def test_a_page_renders_the_scene(browser, engine):
    context, page, complaints = live_page(browser, engine.url)
    page.evaluate("""async () => {
      const { SceneListening, sceneRefusal } = await import('/panel/js/scene/scene-listening.js');
      window.refusal = await sceneRefusal();
      const told = { report: (numbers) => { window.numbers = numbers; }, ended: (why) => { window.ended = why; },
        settings: (settings) => { window.settings = settings; } };
      window.sound = new SceneListening('1', 48000, told);
      await window.sound.start();
    }""")
    numbers = lambda: page.evaluate("() => window.numbers")
    until(lambda: (numbers() or {}).get("rms", 0) > 0.001, lambda: (numbers(), page.evaluate("() => [window.ended, window.refusal]")))
    assert numbers()["refused"] == 0
    assert not complaints
    context.close()


def decoded(packets):
    """The microphones of the packets, one row each, and the engine's sample count at their first frame."""
    decoders = [Decoder() for _ in parts(packets[0])[1]]
    rows = [[] for _ in decoders]
    for packet in packets:
        for decoder, row, content in zip(decoders, rows, parts(packet)[1]):
            row.append(decoder.decode(content))
    return 4 * numpy.array([numpy.concatenate(row) for row in rows])


def place(part, whole):
    """Position of the sound `part` in the sound `whole`, which is repeated."""
    spectrum = numpy.fft.rfft(whole) * numpy.conj(numpy.fft.rfft(part, len(whole)))
    return int(numpy.argmax(numpy.fft.irfft(spectrum, len(whole))))


def erb_levels(ear):
    """Level in dB of every ERB band from 100 Hz to 16 kHz in pieces of 100 ms."""
    edges = [21.4 * numpy.log10(1 + 0.00437 * frequency) for frequency in (100, 16_000)]
    bands = (10 ** (numpy.arange(edges[0], edges[1], 1) / 21.4) - 1) / 0.00437
    pieces = ear[:len(ear) // 4800 * 4800].reshape(-1, 4800) * numpy.hanning(4800)
    power = numpy.abs(numpy.fft.rfft(pieces, axis=1)) ** 2
    frequencies = numpy.fft.rfftfreq(4800, 1 / 48_000)
    return 10 * numpy.log10(numpy.array([
        power[:, (frequencies >= low) & (frequencies < high)].sum(axis=1) for low, high in zip(bands, bands[1:])]) + 1e-12)


def interaural_delay(ears):
    """Delay of the left ear after the right one below 1.5 kHz, microseconds."""
    spectra = numpy.fft.rfft(ears, axis=0)
    frequencies = numpy.fft.rfftfreq(len(ears), 1 / 48_000)
    cross = numpy.where((frequencies > 100) & (frequencies < 1500), spectra[:, 0] * numpy.conj(spectra[:, 1]), 0)
    cross = numpy.concatenate([cross, numpy.zeros(15 * (len(cross) - 1))])
    lags = numpy.fft.irfft(cross)
    lags = numpy.concatenate([lags[-800:], lags[:800]])
    top = int(numpy.argmax(lags))
    before, at, after = lags[top - 1:top + 2]
    return (top - 800 + 0.5 * (before - after) / (before - 2 * at + after)) / (16 * 0.048)


@pytest.mark.parametrize(("profile", "bits", "level", "delay"), [("full", 1_100_000, 1, 10), ("low", 512_000, 2, 30)])
def test_quality_against_rendering_from_pcm(scene, tmp_path, profile, bits, level, delay):
    """The same four seconds of sound always, wherever the stream begins: the figures depend on what sounds."""
    original = wave_file.read(scene)[0][:4 * RATE]
    wave_file.write(tmp_path / "four-seconds.wav", original)
    with Engine("--recording", tmp_path / "four-seconds.wav") as engine:
        with Client(engine, query=f"profile={profile}&adapt=0") as client:
            # Without the beginning, in which the codec's predictions settle.
            runs = client.round(len(original), least=25)
    packets = sum(runs, [])
    # Each packet has a header of WebSocket, and goes as up to four segments of TCP and IP over Ethernet.
    wire = 8 * sum(len(packet) + 4 + 4 * 54 for packet in packets) / (0.04 * len(packets))
    received = numpy.zeros(original.shape)
    for stretch in runs:
        sound = decoded(stretch)[:, 25 * PACKET:].T
        received[(parts(stretch[25])[0][2] + numpy.arange(len(sound))) % len(received)] = sound
    wave_file.write(tmp_path / "decoded.wav", numpy.roll(received, place(received[:, 0], original[:, 0]), axis=0))
    wave_file.write(tmp_path / "original.wav", original)
    for method in ("nearest", "two-band", "ring-spectral"):
        ears = {}
        for name in ("original", "decoded"):
            output = tmp_path / f"{name}-{method}.wav"
            run("render", tmp_path / f"{name}.wav", "--output", output, "--method", method, "--yaw", 50)
            ears[name], _ = wave_file.read(output)
        errors = []
        for ear in (0, 1):
            wanted, heard = (erb_levels(ears[name][:, ear]) for name in ("original", "decoded"))
            errors.append(numpy.abs(wanted - heard)[wanted > wanted.max() - 60])
        error = numpy.concatenate(errors).mean()
        later = abs(interaural_delay(ears["original"]) - interaural_delay(ears["decoded"]))
        print(f"{profile} {method}: {wire / 1000:.0f} kbit/s, mean level error {error:.2f} dB, interaural delay {later:.1f} us")
        assert error < level and later < delay
    assert wire < bits


def test_a_listener_that_has_been_away_is_told_its_settings(engine):
    engine.osc().send_message("/listener/keep", 1.0)
    until(lambda: engine.value("/listener/keep") == 1)
    with Client(engine, "join") as client:
        client.take(10)
        number = client.texts[0]["listener"]
    until(lambda: engine.value("/listener/count") == 1)
    with Client(engine, "join") as client:
        client.take(10)
        assert client.texts[0]["listener"] == number
        engine.osc().send_message(f"/listener/{number}/gain", -30.0)
        engine.osc().send_message(f"/listener/{number}/mute", True)
        latest = lambda: client.take(len(client.packets) + 1) and client.told("listener")[-1]
        until(lambda: (latest()["gain"], latest()["mute"]) == (-30, True), latest)


def test_every_object_is_sent_with_its_direction_and_level(tmp_path):
    """40 objects with a tone each, one of which surrounds the listeners by its bubble."""
    time = numpy.arange(RATE) / RATE
    wave_file.write(tmp_path / "tone.wav", 0.1 * numpy.sin(2 * numpy.pi * 1000 * time))
    azimuths = [9 * number - 180 for number in range(40)]
    options = [part for azimuth in azimuths for part in ("--object", f"{tmp_path / 'tone.wav'}@{azimuth},0,2")]
    with Engine("--objects", 40, *options) as engine:
        engine.osc().send_message("/object/1/bubble", 5.0)
        with Client(engine) as client:
            until(lambda: len(parts(client.take(len(client.packets) + 1)[-1])[3]) >= 39 + 16,
                  lambda: len(parts(client.packets[-1])[3]))
            packets = client.take(len(client.packets) + 60)[-60:]
    places = {place[0]: place[1:] for place, _ in parts(packets[-1])[3]}
    for number in range(1, 40):
        angle = numpy.radians(azimuths[number])
        assert numpy.allclose(places[number], [numpy.cos(angle), numpy.sin(angle), 0], atol=1e-5), number
    # Sound from all around has the numbers behind those of the engine's objects.
    around = sorted(set(places) - set(range(40)))
    assert len(around) == 16
    assert numpy.allclose(numpy.mean([places[number] for number in around], axis=0), 0, atol=0.1)
    decoders = {number: Decoder() for number in places}
    levels = {number: [] for number in places}
    for packet in packets:
        for place, content in parts(packet)[3]:
            levels[place[0]].append(numpy.sqrt(numpy.mean((4 * decoders[place[0]].decode(content)) ** 2)))
    # The median, since a decoder needs a moment at the beginning, and after each packet that a busy machine has left out.
    level = {number: numpy.median(rows) for number, rows in levels.items()}
    # A tone of 0.1 at 2 m.
    assert all(abs(20 * numpy.log10(level[number] / (0.1 / numpy.sqrt(2) / 2))) < 0.3 for number in range(1, 40)), level
    # The bubble keeps the level at its radius or less, and the power of all directions is that of the object.
    total = numpy.sqrt(sum(level[number] ** 2 for number in around))
    print(f"from all around {total:.4f}, an object at 2 m {level[1]:.4f}")
    assert abs(20 * numpy.log10(total / (0.1 / numpy.sqrt(2) / 5))) < 1
