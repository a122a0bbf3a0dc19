"""Controls of the page /view: preview, objects in the picture, headsets, permissions, and browsers that lack something."""

import re

import numpy
import pytest
from playwright.sync_api import expect

import chromium
import film
import wave_file
from panel_page import sent, texts_of
from program import Engine
from view_page import VIDEO, seen, watch
from waiting import until

# Number of the frame in the preview above the seek bar; null while there is none.
PREVIEWED = f"""() => {{
  const canvas = document.querySelector('.view-preview canvas');
  const pixels = canvas.getContext('2d');
  const bit = (place) => pixels.getImageData(({film.LEFT} + (place + 0.5) * {film.BAR}) * canvas.width / {film.WIDTH},
    canvas.height / 2, 1, 1).data[1] > 128 ? 1 : 0;
  if (!bit(0)) return null;
  let number = 0;
  for (let place = 1; place <= {film.BITS}; place += 1) number = 2 * number + bit(place);
  return number;
}}"""


@pytest.mark.parametrize("size", [(1000, 800), (390, 844)])
def test_the_seek_bar_shows_the_picture_under_the_pointer(browser, recording, screenshots, size):
    with Engine("--recording", recording) as engine:
        context, page, complaints = watch(browser, engine, viewport={"width": size[0], "height": size[1]})
        seen(page)
        bar = page.get_by_role("slider", name="Position")
        preview = page.locator(".view-preview")
        expect(preview).to_be_hidden()
        box = bar.bounding_box()
        for share in (0.5, 0.9, 0.02):
            page.mouse.move(box["x"] + share * box["width"], box["y"] + box["height"] / 2)
            expect(preview).to_be_visible()
            wanted = 30 * share * film.RATE
            until(lambda: abs((page.evaluate(PREVIEWED) or -100) - wanted) <= 2)
            inside = preview.bounding_box()
            assert inside["x"] >= 0 and inside["x"] + inside["width"] <= size[0]
        # Pictures of the whole film: one for every three seconds.
        strip = "vestibule.pane.controls.preview.strip"
        until(lambda: len(page.evaluate(f"{strip}.shown")) == 10)
        assert numpy.allclose(page.evaluate(f"{strip}.shown"), 3 * numpy.arange(10) + 1.5, atol=0.05)
        darkest = page.evaluate(f"""() => Math.min(...{strip}.shown.map((_, index) =>
            {strip}.element.getContext('2d').getImageData(144 * index + 10, 10, 1, 1).data[1]))""")
        assert darkest > 20
        page.screenshot(path=screenshots / f"view-preview-{size[0]}.png")
        expect(preview).to_contain_text("0:00")
        # The second copy of the film is let go of a time after the pointer has left.
        opened = "vestibule.pane.controls.preview"
        assert page.evaluate(f"{opened}.isOpen")
        page.evaluate(f"{opened}.patience = 50")
        page.mouse.move(5, 5)
        expect(preview).to_be_hidden()
        until(lambda: not page.evaluate(f"{opened}.isOpen"))
        expect(page.locator(".view-strip")).to_be_hidden()
        assert complaints == []
        context.close()


