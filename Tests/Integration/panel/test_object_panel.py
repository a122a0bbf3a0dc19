"""Sound objects on the panel: the map and the list, in a real browser. SCREENSHOTS=FOLDER keeps the pictures."""

import math
import os
import re

import pytest
from playwright.sync_api import expect
from pythonosc.osc_bundle import OscBundle
from pythonosc.osc_message import OscMessage
from pythonosc.udp_client import SimpleUDPClient

from chromium import complaints_of, painted
from program import Engine
from waiting import holds, until


@pytest.fixture
def objects(scene):
    with Engine("--recording", scene, "--objects", "6") as engine:
        yield engine


@pytest.fixture
def page(browser, objects):
    """The objects page at desktop size; errors in the browser's console fail the test."""
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    page = open_objects(context, objects)
    yield page
    assert page.complaints == []
    context.close()


def open_objects(context, engine):
    page = context.new_page()
    page.complaints = complaints_of(page)
    page.goto(engine.url + "#objects")
    expect(page.get_by_role("tabpanel", name="Objects")).to_be_visible()
    return page


def handle(page, number):
    return page.get_by_role("slider", name=re.compile(f"^Object {number}($|:)"))


def middle(locator):
    box = locator.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def scene_of(engine):
    """Names and positions all around."""
    client = engine.osc()
    for number, (name, azimuth, elevation, distance) in enumerate(
            [("Kick", 0, 0, 2), ("Snare", 30, 0, 1.2), ("Overhead", -60, 60, 3), ("A guitar with a long name", 110, 0, 6),
             ("Choir", 180, -20, 20), ("", -100, 0, 0.4)], start=1):
        client.send_message(f"/object/{number}/name", name)
        client.send_message(f"/adm/obj/{number}/aed", [float(azimuth), float(elevation), 1.0])
        client.send_message(f"/object/{number}/distance", float(distance))
    client.send_message("/object/3/gain", -9.0)
    client.send_message("/object/5/mute", 1)
    until(lambda: engine.value("/object/6/distance") != 1 and engine.value("/object/5/mute"))


class Listener(SimpleUDPClient):
    """A client that subscribes to objects over OSC."""

    def __init__(self, engine, path):
        super().__init__("127.0.0.1", engine.ready["osc_port"])
        self._sock.settimeout(0.2)
        self.values = {}
        self.send_message("/subscribe", [path, 60])
        until(lambda: self.listen() or self.values)

    def listen(self):
        """Stores all messages that have arrived."""
        while True:
            try:
                data = self._sock.recv(65536)
            except OSError:
                return self.values
            packets = OscBundle(data) if OscBundle.dgram_is_bundle(data) else [OscMessage(data)]
            for packet in packets:
                self.values[packet.address] = packet.params


# Collects the texts that are drawn on the map.
DRAWN = """window.drawn = [];
const draw = CanvasRenderingContext2D.prototype.fillText;
CanvasRenderingContext2D.prototype.fillText = function (text, ...place) {
  if (this.canvas.matches('.map-canvas')) window.drawn.push(text);
  return draw.call(this, text, ...place);
};"""


def test_the_map_has_the_heads_of_the_device_and_the_chosen_one(browser, scene):
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    context.add_init_script(DRAWN)
    with Engine("--recording", scene, "--objects", 1, "--listeners", 3, "--network-listeners", 4) as engine:
        for name in ("Anna", "Bela"):
            engine.osc().send_message("/listener/add", name)
        until(lambda: engine.value("/listener/count") == 5)
        page = open_objects(context, engine)
        heads = lambda: set(page.evaluate("drawn.splice(0)")) & set("12345")
        turn = lambda: engine.osc().send_message("/listener/2/ypr", [40.0, 0.0, 0.0])
        until(lambda: turn() or heads() == {"1", "2", "3"})
        page.goto(engine.url + "#objects&listener=5")
        page.reload()
        until(lambda: turn() or heads() == {"1", "2", "3", "5"})
        # Listening tests, too, are for the listeners of the device.
        for listener, count in ((5, 0), (2, 1)):
            page.goto(f"{engine.url}#head&listener={listener}")
            page.reload()
            expect(page.get_by_role("slider", name="Gain", exact=True).first).to_be_visible()
            expect(page.get_by_role("region", name="ABX comparison", exact=True)).to_have_count(count)
        assert page.complaints == []
    context.close()


