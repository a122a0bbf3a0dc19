"""The camera WebSocket: its messages byte by byte, bad input, and frames out of order."""

import json
import pathlib
import time

import pytest
from websockets.exceptions import ConnectionClosed

from camera_peer import CameraPeer, frame
from program import Engine
from waiting import LIMIT, until

CONVERSATION = pathlib.Path(__file__).parents[3] / "protocol/conversations/camera.json"


def refused(engine, code):
    return engine.metric(f'vestibule_camera_refused_total{{reason="{code}"}}')


def works(sender, receiver, first=1000):
    """Checks that the two can still exchange pictures."""
    sender.offer()
    link = receiver.start(sender)
    sender.wait("key")
    sender.send(frame(number=first))
    receiver.wait_for_frames(len(receiver.frames) + 1)
    receiver.say(type="stop", link=link)
    sender.wait("stop", link=link)


def contains(found, wanted):
    """Whether a message has all that is wanted, at any depth; of a list, an element for each wanted one."""
    if isinstance(wanted, dict):
        return isinstance(found, dict) and all(name in found and contains(found[name], value) for name, value in wanted.items())
    if isinstance(wanted, list):
        return isinstance(found, list) and all(any(contains(each, value) for each in found) for value in wanted)
    return found == wanted and type(found) is type(wanted)


def test_the_conversation_of_the_protocol(scene):
    """1 and 2 stand for the numbers that the engine gives the two peers."""
    numbers = {}

    def given(part, key=None):
        """A message or a part of it with the numbers of this run."""
        if isinstance(part, dict):
            return {name: given(value, name) for name, value in part.items()}
        if isinstance(part, list):
            return [given(each, key) for each in part]
        return numbers[part] if key in ("peer", "sender", "receiver") else part

    with Engine("--recording", scene, "--objects", 0) as engine:
        peers = {}
        for step in json.loads(CONVERSATION.read_text()):
            sent, wanted = step.get("send"), step.get("receive")
            if isinstance(sent, dict) and sent["type"] == "hello":
                peers[step["peer"]] = CameraPeer(engine, hello=False)
                peers[step["peer"]].greet(**sent)
                continue
            peer = peers[step["peer"]]
            if isinstance(wanted, dict) and wanted["type"] == "hello":
                numbers[wanted["peer"]] = peer.number
            if isinstance(wanted, dict):
                wanted = given(wanted)
            if sent:
                peer.say(**given(sent)) if isinstance(sent, dict) else peer.send(bytes.fromhex(sent))
                # Later messages of the other peer come after this one.
                peer.settle()
            elif isinstance(wanted, str):
                until(lambda: peer.read() or peer.frames, describe=lambda: f"{step}: {peer.texts}")
                came = peer.frames.pop(0)
                assert came[:4] + came[8:] == bytes.fromhex(wanted)[:4] + bytes.fromhex(wanted)[8:]
                assert int.from_bytes(came[4:8], "little") == numbers[1]
            elif wanted["type"] == "update":
                until(lambda: peer.read() or contains(list(peer.peers.values()), wanted["peers"]), describe=lambda: f"{step}: {peer.peers}")
            else:
                until(lambda: peer.read() or any(contains(text, wanted) for text in peer.texts), describe=lambda: f"{step}: {peer.texts}")
                peer.texts.remove(next(text for text in peer.texts if contains(text, wanted)))
        until(lambda: peers["receiver"].read() or "offer" not in peers["receiver"].peers[numbers[1]])
        assert not peers["sender"].frames and not peers["receiver"].frames
        for peer in peers.values():
            peer.close()


def test_a_frame_passes_unchanged_but_for_its_sender(peers):
    sender, receiver, _ = peers
    sender.offer()
    link = receiver.start(sender)
    assert sender.wait("start")["receiver"] == receiver.number
    assert sender.wait("strategy")["codec"] == "vp8"
    sender.wait("key")
    sender.send(frame(number=42, width=640, height=360, time=123_456, content=b"\xaa\xbb"))
    receiver.wait_for_frames(1)
    assert receiver.frames[0] == frame(sender=sender.number, number=42, width=640, height=360, time=123_456, content=b"\xaa\xbb")
    receiver.confirm(link)
    sender.send(frame(kind=2, number=43))
    receiver.wait_for_frames(2)
    measured = receiver.wait("links")["links"][0]
    assert measured["link"] == link and measured["open"] and measured["skipped"] == 0


