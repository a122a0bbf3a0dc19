"""Sound objects on the map of the panel, in a real browser. SCREENSHOTS=FOLDER keeps the pictures."""

import math
import re

import pytest
from playwright.sync_api import expect
from pythonosc.osc_bundle import OscBundle
from pythonosc.osc_message import OscMessage
from pythonosc.udp_client import SimpleUDPClient

from chromium import painted
from object_map import handle, middle, open_objects
from panel_page import sent
from program import Engine
from waiting import holds, until


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
        self.send_message("/subscribe", [path, 600])
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


def test_the_map_has_the_heads_of_all_listeners(browser, scene, screenshots):
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    context.add_init_script(DRAWN)
    with Engine("--recording", scene, "--objects", 1, "--listeners", 3, "--network-listeners", 4) as engine:
        for name in ("Anna", "Bela"):
            engine.osc().send_message("/listener/add", name)
        until(lambda: engine.value("/listener/count") == 5)
        page = open_objects(context, engine)
        heads = lambda: set(page.evaluate("drawn.splice(0)")) & {*"12345", "Anna", "Bela"}
        engine.osc().send_message("/listener/4/xyz", [2.0, 3.0, 0.0])
        engine.osc().send_message("/listener/5/xyz", [-1.0, -1.0, 0.0])
        turn = lambda: engine.osc().send_message("/listener/2/ypr", [40.0, 0.0, 0.0])
        until(lambda: turn() or heads() == {"1", "2", "3", "Anna", "Bela"})
        page.screenshot(path=screenshots / "all-heads-1440.png")
        page.goto(engine.url + "#objects&listener=5")
        page.reload()
        until(lambda: turn() or heads() == {"1", "2", "3", "5", "Anna"})
        # Listening tests, too, are for the listeners of the device.
        for listener, count in ((5, 0), (2, 1)):
            page.goto(f"{engine.url}#head&listener={listener}")
            page.reload()
            expect(page.get_by_role("slider", name="Gain", exact=True).first).to_be_visible()
            expect(page.get_by_role("region", name="ABX comparison", exact=True)).to_have_count(count)
        assert page.complaints == []
    context.close()


def test_heads_are_moved_on_the_map(browser, scene, screenshots):
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    with Engine("--recording", scene, "--objects", 2, "--listeners", 2) as engine:
        page = open_objects(context, engine)
        place = lambda number=1: engine.value(f"/listener/{number}/xyz")
        shown = lambda number: pytest.approx(page.evaluate(f"vestibule.value('/listener/{number}/xyz')"), abs=1e-4)
        head = page.get_by_role("slider", name="Place of listener 1")
        x, y = middle(page.locator(".map-box"))
        # Dragged to the left of the origin; the other head, which was below, stays.
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(x - 150, y, steps=4)
        page.mouse.up()
        sent(page)
        until(lambda: shown(1) == place())
        until(lambda: place()[1] > 0.5 and abs(place()[0]) < 0.1 and place()[2] == 0, describe=place)
        assert place(2) == [0, 0, 0]
        # Escape puts it back.
        before = place()
        page.mouse.move(*middle(head))
        page.mouse.down()
        page.mouse.move(x, y + 100, steps=4)
        until(lambda: place()[0] < -0.3, describe=place)
        page.keyboard.press("Escape")
        until(lambda: place() == pytest.approx(before, abs=1e-4), describe=place)
        page.mouse.up()
        # Keys, with words for screen readers.
        other = page.get_by_role("slider", name="Place of listener 2")
        other.focus()
        page.keyboard.press("ArrowUp")
        page.keyboard.press("Shift+ArrowRight")
        page.keyboard.press("PageUp")
        until(lambda: place(2) == pytest.approx([0.1, -0.02, 0.1], abs=1e-4), describe=lambda: place(2))
        expect(other).to_have_attribute("aria-valuetext", "0.1\u00a0m to the front, 0.02\u00a0m to the right, 0.1\u00a0m up")
        engine.osc().send_message("/listener/2/xyz", [3.0, -2.0, 0.0])
        expect(other).to_have_attribute("aria-valuetext", "3\u00a0m to the front, 2\u00a0m to the right")
        page.screenshot(path=screenshots / "heads-1440.png")
        page.set_viewport_size({"width": 390, "height": 844})
        page.screenshot(path=screenshots / "heads-390.png")
        other.focus()
        page.keyboard.press("Home")
        until(lambda: place(2) == [0, 0, 0])
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
    until(lambda: place() == pytest.approx(before, abs=1e-4), place)
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
    sent(page)
    until(lambda: abs(objects.value("/object/1/azimuth") - 90) < 1.5)
    until(lambda: objects.value("/object/1/azimuth") == pytest.approx(page.evaluate("vestibule.value('/object/1/azimuth')[0]"), abs=1e-3))
    azimuth, heard = objects.value("/object/1/azimuth"), objects.value("/object/1/distance")
    until(lambda: abs(ears.listen().get("/object/1/azimuth", [0])[0] - azimuth) < 1e-4)
    until(lambda: abs(ears.listen().get("/object/1/distance", [0])[0] - heard) < 1e-5)
    until(lambda: adm.listen().get("/adm/obj/1/xyz", [0])[0] < -0.8)
    expect(handle(page, 1)).to_have_attribute("aria-valuetext", re.compile("90|89|91"))
    # A gesture is one undo step, although it changes angle and distance. It ends with the press of the button.
    holds(lambda: objects.value("/object/1/azimuth") == azimuth)
    page.mouse.move(*middle(handle(page, 1)))
    page.mouse.down()
    page.mouse.move(x - 1.6 * radius, y + 1.6 * radius, steps=2)
    page.mouse.up()
    sent(page)
    until(lambda: objects.value("/object/1/distance") > 2 * heard and abs(objects.value("/object/1/azimuth") - 135) < 2)
    page.keyboard.press("Control+z")
    until(lambda: (objects.value("/object/1/azimuth"), objects.value("/object/1/distance")) == (azimuth, heard),
          describe=lambda: f"{objects.value('/object/1/azimuth')} {objects.value('/object/1/distance')}")


