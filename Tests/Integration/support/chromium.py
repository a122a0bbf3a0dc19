"""The system's Chromium."""

import os
import shutil

PROGRAM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


def launch(playwright, **environment):
    """Starts Chromium without a window or a sandbox. Sound starts without a click and is muted."""
    return playwright.chromium.launch(
        executable_path=PROGRAM, env=dict(os.environ, **environment),
        args=["--no-sandbox", "--autoplay-policy=no-user-gesture-required", "--mute-audio"])


def painted(page):
    """Waits two animation frames, so that a screenshot shows the present state."""
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
