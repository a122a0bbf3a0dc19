"""The page /view: 360-degree video in step with the sound, through seeks, loops and turns of the head."""

import contextlib

import numpy
import pytest
from playwright.sync_api import expect
from pythonosc.udp_client import SimpleUDPClient

import film
from figures import figure, measured
from program import Engine
from view_page import VIDEO, seen, watch
from waiting import until


@contextlib.contextmanager
def joined(browser, recording):
    """A page that has joined an engine with a film, and notes frames and clicks from then on. A small picture, which is drawn in time
    without a graphics processor, too."""
    with Engine("--recording", recording) as engine:
        context, page, complaints = watch(browser, engine, viewport={"width": 480, "height": 640})
        until(lambda: engine.value(VIDEO + "/found") == "vp8, 720 × 360, 25 frames/s, 30 s, mono")
        seen(page)
        page.get_by_role("button", name="Join").click()
        page.wait_for_function("() => vestibule.player?.sound && vestibule.player.statistics.line.includes('buffered')")
        page.evaluate("film.begin()")
        yield page
        assert complaints == []
        context.close()


@pytest.mark.gate
def test_a_film_beside_its_recording_is_shown_and_heard(browser, recording, screenshots):
    with joined(browser, recording) as page:
        page.wait_for_function("() => film.clicks.length >= 2")
        until(lambda: page.evaluate("new Set(film.frames.map(([, number]) => number)).size") > 10)
        page.screenshot(path=screenshots / "view.png")


@measured
def test_picture_and_sound_are_in_step(browser, recording):
    with joined(browser, recording) as page:
        page.wait_for_function("() => vestibule.pane.statistics.frames >= 100")
        page.evaluate("[film.frames, film.clicks] = [[], []]")
        page.wait_for_function("() => film.clicks.length >= 12")
        page.evaluate("cancelAnimationFrame(film.next)")
        clicks, frames = film.distances(page)
        # Milliseconds between two display frames, of which nine in ten are shorter: 17 where the machine draws in time.
        display = numpy.percentile(numpy.diff(page.evaluate("film.frames.map(([time]) => time)")), 90)
        print(f"a display frame takes {display:.0f} ms; the page says", page.evaluate("vestibule.pane.statistics"))
        figure("clicks whose frames were seen", len(clicks), at_least=10)
        figure("picture and sound are apart, median", abs(numpy.median(clicks)), at_most=10, unit="ms")
        figure("picture and sound are apart, 95 % of the frames", numpy.percentile(abs(frames), 95), at_most=1000 / film.RATE, unit="ms")


# Whether both halves of the picture show the bars that carry the number, at the same place.
BOTH_EYES = """() => {
  const canvas = document.querySelector('.view-picture');
  const gl = canvas.getContext('webgl2');
  const row = new Uint8Array(4 * canvas.width);
  gl.readPixels(0, Math.round(canvas.height / 2), canvas.width, 1, gl.RGBA, gl.UNSIGNED_BYTE, row);
  const half = Math.floor(canvas.width / 2);
  const left = Array.from({ length: half }, (_, x) => row[4 * x + 1]);
  const apart = left.reduce((sum, value, x) => sum + Math.abs(value - row[4 * (half + x) + 1]), 0) / half;
  return Math.max(...left) > 128 && apart < 8;
}"""
# The number of the frame that is shown, read while it is.
NUMBER = "() => new Promise((done) => requestAnimationFrame(() => done(film.number())))"
# The frame 200 ms before number 250; at rest, the page leaves a distance of 20 ms alone.
LATER = "() => Math.abs(film.number() - 245) <= 1"


PLACES = (20.0, 4.0, 12.5, 25.0, 8.0)


def test_a_seek_is_followed(browser, recording):
    with Engine("--recording", recording) as engine:
        context, page, errors = watch(browser, engine, viewport={"width": 480, "height": 640})
        seen(page)
        for seconds in PLACES:
            page.evaluate("() => Object.assign(window, { before: vestibule.pane.shown.wanted, isThere: false })")
            engine.osc().send_message("/transport/seek", seconds)
            # The picture is of the place or later, and no further than the sound. A later place from before the seek does not count.
            page.wait_for_function("""(place) => {
                const [number, { wanted }] = [film.number(), vestibule.pane.shown];
                window.isThere ||= wanted >= place && (before < place || wanted < before - 1);
                return isThere && number !== null && wanted >= place && number / 25 >= place - 0.1 && number / 25 <= wanted + 1;
            }""", arg=seconds)
        assert errors == []
        context.close()


