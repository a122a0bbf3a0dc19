"""The page /camera in a browser."""

from playwright.sync_api import expect

import chromium


def peer(browser, engine, name, script="", **options):
    """Opens the page under a name."""
    kept = f"if (!localStorage.length) localStorage.setItem('vestibule.camera', JSON.stringify({{ values: {{ name: '{name}' }} }}));"
    return chromium.live_page(browser, engine.url + "/camera", kept + script, **(options or {"viewport": {"width": 1280, "height": 860}}))


def offer(page, admit):
    page.get_by_label("Who may receive").select_option(admit)
    page.get_by_role("button", name="Offer", exact=True).click()
    expect(page.get_by_text("Offered.")).to_be_visible()
    settle(page)


def settle(page):
    """Waits until the engine has handled all that a page has sent: it refuses the wish to receive oneself after what came before it."""
    page.evaluate("""() => {
        const { peer, socket } = vestibule.socket;
        window.isSettled = false;
        socket.addEventListener('message', ({ data }) => {
            const { about, sender } = typeof data === 'string' ? JSON.parse(data) : {};
            if (about === 'start' && sender === peer) window.isSettled = true;
        });
        socket.send(JSON.stringify({ type: 'start', sender: peer }));
    }""")
    page.wait_for_function("() => isSettled")


def shown(page, count=1):
    """Waits until pictures are shown and their delay is known."""
    page.wait_for_function(
        "(count) => [...vestibule.tiles.values()].some((tile) => tile.incoming?.delays.count >= count)", arg=count)


def shows_more(page, count):
    """Waits until so many further pictures are shown. The record of delays has the latest 150 only, so that its count says nothing then."""
    page.evaluate("""() => {
        const [{ incoming }] = vestibule.tiles.values();
        incoming.drawOnly ??= incoming.draw;
        window.drawn = 0;
        incoming.draw = (picture) => {
            incoming.drawOnly(picture);
            window.drawn += 1;
        };
    }""")
    page.wait_for_function("(count) => drawn >= count", arg=count)
