"""The page /view by its pixels: a film of a known pattern beside the formula of each view, zoom, and sensors; several viewers at once."""

import contextlib
import json
import math

import numpy
import pytest

import chromium
import film
from figures import figure, measured
from program import Engine
from waiting import until

# The distortion that undoes that of a cardboard viewer's lenses, and the edge beyond which there is no picture.
LENSES, EDGE = (0.22, 0.24), 1.6
FIELD = 90
# Pixels between two that are compared.
STEP = 4
# Every fourth pixel of the picture: its width, its height and its green values, from the lower left.
PIXELS = f"""() => new Promise((done) => requestAnimationFrame(() => {{
  const canvas = document.querySelector('.view-picture');
  const gl = canvas.getContext('webgl2');
  const {{ width, height }} = canvas;
  const all = new Uint8Array(4 * width * height);
  gl.readPixels(0, 0, width, height, gl.RGBA, gl.UNSIGNED_BYTE, all);
  const values = [];
  for (let y = 0; y < height; y += {STEP}) for (let x = 0; x < width; x += {STEP}) values.push(all[4 * (y * width + x) + 1]);
  done([width, height, values]);
}}))"""


def pattern(azimuth, elevation):
    """Shade of a direction in radians: six waves around, four from pole to pole, and a slope, so that no two places are alike."""
    return 128 + 70 * numpy.sin(6 * azimuth) * numpy.cos(8 * elevation) + 30 * numpy.sin(azimuth / 2 + elevation)


def patterned(_):
    """The pattern as an equirectangular frame: the left at the left, up at the top."""
    azimuth = math.pi * (1 - 2 * (numpy.arange(film.WIDTH) + 0.5) / film.WIDTH)
    elevation = math.pi * (0.5 - (numpy.arange(film.HEIGHT) + 0.5) / film.HEIGHT)
    shades = pattern(azimuth[None, :], elevation[:, None])
    return numpy.repeat(shades[:, :, None], 3, axis=2).round().astype(numpy.uint8)


def expected(width, height, field=FIELD, is_split=False, spacing=0, yaw=0, lenses=LENSES):
    """The shades that a view has, as PIXELS reads them; black where the lenses show nothing."""
    x, y = numpy.meshgrid(numpy.arange(0, width, STEP), numpy.arange(0, height, STEP))
    half = width // 2
    whole = half if is_split else width
    is_right = is_split & (x >= half)
    across = 2 * (x - half * is_right + 0.5) / whole - 1 - (numpy.where(is_right, -spacing, spacing) if is_split else 0)
    up = 2 * (y + 0.5) / height - 1
    square = across ** 2 + up ** 2
    grown = 1 + lenses[0] * square + lenses[1] * square ** 2 if is_split else 1
    across, up = across * grown, up * grown
    reach, aspect = math.tan(math.radians(field) / 2), whole / height
    left, rise = -across * reach * min(1, aspect), up * reach * min(1, 1 / aspect)
    azimuth = numpy.arctan2(left, 1) + math.radians(yaw)
    elevation = numpy.arctan2(rise, numpy.hypot(1, left))
    azimuth = (azimuth + math.pi) % (2 * math.pi) - math.pi
    shades = pattern(azimuth, elevation)
    if is_split and lenses[0] > 0:
        shades[numpy.maximum(abs(across), abs(up)) > EDGE] = 0
    return shades


def difference(page, **view):
    """Median and 99th percentile of the differences between the picture and the formula, in shades of 256."""
    width, height, values = page.evaluate(PIXELS)
    wanted = expected(width, height, **view)
    # At the seams a pixel belongs to either side.
    return numpy.percentile(abs(numpy.array(values).reshape(wanted.shape) - wanted), [50, 99])


def fits(page, **view):
    """Waits until the picture is that of the formula; film and video are 8 bits, compressed and interpolated."""
    def look():
        middle, most = difference(page, **view)
        return middle < 4 and most < 16

    until(look, lambda: f"{difference(page, **view)} for {view}")


