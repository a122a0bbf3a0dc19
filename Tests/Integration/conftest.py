import os
import pathlib
import signal
import sys
import tempfile

import pytest
from playwright.sync_api import expect, sync_playwright

SUPPORT = pathlib.Path(__file__).parent / "support"
sys.path[:0] = [str(SUPPORT), str(SUPPORT / "services"), str(SUPPORT / "cameras")]

import chromium  # noqa: E402
from program import Engine, run  # noqa: E402
from waiting import until  # noqa: E402


# Tests that compare times of several programs and clocks, by module and the beginning of the name. A machine that does other things
# meanwhile spoils such a measurement, so these fail when three in a row fail. The summary names those that were repeated.
TIMED = (
    "broker/test_follow.py::test_both", "browser/test_modes.py::", "browser/test_view.py::test_a_seek",
    "browser/test_view.py::test_picture_and_sound",
    "cameras/test_camera_impaired.py::", "cameras/test_camera_sound.py::test_delay", "commands/test_measure.py::test_a_sound_server",
    "engine/test_cue_list.py::", "network/test_deployment.py::test_five", "network/test_telemetry.py::",
    "streams/test_crossfade.py::test_a_change", "streams/test_hls.py::", "streams/test_impaired.py::", "streams/test_streams.py::",
)

# Files whose tests measure no times, rates or devices. `make test` runs them in three processes at once, those of PAIRED in two, and all
# others alone.
TOGETHER = (
    "broker/test_mqtt.py", "browser/test_compressed_package.py", "browser/test_library_page.py", "browser/test_renderer.py",
    "cameras/test_camera_protocol.py", "commands/", "engine/test_client_files.py",
    "engine/test_full_folders.py", "engine/test_healing.py", "engine/test_hrtf.py", "engine/test_listening_loudness.py",
    "engine/test_live_room.py", "engine/test_motion.py", "engine/test_music.py", "engine/test_object_hrtf.py", "engine/test_objects.py",
    "engine/test_overview.py",
    "engine/test_sessions.py", "network/test_access.py", "network/test_announcement.py", "network/test_blind.py",
    "network/test_bluetooth.py", "network/test_deployment.py", "network/test_http_strict.py", "network/test_library",
    "network/test_metrics.py", "network/test_oscquery.py", "network/test_pairing.py", "network/test_phones.py", "network/test_tls.py",
    "network/test_trackers.py", "network/test_upload.py", "network/test_websocket.py", "panel/",
)
ALONE = (
    "commands/test_measure.py", "commands/test_process.py", "panel/test_device_panel.py", "panel/test_listeners_panel.py",
    "panel/test_phone.py", "panel/test_tracker_panel.py",
)
# Files whose tests mostly wait for sound that lasts as long as it lasts, and leave the other core to another test.
PAIRED = (
    "browser/test_listen_engine.py", "browser/test_listen_page.py", "browser/test_modes.py", "browser/test_worklet.py",
    "commands/test_measure.py", "commands/test_process.py", "engine/", "network/test_adm.py", "network/test_clients.py",
    "network/test_descriptors.py", "network/test_network_listeners.py", "network/test_websocket_frames.py", "panel/",
    "streams/test_hls.py", "streams/test_icecast.py", "streams/test_scene.py",
)
SINGLE = ("engine/test_alsa.py", "engine/test_jack.py", "engine/test_threads.py")


# Milliseconds until a page has to show something; a busy machine takes seconds.
expect.set_options(timeout=15_000)


def pytest_configure(config):
    config.option.reportchars += "R"
    config.addinivalue_line("markers", "together: may run beside other tests")
    config.addinivalue_line("markers", "paired: may run beside one other test")


def pytest_collection_modifyitems(items):
    for item in items:
        name = item.nodeid.removeprefix("Tests/Integration/")
        if name.startswith(TIMED):
            item.add_marker(pytest.mark.flaky(reruns=2))
        if name.startswith(TOGETHER) and not name.startswith(ALONE):
            item.add_marker(pytest.mark.together)
        elif name.startswith(PAIRED) and not name.startswith(SINGLE):
            item.add_marker(pytest.mark.paired)


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
        # Programs that look for a sound server make a folder there otherwise. Its library writes into their logs that it cannot, unless
        # a server is named.
        patch.setenv("PULSE_RUNTIME_PATH", chromium.NO_FOLDER)
        patch.setenv("PULSE_SERVER", f"unix:{chromium.NO_FOLDER}")
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
