"""Microphones of /camera as sounds of objects: by the sender's permission, from bad senders, and the delay from a browser's microphone."""

import contextlib
import threading
import time

import numpy
import pytest
from playwright.sync_api import expect, sync_playwright

import chromium
import seeds
from camera_peer import CameraPeer, frame
from ear import Ear
from figures import figure, measured
from opus_encoder import RATE, Encoder
from program import Engine
from waiting import holds, paced, until

SOURCE, STATE = "/object/1/source", "/object/1/state"
HERTZ = 2500


@pytest.fixture(scope="module")
def running():
    with Engine("--objects", "2", "--object", "camera:Kitchen@90") as engine:
        yield engine


def tone(packet, frames=960, level=0.25):
    return level * numpy.sin(2 * numpy.pi * HERTZ * (packet * frames + numpy.arange(frames)) / RATE)


class Microphone:
    """A peer that offers its microphone and sends a tone in packets of 20 ms."""

    def __init__(self, engine, name="Kitchen", admit="everyone"):
        self.peer = CameraPeer(engine, name)
        self.peer.offer(admit, source="microphone", codecs=[])
        self._ended = threading.Event()
        self._number = 0
        self._thread = threading.Thread(target=self._talk, daemon=True)
        self._thread.start()

    def _talk(self):
        encoder, begun, packet = Encoder(), time.monotonic(), 0
        while not self._ended.is_set():
            self.send(encoder.encode(tone(packet)))
            packet += 1
            self._ended.wait(max(0, begun + packet * 0.02 - time.monotonic()))

    def send(self, packet):
        self._number += 1
        self.peer.send(frame(kind=3, codec=16, number=self._number, width=0, height=0, content=packet))

    def hush(self):
        self._ended.set()
        self._thread.join()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.hush()
        self.peer.close()


def is_state(engine, text):
    return until(lambda: text in engine.value(STATE), lambda: f"{engine.value(STATE)!r} in place of {text!r}")


def hears(ear, level=0.03):
    return until(lambda: ear.peak() > level, lambda: f"peak {ear.peak()}")


def is_silent(ear):
    until(lambda: ear.peak(20) < 1e-3, lambda: f"peak {ear.peak()}")


def steps(packets):
    """Differences between neighbouring samples in packets; not where packets between two are missing."""
    found = [numpy.zeros((0, 2))]
    for (_, place, frames), (_, next_place, next_frames) in zip(packets, packets[1:]):
        joined = numpy.concatenate([frames, next_frames[:1]]) if place + len(frames) == next_place else frames
        found.append(numpy.abs(numpy.diff(joined, axis=0)))
    return numpy.concatenate(found)


def count(engine, result):
    return engine.metric(f'vestibule_camera_sound_packets_total{{result="{result}"}}')


def test_the_sender_permits_and_stops(running):
    with Ear(running) as ear, Microphone(running, admit="ask") as microphone:
        question = microphone.peer.wait("start", state="asking")
        assert question["receiver"] == 0 and question["pictures"] is False
        microphone.peer.read()
        assert microphone.peer.peers[0]["name"] == "Engine, for sound objects"
        is_state(running, "waiting: Kitchen has been asked")
        holds(lambda: ear.peak() < 1e-3)
        microphone.peer.say(type="allow", link=question["link"])
        hears(ear)
        is_state(running, "camera Kitchen")
        until(lambda: "camera:Kitchen" in running.value("/object/sounds"))
        until(lambda: 0 in microphone.peer.peers and microphone.peer.read() is None and microphone.peer.peers[0].get("senders"))
        assert microphone.peer.peers[0]["senders"] == [microphone.peer.number]
        # The object is at the left.
        left, right = numpy.abs(ear.since()).max(axis=0)
        assert left > 1.5 * right
        # Stopped: silence, without a click.
        before = len(ear.packets)
        microphone.peer.say(type="stop", link=question["link"])
        is_silent(ear)
        steepest = 2 * numpy.pi * HERTZ / RATE * numpy.abs(ear.since()).max()
        assert steps(ear.packets[max(0, before - 5):]).max(initial=0) < 2 * steepest
        is_state(running, "failed: Kitchen has stopped the transmission to the engine")
        # It is not asked again, not even by a change of the offer.
        microphone.peer.offer("everyone", source="microphone", codecs=[])
        holds(lambda: ear.peak() < 1e-3)


