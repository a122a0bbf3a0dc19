import os
import pathlib
import signal
import sys
import tempfile

import pytest
from playwright.sync_api import sync_playwright

sys.path.insert(0, str(pathlib.Path(__file__).parent / "support"))

import chromium  # noqa: E402
from program import Engine, run  # noqa: E402
from waiting import until  # noqa: E402


# Tests that compare times of several programs and clocks, by module and the beginning of the name. A machine that does other things
# meanwhile spoils such a measurement, so these fail when three in a row fail. The summary names those that were repeated.
TIMED = (
    "browser/test_modes.py::", "commands/test_measure.py::test_a_sound_server", "engine/test_cue_list.py::", "network/test_telemetry.py::",
    "streams/test_impaired.py::", "streams/test_streams.py::",
)


def pytest_configure(config):
    config.option.reportchars += "R"


def pytest_collection_modifyitems(items):
    for item in items:
        if item.nodeid.removeprefix("Tests/Integration/").startswith(TIMED):
            item.add_marker(pytest.mark.flaky(reruns=2))


@pytest.fixture(scope="session", autouse=True)
def cache(tmp_path_factory):
    """Keeps filters and sessions apart from those of the user."""
    os.environ["XDG_CACHE_HOME"] = str(tmp_path_factory.mktemp("cache"))
    os.environ["XDG_DATA_HOME"] = str(tmp_path_factory.mktemp("data"))


@pytest.fixture(scope="session", autouse=True)
def temporary(tmp_path_factory):
    """Gives the tests and their programs a temporary folder, which they have to leave empty."""
    folder = tmp_path_factory.mktemp("t")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TMPDIR", str(folder))
        patch.setattr(tempfile, "tempdir", str(folder))
        yield

    def left():
        return sorted(path.name for path in folder.iterdir())

    until(lambda: not left(), 5, lambda: f"left in the temporary folder: {left()}")


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
        status, seconds = running.stop()
        assert status == 0, running.log
        # The documentation promises one second; a busy machine may take longer.
        assert seconds < 3


@pytest.fixture(scope="session")
def screenshots(tmp_path_factory):
    """The folder for screenshots of the panel, chosen by SCREENSHOTS; by default among the files of this run."""
    if "SCREENSHOTS" not in os.environ:
        return tmp_path_factory.mktemp("screenshots")
    folder = pathlib.Path(os.environ["SCREENSHOTS"])
    folder.mkdir(parents=True, exist_ok=True)
    return folder


@pytest.fixture(scope="module")
def browser():
    with sync_playwright() as playwright:
        browser = chromium.launch(playwright)
        yield browser
        browser.close()
