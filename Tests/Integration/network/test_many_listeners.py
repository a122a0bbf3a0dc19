"""As many network listeners as there may be: lists, metrics, telemetry and the panel stay usable."""

import json
import re
import urllib.request

import pytest
from playwright.sync_api import expect
from pythonosc.osc_bundle_builder import IMMEDIATELY, OscBundleBuilder
from pythonosc.osc_message_builder import OscMessageBuilder
from websockets.sync.client import connect

from chromium import live_page
from figures import figure, measured
from program import Engine
from waiting import until

MOST = 1024
# Listeners that are listed by themselves in the namespace and in metrics.
LISTED = 32


def message(address, *values):
    builder = OscMessageBuilder(address)
    for value in values:
        builder.add_arg(value)
    return builder.build()


def answer(engine, path):
    with urllib.request.urlopen(engine.url + path, timeout=60) as response:
        return response.read()


@pytest.fixture(scope="module")
def full(scene):
    """An engine with a listener of the device and 1,024 on the network, each with a name and without a client."""
    with Engine("--recording", scene, "--network-listeners", MOST) as engine:
        few = answer(engine, "/metrics")
        client = engine.osc()
        for first in range(0, MOST, 32):
            bundle = OscBundleBuilder(IMMEDIATELY)
            for number in range(first, first + 32):
                bundle.add_content(message("/listener/add", f"guest-{number}"))
            client.send(bundle.build())
            until(lambda first=first: engine.get("/listeners?count=1")["total"] == first + 33)
        yield engine, few


def test_one_more_is_refused_with_the_reason(full):
    engine, _ = full
    begin = len(engine.log)
    engine.osc().send_message("/listener/add", "one too many")
    until(lambda: f"there are {MOST + 1} listeners, the maximum of this server; remove one" in engine.log[begin:])
    assert engine.get("/listeners?count=1")["total"] == MOST + 1


def test_each_has_what_the_first_has(full):
    engine, _ = full
    first, last = engine.get("/listener/1")["CONTENTS"], engine.get(f"/listener/{MOST + 1}")["CONTENTS"]
    assert set(last) <= set(first) | {"client"} and {"ypr", "method", "gain", "mute", "front", "hrtf", "trackers"} & set(first) <= set(last)
    client = engine.osc()
    for number in (2, 513, MOST + 1):
        client.send_message(f"/listener/{number}/ypr", [float(number % 90), 0.0, 0.0])
        client.send_message(f"/listener/{number}/gain", -6.0)
        until(lambda number=number: engine.value(f"/listener/{number}/gain") == -6)
        until(lambda number=number: abs(engine.value(f"/listener/{number}/ypr")[0] - number % 90) < 0.01)


def test_lists_and_metrics_do_not_grow_with_them(full):
    engine, metrics = full
    # A page is as long as it says, whatever the total.
    page = json.loads(answer(engine, "/listeners?from=500&count=50"))
    assert len(page["listeners"]) == 50 and page["total"] == MOST + 1
    assert len(json.dumps(page)) < 50 * 1000
    found = json.loads(answer(engine, "/listeners?search=guest-777"))
    assert found["matching"] == 1 and found["listeners"][0]["name"] == "guest-777"
    # Poses are counted for each of the first 32 listeners alone; all other metrics are those of an engine without network listeners.
    for number in (2, LISTED, LISTED + 1, MOST + 1):
        engine.osc().send_message(f"/listener/{number}/ypr", [10.0, 0.0, 0.0])
    text = until(lambda: (now := answer(engine, "/metrics").decode()).count(f'{{listener="{LISTED}"}}') >= 4 and
                 now.count('{listener="2"}') >= 4 and now)
    lines = text.splitlines()
    assert {int(number) for number in re.findall(r'listener="(\d+)"', text)} <= set(range(1, LISTED + 1))
    assert summed(lines) == summed(metrics.decode().splitlines())
    assert f"vestibule_network_listeners {MOST}" in lines


def summed(lines):
    """Names and labels of the metrics that are not about one listener."""
    return {line.rsplit(" ", 1)[0] for line in lines if not line.startswith("#") and 'listener="' not in line}


def test_telemetry_does_not_grow_with_them(full):
    engine, _ = full
    with connect(engine.socket_url, subprotocols=["vestibule.telemetry.v1"], max_size=None) as socket:
        hello = json.loads(socket.recv(timeout=60))
        socket.send(json.dumps({"type": "subscribe", "topics": [topic for topic in hello["topics"] if topic != "log"], "rate": 10}))
        sizes = [len(socket.recv(timeout=60)) for _ in range(30)]
    assert max(sizes) < 20_000, sizes


def panel(engine, browser):
    context, page, complaints = live_page(browser, engine.url + "/#engine", viewport={"width": 1440, "height": 900})
    card = page.get_by_role("region", name="Listeners", exact=True)
    expect(card.get_by_text(f"{MOST + 1} of {MOST + 1}")).to_be_visible()
    return context, page, complaints, card


@measured
def test_no_turn_of_the_control_thread_is_long(full, browser):
    """The panel reads the whole namespace, 1 MB with the 32 listeners that it lists, in one turn: 15 ms on an idle machine."""
    engine, _ = full
    context = panel(engine, browser)[0]
    context.close()
    longest, _ = max(engine.longest_turns(), default=(0, 0))
    figure(f"longest turn with {MOST} network listeners", longest, at_most=50, unit="ms")


def test_the_panel_finds_one_among_them(full, browser):
    context, page, complaints, card = panel(full[0], browser)
    rows = page.get_by_role("table", name="Listeners").get_by_role("row").filter(has=page.get_by_role("cell"))
    assert rows.count() < 100
    card.get_by_role("searchbox").fill("guest-777")
    expect(rows).to_have_count(1)
    expect(rows).to_contain_text("guest-777")
    assert complaints == []
    context.close()
