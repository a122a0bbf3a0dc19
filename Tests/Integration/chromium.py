"""The system's Chromium."""

import os
import shutil

PROGRAM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


def launch(playwright, **environment):
    """Without a window or a sandbox; sound may begin by itself, and is not heard."""
    return playwright.chromium.launch(
        executable_path=PROGRAM, env=dict(os.environ, **environment),
        args=["--no-sandbox", "--autoplay-policy=no-user-gesture-required", "--mute-audio"])