def test_objects_are_moved_in_the_picture(browser, recording, screenshots, tmp_path):
    wave_file.write(tmp_path / "voice.wav", numpy.zeros(4800))
    where = [f"/object/1/{each}" for each in ("azimuth", "elevation", "distance")]
    objects = ("--object", f"{tmp_path / 'voice.wav'}@20", "--object", f"{tmp_path / 'voice.wav'}@170")
    with Engine("--recording", recording, *objects) as engine:
        context, page, complaints = watch(browser, engine, viewport={"width": 1440, "height": 900})
        seen(page)
        one, two = (page.get_by_role("slider", name=f"Object {number}", exact=True) for number in (1, 2))
        expect(one).to_be_hidden()
        page.get_by_role("button", name="Grid").click()
        expect(one).to_have_attribute("aria-valuetext", "20 degrees to the left, 1\u00a0m")
        # Objects without a sound are not shown; one behind the viewer is at the edge.
        expect(page.get_by_role("slider", name="Object 3")).to_have_count(0)
        expect(two).to_have_attribute("aria-valuetext", re.compile("out of the picture"))
        # A drag to the middle of the right half, a quarter up: 90 degrees are as wide as the picture.
        frame, begin = page.locator(".view-frame").bounding_box(), one.bounding_box()
        page.mouse.move(begin["x"] + begin["width"] / 2, begin["y"] + begin["height"] / 2)
        page.mouse.down()
        # Esc cancels a drag, of an object as of the picture.
        page.mouse.move(frame["x"] + 0.6 * frame["width"], frame["y"] + 0.4 * frame["height"], steps=3)
        until(lambda: engine.value(where[0]) < 0)
        page.keyboard.press("Escape")
        until(lambda: [engine.value(each) for each in where] == [20, 0, 1])
        page.mouse.up()
        page.mouse.move(frame["x"] + 0.3 * frame["width"], frame["y"] + 0.7 * frame["height"])
        page.mouse.down()
        page.mouse.move(frame["x"] + 0.4 * frame["width"], frame["y"] + 0.8 * frame["height"], steps=3)
        until(lambda: one.bounding_box()["x"] > begin["x"] + 50)
        page.keyboard.press("Escape")
        until(lambda: numpy.allclose(list(one.bounding_box().values()), list(begin.values()), atol=1), one.bounding_box)
        page.mouse.up()
        page.mouse.move(begin["x"] + begin["width"] / 2, begin["y"] + begin["height"] / 2)
        page.mouse.down()
        page.mouse.move(frame["x"] + 0.6 * frame["width"], frame["y"] + 0.4 * frame["height"], steps=5)
        page.mouse.move(frame["x"] + 0.75 * frame["width"], frame["y"] + 0.25 * frame["height"])
        page.mouse.up()
        # A key that comes before the end of the drag has been announced is part of it.
        sent(page)
        right, up = 0.5, 0.5 * frame["height"] / frame["width"]
        wanted = [-numpy.degrees(numpy.arctan(right)), numpy.degrees(numpy.arctan(up / numpy.hypot(1, right)))]
        until(lambda: numpy.allclose([engine.value(each) for each in where[:2]], wanted, atol=0.3), lambda: f"not {wanted}")
        page.screenshot(path=screenshots / "view-objects.png")
        # The whole drag is one step, each key another one.
        one.press("ArrowLeft")
        until(lambda: abs(engine.value(where[0]) - wanted[0] - 5) < 0.3)
        one.press("Shift+ArrowUp")
        until(lambda: abs(engine.value(where[1]) - wanted[1] - 1) < 0.3)
        one.press("PageUp")
        until(lambda: engine.value(where[2]) > 1)
        for _ in range(3):
            engine.osc().send_message("/session/undo", [])
        until(lambda: numpy.allclose([engine.value(each) for each in where], [*wanted, 1], atol=0.3))
        engine.osc().send_message("/session/undo", [])
        until(lambda: [engine.value(each) for each in where] == [20, 0, 1])
        # One at the edge is moved into the picture by a key.
        two.press("Home")
        until(lambda: engine.value("/object/2/azimuth") == 0)
        expect(two).to_have_attribute("aria-valuetext", "straight ahead, 1\u00a0m")
        assert complaints == []
        context.close()


