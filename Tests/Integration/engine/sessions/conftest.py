"""An engine that keeps sessions in a folder of the test."""

import pytest

from program import Engine


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "sessions"


@pytest.fixture
def running(scene, folder):
    with Engine("--recording", scene, "--sessions", folder, "--autosave", 0.2) as engine:
        yield engine