def test_all_links_are_seen_by_those_who_ask(peers):
    sender, receiver, third = peers
    sender.offer()
    link = receiver.start(sender)
    sender.wait("key")
    sender.send(frame(number=7, width=640, height=360))
    third.say(type="links", all=True)
    # The size is known when the picture has come, and a moment later it is on its way.
    seen = until(lambda: (found := third.wait("links")["links"]) and found[0]["width"] and found[0]["frames"] and found[0])
    assert (seen["link"], seen["sender"], seen["receiver"], seen["open"]) == (link, sender.number, receiver.number, True)
    assert (seen["width"], seen["height"], seen["frames"]) == (640, 360, 1)
    # A last list after the others, and none after that.
    receiver.say(type="stop", link=link)
    until(lambda: third.wait("links")["links"] == [])
    third.say(type="links", all=False)
    third.settle()
    third.read()
    third.texts.clear()
    receiver.start(sender)
    for _ in range(3):
        sender.wait("links")
    third.read()
    assert [text for text in third.texts if text["type"] == "links"] == []


def test_only_logins_that_may_control_see_all_links(scene, tmp_path):
    with Engine("--recording", scene, "--token-file", tmp_path / "tokens") as engine:
        tokens = dict(line.split() for line in (tmp_path / "tokens").read_text().splitlines())
        headers = lambda role: {"additional_headers": {"Authorization": f"Bearer {tokens[role]}"}}
        with CameraPeer(engine, **headers("view")) as viewer, CameraPeer(engine, **headers("control")) as other:
            viewer.say(type="links", all=True)
            warning = viewer.wait("warning", about="links")
            assert warning["code"] == "permission" and "may control" in warning["text"]
            other.say(type="links", all=True)
            assert other.wait("links")["links"] == []


def test_the_list_of_peers_names_offers_and_receivers(peers):
    sender, receiver, third = peers
    sender.offer("ask", sound=True)
    receiver.start(sender)
    link = sender.wait("start", state="asking")["link"]
    sender.say(type="allow", link=link)
    receiver.wait("start", state="open")
    until(lambda: third.read() or "offer" in third.peers.get(sender.number, {}), lambda: third.peers)
    entry = third.peers[sender.number]
    assert entry["name"] == "Sender" and not entry["paired"]
    assert entry["offer"] == {"source": "camera", "sound": True, "codecs": ["vp8"], "admit": "ask"}


@pytest.mark.parametrize("data, code", [
    (b"", "form"), (b"\x01", "form"), (frame()[:23], "form"), (frame()[:24], "form"), (frame(kind=0), "form"), (frame(kind=77), "form"),
    (frame(reserved=1), "form"), (frame(width=0), "form"), (frame(codec=0), "codec"), (frame(codec=250), "codec"),
    (frame(codec=2), "codec"), (frame(codec=3), "codec"), (frame(codec=16), "codec"),
    (frame(kind=3, codec=16, width=0, height=0, content=bytes(3832)), "size"), (frame(kind=3, codec=16), "codec"), (frame(kind=2), "order"),
    (b"\x20" + bytes(15), "stopped"),
    (b"\x20" + bytes(14), "form"), ("{", "form"), ('{"type":"none"}', "form"), ('{"type":"start"}', "form"),
    ('{"type":"start","sender":"1"}', "form"),
    ('{"type":"start","sender":99999}', "stopped"), ('{"type":"allow","link":99999}', "stopped"),
    ('{"type":"stop","link":99999}', "stopped"),
    ('{"type":"hello","version":1,"decodes":[]}', "order"), ('{"type":"pardon","peer":99999}', "stopped"),
    ('{"type":"update","source":"camera","codecs":["vp9"],"admit":"ask"}', "codec"),
    ('{"type":"update","source":"camera","codecs":[],"admit":"ask"}', "codec"),
    ('{"type":"update","source":"roof","codecs":["vp8"],"admit":"ask"}', "form"),
    ('{"type":"update","source":"camera","codecs":["vp8"],"admit":"all"}', "form"),
    ('{"type":"update","source":"camera","codecs":["vp8"],"admit":"ask","best":{"bitrate":1e99,"rate":1,"height":1}}', "form"),
    (json.dumps({"type": "start", "sender": 1, "more": "x" * 9000}), "size"),
])
def test_bad_input_is_answered_and_harms_nobody(engine, peers, data, code):
    sender, receiver, third = peers
    third.offer()
    before = refused(engine, code)
    third.send(data)
    warning = third.wait("warning")
    assert warning["code"] == code and len(warning["text"]) > 15, warning
    until(lambda: refused(engine, code) == before + 1)
    works(sender, receiver)
    # Nor the peer that sent it.
    works(third, receiver)


