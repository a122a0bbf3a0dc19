"""Every message that a peer may send: truncated at every length, repeated, reordered, from the wrong peer, and after a stop."""

import json
import pathlib
import re
import struct
import urllib.request

import pytest

import seeds
from camera_peer import CameraPeer, frame, without_hello
from program import Engine
from waiting import LIMIT, paced, until

PROTOCOL = pathlib.Path(__file__).parents[3] / "protocol/camera-stream.md"
REFUSED = re.compile(r'^vestibule_camera_refused_total\{reason="(\w+)"\} (\d+)', re.MULTILINE)


def examples():
    """The messages of the protocol's table, as they stand there."""
    table = PROTOCOL.read_text().split("## From a peer")[1].split("## From the engine")[0]
    best = re.search(r'"best":(\{.*?\})', table)[1]
    texts = re.findall(r"^\| `(\{.*?\})` \|", table, re.MULTILINE)
    return [json.loads(text.replace("{…}", best).replace(":T", ":0.5")) for text in texts]


def about(number, link, name="Third"):
    """The examples with the number of a peer and of a link."""
    numbers = {"sender": number, "peer": number, "link": link, "name": name}
    return [{key: numbers.get(key, value) for key, value in message.items()} for message in examples()]


def sound(number=1, **others):
    return frame(**{"kind": 3, "codec": 16, "number": number, "width": 0, "height": 0, **others})


def still(**others):
    return frame(**{"kind": 4, "codec": 32, "number": 0, "width": 160, "height": 90, "content": b"\xff\xd8picture", **others})


def receipt(link, frames=0, late=0):
    return struct.pack("<BxxxIII", 32, link, frames, late)


@pytest.fixture(scope="module")
def engine(scene):
    with Engine("--recording", scene, "--objects", 0) as running:
        yield running


class Others:
    """Two peers that exchange pictures, to which nothing may happen."""

    def __init__(self, sender, receiver):
        self.sender, self.receiver, self.count = sender, receiver, 0
        sender.offer()
        self.link = receiver.start(sender)
        sender.wait("key")

    def exchange(self):
        """One more picture, which passes unchanged. Both still have their link, and no warning."""
        self.count += 1
        self.sender.send(frame(kind=1 if self.count == 1 else 2, number=self.count, content=b"others"))
        self.receiver.wait_for_frames(self.count)
        assert self.receiver.frames[-1][24:] == b"others"
        # A frame waits only for a short time when many before it have not been confirmed.
        self.receiver.confirm(self.link)
        for peer in (self.sender, self.receiver):
            peer.settle()
            peer.read()
            assert not [text for text in peer.texts if text["type"] in ("warning", "stop")]


@pytest.fixture
def others(engine):
    with CameraPeer(engine, "One") as one, CameraPeer(engine, "Two") as two:
        yield Others(one, two)


@pytest.fixture
def peers(engine):
    """A sender of pictures and sound, its receiver, and a third peer."""
    with CameraPeer(engine, "Sender") as sender, CameraPeer(engine, "Receiver") as receiver, CameraPeer(engine, "Third") as third:
        sender.offer(sound=True)
        yield sender, receiver, third


def refusals(engine):
    with urllib.request.urlopen(engine.url + "/metrics", timeout=LIMIT) as answer:
        return {code: int(count) for code, count in REFUSED.findall(answer.read().decode())}


def say(peer, message):
    """Sends a message; texts as they are in JSON."""
    peer.send(message if isinstance(message, (bytes, str)) else json.dumps(message))


def drop_warnings(peer):
    peer.read()
    peer.texts = [text for text in peer.texts if text["type"] != "warning"]


def checked(engine, peer, message, code):
    """Sends a message and checks that it is refused with a code and a reason, or not at all. Returns the warning."""
    drop_warnings(peer)
    before = refusals(engine)
    say(peer, message)
    if code is None:
        peer.settle()
        assert refusals(engine) == before, message
        return None
    warning = peer.wait("warning")
    assert warning["code"] == code and len(warning["text"]) > 15, (message, warning)
    return warning


