"""The system's Chromium."""

import os
import re
import shutil

PROGRAM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
# The same without windows takes two thirds of the time to open a page, because it has no tool bar, but it has no sensors either.
LIGHT = shutil.which("chromium-headless-shell") or PROGRAM
# Pages without WebGL are drawn by the processor at once: a process for the graphics, which would do the same, costs a fifth of their time.
UNACCELERATED = ("--disable-gpu", "--disable-gpu-compositing", "--disable-software-rasterizer")
# Chromium looks for a sound server, and would leave a temporary folder for it.
NO_FOLDER = "/dev/null/pulse"


def launch(playwright, *switches, program=PROGRAM, **environment):
    """Starts Chromium without a window or a sandbox. Sound starts without a click and is muted."""
    return playwright.chromium.launch(
        executable_path=program, env=dict(os.environ, **environment, PULSE_RUNTIME_PATH=NO_FOLDER),
        args=["--no-sandbox", "--autoplay-policy=no-user-gesture-required", "--mute-audio", *switches])


def painted(page):
    """Waits two animation frames, so that a screenshot shows the current state."""
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


def draws_in_time(page):
    """Whether nine in ten display frames take less than 25 ms: only then do figures of pictures say something about the program."""
    frames = page.evaluate("""() => new Promise((done) => {
        const times = [];
        const note = (time) => { times.push(time); times.length < 31 ? requestAnimationFrame(note) : done(times); };
        requestAnimationFrame(note);
    })""")
    return sorted(after - before for before, after in zip(frames, frames[1:]))[26] < 25


def connected(page):
    """Waits until a page says that it is connected. A busy machine may need long, and nothing here is about how long."""
    # Looked for in this element alone: a search of the whole page, repeated while it loads, took a sixth of the time to open it.
    page.wait_for_selector("#link-text:text-is('Live')", timeout=60_000)


def complaints_of(page):
    """Returns a list that receives the errors of a page, but for a request that its own limit of time ended."""
    complaints = []
    page.on("console", lambda message: message.type == "error" and complaints.append(message.text))
    page.on("pageerror", lambda error: "signal timed out" in str(error) or complaints.append(str(error)))
    return complaints


def number_in(text):
    """Returns the number that a text of a page begins with. None for a dash, an empty text and None, which stand for a value
    that is not known yet."""
    found = re.match(r"\s*([−-]?\d+(?:\.\d+)?)", text or "")
    return float(found[1].replace("−", "-")) if found else None


def live_page(browser, url, script=None, **options):
    """Opens a page of the panel and waits until it is connected. Returns its context, the page and a list of its errors.

    `script` runs before those of the page; `options` are those of the context.
    """
    context = browser.new_context(**options)
    page = context.new_page()
    complaints = complaints_of(page)
    if script:
        page.add_init_script(script)
    page.goto(url)
    connected(page)
    return context, page, complaints
