"""The panel at any size."""

import pytest
from playwright.sync_api import expect


@pytest.fixture
def open_page(browser, engine):
    """Opens the panel at a size."""
    contexts = []

    def make(width, height, path="", **options):
        context = browser.new_context(viewport={"width": width, "height": height}, has_touch=width < 1000, **options)
        contexts.append(context)
        page = context.new_page()
        page.goto(engine.url + path)
        expect(page.locator("html")).to_have_attribute("data-link", "live")
        return page

    yield make
    for context in contexts:
        context.close()