def test_a_refusal_ends_when_the_sender_changes_who_may_receive(running):
    is_state(running, "waiting: Kitchen offers no sound")
    with Ear(running) as ear, Microphone(running, admit="ask") as microphone:
        question = microphone.peer.wait("start", state="asking")
        microphone.peer.say(type="deny", link=question["link"])
        is_state(running, "failed: Kitchen has refused")
        # The same offer again is no other answer.
        microphone.peer.offer("ask", source="microphone", codecs=[])
        holds(lambda: microphone.peer.read() or not [text for text in microphone.peer.texts if text["type"] == "start"])
        microphone.peer.offer("everyone", source="microphone", codecs=[])
        hears(ear)
        is_state(running, "camera Kitchen")


def test_a_sender_that_goes_and_comes_back(running):
    is_state(running, "waiting: Kitchen offers no sound")
    with Ear(running) as ear:
        for _ in range(2):
            with Microphone(running):
                hears(ear)
            is_silent(ear)
            is_state(running, "waiting: Kitchen offers no sound")
        # Named peers only: the engine is let in as soon as it is named.
        with Microphone(running, admit="named") as microphone:
            is_state(running, "failed: Kitchen admits named peers only")
            holds(lambda: ear.peak() < 1e-3)
            microphone.peer.offer("named", source="microphone", codecs=[], named=["engine"])
            hears(ear)
        is_silent(ear)


def test_a_camera_sends_the_engine_its_sound_only(running):
    with CameraPeer(running, "Kitchen") as camera:
        camera.offer("everyone", sound=False)
        is_state(running, "waiting: Kitchen offers no sound")
        camera.offer("ask", sound=True)
        link = camera.wait("start", state="asking")["link"]
        camera.say(type="allow", link=link)
        is_state(running, "camera Kitchen")
        passed = running.metric("vestibule_camera_frames_total")
        camera.send(frame(number=1))
        camera.send(frame(kind=3, codec=16, number=1, width=0, height=0, content=Encoder().encode(tone(0))))
        until(lambda: running.metric("vestibule_camera_frames_total") == passed + 1)
        camera.read()
        assert not [text for text in camera.texts if text["type"] == "key"]
    is_state(running, "waiting: Kitchen offers no sound")


def test_sources_that_cannot_be(running):
    osc = running.osc()
    osc.send_message(SOURCE, "camera:")
    until(lambda: "does not name a camera" in running.log, lambda: running.log)
    assert running.value(SOURCE) == "camera:Kitchen"
    # A name that nobody has yet waits for its owner; another sound ends receiving.
    osc.send_message(SOURCE, "camera:Nobody")
    is_state(running, "waiting: Nobody offers no sound")
    with Microphone(running) as microphone:
        assert not [text for text in microphone.peer.texts if text["type"] == "start"]
        osc.send_message(SOURCE, "camera:Kitchen")
        link = microphone.peer.wait("start")["link"]
        osc.send_message(SOURCE, "")
        microphone.peer.wait("stop", link=link, reason="left")
    osc.send_message(SOURCE, "camera:Kitchen")
    is_state(running, "waiting: Kitchen offers no sound")


def test_bad_packets_are_counted_and_nothing_is_too_loud(running):
    random = seeds.generator(47)
    with Ear(running) as ear, Microphone(running) as microphone:
        hears(ear)
        microphone.hush()
        refused, left_out = count(running, "refused"), count(running, "left_out")
        good = Encoder().encode(tone(0))
        # Truncated packets, random ones, one of 120 ms, packets of another length than before, one that is longer than any.
        bad = [bytes([255]), good[:1], good[:5], *(random.bytes(int(random.integers(1, 300))) for _ in range(60)), bytes([7]) * 5000]
        for packet in paced(bad, 0.01):
            microphone.send(packet)
        for frames in (120, 480, 1920, 2880):
            microphone.send(Encoder().encode(tone(0, frames)))
        until(lambda: count(running, "refused") > refused)

        # A flood, and a sender whose clock is twice as fast: of what comes faster than it is heard, the rest is left out.
        def is_left_out():
            for _ in range(400):
                microphone.send(good)
            for _ in paced(range(50), 0.01):
                microphone.send(good)
            return count(running, "left_out") > left_out + 300

        until(is_left_out, lambda: count(running, "left_out"))
        ceiling = 10 ** (running.value("/protection/ceiling") / 20)
        assert numpy.abs(ear.since()).max() <= ceiling + 1e-3
        is_silent(ear)
    with Ear(running) as ear, Microphone(running):
        hears(ear)


