"""The card of the sound device: state, loss and return in words, and the choice of another device."""

import re
import signal

import pytest
from playwright.sync_api import expect

from chromium import live_page, painted
from jack_server import available, jack_server
from panel_page import unfold
from program import Engine

pytestmark = pytest.mark.skipif(not available(), reason="needs jackd2")


@pytest.mark.parametrize("size, scheme", [((1440, 900), "light"), ((390, 844), "dark")])
def test_loss_return_and_choice_of_a_device(browser, screenshots, size, scheme):
    with jack_server(period=256) as server, Engine("--device", "jack", env=server.env) as engine:
        viewport = {"width": size[0], "height": size[1]}
        context, page, complaints = live_page(browser, engine.url, viewport=viewport, color_scheme=scheme)
        page.get_by_role("tab", name="Engine").click()
        device = unfold(page.get_by_role("region", name="Sound device", exact=True))
        expect(device.get_by_role("status")).to_have_text("Plays on jack.")
        choice = device.get_by_label("Device", exact=True)
        expect(choice.locator("option")).to_contain_text(["timer – No sound card", "jack – JACK server, 4 channels, 48000 Hz"])
        assert choice.bounding_box()["height"] >= 44
        server.stop(signal.SIGKILL)
        expect(device.get_by_role("status")).to_contain_text("jack was lost. The engine continues without it")
        expect(device.get_by_role("status")).to_contain_text("There is no JACK server. Start one")
        # More than once where the engine or the server was stalled.
        expect(device.get_by_text(re.compile(r"Lost (once|\d+ times) since the start"))).to_be_visible()
        device.scroll_into_view_if_needed()
        painted(page)
        page.screenshot(path=screenshots / f"device-lost-{size[0]}.png")
        whole = device.bounding_box()
        for part in device.locator("p, select, button").all():
            box = part.bounding_box()
            assert not box or box["x"] + box["width"] <= whole["x"] + whole["width"], part.text_content()
        server.start()
        expect(device.get_by_role("status")).to_have_text("Plays on jack.")
        choice.select_option("timer")
        expect(device.get_by_role("status")).to_have_text("Plays on timer.")
        expect(device.get_by_text("Preferred, the best first: timer, jack.")).to_be_visible()
        painted(page)
        page.screenshot(path=screenshots / f"device-{size[0]}.png")
        device.get_by_role("button", name="Forget order").click()
        expect(device.get_by_role("status")).to_have_text("Plays on jack.")
        expect(choice).to_have_value("jack")
        assert not complaints
        context.close()