def name_of(message):
    """The type of a message; that of the end of one link is another than that of the end of the offer."""
    return "stop a link" if message["type"] == "stop" and "link" in message else message["type"]


NAMES = ["hello", "update", "start", "allow", "deny", "stop a link", "stop", "pardon", "links", "key", "time"]
FRAMES = {"key frame": frame(), "delta": frame(kind=2), "sound": sound(), "small picture": still(), "receipt": receipt(1)}


def test_the_table_of_the_protocol_is_complete(engine, peers):
    assert [name_of(message) for message in examples()] == NAMES
    # The engine names the types that it knows.
    told = checked(engine, peers[2], {"type": "none"}, "form")["text"].split("the types are ")[1]
    assert set(re.split(", | and ", told)) == {message["type"] for message in examples()}


@pytest.mark.parametrize("name", [*NAMES, *FRAMES])
def test_every_truncation_of_a_message_is_refused(engine, peers, others, name):
    sender, receiver, third = peers
    link = receiver.start(sender)
    sender.wait("key")
    if name in FRAMES:
        # The contents of a frame are not looked at, but for the mark of a JPEG.
        whole = {"receipt": receipt(link), "small picture": still()[:27]}.get(name, FRAMES[name][:25])
    else:
        whole = json.dumps(about(sender.number, link)[NAMES.index(name)])
    for peer in peers:
        before = refusals(engine)
        for length in range(len(whole)):
            peer.send(whole[:length])
        peer.settle()
        after = refusals(engine)
        assert {code: count - before.get(code, 0) for code, count in after.items() if count != before.get(code, 0)} == {"form": len(whole)}
        warning = peer.wait("warning")
        assert warning["code"] == "form" and re.search(r"complete JSON|has|needs", warning["text"]), warning
        others.exchange()
    # The link goes on.
    sender.send(frame(number=7))
    receiver.wait_for_frames(1)


# Refusals when the sender, the receiver or a third peer sends a message about a link from the one to the other, or about the sender.
# Messages that are not named are about the peer itself, whoever it is.
WRONG = {
    "hello": ("order", "order", "order"), "start": ("foreign", None, None), "allow": (None, "foreign", "foreign"),
    "deny": (None, "foreign", "foreign"), "stop a link": (None, None, "foreign"), "stop": (None, "stopped", "stopped"),
    "key": ("foreign", None, "foreign"), "receipt": ("foreign", None, "foreign"),
}
OWN = {"update", "pardon", "links", "time"}


def test_every_message_from_the_wrong_peer_is_refused(engine, peers, others):
    sender, receiver, third = peers
    link = receiver.start(sender)
    sender.wait("key")
    assert WRONG.keys() | OWN == {*NAMES, "receipt"}
    messages = {name_of(message): message for message in about(sender.number, link)} | {"receipt": receipt(link)}
    cases = [(peer, messages[name], code) for name, codes in WRONG.items() for peer, code in zip(peers, codes) if code]
    # At most eight warnings a second are sent.
    for peer, message, code in paced(cases, 0.13):
        checked(engine, peer, message, code)
        others.exchange()
    # A pardon by others is none.
    third.offer("ask")
    for forged in paced([frame(sender=sender.number), frame(kind=2, sender=sender.number), sound(sender=sender.number)], 0.13):
        checked(engine, third, forged, "foreign")
    sender.say(type="stop", link=link)
    receiver.wait("stop", reason="stopped")
    checked(engine, third, {"type": "pardon", "peer": receiver.number}, None)
    checked(engine, receiver, {"type": "pardon", "peer": receiver.number}, None)
    checked(engine, receiver, {"type": "start", "sender": sender.number}, "permission")
    nothing = len(receiver.frames)
    sender.send(frame(number=9))
    sender.settle()
    others.exchange()
    receiver.read()
    assert len(receiver.frames) == nothing


