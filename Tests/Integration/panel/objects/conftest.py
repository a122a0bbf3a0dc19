"""The page of objects on the panel, with six objects."""

import pytest

from object_map import open_objects
from program import Engine


@pytest.fixture
def objects(scene):
    with Engine("--recording", scene, "--objects", "6") as engine:
        yield engine


@pytest.fixture
def page(browser, objects):
    """The objects page at desktop size; errors in the browser's console fail the test."""
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    page = open_objects(context, objects)
    yield page
    assert page.complaints == []
    context.close()
