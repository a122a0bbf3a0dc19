"""The choice between the recording and a live array on the panel."""

import pytest
from playwright.sync_api import expect

from chromium import live_page
from program import Engine
from waiting import until


@pytest.mark.parametrize("size, scheme", [((1440, 900), "dark"), ((390, 844), "light")])
def test_the_array_is_chosen_and_told_in_words(browser, scene, size, scheme, screenshots):
    with Engine("--recording", scene, "--array", f"file:{scene}") as engine:
        context, page, complaints = live_page(
            browser, engine.url, viewport={"width": size[0], "height": size[1]}, color_scheme=scheme)
        expect(page).to_have_title(f"Live array {scene.name} · Vestibule")
        expect(page.locator(".seek")).not_to_be_visible()
        page.get_by_role("tab", name="Session", exact=True).click()
        card = page.get_by_role("region", name="Recording", exact=True)
        if card.locator(".card-fold").get_attribute("aria-expanded") == "false" and size[0] < 800:
            card.locator(".card-fold").click()
        live, recording = card.get_by_role("radio", name="live"), card.get_by_role("radio", name="recording")
        expect(live).to_be_checked()
        expect(card.get_by_text("ms after its converter. Pause mutes it.")).to_be_visible()
        card.scroll_into_view_if_needed()
        page.screenshot(path=screenshots / f"array-{size[0]}.png")
        # Keys as a radio group has them.
        live.focus()
        page.keyboard.press("ArrowLeft")
        expect(recording).to_be_checked()
        until(lambda: engine.value("/array/source") == "recording")
        expect(card.get_by_text(f"The live array {scene.name} is not heard.")).to_be_visible()
        expect(page.locator(".seek")).to_be_visible()
        expect(page).to_have_title(f"{scene.name} · Vestibule")
        assert complaints == []
        context.close()


def test_without_an_array_there_is_no_choice(browser, engine):
    context, page, complaints = live_page(browser, engine.url, viewport={"width": 1440, "height": 900})
    page.get_by_role("tab", name="Session", exact=True).click()
    card = page.get_by_role("region", name="Recording", exact=True)
    expect(card.get_by_role("radio", name="waveform")).to_be_visible()
    expect(card.get_by_role("radio", name="live")).to_be_hidden()
    assert complaints == []
    context.close()