@pytest.fixture(scope="module")
def engine(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pattern")
    film.write_clicks(folder / "clicks.wav", 3)
    film.write(folder / "clicks.webm", 3, patterned)
    (folder / "clicks.json").write_text(json.dumps({"video": {"file": "clicks.webm"}}))
    with Engine("--recording", folder / "clicks.wav") as running:
        running.osc().send_message("/transport/pause", [])
        yield running


def watch(browser, engine, **options):
    context, page, errors = chromium.live_page(
        browser, engine.url + "/view", film.SCRIPT, **(options or {"viewport": {"width": 480, "height": 700}}))
    page.wait_for_function("() => vestibule.pane?.picture?.hasFrame && vestibule.pane.video.readyState >= 2")
    return context, page, errors


def field_of(page):
    return page.evaluate("vestibule.pane.look.field")


def test_zoom_by_keys_wheel_and_fingers_is_the_field_of_the_formula(browser, engine):
    context, page, errors = watch(browser, engine, viewport={"width": 480, "height": 700}, has_touch=True)
    fits(page)
    picture = page.get_by_label("360-degree video").locator("canvas").first
    picture.focus()
    for _ in range(3):
        page.keyboard.press("+")
    assert field_of(page) == pytest.approx(FIELD * 0.9 ** 3)
    fits(page, field=FIELD * 0.9 ** 3)
    # The view before is another one.
    assert difference(page)[0] > 15
    for _ in range(3):
        page.keyboard.press("-")
    assert field_of(page) == pytest.approx(FIELD)
    box = picture.bounding_box()
    middle = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.move(*middle)
    page.mouse.wheel(0, 160)
    until(lambda: abs(field_of(page) - FIELD * math.exp(0.2)) < 0.01, describe=lambda: field_of(page))
    fits(page, field=FIELD * math.exp(0.2))
    # Two fingers that go apart by half show two thirds; neither turns the head.
    touch = context.new_cdp_session(page)

    def fingers(kind, *places):
        points = [{"x": middle[0] + place, "y": middle[1], "id": number} for number, place in enumerate(places)]
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    fingers("touchStart", -40)
    fingers("touchStart", -40, 40)
    fingers("touchMove", -60, 60)
    fingers("touchEnd")
    until(lambda: abs(field_of(page) - FIELD * math.exp(0.2) / 1.5) < 0.5, describe=lambda: field_of(page))
    assert page.evaluate("vestibule.head.yaw") == pytest.approx(0, abs=1e-6)
    # Within its limits.
    for key, limit in (("+", 30), ("-", 120)):
        picture.focus()
        for _ in range(20):
            page.keyboard.press(key)
        assert field_of(page) == limit
    assert errors == []
    context.close()


def test_split_view_is_distorted_for_the_lenses_and_moved_for_the_eyes(browser, engine, screenshots):
    context, page, errors = watch(browser, engine)
    page.get_by_role("button", name="Split view").click()
    fits(page, is_split=True)
    # Neither without the lenses, nor with weaker ones.
    width, height, values = page.evaluate(PIXELS)
    for others in ((0, 0), (LENSES[0], 0)):
        wanted = expected(width, height, is_split=True, lenses=others)
        assert numpy.percentile(abs(numpy.array(values).reshape(wanted.shape) - wanted), 99) > 40
    distance = page.get_by_label("Eye distance")
    for spacing in (0.12, -0.2):
        distance.fill(str(spacing))
        fits(page, is_split=True, spacing=spacing)
        assert difference(page, is_split=True)[1] > 40
    page.screenshot(path=screenshots / "view-split.png")
    page.get_by_role("button", name="Split view").click()
    page.wait_for_function("() => vestibule.pane.view.isSplit === false")
    fits(page)
    assert errors == []
    context.close()


def test_the_sensors_of_a_phone_turn_the_picture(browser, engine):
    phone = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
    context, page, errors = watch(browser, engine, **phone)
    sensors = context.new_cdp_session(page)

    def turn(alpha):
        sensors.send("DeviceOrientation.setDeviceOrientationOverride", {"alpha": alpha, "beta": 90, "gamma": 0})

    turn(50)
    page.get_by_role("button", name="Join").tap()
    page.wait_for_function("() => vestibule.heads > 1")
    fits(page)
    # The first orientation is the front; a turn to the left turns the picture of the sound that is heard.
    turn(80)
    fits(page, yaw=30)
    page.get_by_role("button", name="Face the front").tap()
    fits(page)
    assert errors == []
    context.close()


# Notes the time since 1970 and the number of the frame at 60 display frames.
FOLLOWED = """() => new Promise((done) => {
    const seen = [];
    const look = () => {
        seen.push([Date.now(), film.number()]);
        seen.length < 60 ? requestAnimationFrame(look) : done(seen);
    };
    look();
})"""


@contextlib.contextmanager
def viewers(browser, recording):
    """An engine with a film, and two pages that show it."""
    with Engine("--recording", recording) as engine:
        both = [watch(browser, engine, viewport={"width": 360, "height": 640}) for _ in range(2)]
        yield engine, [page for _, page, _ in both]
        for context, _, errors in both:
            assert errors == []
            context.close()


def choose_place(page, seconds):
    page.get_by_role("slider", name="Position").first.fill(str(seconds))


def test_a_seek_of_one_viewer_is_followed_by_both(browser, recording):
    with viewers(browser, recording) as (engine, pages):
        engine.osc().send_message("/transport/pause", [])
        for page in pages:
            page.wait_for_function("() => vestibule.pane.video.paused")
        for chooser, seconds in zip(pages, (25.0, 10.0)):
            choose_place(chooser, seconds)
            for page in pages:
                page.wait_for_function("(number) => Math.abs(film.number() - number) <= 1", arg=seconds * film.RATE)


@measured
def test_two_viewers_show_the_same_frames_while_playing(browser, recording):
    with viewers(browser, recording) as (_, pages):
        for place in (None, 15.0):
            if place:
                choose_place(pages[0], place)
                for page in pages:
                    page.wait_for_function("() => film.number() > 350")
            starts = []
            for page in pages:
                page.wait_for_function("() => vestibule.pane.statistics.frames >= 25")
                seen = numpy.array([each for each in page.evaluate(FOLLOWED) if each[1] is not None], dtype=float)
                # The time since 1970 at which the film began, by the median of what is shown.
                starts.append(numpy.median(seen[:, 0] - 1000 * (seen[:, 1] + 0.5) / film.RATE))
            name = f"two viewers are apart {'after a seek' if place else 'at first'}"
            figure(name, abs(starts[1] - starts[0]), at_most=1000 / film.RATE, unit="ms")
