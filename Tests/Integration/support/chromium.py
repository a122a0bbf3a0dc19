"""The system's Chromium."""

import os
import re
import shutil

from playwright.sync_api import expect

PROGRAM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
# Chromium looks for a sound server, and would leave a temporary folder for it.
NO_FOLDER = "/dev/null/pulse"


def launch(playwright, *switches, **environment):
    """Starts Chromium without a window or a sandbox. Sound starts without a click and is muted."""
    return playwright.chromium.launch(
        executable_path=PROGRAM, env=dict(os.environ, **environment, PULSE_RUNTIME_PATH=NO_FOLDER),
        args=["--no-sandbox", "--autoplay-policy=no-user-gesture-required", "--mute-audio", *switches])


def painted(page):
    """Waits two animation frames, so that a screenshot shows the present state."""
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


def complaints_of(page):
    """Returns a list that receives the errors of a page."""
    complaints = []
    page.on("console", lambda message: message.type == "error" and complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
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
    # A busy machine may need long for the first connection; how long is nothing that tests of the panel are about.
    expect(page.get_by_text("Live", exact=True)).to_be_visible(timeout=15_000)
    return context, page, complaints