def test_escape_cancels_a_drag_on_the_map(page, objects):
    place = lambda: [objects.value(f"/object/1/{name}") for name in ("azimuth", "elevation", "distance")]
    before = place()
    x, y = middle(page.locator(".map-box"))
    page.mouse.move(*middle(handle(page, 1)))
    page.mouse.down()
    page.mouse.move(x - 150, y, steps=4)
    until(lambda: abs(objects.value("/object/1/azimuth") - before[0]) > 45)
    page.keyboard.press("Escape")
    until(lambda: place() == pytest.approx(before, abs=1e-4), 3, place)
    # The drag is over, although the button is still pressed.
    page.mouse.move(x + 150, y, steps=4)
    page.mouse.up()
    holds(lambda: place() == pytest.approx(before, abs=1e-4), 0.2)
    expect(handle(page, 1)).to_be_focused()
    assert page.evaluate("vestibule.value('/object/1/azimuth')[0]") == pytest.approx(before[0], abs=1e-4)


def test_dragging_an_object_moves_it_and_notifies_others(page, objects):
    ears = Listener(objects, "/object/1")
    adm = Listener(objects, "/adm/obj/1/xyz")
    x, y = middle(page.locator(".map-box"))
    from_x, from_y = middle(handle(page, 1))
    radius = math.hypot(from_x - x, from_y - y)
    page.mouse.move(from_x, from_y)
    page.mouse.down()
    page.mouse.move(x - radius, y - 20, steps=8)
    page.mouse.move(x - radius, y, steps=8)  # To the left; initially all objects are in front.
    page.mouse.up()
    until(lambda: abs(objects.value("/object/1/azimuth") - 90) < 1.5)
    until(lambda: objects.value("/object/1/azimuth") == pytest.approx(page.evaluate("vestibule.value('/object/1/azimuth')[0]"), abs=1e-3))
    azimuth, heard = objects.value("/object/1/azimuth"), objects.value("/object/1/distance")
    until(lambda: abs(ears.listen().get("/object/1/azimuth", [0])[0] - azimuth) < 1e-4)
    until(lambda: abs(ears.listen()["/object/1/distance"][0] - heard) < 1e-5)
    until(lambda: adm.listen()["/adm/obj/1/xyz"][0] < -0.8)
    expect(handle(page, 1)).to_have_attribute("aria-valuetext", re.compile("90|89|91"))
    # A gesture is one undo step, although it changes angle and distance. It ends with a pause of 0.7 s.
    holds(lambda: objects.value("/object/1/azimuth") == azimuth, 0.8)
    page.mouse.move(*middle(handle(page, 1)))
    page.mouse.down()
    page.mouse.move(x - 1.6 * radius, y + 1.6 * radius, steps=2)
    page.mouse.up()
    until(lambda: objects.value("/object/1/distance") > 2 * heard and abs(objects.value("/object/1/azimuth") - 135) < 2)
    page.keyboard.press("Control+z")
    until(lambda: (objects.value("/object/1/azimuth"), objects.value("/object/1/distance")) == (azimuth, heard),
          describe=lambda: f"{objects.value('/object/1/azimuth')} {objects.value('/object/1/distance')}")


def test_changes_of_others_do_not_disturb_a_drag(page, objects):
    x, y = middle(page.locator(".map-box"))
    page.mouse.move(*middle(handle(page, 2)))
    page.mouse.down()
    page.mouse.move(x + 150, y, steps=5)
    until(lambda: objects.value("/object/2/azimuth") < -80)
    held = middle(handle(page, 2))
    objects.osc().send_message("/object/2/azimuth", 45.0)
    until(lambda: objects.value("/object/2/azimuth") == 45)
    holds(lambda: middle(handle(page, 2)) == held, 0.2)
    page.mouse.up()
    # The latest change counts.
    expect(handle(page, 2)).to_have_attribute("aria-valuetext", re.compile("45 degrees to the left"))