def test_without_cameras_an_object_has_none(scene):
    with Engine("--recording", scene, "--cameras", "0") as engine:
        engine.osc().send_message(SOURCE, "camera:Kitchen")
        until(lambda: "start without --cameras 0" in engine.log, lambda: engine.log)
        assert engine.value(SOURCE) == ""


# A microphone that is silent but for 3 ms of a tone three times a second. `clickTimes()` are those so far, in milliseconds since 1970: a
# frame is recorded when the context has rendered it, which a look at its clock notices a little later at most.
CLICKS = """
    navigator.mediaDevices.getUserMedia = async () => {
        const context = new AudioContext({ sampleRate: 48000 });
        const source = new AudioBufferSourceNode(context, { buffer: context.createBuffer(1, 16000, 48000), loop: true });
        source.buffer.getChannelData(0).set(Array.from({ length: 144 }, (_, i) => 0.8 * Math.sin(2 * Math.PI * 2000 * i / 48000)));
        const end = context.createMediaStreamDestination();
        source.connect(end);
        await context.resume();
        const begin = context.currentTime + 0.1;
        source.start(begin);
        let offset = Infinity;
        setInterval(() => {
            offset = Math.min(offset, performance.timeOrigin + performance.now() - 1000 * context.currentTime);
        }, 3);
        window.clickTimes = () => Array.from({ length: Math.max(0, Math.ceil(3 * (context.currentTime - begin))) },
            (_, index) => offset + 1000 * (begin + index / 3));
        return end.stream;
    };
"""


def onsets(sound, times):
    """Times at which sound begins after 50 ms of silence."""
    loud = numpy.flatnonzero(numpy.abs(sound[:, 0]) > 0.02)
    begins = loud[numpy.flatnonzero(numpy.diff(loud, prepend=-RATE) > RATE // 20)]
    return times[begins]


@contextlib.contextmanager
def kitchen(engine):
    """A page that offers a microphone that clicks, once the engine may hear it."""
    kept = "if (!localStorage.length) localStorage.setItem('vestibule.camera', JSON.stringify({ values: { name: 'Kitchen' } }));"
    with sync_playwright() as playwright:
        browser = chromium.launch(playwright)
        _, page, errors = chromium.live_page(
            browser, engine.url + "/camera", kept + CLICKS, viewport={"width": 1440, "height": 900})
        page.get_by_label("Offer", exact=True).select_option("microphone")
        page.get_by_role("button", name="Offer", exact=True).click()
        page.get_by_role("button", name="Allow Engine, for sound objects").click()
        expect(page.get_by_text("Engine, for sound objects: sound only")).to_be_visible()
        yield page
        assert errors == []
        browser.close()


@pytest.mark.page
def test_the_microphone_of_a_browser_is_heard_and_offered_for_objects(running, screenshots):
    with kitchen(running) as page:
        with Ear(running) as ear:
            hears(ear)
        page.screenshot(path=screenshots / "camera-sound-sender.png")
        # The panel offers it where an object's sound is chosen.
        _, panel, _ = chromium.live_page(page.context.browser, running.url + "/#objects", viewport={"width": 1440, "height": 900})
        row = panel.locator(".object-row[data-object='2']")
        row.locator(".object-source").select_option(label="Kitchen (microphone)")
        until(lambda: running.value("/object/2/state") == "camera Kitchen")
        panel.screenshot(path=screenshots / "camera-sound-panel.png")
        row.locator(".object-source").select_option("")
        until(lambda: running.value("/object/2/source") == "")
        page.get_by_role("button", name="Stop Engine, for sound objects").click()
        is_state(running, "failed: Kitchen has stopped the transmission to the engine")


@measured
def test_delay_from_the_microphone_of_a_browser_to_the_ear(running):
    with kitchen(running) as page, Ear(running) as ear:
        hears(ear)
        before = page.evaluate("clickTimes().length")
        page.wait_for_function("(count) => clickTimes().length >= count", arg=before + 16)
        sound, times = ear.timed()
        sent = numpy.array(page.evaluate("clickTimes()")) / 1000
    heard = onsets(sound, times)
    delays = [1000 * (heard[heard > click][0] - click) for click in sent if (heard > click).any()]
    delays = numpy.array([delay for delay in delays if delay < 330])[-16:]
    print(f"microphone to ear: median {numpy.median(delays):.0f} ms of {len(delays)}")
    # docs/cameras.md
    figure("clicks that were heard", len(delays), at_least=12)
    figure("from the microphone to the ear, 95 %", numpy.percentile(delays, 95), at_most=150, unit="ms")
