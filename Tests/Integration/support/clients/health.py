"""What an engine says about its state. It answers with 503 while it has rendered nothing for a second, as on a machine that stalls it."""

import json
import urllib.error
import urllib.request

from waiting import saw, until


def health(engine):
    try:
        with urllib.request.urlopen(engine.url + "/health", timeout=60) as answer:
            found = json.load(answer)
    except urllib.error.HTTPError as error:
        assert error.code == 503, error
        found = json.load(error)
        assert found["status"] != "ok", found
    return saw("/health", found)


def becomes_well(engine):
    """Waits until the engine renders. Returns what it says."""
    return until(lambda: (found := health(engine))["status"] == "ok" and found)