def test_an_object_by_keys(page, objects):
    ears = Listener(objects, "/object/3")
    third = handle(page, 3)
    third.focus()
    for key in ["ArrowLeft", "ArrowLeft", "Shift+ArrowRight", "ArrowUp", "PageUp", "PageUp", "Shift+PageDown"]:
        page.keyboard.press(key)
    until(lambda: objects.value("/object/3/azimuth") == 9 and objects.value("/object/3/elevation") == 9)
    assert abs(objects.value("/object/3/distance") - 1.12) < 1e-6
    until(lambda: ears.listen().get("/object/3/elevation") == [9.0])
    assert ears.values["/object/3/azimuth"] == [9.0]
    expect(third).to_have_attribute("aria-valuetext", "9 degrees to the left, 1.12\u00a0m, 9° up")
    expect(third).to_be_focused()
    page.keyboard.press("Home")
    until(lambda: objects.value("/object/3/azimuth") == 0)
    # The values are shown as numbers below the map, where they can be typed.
    numbers = page.get_by_role("group", name="Object 3", exact=True).first
    numbers.get_by_role("spinbutton", name="Distance").fill("7.5")
    page.keyboard.press("Enter")
    until(lambda: objects.value("/object/3/distance") == 7.5)


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


def test_the_head_turns_on_the_map(page, objects):
    picture = lambda: page.locator(".map-canvas").evaluate("canvas => canvas.toDataURL()")
    before = picture()
    objects.osc().send_message("/listener/1/ypr", [60.0, 0.0, 0.0])
    until(lambda: picture() != before)
    turned = picture()
    objects.osc().send_message("/listener/1/ypr", [0.0, 0.0, 0.0])
    until(lambda: picture() != turned)


@pytest.mark.parametrize("width", [390, 820, 1440])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_everything_fits_at_every_width(browser, objects, screenshots, width, scheme):
    scene_of(objects)
    context = browser.new_context(
        viewport={"width": width, "height": 900}, color_scheme=scheme, has_touch=width < 800, reduced_motion="reduce")
    page = open_objects(context, objects)
    objects.osc().send_message("/listener/1/ypr", [25.0, 0.0, 0.0])
    until(lambda: "6 m" in (handle(page, 4).get_attribute("aria-valuetext") or "").replace("\u00a0", " "))
    painted(page)
    page.screenshot(path=screenshots / f"objects-{width}-{scheme}.png", full_page=True)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    box = page.locator(".map-box").bounding_box()
    for number in range(1, 7):
        inner = handle(page, number).bounding_box()
        assert inner["width"] >= 44 and inner["height"] >= 44
        assert box["x"] <= inner["x"] and inner["x"] + inner["width"] <= box["x"] + box["width"]
    context.close()


def test_a_finger_moves_an_object(browser, objects):
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    page = open_objects(context, objects)
    handle(page, 1).scroll_into_view_if_needed()
    x, y = middle(page.locator(".map-box"))
    from_x, from_y = middle(handle(page, 1))
    session = context.new_cdp_session(page)
    touch = lambda kind, *points: session.send("Input.dispatchTouchEvent", {
        "type": kind, "touchPoints": [{"x": px, "y": py} for px, py in points]})
    touch("touchStart", (from_x, from_y))
    for share in range(1, 9):
        touch("touchMove", (from_x + (x + 80 - from_x) * share / 8, from_y + (y + 80 - from_y) * share / 8))
    touch("touchEnd")
    until(lambda: abs(objects.value("/object/1/azimuth") + 135) < 2, describe=lambda: objects.value("/object/1/azimuth"))
    context.close()


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
    expect(room.get_by_role("status")).to_have_text("Objects are in a free field.")
    before = page.locator(".map-canvas").screenshot()
    room.get_by_role("switch", name="Room", exact=True).click()
    expect(room.get_by_role("status")).to_contain_text("The room is heard: ")
    painted(page)
    assert page.locator(".map-canvas").screenshot() != before
    room.get_by_label("Front wall").select_option(label="Single pane of glass, 3 mm")
    until(lambda: objects.value("/room/wall/front") == "glass")
    room.get_by_label("Size, width").fill("9")
    page.keyboard.press("Enter")
    until(lambda: objects.value("/room/size") == [8, 9, 3])
    objects.osc().send_message("/room/turn", 20.0)
    expect(room.get_by_role("status")).to_contain_text("The room is heard: ")
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
