"""Lists, groups and numbers of sound objects on the panel, and its room card, in a real browser. SCREENSHOTS=FOLDER keeps the pictures."""

import json
import os
import re

from playwright.sync_api import expect

from chromium import painted
from object_map import handle
from program import Engine
from waiting import until


def test_the_list_names_mutes_and_chooses_sounds(page, objects):
    row = page.get_by_role("group", name=re.compile("^Object 2")).last
    row.get_by_label("Name").fill("Snare")
    page.keyboard.press("Tab")
    until(lambda: objects.value("/object/2/name") == "Snare")
    expect(handle(page, 2)).to_have_attribute("aria-label", "Object 2: Snare")
    row.get_by_label("Name").fill("")
    page.keyboard.press("Tab")
    until(lambda: objects.value("/object/2/name") == "")
    row.get_by_role("button", name="Mute").click()
    until(lambda: objects.value("/object/2/mute") is True)
    expect(row.get_by_role("button", name="Mute")).to_have_attribute("aria-pressed", "true")
    row.get_by_role("spinbutton", name="Object gain").fill("-12")
    page.keyboard.press("Enter")
    until(lambda: objects.value("/object/2/gain") == -12)
    row.get_by_role("button", name="Show Object 2 on the map").click()
    expect(handle(page, 2)).to_be_focused()


def test_without_objects_the_page_is_absent(browser, scene):
    with Engine("--recording", scene, "--objects", "0") as engine:
        context = browser.new_context()
        page = context.new_page()
        page.goto(engine.url)
        expect(page.get_by_role("tab", name="Effects", exact=True)).to_be_visible()
        expect(page.get_by_role("tab", name="Objects", exact=True)).to_be_hidden()
        context.close()


def test_the_way_to_the_heads_has_controls(page, objects):
    """Solo in the list, and the numbers of the selected object."""
    solo = page.get_by_role("group", name=re.compile("^Object 2")).get_by_role("button", name="Solo")
    solo.click()
    until(lambda: objects.value("/object/2/solo"))
    expect(solo).to_have_attribute("aria-pressed", "true")
    solo.focus()
    page.keyboard.press("Space")
    until(lambda: not objects.value("/object/2/solo"))
    page.get_by_text("Propagation and directivity").click()
    page.get_by_role("switch", name="Air absorption").or_(page.get_by_role("checkbox", name="Air absorption")).first.click()
    until(lambda: objects.value("/object/1/air"))
    bubble = page.get_by_role("slider", name="Bubble")
    bubble.focus()
    page.keyboard.press("ArrowRight")
    until(lambda: objects.value("/object/1/bubble") > 0)


def test_the_room_card(page, objects):
    """Switches, walls and lock reach the engine, and the map shows the walls; the pictures are taken at both sizes."""
    room = page.get_by_role("region", name="Room", exact=True)
    words = room.locator(".room-state")
    expect(words).to_have_text("Objects are in a free field.")
    before = page.locator(".map-canvas").screenshot()
    room.get_by_role("switch", name="Room", exact=True).click()
    expect(words).to_contain_text("The room is active: ")
    until(lambda: page.locator(".map-canvas").screenshot() != before)
    room.get_by_label("Front wall").select_option(label="Single pane of glass, 3 mm")
    until(lambda: objects.value("/room/wall/front") == "glass")
    room.get_by_label("Size, width").fill("9")
    page.keyboard.press("Enter")
    until(lambda: objects.value("/room/size") == [8, 9, 3])
    objects.osc().send_message("/room/turn", 20.0)
    expect(words).to_contain_text("The room is active: ")
    keep(page, "room-desktop")
    page.locator(".map-canvas").scroll_into_view_if_needed()
    keep(page, "room-map")
    room.get_by_role("switch", name="Lock").click()
    expect(room.get_by_label("Front wall")).to_be_disabled()
    expect(room.get_by_role("switch", name="Room", exact=True)).to_be_enabled()
    until(lambda: objects.value("/room/lock"))
    room.get_by_role("switch", name="Lock").click()
    expect(room.get_by_label("Front wall")).to_be_enabled()
    page.set_viewport_size({"width": 390, "height": 844})
    room.locator(".card-fold").click()
    expect(room.get_by_label("Front wall")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    room.scroll_into_view_if_needed()
    keep(page, "room-phone")


def keep(page, name):
    """Keeps a picture of the page in the folder of SCREENSHOTS, if there is one."""
    if folder := os.environ.get("SCREENSHOTS"):
        painted(page)
        page.screenshot(path=f"{folder}/{name}.png", full_page=True)


def test_objects_are_added_grouped_moved_and_removed(page, objects):
    """Buttons of the list, the group and the path of the chosen object; the pictures are taken at both sizes."""
    page.get_by_role("button", name="Add object").click()
    until(lambda: objects.value("/object/list") == "1-7")
    numbers = page.locator(".object-numbers")
    expect(numbers.get_by_role("heading", name="Object 7")).to_be_visible()
    numbers.get_by_role("slider", name="Group").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    until(lambda: objects.value("/object/7/group") == 2)
    groups = page.get_by_role("region", name="Object groups")
    expect(groups.get_by_role("heading", name="Group 2: 1 object")).to_be_visible()
    expect(groups.get_by_role("heading", name="Group 1")).to_be_hidden()
    groups.get_by_role("switch", name="Group mute").locator("visible=true").click()
    until(lambda: objects.value("/object/group/2/mute"))
    numbers.get_by_text("Path", exact=True).click()
    numbers.get_by_label("Radius in metres").fill("3")
    numbers.get_by_role("button", name="Circle").click()
    expect(numbers.get_by_text("A circle of 3 m radius, a turn to the left in 8 s.")).to_be_visible()
    until(lambda: json.loads(objects.value("/object/7/path")) == {"circle": {"radius": 3, "seconds": 8}})
    keep(page, "object-list-desktop")
    groups.scroll_into_view_if_needed()
    keep(page, "object-groups-desktop")
    numbers.get_by_role("button", name="Clear").click()
    until(lambda: objects.value("/object/7/path") == "")
    page.set_viewport_size({"width": 390, "height": 844})
    page.get_by_role("region", name="Objects", exact=True).locator(".card-fold").click()
    page.get_by_role("button", name="Add object").scroll_into_view_if_needed()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    keep(page, "object-list-phone")
    page.get_by_role("button", name="Remove object 7").click()
    until(lambda: objects.value("/object/list") == "1-6")
    expect(page.get_by_role("button", name="Remove object 7")).to_be_hidden()
    objects.osc().send_message("/object/list", "")
    expect(page.get_by_text("No objects yet. Add one, then choose its sound.")).to_be_visible()
    page.get_by_role("button", name="Add object").click()
    expect(handle(page, 1)).to_be_visible()
