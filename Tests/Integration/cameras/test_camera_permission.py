"""Attempts to receive cameras without permission, and small pictures, which need it as well."""

import itertools
import urllib.error
import urllib.request

import pytest
from websockets.exceptions import InvalidMessage
from websockets.sync.client import connect

from camera_peer import CameraPeer, frame, without_hello
from program import Engine
from waiting import LIMIT, holds, until


def refusal(url, **options):
    """The status line with which the engine refuses a WebSocket."""
    with pytest.raises(InvalidMessage) as refused, connect(url + "/camera/peers", open_timeout=LIMIT, **options):
        pass
    return str(refused.value.__cause__)


def plain_answer(engine):
    """Status and text that a plain request for the socket's path gets."""
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(engine.url + "/camera/peers", timeout=LIMIT)
    return refused.value.code, refused.value.read().decode().strip()


def nothing_comes(peer):
    """Checks that a peer gets no frame."""
    def look():
        peer.read()
        return not peer.frames

    holds(look)


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
    numbers = itertools.count(1)

    def use(silent):
        silent.say(type="start", sender=sender.number)
        assert silent.wait("warning")["code"] == "order"
        sender.send(frame(number=next(numbers)))
        nothing_comes(silent)

    without_hello(engine, use)


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
        with urllib.request.urlopen(locked.url + "/camera", timeout=LIMIT) as answer:
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
        again.settle()
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
    # One a second passes.
    until(lambda: sender.send(still()) or sender.read() or any(text["type"] == "warning" for text in sender.texts))
    assert sender.wait("warning")["code"] == "limit"
    # With a question each time only those who receive already see it.
    third.offer("ask")
    third.say(type="allow", link=sender.start(third))
    sender.wait("start", state="open")
    third.send(still())
    sender.wait_for_frames(1)
    receiver.settle()
    receiver.read()
    assert {int.from_bytes(each[4:8], "little") for each in receiver.frames} == {sender.number}


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
