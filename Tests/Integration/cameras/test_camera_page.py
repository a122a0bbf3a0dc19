"""The page /camera: one browser offers its camera, another one watches."""

import re

import pytest
from playwright.sync_api import expect, sync_playwright

import chromium
from program import Engine
from waiting import until


@pytest.fixture(scope="module")
def camera_browser():
    """A browser with a camera and a microphone of its own making."""
    with sync_playwright() as playwright:
        browser = chromium.launch(playwright, "--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream")
        yield browser
        browser.close()


def peer(browser, engine, name, **options):
    """Opens the page under a name."""
    context, page, complaints = chromium.live_page(
        browser, engine.url + "/camera", f"localStorage.setItem('vestibule.camera', JSON.stringify({{ values: {{ name: '{name}' }} }}))",
        **(options or {"viewport": {"width": 1280, "height": 860}}))
    return context, page, complaints


def offer(page, admit="everyone", **choices):
    page.get_by_label("Who may receive").select_option(admit)
    for label, value in choices.items():
        page.get_by_label(label).select_option(value)
    page.get_by_role("button", name="Offer", exact=True).click()
    expect(page.get_by_text("Offered.")).to_be_visible(timeout=15_000)


def shown(page, count=1):
    """Waits until pictures are shown."""
    page.wait_for_function(
        "(count) => [...vestibule.tiles.values()].some((tile) => tile.incoming?.delays.count >= count)", arg=count, timeout=30_000)


def test_a_camera_is_watched(camera_browser, scene, screenshots):
    with Engine("--recording", scene) as engine:
        first, sender, sender_errors = peer(camera_browser, engine, "Kitchen")
        second, receiver, receiver_errors = peer(camera_browser, engine, "Studio")
        offer(sender)
        receiver.get_by_role("button", name="Watch: Kitchen").click()
        expect(sender.get_by_role("button", name="Stop Studio (not paired)")).to_be_visible(timeout=10_000)
        shown(receiver, 100)
        first_shown = receiver.evaluate(
            "(() => { const [tile] = vestibule.tiles.values(); return tile.incoming.firstShown - tile.chosenAt; })()")
        delay = receiver.evaluate("[...vestibule.tiles.values()][0].incoming.delay")
        print(f"first picture after {first_shown:.0f} ms; camera to screen {delay}")
        sender.screenshot(path=screenshots / "camera-sender.png")
        receiver.screenshot(path=screenshots / "camera-receiver.png")
        assert sender_errors == [] and receiver_errors == []
        first.close()
        second.close()
