"""MIDI controllers on the panel: learning by pointer and keyboard, mappings, and the MIDI devices of the browser, simulated."""

import re

import pytest
from playwright.sync_api import expect

from chromium import live_page, painted
from program import Engine
from waiting import stimulus, until

# Two devices; the second is plugged in later. `play(bytes)` plays a message on the first.
DEVICES = """
const input = (name) => ({ name, state: 'connected', onmidimessage: null });
const access = { inputs: new Map([['a', input('Knob box')]]), onstatechange: null };
window.requests = 0;
Object.defineProperty(navigator, 'requestMIDIAccess', { value: async () => { window.requests += 1; return access; } });
window.play = (...data) => access.inputs.get('a').onmidimessage?.({ data: new Uint8Array(data) });
window.plug = () => { access.inputs.set('b', input('Pedal')); access.onstatechange({}); };
"""


@pytest.fixture
def running(scene, tmp_path):
    with Engine("--recording", scene, "--sessions", tmp_path / "sessions") as engine:
        yield engine


def opened(browser, running, script=DEVICES, **options):
    return live_page(browser, f"{running.url}/#effects", script, **options)


def show(page, name):
    page.get_by_role("tab", name=name, exact=True).click()


def card(page):
    return page.get_by_role("region", name="MIDI", exact=True)


def test_a_knob_is_learned_adjusted_and_removed(browser, running, screenshots):
    context, page, complaints = opened(browser, running, viewport={"width": 1280, "height": 900})
    midi = card(page)
    expect(midi.get_by_text("No mappings yet.", exact=False)).to_be_visible()
    midi.get_by_role("button", name="MIDI of this browser").click()
    expect(midi.get_by_text("On this browser’s computer: Knob box.")).to_be_visible()
    page.evaluate("plug()")
    expect(midi.get_by_text("On this browser’s computer: Knob box, Pedal.")).to_be_visible()
    assert page.evaluate("requests") == 1
    # The mode: a control is operated and does not change; the next controller is mapped to it.
    midi.get_by_role("button", name="Learn MIDI").click()
    told = page.locator(".midi-learn")
    expect(told).to_contain_text("operate a control")
    show(page, "Head")
    gain = page.get_by_role("slider", name="Gain", exact=True).first
    gain.focus()
    page.keyboard.press("ArrowRight")
    expect(told).to_contain_text("Gain, listener 1: now move a knob")
    until(lambda: running.value("/midi/learn") == "/listener/1/gain")
    assert running.value("/listener/1/gain") == 0
    page.evaluate("play(0xB0, 7, 5)")
    expect(told).to_contain_text("CC 7, channel 1 moves Gain, listener 1")
    # A pad is one cue: a key plays this one, and another pad can have another key.
    show(page, "Effects")
    for name, key, position in (("tock", 50, "0.25 0.25"), ("blip", 52, "0.5 0.5")):
        page.get_by_role("button", name=name, exact=True).click()
        expect(told).to_contain_text(f"Play cue “{name}”")
        page.evaluate(f"play(0x90, {key}, 90)")
        expect(told).to_contain_text(f"Note {key}, channel 1 sets Play cue “{name}”")
        until(lambda: f"to /cue/play output {position}" in running.value("/midi/2/mapping") + running.value("/midi/3/mapping"))
    for place in (2, 3):
        running.osc().send_message(f"/midi/{place}/mapping", "")
    show(page, "Head")
    # A control of its own choice: a switch, learned by pointer.
    page.get_by_role("switch", name="Mute", exact=True).first.click()
    expect(told).to_contain_text("now move a knob")
    page.evaluate("play(0x90, 60, 1)")
    expect(told).to_contain_text("Note 60, channel 1 moves")
    painted(page)
    page.screenshot(path=screenshots / "midi-learn.png")
    told.get_by_role("button", name="Done").click()
    expect(told).to_be_hidden()
    # The controls follow, and the mode is over.
    page.evaluate("play(0xB0, 7, 127)")
    until(lambda: running.value("/listener/1/gain") > 0)
    page.evaluate("play(0xF8)")
    gain.focus()
    page.keyboard.press("ArrowLeft")
    show(page, "Effects")
    rows = midi.get_by_role("list", name="Mappings").get_by_role("listitem")
    expect(rows).to_have_count(2)
    row = rows.first
    expect(row).to_contain_text("CC 7, channel 1 moves Gain, listener 1")
    row.get_by_text("Range and curve").click()
    upper = row.get_by_label("At the upper end (dB)")
    upper.fill("0")
    upper.press("Enter")
    until(lambda: re.search(r"output 0 0\.", running.value("/midi/1/mapping")))
    row.get_by_label("Action").select_option("toggle")
    until(lambda: running.value("/midi/1/mapping").endswith("toggle"))
    row.get_by_label("Action").select_option("follow")
    until(lambda: not running.value("/midi/1/mapping").endswith("toggle"))
    curve = row.get_by_label("Curve")
    curve.focus()
    page.keyboard.press("ArrowRight")
    until(lambda: "curve 0.05" in running.value("/midi/1/mapping"))
    page.evaluate("play(0xB0, 7, 127)")
    until(lambda: abs(running.value("/listener/1/gain")) < 0.1)
    painted(page)
    page.screenshot(path=screenshots / "midi-card.png")
    # A step of its own, also where everything since the mapping was learned took less than the pause that ends a step.
    stimulus(0.8)
    row.get_by_role("button", name=re.compile("^Remove")).click()
    expect(rows).to_have_count(1)
    page.keyboard.press("Control+z")
    expect(rows).to_have_count(2)
    midi.get_by_role("button", name="Remove all mappings").click()
    expect(midi.get_by_text("No mappings yet.", exact=False)).to_be_visible()
    midi.get_by_label("Program change rack").select_option("recording")
    until(lambda: running.value("/midi/rack") == "recording")
    page.evaluate("play(0xC0, 2)")
    names = running.get("/rack/recording/preset")["RANGE"][0]["VALS"]
    until(lambda: running.value("/rack/recording/title") == names[2])
    assert not complaints
    context.close()


def test_the_mode_on_a_phone_by_keys_and_without_web_midi(browser, running):
    missing = "Object.defineProperty(navigator, 'requestMIDIAccess', { value: undefined });"
    context, page, complaints = opened(browser, running, missing, viewport={"width": 390, "height": 844})
    midi = card(page)
    if midi.get_by_role("button", name="Learn MIDI").is_hidden():
        midi.get_by_role("button", name="MIDI", exact=True).click()
    expect(midi.get_by_text("has no Web MIDI")).to_be_visible()
    expect(midi.get_by_role("button", name="MIDI of this browser")).to_be_disabled()
    page.keyboard.press("Alt+m")
    told = page.locator(".midi-learn")
    expect(told).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.keyboard.press("Alt+m")
    expect(told).to_be_hidden()
    expect(midi.get_by_role("button", name="Learn MIDI")).to_have_attribute("aria-pressed", "false")
    # A target that is waiting is let go at the end of the mode.
    page.keyboard.press("Alt+m")
    until(lambda: running.value("/transport/state") == "playing")
    page.get_by_role("button", name="Pause", exact=True).click()
    until(lambda: running.value("/midi/learn") == "/transport/pause")
    told.get_by_role("button", name="Done").click()
    until(lambda: running.value("/midi/learn") == "")
    assert running.value("/transport/state") == "playing"
    assert not complaints
    context.close()
