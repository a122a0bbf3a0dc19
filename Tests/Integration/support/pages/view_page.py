"""The page /view with a film whose frames carry their number."""

import chromium
import film

VIDEO = "/transport/video"


def watch(browser, engine, **options):
    return chromium.live_page(browser, engine.url + "/view", film.SCRIPT, **(options or {"viewport": {"width": 1000, "height": 800}}))


def seen(page):
    """Waits until the picture shows a frame."""
    page.wait_for_function("() => vestibule.pane?.picture?.hasFrame && vestibule.pane.video.readyState >= 2")