# A headset of 200 x 200 pixels for each eye, whose pixels can be read: `headset.turn(degrees)` turns it to the left, `headset.pixel(eye)`
# reads the middle of an eye's picture, `headset.press()` presses a button.
HEADSET = """
  window.headset = { orientation: { x: 0, y: 0, z: 0, w: 1 }, sessions: 0 };
  headset.turn = (degrees) => {
    const half = degrees * Math.PI / 360;
    headset.orientation = { x: 0, y: Math.sin(half), z: 0, w: Math.cos(half) };
  };
  const projection = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, -1, -1, 0, 0, -0.2, 0];
  class Session extends EventTarget {
    constructor() { super(); headset.session = this; headset.sessions += 1; }
    updateRenderState(state) { this.layer = state.baseLayer; }
    async requestReferenceSpace() { return {}; }
    requestAnimationFrame(action) {
      return requestAnimationFrame((time) => {
        const transform = { orientation: headset.orientation };
        const views = ['left', 'right'].map((eye) => ({ eye, transform, projectionMatrix: projection }));
        if (!this.isOver) action(time, { session: this, getViewerPose: () => ({ transform, views }) });
      });
    }
    async end() { this.isOver = true; this.dispatchEvent(new Event('end')); }
  }
  headset.press = () => headset.session.dispatchEvent(new Event('select'));
  window.XRWebGLLayer = class {
    constructor(session, gl) {
      this.framebuffer = gl.createFramebuffer();
      const colours = gl.createRenderbuffer();
      gl.bindRenderbuffer(gl.RENDERBUFFER, colours);
      gl.renderbufferStorage(gl.RENDERBUFFER, gl.RGBA8, 400, 200);
      gl.bindFramebuffer(gl.FRAMEBUFFER, this.framebuffer);
      gl.framebufferRenderbuffer(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.RENDERBUFFER, colours);
      gl.bindFramebuffer(gl.FRAMEBUFFER, null);
      headset.pixel = (eye) => {
        const pixel = new Uint8Array(4);
        gl.bindFramebuffer(gl.FRAMEBUFFER, this.framebuffer);
        gl.readPixels(eye * 200 + 100, 100, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
        gl.bindFramebuffer(gl.FRAMEBUFFER, null);
        return pixel[1];
      };
    }
    getViewport({ eye }) { return { x: eye === 'right' ? 200 : 0, y: 0, width: 200, height: 200 }; }
  };
  WebGL2RenderingContext.prototype.makeXRCompatible = async () => {};
  Object.defineProperty(navigator, 'xr', { value: {
    isSessionSupported: async (mode) => mode === 'immersive-vr', requestSession: async () => new Session(),
  } });
"""


