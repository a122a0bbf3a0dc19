"""Ways to save bits on a slow network, chosen on the page /camera: the engine's strategies down to the last one for each."""

import pytest
from playwright.sync_api import sync_playwright

import chromium
from camera_page import offer, settle
from camera_peer import CameraPeer
from program import Engine
from waiting import until

pytestmark = pytest.mark.page

# The page's upper bounds, as bits per second, pictures per second and lines.
BEST = (1_000_000, 25, 480)
NOTE = """() => {
    const follow = vestibule.pictures.follow.bind(vestibule.pictures);
    window.told = [];
    vestibule.pictures.follow = (strategy) => {
        told.push([strategy.bitrate, strategy.rate, strategy.height]);
        follow(strategy);
    };
}"""


@pytest.fixture(scope="module")
def page(scene):
    """A page that offers a camera."""
    with Engine("--recording", scene, "--objects", 0) as engine, sync_playwright() as playwright:
        browser = chromium.launch(playwright, "--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream")
        _, page, errors = chromium.live_page(browser, engine.url + "/camera", viewport={"width": 1280, "height": 1400})
        page.engine = engine
        page.evaluate(NOTE)
        page.get_by_text("Quality", exact=True).click()
        offer(page, "everyone")
        yield page
        assert errors == []
        browser.close()


@pytest.mark.parametrize("saving, last, kept", [
    ("smaller, then fewer pictures", (100_000, 25, 240), [1]), ("smaller pictures", (100_000, 25, 240), [1]),
    ("fewer pictures", (100_000, 5, 480), [2]), ("coarser pictures", (100_000, 25, 480), [1, 2]), ("still pictures", (30_000, 2, 480), [2]),
])
def test_a_receiver_that_confirms_nothing_gets_the_lowest_strategy_of_the_choice(page, screenshots, saving, last, kept):
    page.evaluate("window.told = []")
    page.get_by_label("On a slow network").select_option(label=saving)
    settle(page)
    page.screenshot(path=screenshots / f"camera-saving-{saving.split()[0].rstrip(',')}.png")
    with CameraPeer(page.engine, "Silent") as silent:
        silent.say(type="start", sender=page.evaluate("vestibule.socket.peer"))
        silent.wait("start", state="open")
        told = until(lambda: (told := page.evaluate("told")) and tuple(told[-1]) == last and told, lambda: page.evaluate("told"))
    assert len({tuple(strategy) for strategy in told}) <= 5
    for number in kept:
        assert {strategy[number] for strategy in told} == {BEST[number]}
    # The bounds that the choice does not set by itself are the user's.
    assert page.get_by_label("Minimum height").is_visible() == (2 not in kept)
    assert page.get_by_label("Minimum frame rate").is_visible() == (saving in ("smaller, then fewer pictures", "fewer pictures"))
