"""MIDI controllers: messages by OSC's type m and by a device file, learning, sessions, and program changes."""

import os
import pty

import pytest
from pythonosc.osc_message_builder import OscMessageBuilder
from pythonosc.udp_client import SimpleUDPClient

from program import Engine, run
from waiting import holds, until


def midi(engine, *data):
    """Sends one MIDI message as OSC's type m: port, status, two data bytes."""
    builder = OscMessageBuilder("/midi/message")
    builder.add_arg((0, *data, *[0] * (3 - len(data))), "m")
    SimpleUDPClient("127.0.0.1", engine.ready["osc_port"]).send(builder.build())


def test_a_controller_is_learned_and_moves_a_gain(engine, tmp_path):
    client = engine.osc()
    client.send_message("/midi/learn", "/listener/1/gain")
    until(lambda: engine.value("/midi/learn") == "/listener/1/gain")
    midi(engine, 0xB0, 7, 10)
    until(lambda: engine.value("/midi/1/mapping") == "cc 7 channel 1 to /listener/1/gain")
    until(lambda: engine.value("/midi/learn") == "")
    assert engine.value("/listener/1/gain") == 0
    bounds = engine.get("/listener/1/gain")["RANGE"][0]
    midi(engine, 0xB0, 7, 0)
    until(lambda: engine.value("/listener/1/gain") == bounds["MIN"])
    # Silence is heard: the parameter took the way of any client's value.
    until(lambda: max(engine.value("/meter/listener/1/peak")) < 1e-4)
    midi(engine, 0xB0, 7, 127)
    until(lambda: engine.value("/listener/1/gain") == bounds["MAX"])
    until(lambda: engine.value("/midi/moved") == "cc 7 channel 1: 100 %")
    # The last sender wins.
    client.send_message("/listener/1/gain", -6.0)
    until(lambda: engine.value("/listener/1/gain") == -6)
    midi(engine, 0xB0, 7, 64)
    until(lambda: engine.value("/listener/1/gain") == pytest.approx((bounds["MIN"] + bounds["MAX"]) / 2))


def test_refusals_say_why(engine):
    client = engine.osc()
    for address, value, words in [
        ("/midi/learn", "/listener/1/ypr", "it has several numbers"),
        ("/midi/1/mapping", "cc 200 to /listener/1/gain", "cc 0 to 119"),
        ("/midi/1/mapping", "cc 1 to /listener/1/gain output 0 2", '"output" needs two numbers from 0 to 1'),
        ("/midi/message", [1, 2, 3], "takes a channel message"),
        ("/midi/rack", "cellar", 'there is no rack "cellar"'),
    ]:
        client.send_message(address, value)
        until(lambda: words in engine.value("/engine/notice"))
    assert engine.value("/midi/1/mapping") == "" and engine.value("/midi/rack") == ""


def test_programs_load_presets_and_sessions_keep_mappings(scene, tmp_path):
    sessions = tmp_path / "sessions"
    with Engine("--recording", scene, "--sessions", sessions, "--midi", "none") as engine:
        client = engine.osc()
        names = engine.get("/rack/recording/preset")["RANGE"][0]["VALS"]
        client.send_message("/midi/rack", "recording")
        client.send_message("/midi/2/mapping", "note 60 to /listener/1/mute toggle")
        until(lambda: engine.value("/midi/2/mapping") != "")
        for number in (0, 3):
            midi(engine, 0xC5, number)
            until(lambda: engine.value("/rack/recording/title") == names[number])
        midi(engine, 0xC5, 127)
        until(lambda: "program 128" in engine.value("/engine/notice"))
        client.send_message("/session/save-as", "stage")
        until(lambda: engine.value("/session/name") == "stage" and (sessions / "stage.json").exists())
    with Engine(sessions / "stage.json", "--midi", "none") as engine:
        assert engine.value("/midi/2/mapping") == "note 60 to /listener/1/mute toggle"
        for expected in (True, False):
            midi(engine, 0x90, 60, 100)
            until(lambda: engine.value("/listener/1/mute") is expected)
            midi(engine, 0x80, 60, 0)
            holds(lambda: engine.value("/listener/1/mute") is expected, 0.1)
        # The session's own, and undone like any other edit.
        engine.osc().send_message("/midi/clear", [])
        until(lambda: engine.value("/midi/2/mapping") == "")
        engine.osc().send_message("/session/undo", [])
        until(lambda: engine.value("/midi/2/mapping") != "")


def test_a_device_file_is_heard(scene):
    """A pseudo-terminal stands for a raw MIDI device; its bytes are not changed by the terminal's rules."""
    device, other = pty.openpty()
    try:
        with Engine("--recording", scene, "--midi", os.ttyname(other)) as engine:
            until(lambda: engine.value("/midi/inputs") == os.ttyname(other))
            engine.osc().send_message("/midi/1/mapping", "cc14 1 channel 4 to /listener/1/front")
            until(lambda: engine.value("/midi/1/mapping") != "")
            # Running status, a clock message, a system exclusive message and the bytes of line feed, carriage return and Ctrl+C.
            os.write(device, bytes([0xB3, 1, 127, 0xF8, 33, 127]))
            until(lambda: engine.value("/listener/1/front") == 180)
            os.write(device, bytes([0xF0, 0x7E, 3, 10, 13, 0xF7, 0xB3, 1, 64, 33, 0]))
            until(lambda: engine.value("/listener/1/front") == 0)
            os.write(device, bytes([0xB3, 1, 13, 33, 10]))
            until(lambda: engine.value("/listener/1/front") == pytest.approx(-180 + 360 * (13 * 128 + 10) / 16384, abs=0.02))
            # NRPN 1234: its name does not choose, its value does; the name is sent once.
            engine.osc().send_message("/midi/learn", "/listener/1/gain")
            until(lambda: engine.value("/midi/learn") != "")
            os.write(device, bytes([0xB1, 99, 9, 98, 82, 6, 100, 38, 3]))
            until(lambda: engine.value("/midi/2/mapping") == "nrpn 1234 channel 2 to /listener/1/gain")
            assert engine.value("/listener/1/gain") == 0
            os.write(device, bytes([0xB1, 6, 0, 38, 0]))
            until(lambda: engine.value("/listener/1/gain") == engine.get("/listener/1/gain")["RANGE"][0]["MIN"])
    finally:
        os.close(device)
        os.close(other)


@pytest.mark.skipif(os.path.exists("/dev/snd/seq"), reason="this machine has a sequencer")
def test_a_missing_sequencer_is_told_once_and_harms_nothing(scene):
    assert "no MIDI sequencer" in run("midi").stdout
    with Engine("--recording", scene, "--midi", "Launch Control") as engine:
        until(lambda: "no MIDI sequencer" in engine.log, lambda: engine.log)
        until(lambda: engine.value("/transport/position") > 0)
        assert engine.log.count("no MIDI sequencer") == 1
    # Nobody has asked for it here.
    with Engine("--recording", scene) as engine:
        until(lambda: engine.value("/transport/position") > 0)
        assert "sequencer" not in engine.log


def test_wrong_options_are_refused():
    for options in (["--midi", ""], ["--midi", "none", "--midi", "Knobs"]):
        result = run("serve", *options, check=False)
        assert result.returncode != 0 and "--midi takes" in result.stderr
