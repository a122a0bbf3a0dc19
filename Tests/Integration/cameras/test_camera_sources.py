"""Cameras, microphones and codecs of the page /camera: used, lacking, unplugged, and in the background."""

import pytest
from playwright.sync_api import expect

from camera_page import offer, peer, shown
from camera_peer import CameraPeer
from panel_page import texts_of
from waiting import until


@pytest.mark.parametrize("failure, words", [
    ("NotAllowedError", "The browser was not allowed to use it."), ("NotFoundError", "No camera or microphone found."),
    ("NotReadableError", "Another program is using it"),
])
def test_a_camera_that_cannot_be_opened_is_explained(camera_browser, running, failure, words):
    context, page, errors = peer(
        camera_browser, running, "Kitchen",
        f"navigator.mediaDevices.getUserMedia = async () => {{ throw new DOMException('', '{failure}'); }};")
    page.get_by_role("button", name="Offer", exact=True).click()
    expect(page.get_by_text(words)).to_be_visible()
    expect(page.get_by_role("button", name="Offer", exact=True)).to_be_enabled()
    assert errors == []
    context.close()


def test_an_unplugged_camera_ends_the_offer(camera_browser, running):
    first, sender, _ = peer(camera_browser, running, "Kitchen")
    second, receiver, _ = peer(camera_browser, running, "Studio")
    offer(sender, "everyone")
    receiver.get_by_role("button", name="Watch: Kitchen").click()
    shown(receiver)
    sender.evaluate("vestibule.source.picture.dispatchEvent(new Event('ended'))")
    expect(sender.get_by_text("The camera is gone: it was unplugged")).to_be_visible()
    expect(receiver.get_by_text("Nobody else offers")).to_be_visible()
    first.close()
    second.close()


def test_a_page_in_the_background_says_so_and_goes_on(camera_browser, running):
    first, sender, _ = peer(camera_browser, running, "Kitchen")
    second, receiver, _ = peer(camera_browser, running, "Studio")
    warning = sender.get_by_text("This page is in the background")

    def hide(is_hidden):
        sender.evaluate("""(isHidden) => {
            Object.defineProperty(document, 'hidden', { value: isHidden, configurable: true });
            document.dispatchEvent(new Event('visibilitychange'));
        }""", is_hidden)

    hide(True)
    expect(warning).to_have_count(0)
    hide(False)
    offer(sender, "everyone")
    receiver.get_by_role("button", name="Watch: Kitchen").click()
    shown(receiver, 5)
    hide(True)
    expect(warning).to_be_visible()
    # A browser that stops the picture: the receiver says for how long nothing has come, until it continues.
    # Another strategy of the engine does not continue it.
    sender.evaluate("() => { vestibule.pictures.turn(false); vestibule.pictures.turn = () => {}; }")
    silence = receiver.get_by_text("No picture has arrived for")
    expect(silence).to_be_visible()
    expect(silence).to_contain_text("in the background")
    # Another strategy replaces the words.
    words = texts_of(sender.locator("#words"))
    hide(False)
    words("The page is back in the foreground; the picture continues.")
    sender.evaluate("() => { delete vestibule.pictures.turn; vestibule.pictures.turn(true); }")
    expect(silence).to_have_count(0)
    first.close()
    second.close()


def told(page, codec):
    expect(page.locator("#strategy")).to_contain_text(codec)


@pytest.mark.parametrize("codec, words", [("h264", "H264"), ("av1", "AV1")])
def test_a_codec_is_used_while_all_receivers_have_it(camera_browser, running, codec, words):
    first, sender, errors = peer(camera_browser, running, "Kitchen")
    second, receiver, receiver_errors = peer(camera_browser, running, "Studio")
    sender.get_by_text("Quality", exact=True).click()
    sender.get_by_label("Codec").select_option(codec)
    offer(sender, "everyone")
    receiver.get_by_role("button", name="Watch: Kitchen").click()
    told(sender, words)
    shown(receiver, 10)
    codecs = "[...vestibule.tiles.values()][0].incoming.decoder.codec"
    until(lambda: receiver.evaluate(codecs) == codec)
    # One that knows VP8 only: all get that, and the better codec again when it has gone.
    with CameraPeer(running, "Old", decodes=("vp8",)) as old:
        old.say(type="start", sender=sender.evaluate("vestibule.socket.peer"))
        told(sender, "VP8")
        # Beside small still pictures, which are JPEGs.
        coded = until(lambda: old.read() or [each[1] for each in old.frames if each[0] in (1, 2)])
        assert set(coded) == {1}
        until(lambda: receiver.evaluate(codecs) == "vp8")
    told(sender, words)
    until(lambda: receiver.evaluate(codecs) == codec)
    # And one that knows none of them is told so.
    with CameraPeer(running, "None", decodes=()) as none:
        none.say(type="start", sender=sender.evaluate("vestibule.socket.peer"))
        assert none.wait("warning", about="start")["code"] == "codec"
    assert errors == [] and receiver_errors == []
    first.close()
    second.close()


def test_a_codec_that_cannot_be_encoded_in_the_wanted_size_gives_way_to_vp8(camera_browser, running):
    refuse = """
        const configure = VideoEncoder.prototype.configure;
        VideoEncoder.prototype.configure = function (config) {
            if (config.codec.startsWith('avc1')) throw new DOMException('too large', 'NotSupportedError');
            return configure.call(this, config);
        };
    """
    first, sender, errors = peer(camera_browser, running, "Kitchen", refuse)
    second, receiver, _ = peer(camera_browser, running, "Studio")
    sender.get_by_text("Quality", exact=True).click()
    sender.get_by_label("Codec").select_option("h264")
    offer(sender, "everyone")
    receiver.get_by_role("button", name="Watch: Kitchen").click()
    told(sender, "VP8")
    shown(receiver, 5)
    assert errors == []
    first.close()
    second.close()


def test_codecs_that_a_browser_lacks_are_named(camera_browser, running):
    without = "Object.defineProperty(window, '{}', {{ value: undefined }});"
    first, sender, _ = peer(camera_browser, running, "Kitchen")
    offer(sender, "everyone")
    # A browser that decodes nothing may still offer, one that encodes nothing may still watch.
    second, blind, errors = peer(camera_browser, running, "Blind", without.format("VideoDecoder"))
    blind.get_by_role("button", name="Watch: Kitchen").click()
    expect(blind.get_by_text("Kitchen sends vp8; of these, this browser decodes none that all its receivers decode.")).to_be_visible()
    third, mute, others = peer(camera_browser, running, "Mute", without.format("VideoEncoder"))
    for codec in ("H.264", "AV1"):
        expect(mute.locator("#codec option", has_text=codec)).to_be_disabled()
    mute.get_by_role("button", name="Offer", exact=True).click()
    expect(mute.get_by_text("This browser cannot encode pictures (WebCodecs with VP8). It can still watch.")).to_be_visible()
    mute.get_by_role("button", name="Watch: Kitchen").click()
    shown(mute, 5)
    assert errors == [] and others == []
    for context in (first, second, third):
        context.close()


def test_sound_of_a_microphone_is_heard(camera_browser, running):
    first, sender, errors = peer(camera_browser, running, "Voice")
    second, receiver, _ = peer(camera_browser, running, "Ear")
    sender.get_by_label("Offer", exact=True).select_option("microphone")
    offer(sender, "everyone")
    receiver.get_by_role("button", name="Hear: Voice").click()
    # The fake microphone beeps once a second.
    receiver.wait_for_function("() => [...vestibule.tiles.values()].some((tile) => tile.incoming?.sound.level > 0.01)")
    assert errors == []
    first.close()
    second.close()
