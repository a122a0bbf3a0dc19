"""The camera WebSocket: its messages byte by byte, bad input, and attempts to receive without permission."""

import json
import urllib.error
import urllib.request

import pytest
from websockets.exceptions import ConnectionClosed, InvalidMessage
from websockets.sync.client import connect

from camera_peer import CameraPeer, frame
from program import Engine
from waiting import holds, until


@pytest.fixture(scope="module")
def engine(scene):
    with Engine("--recording", scene) as running:
        yield running


@pytest.fixture
def peers(engine):
    """A sender, a receiver and a third peer."""
    with CameraPeer(engine, "Sender") as sender, CameraPeer(engine, "Receiver") as receiver, CameraPeer(engine, "Third") as third:
        yield sender, receiver, third


def refused(engine, code):
    return engine.metric(f'vestibule_camera_refused_total{{reason="{code}"}}')


def refusal(url, **options):
    """The status line with which the engine refuses a WebSocket."""
    with pytest.raises(InvalidMessage) as refused, connect(url + "/camera/peers", **options):
        pass
    return str(refused.value.__cause__)


def plain_answer(engine):
    """Status and text that a plain request for the socket's path gets."""
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(engine.url + "/camera/peers")
    return refused.value.code, refused.value.read().decode().strip()


def nothing_comes(peer):
    """Checks that a peer gets no frame."""
    def look():
        peer.read()
        return not peer.frames

    holds(look)


def works(sender, receiver, first=1000):
    """Checks that the two can still exchange pictures."""
    sender.offer()
    link = receiver.start(sender)
    sender.wait("key")
    sender.send(frame(number=first))
    receiver.wait_for_frames(len(receiver.frames) + 1)
    receiver.say(type="stop", link=link)
    sender.wait("stop", link=link)


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


def test_the_list_of_peers_names_offers_and_receivers(peers):
    sender, receiver, third = peers
    sender.offer("ask", sound=True)
    receiver.start(sender)
    link = sender.wait("start", state="asking")["link"]
    sender.say(type="allow", link=link)
    receiver.wait("start", state="open")
    until(lambda: third.read() or "offer" in third.peers.get(sender.number, {}))
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
    assert refused(engine, code) == before + 1
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


def test_nothing_is_passed_on_after_a_stop(peers):
    sender, receiver, _ = peers
    sender.offer()
    receiver.start(sender)
    sender.wait("key")
    sender.say(type="stop")
    assert receiver.wait("stop")["reason"] == "ended"
    sender.send(frame())
    assert sender.wait("warning")["code"] == "stopped"
    nothing_comes(receiver)


def test_a_frame_of_100_megabytes_is_refused_before_it_arrives(engine, peers):
    sender, receiver, _ = peers
    before = refused(engine, "size")
    with CameraPeer(engine, "Large") as large:
        large.offer()
        with pytest.raises(ConnectionClosed) as closed:
            large.send(bytes(100_000_000))
            while True:
                large.socket.recv(timeout=10)
        end = closed.value.rcvd
        # The end may overtake its reason, since the rest of the frame is not read.
        assert end is None or (end.code, end.reason) == (1009, "a message has at most 524288 bytes")
    until(lambda: refused(engine, "size") == before + 1)
    works(sender, receiver)


def test_a_key_frame_is_asked_for_once_for_all(engine, peers):
    sender, receiver, third = peers
    sender.offer()
    links = {peer: peer.start(sender) for peer in (receiver, third)}
    sender.wait("key")
    holds(lambda: sender.read() or not any(text["type"] == "key" for text in sender.texts))
    sender.send(frame(number=1))
    for peer, link in links.items():
        peer.wait_for_frames(1)
        peer.confirm(link)
        peer.say(type="key", link=link)
    sender.wait("key")
    assert not any(text["type"] == "key" for text in sender.texts)


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


# MARK: Attempts to receive without permission

def test_no_picture_before_the_sender_answers(peers):
    sender, receiver, _ = peers
    sender.offer("ask")
    receiver.start(sender)
    sender.send(frame())
    nothing_comes(receiver)


@pytest.mark.parametrize("message", ["allow", "key", "confirm", "pardon"])
def test_a_receiver_cannot_admit_itself(peers, message):
    sender, receiver, _ = peers
    sender.offer("ask")
    link = receiver.start(sender)
    if message == "confirm":
        receiver.confirm(link, 0)
    else:
        receiver.say(type=message, link=link, peer=receiver.number)
    sender.send(frame())
    nothing_comes(receiver)


@pytest.mark.parametrize("message", ["allow", "key", "stop", "confirm"])
def test_a_third_peer_has_no_use_of_a_link(peers, message):
    sender, receiver, third = peers
    sender.offer()
    link = receiver.start(sender)
    if message == "confirm":
        third.confirm(link, 0)
    else:
        third.say(type=message, link=link)
    assert third.wait("warning")["code"] == "foreign"
    sender.send(frame())
    receiver.wait_for_frames(1)
    nothing_comes(third)


def test_a_borrowed_name_is_no_permission(engine, peers):
    sender, receiver, _ = peers
    sender.offer("named", named=[receiver.identity])
    with CameraPeer(engine, "Receiver") as impostor:
        impostor.say(type="start", sender=sender.number)
        assert impostor.wait("warning", about="start")["code"] == "permission"
        receiver.start(sender)
        sender.send(frame())
        receiver.wait_for_frames(1)
        nothing_comes(impostor)


