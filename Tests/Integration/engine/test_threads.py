"""Names of the program's threads, as `top -H` shows them."""

import contextlib
import itertools
import os
import pathlib
import re
import subprocess
import tempfile

import pytest
from websockets.sync.client import connect

from jack_server import available, jack_server
from program import PROGRAM, Engine
from waiting import until

DOCUMENTED = pathlib.Path(__file__).parents[3] / "CONTRIBUTING.md"


def names(engine):
    """Returns the names of the threads of a running engine, sorted."""
    return names_of(engine.process)


def names_of(process):
    found = []
    for task in pathlib.Path(f"/proc/{process.pid}/task").iterdir():
        # A thread may end while it is looked at.
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):
            found.append((task / "comm").read_text().strip())
    return sorted(found)


def documented():
    """Returns patterns of the names that the table of threads has."""
    table = DOCUMENTED.read_text().split("## Threads")[1].split("## From packet to sample")[0]
    words = [word for line in table.splitlines() if line.startswith("| ") for word in re.findall(r"`([^`]+)`", line.split("|")[2])]
    return [re.escape(word).replace("N", r"\d+") for word in words]


def one_control_thread(engine):
    """Only the control thread has the program's name. A thread has that of the one that starts it until it has begun."""
    until(lambda: names(engine).count("vestibule") == 1, lambda: names(engine))


def test_every_thread_is_named_for_its_work(engine):
    until(lambda: {"vestibule", "audio timer", "pose", "media", "signals"} <= set(names(engine)), lambda: names(engine))
    one_control_thread(engine)


def test_threads_of_everything_that_can_run_are_named_and_documented(scene, tmp_path):
    seen = set()

    def look(*wanted):
        gains = itertools.cycle([-3.0, -6.0])

        def all_there():
            # What saves is there only while there is something to save.
            engine.osc().send_message("/listener/1/gain", next(gains))
            seen.update(names(engine))
            return set(wanted) <= seen

        until(all_there, lambda: f"{wanted} among {sorted(seen)}")

    with Engine("--recording", scene, "--takes", tmp_path / "takes", "--autosave", "1") as engine:
        with connect(engine.socket_url + "/audio/join?codec=opus", close_timeout=0.5) as sound:
            sound.recv()
            engine.osc().send_message("/take/start", [])
            look("vestibule", "audio timer", "media", "takes", "listeners 1", "encoder 1", "autosave")
            one_control_thread(engine)
        engine.osc().send_message("/take/stop", [])
    patterns = documented()
    unknown = [name for name in seen if name != "vestibule" and not any(re.fullmatch(pattern, name) for pattern in patterns)]
    assert not unknown, f"not in the table of threads of CONTRIBUTING.md: {unknown}"


@pytest.mark.skipif(not available(), reason="needs jackd2")
def test_threads_of_a_jack_client_are_named_and_documented(scene):
    with jack_server(period=256) as server:
        with Engine("--recording", scene, "--device", "jack", env=server.env) as engine:
            wanted = {"audio jack", "jack watch", "JACK client"}
            found = until(lambda: wanted <= set(now := names(engine)) and now, lambda: names(engine))
            one_control_thread(engine)
            # libjack calls the cycle on one thread.
            until(lambda: names(engine).count("audio jack") == 1, lambda: names(engine))
    unknown = [name for name in found if name != "vestibule" and not any(re.fullmatch(pattern, name) for pattern in documented())]
    assert not unknown, f"not in the table of threads of CONTRIBUTING.md: {unknown}"


def test_filters_are_computed_on_named_threads(scene):
    """On all cores: one of the threads is the main one. They live for a second, and again in each render that finds no filters."""
    # Before it is the program, the process has the name of the thread that started it. `media` reads the recording.
    starter = pathlib.Path("/proc/thread-self/comm").read_text().strip()
    wanted = {"vestibule"} | {f"filters {number + 2}" for number in range(os.cpu_count() - 1)}
    seen = set()

    def are_seen():
        with tempfile.TemporaryDirectory() as folder, subprocess.Popen(
                [PROGRAM, "render", scene, "--output", f"{folder}/ears.wav", "--method", "hrtf"],
                env=os.environ | {"XDG_CACHE_HOME": folder}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
            def has_ended():
                # The folder goes with the process.
                with contextlib.suppress(FileNotFoundError):
                    seen.update(names_of(process))
                return process.poll() is not None

            until(has_ended, lambda: sorted(seen), seconds=600)
        assert process.returncode == 0
        return wanted <= seen

    until(are_seen, lambda: sorted(seen))
    assert seen - {starter, "media"} == wanted, sorted(seen)