def two_eyes(_):
    """One frame, top-bottom: shades of 60 and 120 for the left eye, in front and at the left, of 180 and 240 for the right one."""
    frame = numpy.full((film.HEIGHT, film.WIDTH, 3), 20, numpy.uint8)
    half, quarter = film.HEIGHT // 2, film.WIDTH // 4
    for eye, shades in enumerate(((60, 120), (180, 240))):
        for middle, shade in ((film.WIDTH // 2, shades[0]), (quarter, shades[1])):
            frame[eye * half:(eye + 1) * half, middle - 60:middle + 60] = shade
    return frame


def test_a_headset_shows_a_picture_for_each_eye_and_turns_the_head(browser, tmp_path, screenshots):
    # As long as the sound: a film that has ended is said in place of the headset.
    film.write(tmp_path / "stereo.webm", 10, two_eyes)
    sound = film.write_clicks(tmp_path / "clicks.wav", 10)
    with Engine("--recording", sound, "--video", tmp_path / "stereo.webm") as engine:
        engine.osc().send_message(VIDEO + "/layout", "top-bottom")
        # Without a headset there is no button.
        context, page, _ = watch(browser, engine)
        seen(page)
        expect(page.get_by_role("button", name="Split view")).to_be_visible()
        expect(page.get_by_role("button", name="Headset")).to_be_hidden()
        context.close()
        context, page, complaints = chromium.live_page(
            browser, engine.url + "/view", film.SCRIPT + HEADSET, viewport={"width": 1440, "height": 900})
        seen(page)
        page.get_by_role("button", name="Join").click()
        page.wait_for_function("() => vestibule.player?.sound?.name && vestibule.player.statistics.line.includes('buffered')")
        head = f"/listener/{page.evaluate('vestibule.player.sound.name')}/ypr"
        page.keyboard.press("Home")
        button = page.get_by_role("button", name="Headset")
        # At the end of a round, words about the film take the place of others while the page does not hear that the next one has begun.
        told = texts_of(page.locator(".view-words"))
        button.click()
        expect(button).to_have_attribute("aria-pressed", "true")
        told("The picture is shown in the headset.")
        page.screenshot(path=screenshots / "view-headset.png")

        def shades(left, right):
            page.wait_for_function(
                "([left, right]) => Math.abs(headset.pixel(0) - left) < 15 && Math.abs(headset.pixel(1) - right) < 15", arg=[left, right])

        shades(60, 180)
        page.evaluate("headset.turn(90)")
        shades(120, 240)
        # The engine has the pose, and the sound turns with it.
        until(lambda: abs(engine.value(head)[0] - 90) < 0.1, lambda: engine.value(head))
        # A controller's button pauses for all, and plays again.
        for state in ("paused", "playing"):
            page.evaluate("headset.press()")
            until(lambda: engine.value("/transport/state") == state, lambda: engine.value("/transport/state"))
            # The next press is about the state that the page knows.
            expect(page.get_by_role("button", name="Pause" if state == "playing" else "Play", exact=True)).to_be_visible()
        page.evaluate("headset.session.end()")
        expect(button).to_have_attribute("aria-pressed", "false")
        # The head keeps its direction, and the page draws again.
        page.wait_for_function("() => Math.abs(vestibule.head.yaw - 90) < 0.1")
        frames = page.evaluate("vestibule.pane.headset.frames")
        assert frames > 2 and complaints == []
        # A browser that refuses states why.
        page.evaluate("() => { navigator.xr.requestSession = async () => { throw new Error('no headset is connected'); }; }")
        button.click()
        told("The headset could not be started: no headset is connected")
        context.close()


def test_those_who_may_only_view_see_so(browser, recording, tmp_path):
    wave_file.write(tmp_path / "voice.wav", numpy.zeros(4800))
    with Engine("--recording", recording, "--token-file", tmp_path / "tokens", "--object", f"{tmp_path / 'voice.wav'}@20") as engine:
        tokens = dict(line.split() for line in (tmp_path / "tokens").read_text().splitlines())
        for role, is_permitted in (("view", False), ("control", True)):
            size = {"width": 1440, "height": 900}
            context, page, _ = chromium.live_page(browser, f"{engine.url}/view#token={tokens[role]}", film.SCRIPT, viewport=size)
            seen(page)
            join = page.get_by_role("button", name="Join")
            expect(join).to_be_in_viewport()
            for part in (page.get_by_role("button", name="Pause"), page.get_by_role("slider", name="Position").first):
                expect(part).to_be_enabled(enabled=is_permitted)
            expect(page.get_by_role("button", name="Show the picture 10 ms later")).to_be_enabled()
            expect(page.get_by_text("may watch and listen, not control")).to_be_visible(visible=not is_permitted)
            page.get_by_role("button", name="Grid").click()
            one = page.get_by_role("slider", name="Object 1", exact=True)
            one.press("ArrowLeft")
            expect(one).to_have_attribute("aria-valuenow", "25" if is_permitted else "20")
            context.close()


def test_browsers_that_tell_less_and_permit_less(browser, recording):
    """Without calls about frames, with a tap before any video, and with pictures that are too large."""
    less = """
        delete HTMLVideoElement.prototype.requestVideoFrameCallback;
        window.play = HTMLMediaElement.prototype.play;
        window.plays = 0;
        HTMLMediaElement.prototype.play = async () => { plays += 1; throw new DOMException('no', 'NotAllowedError'); };
    """
    with Engine("--recording", recording) as engine:
        context, page, errors = chromium.live_page(
            browser, engine.url + "/view", film.SCRIPT + less, viewport={"width": 480, "height": 640})
        seen(page)
        words = page.get_by_text("only after a tap")
        expect(words).to_be_visible()
        # It is not tried with each display frame.
        page.evaluate("""() => new Promise((done) => {
            let frames = 0;
            const count = () => { frames += 1; frames < 20 ? requestAnimationFrame(count) : done(); };
            count();
        })""")
        assert page.evaluate("plays") == 1
        page.evaluate("() => { HTMLMediaElement.prototype.play = play; }")
        words.click()
        expect(words).to_be_hidden()
        page.wait_for_function("() => vestibule.pane.statistics.frames > 20")
        page.wait_for_function("() => film.number() > 10")
        page.evaluate("""() => {
            const { gl } = vestibule.pane.picture;
            const usual = gl.getParameter.bind(gl);
            gl.getParameter = (name) => name === gl.MAX_TEXTURE_SIZE ? 512 : usual(name);
        }""")
        expect(page.get_by_text("The video has 720 × 360 pixels; this browser supports 512 × 512 at most.")).to_be_visible()
        assert errors == []
        context.close()
