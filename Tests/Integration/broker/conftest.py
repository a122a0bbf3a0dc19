"""A broker, an engine there by the name of hall, and a client. Other files have brokers of their own."""

import pytest

from mqtt_broker import Broker, Client
from mqtt_hall import engine_at
from waiting import until


@pytest.fixture
def broker(tmp_path):
    with Broker(tmp_path) as running:
        yield running


@pytest.fixture
def hall(broker, scene):
    with engine_at(broker.port, scene) as engine:
        until(lambda: engine.value("/mqtt/state") == "connected")
        yield engine


@pytest.fixture
def client(broker):
    with Client(broker.port, "vestibule/#", "answers/#") as client:
        yield client