def test_a_stopped_receiver_stays_out_also_as_another_connection(engine, peers):
    sender, receiver, _ = peers
    sender.offer()
    link = receiver.start(sender)
    sender.say(type="stop", link=link)
    assert receiver.wait("stop")["reason"] == "stopped"
    receiver.say(type="start", sender=sender.number)
    assert receiver.wait("warning", about="start")["code"] == "permission"
    with CameraPeer(engine, "Receiver again") as again:
        again.start(sender)
        sender.send(frame())
        nothing_comes(again)
        nothing_comes(receiver)


def test_a_change_of_permission_holds_for_those_who_receive(peers):
    sender, receiver, third = peers
    sender.offer()
    receiver.start(sender)
    third.start(sender)
    sender.offer("named", named=[third.identity])
    assert receiver.wait("stop")["reason"] == "stopped"
    sender.send(frame())
    third.wait_for_frames(1)
    nothing_comes(receiver)


def test_nothing_comes_before_hello(engine, peers):
    sender, _, _ = peers
    sender.offer()
    with CameraPeer(engine, hello=False) as silent:
        silent.say(type="start", sender=sender.number)
        assert silent.wait("warning")["code"] == "order"
        sender.send(frame())
        nothing_comes(silent)


def test_a_forged_sender_reaches_nobody(peers):
    sender, receiver, third = peers
    sender.offer()
    third.offer()
    receiver.start(sender)
    third.send(frame(sender=sender.number))
    assert third.wait("warning")["code"] == "foreign"
    nothing_comes(receiver)


def test_no_peer_without_a_login_or_from_a_foreign_page(scene, tmp_path, engine):
    assert "403" in refusal(engine.socket_url, origin="https://elsewhere.example")
    with Engine("--recording", scene, "--token-file", tmp_path / "tokens") as locked:
        assert "401" in refusal(locked.socket_url)
        # The page itself has no secrets.
        with urllib.request.urlopen(locked.url + "/camera") as answer:
            assert answer.status == 200


def test_the_relay_can_be_turned_off_and_limited(scene):
    with Engine("--recording", scene, "--cameras", "0") as without:
        assert "404" in refusal(without.socket_url)
        assert plain_answer(without) == (404, "cameras are turned off at this engine (serve --cameras 0)")
    with Engine("--recording", scene, "--cameras", "1") as one:
        with CameraPeer(one):
            assert "503" in refusal(one.socket_url)
            assert plain_answer(one) == (503, "1 browser exchanges cameras already; try again later")
        until(lambda: plain_answer(one)[0] == 426)


def test_a_stop_outlasts_the_connection_of_the_sender(engine, peers):
    sender, receiver, third = peers
    sender.offer()
    sender.say(type="stop", link=receiver.start(sender))
    receiver.wait("stop", reason="stopped")
    sender.close()
    with CameraPeer(engine, "Sender") as again:
        again.offer(stopped=[receiver.identity])
        receiver.say(type="start", sender=again.number)
        assert receiver.wait("warning", about="start")["code"] == "permission"
        # As after a stop, strangers are asked about.
        third.say(type="start", sender=again.number)
        third.wait("start", state="asking")
        again.say(type="pardon", peer=receiver.number)
        # The pong comes after the engine has handled that.
        assert again.socket.ping().wait(10)
        receiver.start(again)


def still(content=b"\xff\xd8picture", width=160, height=90):
    return frame(kind=4, codec=32, number=0, width=width, height=height, content=content)


def test_small_pictures_go_to_those_who_may_watch(peers):
    sender, receiver, third = peers
    sender.offer("named", named=[receiver.identity])
    sender.send(still())
    receiver.wait_for_frames(1)
    assert receiver.frames[0] == frame(kind=4, codec=32, sender=sender.number, number=0, width=160, height=90, content=b"\xff\xd8picture")
    nothing_comes(third)
    sender.send(still())
    assert sender.wait("warning", code="limit")
    # With a question each time only those who receive already see it.
    third.offer("ask")
    third.say(type="allow", link=sender.start(third))
    sender.wait("start", state="open")
    third.send(still())
    sender.wait_for_frames(1)
    receiver.read()
    assert len(receiver.frames) == 1


@pytest.mark.parametrize("bad, code", [
    (still(b"GIF89a"), "form"), (still(b"\xff"), "form"), (still(b"\xff\xd8" + bytes(17_000)), "size"), (still(width=400), "size"),
    (still(height=0), "size"), (frame(kind=4, codec=1), "form")])
def test_bad_small_pictures_are_refused(peers, bad, code):
    sender, receiver, _ = peers
    sender.send(still())
    assert sender.wait("warning", code="stopped")
    sender.offer()
    sender.send(bad)
    assert sender.wait("warning", code=code)
    nothing_comes(receiver)


def test_an_offer_with_too_many_stopped_peers_is_refused(peers):
    sender, _, _ = peers
    sender.say(type="update", source="camera", codecs=["vp8"], admit="everyone", stopped=[str(number) for number in range(65)])
    assert "64" in sender.wait("warning", code="limit")["text"]
    assert "offer" not in sender.peers[sender.number]


def test_long_names_are_cut(engine):
    with CameraPeer(engine, "a" + 1000 * "\u0301") as marked, CameraPeer(engine, 100 * "W") as wide:
        until(lambda: wide.read() or {marked.number, wide.number} <= wide.peers.keys())
        assert wide.peers[wide.number]["name"] == 64 * "W"
        assert wide.peers[marked.number]["name"] == "a" + 127 * "\u0301"
