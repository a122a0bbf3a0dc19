"""Damaged pictures and sound from a program, received by the page /camera: it goes on with the next intact key frame."""

import fractions

import av
import numpy
import pytest
from playwright.sync_api import sync_playwright

import chromium
import seeds
from camera_peer import CameraPeer, frame
from opus_encoder import Encoder
from program import Engine
from waiting import until

WIDTH, HEIGHT = 320, 180


@pytest.fixture(scope="module")
def browser():
    with sync_playwright() as playwright:
        running = chromium.launch(playwright)
        yield running
        running.close()


def key_frames(count):
    """Pictures of rising shades: each shade, and its key frame of VP8."""
    context = av.CodecContext.create("libvpx", "w")
    context.width, context.height, context.pix_fmt = WIDTH, HEIGHT, "yuv420p"
    context.time_base = fractions.Fraction(1, 25)
    context.options = {"deadline": "realtime", "cpu-used": "8", "g": "0", "lag-in-frames": "0"}
    for number in range(count):
        shade = 40 + 150 * number // count
        picture = av.VideoFrame.from_ndarray(numpy.full((HEIGHT, WIDTH, 3), shade, numpy.uint8), format="rgb24")
        picture = picture.reformat(format="yuv420p")
        picture.pts = number
        yield from ((shade, bytes(packet)) for packet in context.encode(picture))


def test_damaged_pictures_and_sound_are_passed_over(scene, browser):
    chance = seeds.chooser(61)
    with Engine("--recording", scene, "--objects", 0) as engine, CameraPeer(engine, "Damaged") as sender:
        sender.offer(sound=True)
        _, page, errors = chromium.live_page(browser, engine.url + "/camera", viewport={"width": 900, "height": 700})
        page.get_by_role("button", name="Watch: Damaged").click()
        sender.wait("start", state="open")
        packet = Encoder().encode(numpy.zeros(960))
        middle = "[...vestibule.tiles.values()][0].context?.getImageData(99, 99, 1, 1).data[0] ?? -99"
        number = 0

        def send(kind, content, **others):
            nonlocal number
            number += 1
            fields = {"codec": 1, "width": WIDTH, "height": HEIGHT, **others}
            sender.send(frame(kind=kind, number=number, time=40_000 * number, content=content, **fields))

        for shade, whole in key_frames(12):
            content = bytearray(whole)
            for _ in range(8):
                content[chance.randrange(len(content))] = chance.randrange(256)
            for damaged in (whole[:chance.randrange(1, len(whole))], bytes(content), bytes(chance.randrange(1, 99))):
                send(chance.choice((1, 2)), damaged)
                sender.settle()
            bad = packet[:chance.randrange(1, len(packet) + 1)] + bytes(chance.randrange(3))
            sender.send(frame(kind=3, codec=16, number=number, width=0, height=0, content=bad))

            def is_shown():
                # The relay may have skipped to the next key frame.
                send(1, whole)
                sender.settle()
                return abs(page.evaluate(middle) - shade) < 8

            until(is_shown, lambda: f"shade {page.evaluate(middle)} in place of {shade}")
        assert page.get_by_role("button", name="Stop: Damaged").is_visible()
        assert errors == []