@measured
def test_a_seek_is_followed_in_time(browser, recording):
    with Engine("--recording", recording) as engine:
        context, page, _ = watch(browser, engine, viewport={"width": 480, "height": 640})
        seen(page)
        page.wait_for_function("() => vestibule.pane.statistics.frames >= 50")
        took = []
        for seconds in PLACES:
            heard, since = film.seek(page, engine, seconds)
            print(f"in step {heard:.0f} ms after a seek to {seconds} s is heard, {since:.0f} ms after its message")
            took.append(heard)
        figure("picture and sound are in step after a seek, longest", max(took), at_most=2000, unit="ms")
        figure("picture and sound are in step after a seek, median", numpy.median(took), at_most=300, unit="ms")
        context.close()


def test_picture_turns_with_the_head_and_rests_with_the_sound(browser, recording):
    with Engine("--recording", recording) as engine:
        context, page, complaints = watch(browser, engine)
        seen(page)
        page.wait_for_function("() => film.number() > 10")
        picture = page.get_by_label("360-degree video").locator("canvas").first
        picture.focus()
        page.keyboard.press("ArrowLeft")
        page.wait_for_function("() => Math.abs(vestibule.head.yaw - 5) < 1e-6")
        # The bars move to the right by the tangent of five degrees.
        page.keyboard.press("Home")
        page.wait_for_function("() => film.number() !== null")
        for key, name in (("g", "Grid"), ("S", "Split view")):
            for state in ("true", "false"):
                page.keyboard.press(key)
                expect(page.get_by_role("button", name=name)).to_have_attribute("aria-pressed", state)
        page.get_by_role("button", name="Grid").click()
        expect(page.get_by_role("button", name="Grid")).to_have_attribute("aria-pressed", "true")
        picture.focus()
        for state in ("paused", "playing", "paused"):
            page.keyboard.press("k")
            until(lambda: engine.value("/transport/state") == state)
            # The next press is about the state that the page knows.
            expect(page.get_by_role("button", name="Pause" if state == "playing" else "Play", exact=True)).to_be_visible()
        page.wait_for_function("() => vestibule.pane.video.paused")
        engine.osc().send_message("/transport/seek", 10.02)
        page.wait_for_function("() => film.number() === 250")
        engine.osc().send_message(VIDEO + "/offset", 1000.0)
        page.wait_for_function("() => film.number() === 225")
        # The front of the array elsewhere in the picture: behind the viewer.
        engine.osc().send_message(VIDEO + "/yaw", 180.0)
        page.wait_for_function("() => film.number() === null")
        assert complaints == []
        context.close()


def test_two_viewers_see_the_same_and_have_offsets_of_their_own(browser, recording, screenshots):
    with Engine("--recording", recording, "--tracker", "mach1:0") as engine:
        one, first, errors = watch(browser, engine, viewport={"width": 480, "height": 640})
        two, second, others = watch(browser, engine, viewport={"width": 480, "height": 640})
        for page in (first, second):
            seen(page)
            page.wait_for_function("() => film.number() > 0")
        engine.osc().send_message("/transport/pause", [])
        for page in (first, second):
            page.wait_for_function("() => vestibule.pane.video.paused")
        engine.osc().send_message("/transport/seek", 10.02)
        for page in (first, second):
            page.wait_for_function("() => film.number() === 250")
        later = first.get_by_role("button", name="Show the picture 10 ms later")
        for _ in range(20):
            later.click()
        first.wait_for_function(LATER)
        expect(first.locator(".view-nudge output")).to_have_text("200 ms")
        first.screenshot(path=screenshots / "view-offset-phone.png")
        second.wait_for_function("() => film.number() === 250")
        assert engine.value(VIDEO + "/offset") == 0
        # It is kept for the next time.
        first.reload()
        seen(first)
        first.wait_for_function(LATER)
        # Split, each eye has the picture: bars on both halves.
        first.get_by_role("button", name="Split view").click()
        first.wait_for_function(BOTH_EYES)
        first.get_by_role("button", name="Split view").click()
        first.wait_for_function(f"() => !({BOTH_EYES})()")
        # Any tracker turns the picture of its listener, without Start.
        page = two.new_page()
        page.add_init_script(film.SCRIPT)
        page.goto(engine.url + "/view?head=1")
        seen(page)
        page.wait_for_function("() => film.number() === 250")
        tracker = SimpleUDPClient("127.0.0.1", engine.ready["tracker_ports"][0])
        # A tracker that falls silent is in charge no longer.
        for yaw, number in ((-180.0, None), (0.0, 250)):
            until(lambda: tracker.send_message("/orientation", [yaw, 0.0, 0.0]) or page.evaluate(NUMBER) == number,
                  lambda: (yaw, page.evaluate(NUMBER), engine.value("/listener/1/ypr")))
        assert errors == [] and others == []
        for context in (one, two):
            context.close()


