"""An engine that relays cameras, one for all tests of a file, its peers, and a browser with a camera."""

import pytest
from playwright.sync_api import sync_playwright

import chromium
from camera_peer import CameraPeer
from program import Engine


@pytest.fixture(scope="module")
def engine(scene):
    with Engine("--recording", scene) as running:
        yield running


@pytest.fixture
def peers(engine):
    """A sender, a receiver and a third peer."""
    with CameraPeer(engine, "Sender") as sender, CameraPeer(engine, "Receiver") as receiver, CameraPeer(engine, "Third") as third:
        yield sender, receiver, third


@pytest.fixture(scope="module")
def camera_browser():
    """A browser with a camera and a microphone of its own making."""
    with sync_playwright() as playwright:
        browser = chromium.launch(playwright, "--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream")
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def running(scene):
    with Engine("--recording", scene) as engine:
        yield engine
