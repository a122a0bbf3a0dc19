"""The page /camera in a browser."""

from playwright.sync_api import expect

import chromium


def peer(browser, engine, name, script="", **options):
    """Opens the page under a name."""
    kept = f"if (!localStorage.length) localStorage.setItem('vestibule.camera', JSON.stringify({{ values: {{ name: '{name}' }} }}));"
    return chromium.live_page(browser, engine.url + "/camera", kept + script, **(options or {"viewport": {"width": 1280, "height": 860}}))


def offer(page, admit):
    page.get_by_label("Who may receive").select_option(admit)
    page.get_by_role("button", name="Offer", exact=True).click()
    expect(page.get_by_text("Offered.")).to_be_visible()


def shown(page, count=1):
    """Waits until pictures are shown and their delay is known."""
    page.wait_for_function(
        "(count) => [...vestibule.tiles.values()].some((tile) => tile.incoming?.delays.count >= count)", arg=count)
