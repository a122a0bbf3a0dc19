"""The page of objects on the panel, and the handles on its map."""

import re

from playwright.sync_api import expect

from chromium import complaints_of, connected, painted


def open_objects(context, engine):
    page = context.new_page()
    page.complaints = complaints_of(page)
    page.goto(engine.url + "#objects")
    connected(page)
    expect(page.get_by_role("tabpanel", name="Objects")).to_be_visible()
    # Labels have their places when the map was drawn.
    painted(page)
    return page


def handle(page, number):
    return page.get_by_role("slider", name=re.compile(f"^Object {number}($|:)"))


def middle(locator):
    box = locator.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
