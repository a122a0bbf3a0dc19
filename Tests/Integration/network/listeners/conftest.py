"""An engine with places for four listeners on the network, one for all tests of a file."""

import pytest

from program import Engine


@pytest.fixture(scope="module")
def server(scene):
    with Engine("--recording", scene, "--network-listeners", "4", "--method", "two-band") as engine:
        yield engine
