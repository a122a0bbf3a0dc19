import os
import pathlib
import signal
import sys
import tempfile

import pytest
from playwright.sync_api import Locator, Page, expect, sync_playwright

SUPPORT = pathlib.Path(__file__).parent / "support"
sys.path[:0] = [str(SUPPORT), *(str(SUPPORT / name) for name in ("cameras", "clients", "pages", "services", "sounds"))]

import chromium  # noqa: E402
import figures  # noqa: E402
from patience import be_patient  # noqa: E402
from program import Engine, run  # noqa: E402
from waiting import LIMIT, until  # noqa: E402


# Milliseconds until a page has to show something: only a hang takes them.
expect.set_options(timeout=1000 * LIMIT)

# Files that take longest, which start first: one that starts last would keep a single process busy at the end.
LONGEST = (
    "engine/test_listening_loudness.py", "panel/whole/test_small_screens.py", "panel/whole/test_panel_changes.py", "engine/test_music.py",
    "commands/test_room.py", "cameras/test_camera_messages.py", "network/test_deployment.py", "network/test_blind.py",
    "cameras/test_camera_protocol.py", "cameras/test_camera_permission.py", "panel/test_panel.py", "broker/test_mqtt.py",
    "broker/test_mqtt_losses.py", "browser/test_library_page.py", "panel/test_details.py", "network/test_http_strict.py",
    "engine/test_hrtf.py", "browser/test_listen_page.py", "browser/test_listen_downloads.py", "commands/test_measure.py",
    "engine/test_takes.py", "cameras/test_camera_page.py", "cameras/test_camera_sources.py", "engine/test_device_loss.py",
    "browser/test_modes.py", "browser/test_view_controls.py", "panel/test_listeners_panel.py", "engine/test_array.py",
)


# Fixtures that start a browser, whose tests are marked as those of pages.
BROWSERS = {"browser", "camera_browser", "trusting_browser"}


def pytest_configure(config):
    for line in ("measured: asserts a time, a rate or memory; runs in `make measure` only",
                 "page: drives a page in a browser; runs in `make test-pages`",
                 "gate: a test of a page that runs in `make test` as well: one or more for each page"):
        config.addinivalue_line("markers", line)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config, items):
    for item in items:
        if BROWSERS & set(item.fixturenames):
            item.add_marker("page")
    wanted, others = figures.select(items)
    config.hook.pytest_deselected(items=others)
    items[:] = wanted
    items.sort(key=lambda item: LONGEST.index(path_of(item)) if path_of(item) in LONGEST else len(LONGEST))


def pytest_sessionfinish():
    if figures.MEASURING:
        figures.write(os.environ["MEASURE"])


def path_of(item):
    """The file of a test, relative to the folder of these tests."""
    return item.nodeid.removeprefix("Tests/Integration/").split("::")[0]


@pytest.fixture(scope="session", autouse=True)
def cache(tmp_path_factory):
    """Keeps filters, sessions and measured delays apart from those of the user."""
    for name in ("CACHE", "CONFIG", "DATA", "STATE"):
        os.environ[f"XDG_{name}_HOME"] = str(tmp_path_factory.mktemp(name.lower()))


@pytest.fixture(scope="session", autouse=True)
def temporary(tmp_path_factory):
    """Gives the tests and their programs a temporary folder, which they have to leave empty."""
    folder = tmp_path_factory.mktemp("t")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TMPDIR", str(folder))
        patch.setattr(tempfile, "tempdir", str(folder))
        # Programs that look for a sound server make a folder there otherwise. Its library writes into their logs that it cannot, unless
        # a server is named.
        patch.setenv("PULSE_RUNTIME_PATH", chromium.NO_FOLDER)
        patch.setenv("PULSE_SERVER", f"unix:{chromium.NO_FOLDER}")
        yield

    def left():
        return sorted(path.name for path in folder.iterdir())

    until(lambda: not left(), lambda: f"left in the temporary folder: {left()}")


@pytest.fixture(scope="session", autouse=True)
def patience():
    """Pages and WebSockets have the limit of all waiting."""
    with pytest.MonkeyPatch.context() as patch:
        be_patient(patch)
        yield


@pytest.fixture(scope="session", autouse=True)
def signals():
    """Programs under test end by the signals that they get, also where the tests were started by `nohup` or in the background."""
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def scene(tmp_path_factory):
    """The demonstration recording."""
    path = tmp_path_factory.mktemp("demo") / "scene.wav"
    run("synth", "--demo", "--output", path)
    return path


@pytest.fixture
def engine(scene, tmp_path):
    with Engine("--recording", scene, "--allow-path", tmp_path) as running:
        yield running
        assert running.stop() == 0, running.log


@pytest.fixture(scope="session")
def screenshots():
    """The folder for screenshots of the panel, chosen by SCREENSHOTS; without it, none are made, because each takes a while."""
    if "SCREENSHOTS" not in os.environ:
        return NoPictures()
    folder = pathlib.Path(os.environ["SCREENSHOTS"])
    folder.mkdir(parents=True, exist_ok=True)
    return folder


class NoPictures:
    """In place of the folder and of each file in it, when no screenshots are kept."""

    def __truediv__(self, name):
        return self


def wanted(screenshot):
    """A method `screenshot` that does nothing for a file that is not kept."""
    return lambda shown, **options: None if isinstance(options.get("path"), NoPictures) else screenshot(shown, **options)


Page.screenshot, Locator.screenshot = wanted(Page.screenshot), wanted(Locator.screenshot)


@pytest.fixture(scope="module")
def browser(request):
    """Chromium; for pages of the panel that need no sensors, the one that starts them sooner."""
    is_light = "/panel/" in request.node.nodeid and "test_phone" not in request.node.nodeid
    with sync_playwright() as playwright:
        switches, program = (chromium.UNACCELERATED, chromium.LIGHT) if is_light else ((), chromium.PROGRAM)
        browser = chromium.launch(playwright, *switches, program=program)
        yield browser
        browser.close()