def test_changes_of_others_do_not_disturb_a_drag(page, objects):
    x, y = middle(page.locator(".map-box"))
    page.mouse.move(*middle(handle(page, 2)))
    page.mouse.down()
    page.mouse.move(x + 150, y, steps=5)
    sent(page)
    until(lambda: objects.value("/object/2/azimuth") < -80)
    painted(page)
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
    until(lambda: ears.listen().get("/object/3/azimuth") == [9.0])
    expect(third).to_have_attribute("aria-valuetext", "9 degrees to the left, 1.12\u00a0m, 9° up")
    expect(third).to_be_focused()
    page.keyboard.press("Home")
    until(lambda: objects.value("/object/3/azimuth") == 0)
    # The values are shown as numbers below the map, where they can be typed.
    numbers = page.get_by_role("group", name="Object 3", exact=True).first
    numbers.get_by_role("spinbutton", name="Distance").fill("7.5")
    page.keyboard.press("Enter")
    until(lambda: objects.value("/object/3/distance") == 7.5)


def test_the_head_turns_on_the_map(page, objects):
    picture = lambda: page.locator(".map-canvas").evaluate("canvas => canvas.toDataURL()")
    painted(page)
    ahead = picture()

    def turn(yaw):
        """Turns the head, and waits until the page has drawn what it knows about it."""
        objects.osc().send_message("/listener/1/ypr", [yaw, 0.0, 0.0])
        until(lambda: page.evaluate("vestibule.value('/listener/1/ypr')[0]") == pytest.approx(yaw, abs=1e-3))
        painted(page)

    turn(60.0)
    until(lambda: picture() != ahead)
    turned = picture()
    turn(0.0)
    until(lambda: picture() != turned)


@pytest.mark.parametrize(("width", "scheme"), [(390, "dark"), (820, "light"), (1440, "dark")])
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


# Collects the centres of the dots on the map, which are the only circles of a radius of 4 pixels.
DOTS = """window.dots = [];
const arc = CanvasRenderingContext2D.prototype.arc;
CanvasRenderingContext2D.prototype.arc = function (x, y, radius, ...rest) {
  if (this.canvas.matches('.map-canvas') && radius === 4) window.dots.push([x, y]);
  return arc.call(this, x, y, radius, ...rest);
};"""


def test_objects_at_one_place_have_one_dot_and_labels_apart(browser, scene):
    """Eight objects 2 m to the front left; the dots are where they are, and the labels, which are dragged, do not overlap."""
    with Engine("--recording", scene, "--objects", 8) as engine:
        for number in range(1, 9):
            engine.osc().send_message(f"/object/{number}/azimuth", 40.0)
            engine.osc().send_message(f"/object/{number}/distance", 2.0)
        until(lambda: all(engine.value(f"/object/{number}/azimuth") == 40 for number in range(1, 9)))
        context = browser.new_context(viewport={"width": 1440, "height": 900})
        context.add_init_script(DOTS)
        page = open_objects(context, engine)
        expect(handle(page, 8)).to_be_visible()
        painted(page)
        latest = lambda: page.evaluate("dots.slice(-8)")
        until(lambda: len(latest()) == 8 and len({(round(x, 3), round(y, 3)) for x, y in latest()}) == 1, latest)
        # To the front left: above and to the left of the map's centre.
        x, y = latest()[0]
        assert x < 0 and y < 0 and abs(math.degrees(math.atan2(-x, -y)) - 40) < 0.5
        centres = [middle(handle(page, number)) for number in range(1, 9)]
        apart = min(math.dist(one, other) for index, one in enumerate(centres) for other in centres[:index])
        assert apart > 20, centres
        assert page.complaints == []
        context.close()