def test_every_truncated_message_is_refused(engine, peers):
    sender, receiver, third = peers
    text = json.dumps({"type": "update", "source": "camera", "codecs": ["vp8"], "admit": "everyone"})
    before = refused(engine, "form")
    for length in range(1, len(text)):
        third.send(text[:length])
    until(lambda: refused(engine, "form") == before + len(text) - 1)
    # Most are counted only.
    assert third.wait("warning")["code"] == "form"
    works(sender, receiver)


@pytest.mark.parametrize("numbers", [[5, 5], [5, 4], [5, 7], [5, 4_294_967_295]])
def test_pictures_out_of_order_are_refused_up_to_the_next_key_frame(peers, numbers):
    sender, receiver, _ = peers
    sender.offer()
    link = receiver.start(sender)
    sender.wait("key")
    sender.send(frame(number=numbers[0]))
    sender.send(frame(kind=2, number=numbers[1]))
    assert sender.wait("warning")["code"] == "order"
    receiver.wait_for_frames(1)
    receiver.confirm(link)
    nothing = len(receiver.frames)
    receiver.read()
    assert len(receiver.frames) == nothing == 1


def test_a_frame_of_100_megabytes_is_refused_before_it_arrives(engine, peers):
    sender, receiver, _ = peers
    before = refused(engine, "size")
    with CameraPeer(engine, "Large") as large:
        large.offer()
        with pytest.raises(ConnectionClosed) as closed:
            large.send(bytes(100_000_000))
            while True:
                large.socket.recv(timeout=LIMIT)
        end = closed.value.rcvd
        # The end may overtake its reason, since the rest of the frame is not read.
        assert end is None or (end.code, end.reason) == (1009, "a message has at most 524288 bytes")
    until(lambda: refused(engine, "size") == before + 1)
    works(sender, receiver)


def check_keys(sender, receivers, begun):
    """Checks that a sender is asked for one key frame, when the engine has handled all that the receivers have sent since a time."""
    sender.wait("key")
    for peer in (*receivers, sender):
        peer.settle()
    sender.read()
    again = [text for text in sender.texts if text["type"] == "key"]
    # Without an answer it is asked for again after a second.
    assert len(again) <= time.monotonic() - begun
    sender.texts = [text for text in sender.texts if text["type"] != "key"]


def test_a_key_frame_is_asked_for_once_for_all(engine, peers):
    sender, receiver, third = peers
    sender.offer()
    begun = time.monotonic()
    links = {peer: peer.start(sender) for peer in (receiver, third)}
    check_keys(sender, links, begun)
    sender.send(frame(number=1))
    for peer, link in links.items():
        peer.wait_for_frames(1)
        peer.confirm(link)
        peer.settle()
    # Requests from before the answer.
    sender.settle()
    sender.read()
    sender.texts = [text for text in sender.texts if text["type"] != "key"]
    begun = time.monotonic()
    for peer, link in links.items():
        peer.say(type="key", link=link)
    check_keys(sender, links, begun)


def test_a_receiver_that_confirms_nothing_does_not_delay_another(engine, peers):
    sender, receiver, third = peers
    sender.offer(follow="median")
    receiver.start(sender)
    link = third.start(sender)
    sender.wait("key")
    for number in range(1, 61):
        sender.send(frame(kind=1 if number == 1 else 2, number=number, content=bytes(2000)))
        third.wait_for_frames(number)
        third.confirm(link)
    receiver.read()
    assert len(third.frames) == 60 and len(receiver.frames) < 20
    measured = sender.wait("links", **{})["links"]
    assert all(each["waiting"] <= 20 for each in measured)


def test_an_offer_with_too_many_stopped_peers_is_refused(peers):
    sender, _, _ = peers
    sender.say(type="update", source="camera", codecs=["vp8"], admit="everyone", stopped=[str(number) for number in range(65)])
    assert "64" in sender.wait("warning", code="limit")["text"]
    until(lambda: sender.read() or sender.number in sender.peers)
    assert "offer" not in sender.peers[sender.number]


def test_long_names_are_cut(engine):
    with CameraPeer(engine, "a" + 1000 * "\u0301") as marked, CameraPeer(engine, 100 * "W") as wide:
        until(lambda: wide.read() or {marked.number, wide.number} <= wide.peers.keys())
        assert wide.peers[wide.number]["name"] == 64 * "W"
        assert wide.peers[marked.number]["name"] == "a" + 127 * "\u0301"