@contextlib.contextmanager
def rounds(browser, folder):
    """A page whose film of three seconds has gone round twice."""
    film.write_clicks(folder / "short.wav", 3)
    film.write(folder / "short.webm", 3)
    with Engine("--recording", folder / "short.wav", "--video", folder / "short.webm") as engine:
        context, page, errors = watch(browser, engine, viewport={"width": 480, "height": 640})
        seen(page)
        page.wait_for_function("() => vestibule.player")
        # The sound comes later than the position.
        page.evaluate("""() => {
            Object.defineProperty(vestibule.player, 'delays', { value: { sound: 0.2, head: 0 } });
            window.said = [];
            window.rounds = 0;
            const { words } = vestibule.pane.controls;
            new MutationObserver(() => words.textContent && said.push(words.textContent)).observe(words, { childList: true });
            let last = null;
            const look = () => {
                const number = film.number();
                if (last !== null && number !== null && number < last - 20) window.rounds += 1;
                last = number ?? last;
                requestAnimationFrame(look);
            };
            look();
        }""")
        page.wait_for_function("() => rounds >= 2")
        yield page
        assert errors == []
        context.close()


def test_the_picture_goes_round_with_the_loop(browser, tmp_path):
    with rounds(browser, tmp_path) as page:
        page.wait_for_function("() => film.number() > 10")


@measured
def test_the_end_of_a_loop_is_passed_over(browser, tmp_path):
    with rounds(browser, tmp_path) as page:
        print(page.evaluate("said"))
        figure("messages at the ends of two loops", page.evaluate("said.length"), at_most=0)


def turns_of_the_head(browser, recording):
    """For two delays of the sound, none and 400 ms: milliseconds and display frames from a turn of the head until the picture turns. Then
    the usual and the longest display frame in milliseconds."""
    with Engine("--recording", recording) as engine:
        context, page, _ = watch(browser, engine, viewport={"width": 480, "height": 640})
        seen(page)
        page.wait_for_function("() => vestibule.player")
        late = page.evaluate("""async () => {
            const results = [];
            for (const head of [0, 0.4]) {
                Object.defineProperty(vestibule.player, 'delays', { value: { sound: 0, head }, configurable: true });
                vestibule.head.set(0);
                const frame = () => new Promise((done) => requestAnimationFrame(done));
                // Until the turn of the round before is not shown any more.
                const rested = performance.now() / 1000 + head + 0.1;
                while (vestibule.pane.shown.now < rested || Math.abs(vestibule.pane.shown.head[3]) > 1e-3) await frame();
                const began = performance.now() / 1000;
                vestibule.head.set(90);
                let frames = 0;
                while (vestibule.pane.shown.head[3] < 0.6) { await frame(); frames += 1; }
                results.push([1000 * (vestibule.pane.shown.now - began), frames]);
            }
            const times = [];
            while (times.length < 21) times.push(await new Promise((done) => requestAnimationFrame(done)));
            const displays = times.slice(1).map((time, index) => time - times[index]).sort((one, two) => one - two);
            results.push([displays[10], displays.at(-1)]);
            return results;
        }""")
        print(f"at once after {late[0][1]} frames; after {late[1][0]:.0f} ms for 400 ms")
        context.close()
        return late


def test_picture_has_the_head_of_the_sound_that_is_heard(browser, recording):
    (_, frames), (late, _), _ = turns_of_the_head(browser, recording)
    assert frames <= 2
    # The picture is that of the next display frame, for which the page expects a quarter of a second at most.
    assert late >= 400 - 250


@measured
def test_picture_turns_when_the_sound_does(browser, recording):
    _, (late, _), (_, longest) = turns_of_the_head(browser, recording)
    # A drawing is seen with the next display frame.
    figure("the picture turns before or after the sound", abs(late - 400), at_most=2 * longest + 1, unit="ms")