def test_a_small_picture_has_the_number_of_its_sender_whatever_it_says(peers):
    sender, receiver, third = peers
    third.offer("everyone")
    third.send(still(sender=sender.number))
    receiver.wait_for_frames(1)
    assert receiver.frames[0] == still(sender=third.number)


def test_every_message_after_a_stop_is_refused(engine, peers, others):
    sender, receiver, third = peers
    link = receiver.start(sender)
    sender.wait("key")
    for number in (1, 2):
        sender.send(frame(kind=number, number=number))
    receiver.wait_for_frames(2)
    sender.say(type="stop", link=link)
    receiver.wait("stop", reason="stopped")
    ended = [(sender, {"type": "allow", "link": link}), (sender, {"type": "deny", "link": link}),
             (sender, {"type": "stop", "link": link}), (receiver, {"type": "stop", "link": link}),
             (receiver, {"type": "key", "link": link}), (receiver, receipt(link, 2))]
    for peer, message in paced(ended, 0.13):
        checked(engine, peer, message, "stopped")
        others.exchange()
    checked(engine, receiver, {"type": "start", "sender": sender.number}, "permission")
    sender.say(type="stop")
    sender.settle()
    gone = [(sender, each) for each in (frame(number=3), frame(kind=2, number=4), sound(), still(), {"type": "stop"})]
    for peer, message in paced([*gone, (third, {"type": "start", "sender": sender.number})], 0.13):
        checked(engine, peer, message, "stopped")
        others.exchange()
    receiver.read()
    assert len(receiver.frames) == 2
    # The others need no link and no offer; one that offers again begins anew.
    for message in [each for each in about(receiver.number, link) if name_of(each) in OWN]:
        checked(engine, sender, message, None)
    checked(engine, sender, frame(number=1), None)


# Refusals of a message that is sent again.
AGAIN = {
    "hello": "order", "update": None, "start": None, "allow": None, "deny": "stopped", "stop a link": "stopped", "stop": "stopped",
    "pardon": None, "links": None, "key": None, "time": None, "key frame": "order", "delta": "order", "sound": "order",
    "small picture": "limit", "receipt": None,
}


def passed_until_limited(engine, peer, message):
    """Sends a small picture until the limit of one a second refuses it. Returns how many more have passed."""
    drop_warnings(peer)
    before, sent = refusals(engine).get("limit", 0), 0

    def is_limited():
        nonlocal sent
        sent += 1
        peer.send(message)
        peer.settle()
        peer.read()
        return any(text["type"] == "warning" for text in peer.texts)

    until(is_limited)
    assert peer.wait("warning")["code"] == AGAIN["small picture"]
    return sent - (refusals(engine)["limit"] - before)


@pytest.mark.parametrize("name", AGAIN)
def test_a_message_that_is_repeated_has_no_further_effect(engine, peers, others, name):
    sender, receiver, third = peers
    assert AGAIN.keys() == {*NAMES, *FRAMES}
    sender.offer("ask", sound=True)
    receiver.say(type="start", sender=sender.number)
    link = sender.wait("start", state="asking")["link"]
    if name not in ("allow", "deny"):
        sender.say(type="allow", link=link)
        sender.wait("key")
        sender.send(frame(number=1))
        receiver.wait_for_frames(1)
    number = receiver.number if name == "pardon" else sender.number
    message = next((each for each in about(number, link) if name_of(each) == name), None)
    if message is None:
        message = {"key frame": frame(number=2), "delta": frame(kind=2, number=2), "receipt": receipt(link, 1)}.get(name, FRAMES[name])
    elif name == "update":
        message["sound"] = True
    peer = receiver if name in ("start", "key", "receipt") else sender
    checked(engine, peer, message, "order" if name == "hello" else None)
    # What the message itself brings the receiver, which may come later than the answer to its sender.
    came = (name not in ("allow", "deny")) + (name in ("key frame", "delta", "sound", "small picture"))
    receiver.wait_for_frames(came)
    until(lambda: receiver.read() or any(text["type"] == "stop" or text.get("state") == "open" for text in receiver.texts))
    begun = [text for text in receiver.texts if text["type"] == "start"]
    if name == "small picture":
        came += passed_until_limited(engine, peer, message)
    else:
        for _ in paced(range(3), 0.13):
            checked(engine, peer, message, AGAIN[name])
            others.exchange()
    others.exchange()
    receiver.settle()
    until(lambda: receiver.read() or len(receiver.frames) >= came)
    assert len(receiver.frames) == came
    # A request that is repeated is answered with the same link.
    assert {text["link"] for text in receiver.texts if text["type"] == "start"} <= {link}
    assert name == "start" or [text for text in receiver.texts if text["type"] == "start"] == begun


