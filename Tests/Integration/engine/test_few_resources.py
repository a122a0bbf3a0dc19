"""Limits of the surroundings: little address space, and few descriptors. The program runs, or ends with words."""

import re
import signal

import pytest

from program import Engine
from waiting import until

# A thread that cannot be started is an error in words; where the memory for sound is missing, the language's library says so.
MEMORY = r"failed to allocate|cannot|libraries"


def start_and_end(limit, words):
    """Starts the program within a limit, ends it by SIGTERM once it is ready, and returns whether it has run."""
    with Engine("--midi", "none", wait=False, prefix=("prlimit", limit)) as engine:
        until(lambda: engine.ready_file.exists() or engine.process.poll() is not None, lambda: engine.log)
        has_run = engine.process.poll() is None
        engine.process.send_signal(signal.SIGTERM)
        code = engine.process.wait(timeout=60)
        log = engine.log
        assert "Precondition failed" not in log and "Illegal instruction" not in log, log
        if has_run:
            assert code == 0, log
        else:
            assert code in (1, 127) or "failed to allocate" in log, f"{code}: {log}"
            assert re.search(words, log), log
        return has_run


@pytest.mark.parametrize("megabytes", [300, 450, 550, 650, 800, 1200])
def test_little_address_space(megabytes):
    start_and_end(f"--as={megabytes}000000", MEMORY)


@pytest.mark.parametrize("descriptors", [8, 16, 64])
def test_few_descriptors(descriptors):
    assert start_and_end(f"--nofile={descriptors}", "descriptor|too few files|Too many open files") == (descriptors == 64)