def test_messages_in_any_order_harm_nobody(engine, peers, others):
    sender, _, third = peers
    chance = seeds.chooser(53)

    def use(peer):
        link = chance.choice([others.link, 0, 10_000])
        messages = [*about(sender.number, link), *FRAMES.values(), receipt(link)]
        chance.shuffle(messages)
        hello = next(index for index, message in enumerate(messages) if isinstance(message, dict) and message["type"] == "hello")
        before = refusals(engine)
        for message in messages:
            say(peer, message)
        peer.settle()
        until(lambda: peer.read() or any(text["type"] == "warning" for text in peer.texts))
        warnings = [text for text in peer.texts if text["type"] == "warning"]
        counted = {code: count - before.get(code, 0) for code, count in refusals(engine).items()}
        # Before hello nothing is taken; after it no frame is sent to a peer that nobody has admitted.
        early = [message for message in messages[:hello] if not isinstance(message, dict) or message["type"] not in ("links", "time")]
        assert counted.get("order", 0) >= len(early)
        assert warnings and sum(counted.values()) >= sum(text["count"] for text in warnings)
        assert all(text["code"] in counted and len(text["text"]) > 15 for text in warnings)
        assert peer.frames == []

    for _ in range(24):
        without_hello(engine, use)
        others.exchange()
    third.start(sender)


def test_frames_in_any_order_pass_only_where_they_can_be_decoded(engine, peers, others):
    sender, receiver, _ = peers
    chance = seeds.chooser(59)
    link = receiver.start(sender)
    sender.wait("key")
    for turn in range(20):
        # Nine pictures, some of which do not need the one before, and three packets of sound.
        base = 100 * turn
        pictures = [frame(kind=1 if chance.random() < 0.4 else 2, number=base + number) for number in range(1, 10)]
        packets = [sound(number=base + number) for number in range(1, 4)]
        sent = [*pictures, *packets]
        chance.shuffle(sent)
        latest, whole, wanted, bad = {}, False, [], 0
        for each in sent:
            kind, number = each[0], int.from_bytes(each[8:12], "little")
            stream = kind == 3
            before = latest.get(stream, base)
            is_good = number > before
            if is_good:
                latest[stream] = number
            if not stream and is_good:
                whole = kind == 1 or (whole and number == before + 1)
                is_good = whole
            wanted += [each] if is_good else []
            bad += not is_good
        before, first = refusals(engine), len(receiver.frames)
        for each in sent:
            sender.send(each)
            sender.settle()
            # A frame that waited for the receipts of others would be left out after a while.
            if any(each is other for other in wanted):
                receiver.wait_for_frames(len(receiver.frames) + 1)
            receiver.confirm(link)
            receiver.settle()
        others.exchange()
        receiver.read()
        passed = receiver.frames[first:]
        assert sorted(each[:4] + each[8:] for each in passed) == sorted(each[:4] + each[8:] for each in wanted)
        assert [each[8:12] for each in passed if each[0] != 3] == [each[8:12] for each in wanted if each[0] != 3]
        assert refusals(engine).get("order", 0) - before.get("order", 0) == bad
