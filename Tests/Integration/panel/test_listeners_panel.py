"""Listeners on the panel in a real browser: the table, its search and pages, commands, a listener of the browser's own."""

import contextlib
import json
import re

import pytest
from playwright.sync_api import expect
from websockets.sync.client import connect

from chromium import live_page, number_in, painted
from figures import figure, measured
from panel_page import CLOCK, notices
from program import Engine
from waiting import holds, until

DESK = {"viewport": {"width": 1440, "height": 900}}
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


@pytest.fixture
def server(scene):
    with Engine("--recording", scene, "--network-listeners", "48", "--method", "nearest") as engine:
        # Listeners whose client has left are kept for as long as a test takes.
        engine.osc().send_message("/listener/keep", 3600.0)
        until(lambda: engine.value("/listener/keep") == 3600)
        yield engine


def opened(browser, engine, fragment="#engine", **options):
    return live_page(browser, f"{engine.url}/{fragment}", **(options or DESK))


def table(engine, query=""):
    return engine.get("/listeners" + query)


def add(engine, *names):
    for name in names:
        engine.osc().send_message("/listener/add", name)
    until(lambda: table(engine)["total"] > len(names))


def rows(page):
    return page.get_by_role("table", name="Listeners").get_by_role("row").filter(has=page.get_by_role("cell"))


def row(page, number):
    return rows(page).filter(has=page.locator(".listener-name b", has_text=re.compile(f"^{number}$")))


@contextlib.contextmanager
def joined(engine):
    with connect(engine.socket_url + "/audio/join", close_timeout=0.5) as socket:
        yield json.loads(socket.recv(timeout=60))["listener"]


def test_listeners_are_added_renamed_and_removed(browser, server, screenshots):
    context, page, complaints = opened(browser, server)
    expect(rows(page)).to_have_count(1)
    expect(row(page, 1)).to_contain_text("device channels 1, 2")
    expect(row(page, 1).get_by_role("button", name="Remove")).to_have_count(0)
    card = page.get_by_role("region", name="Listeners", exact=True)
    card.get_by_label("Name of a new listener").fill("Anna")
    page.keyboard.press("Enter")
    expect(row(page, 2)).to_contain_text("Anna")
    expect(row(page, 2)).to_contain_text("added, no client")
    expect(card.get_by_text("2 of 49")).to_be_visible()
    row(page, 2).get_by_role("button", name="Rename").click()
    dialog = page.get_by_role("dialog", name="Rename Listener 2, Anna")
    expect(dialog.get_by_label("Name")).to_be_focused()
    dialog.get_by_label("Name").fill("Berta")
    page.keyboard.press("Enter")
    expect(row(page, 2)).to_contain_text("Berta")
    until(lambda: server.value("/listener/2/name") == "Berta")
    # The device's listener has a name, too, and names can be taken away.
    for name in ("Stage", ""):
        row(page, 1).get_by_role("button", name="Rename").click()
        page.get_by_role("dialog").get_by_label("Name").fill(name)
        page.keyboard.press("Enter")
        until(lambda name=name: server.value("/listener/1/name") == name)
    row(page, 2).get_by_role("button", name="Remove").click()
    question = page.get_by_role("dialog", name="Remove Listener 2, Berta?")
    question.get_by_role("button", name="Cancel").click()
    holds(lambda: table(server)["total"] == 2)
    row(page, 2).get_by_role("button", name="Remove").click()
    question.get_by_role("button", name="Remove").click()
    expect(row(page, 2)).to_have_count(0)
    until(lambda: table(server)["total"] == 1)
    keep = card.get_by_label("Keep time")
    keep.fill("5")
    keep.press("Enter")
    until(lambda: server.value("/listener/keep") == 5)
    assert complaints == []
    context.close()


def test_the_table_shows_what_a_listener_does(browser, server, screenshots):
    context, page, complaints = opened(browser, server)
    with joined(server) as number:
        server.osc().send_message(f"/listener/{number}/method", "linear")
        found = row(page, number)

        def tells(text):
            """Whether the row has a text, while the head moves: only recent poses have a latency."""
            server.osc().send_message(f"/listener/{number}/ypr", [40.0, -10.0, 5.0])
            return text in found.inner_text()

        for text in ["40°  −10°  5°", "linear", "1 client", " ms"]:
            until(lambda text=text: tells(text), found.inner_text)
        level = found.get_by_role("meter")
        until(lambda: (number_in(level.get_attribute("aria-valuenow")) or -120) > -50)
        # One that is being heard is not removed.
        expect(found.get_by_role("button", name="Remove")).to_be_disabled()
        painted(page)
        page.screenshot(path=screenshots / "listeners-desk.png")
    expect(row(page, 2)).to_contain_text("kept for")
    expect(row(page, 2).get_by_role("button", name="Remove")).to_be_enabled()
    assert complaints == []
    context.close()


def test_the_table_is_searched_and_paged(browser, server):
    add(server, *[f"Seat {number:02}" for number in range(1, 41)])
    context, page, complaints = opened(browser, server)
    expect(page.get_by_text("1 to 10 of 41")).to_be_visible()
    back, forward = page.get_by_role("button", name="Previous listeners"), page.get_by_role("button", name="Next listeners")
    expect(back).to_be_disabled()
    forward.click()
    expect(page.get_by_text("11 to 20 of 41")).to_be_visible()
    expect(rows(page).first).to_contain_text("Seat 10")
    for place in ("21 to 30", "31 to 40", "41 to 41"):
        forward.click()
        expect(page.get_by_text(f"{place} of 41")).to_be_visible()
    expect(forward).to_be_disabled()
    # The page before is shown when the last row has gone.
    server.osc().send_message("/listener/remove", 41)
    expect(page.get_by_text("31 to 40 of 40")).to_be_visible()
    back.click()
    expect(page.get_by_text("21 to 30 of 40")).to_be_visible()
    search = page.get_by_role("searchbox", name="Search")
    # Every word is searched by itself: number 38 is Seat 37.
    search.fill("seat 38")
    expect(page.get_by_text("1 to 2 of 2 found, 40 in all")).to_be_visible()
    expect(rows(page).first).to_contain_text("Seat 37")
    search.fill("nobody <b>")
    expect(page.get_by_text("No listener matches “nobody <b>”.")).to_be_visible()
    expect(page.get_by_role("table", name="Listeners")).to_be_hidden()
    search.fill("")
    expect(page.get_by_text("1 to 10 of 40")).to_be_visible()
    assert complaints == []
    context.close()


def test_a_selected_listener_is_shown_on_the_other_pages(browser, server):
    """One beyond those that the engine lists, too, and the place in the table and the focus stay."""
    add(server, *[f"Seat {number}" for number in range(1, 41)])
    context, page, complaints = opened(browser, server)
    page.get_by_role("searchbox", name="Search").fill("Seat 39")
    name = page.get_by_role("button", name="Listener 40, Seat 39", exact=True)
    name.focus()
    page.keyboard.press("Enter")
    expect(name).to_have_attribute("aria-pressed", "true")
    expect(name).to_be_focused()
    expect(page.get_by_role("searchbox", name="Search")).to_have_value("Seat 39")
    page.get_by_role("link", name="Show Listener 40 on Head").click()
    # One tab for the wired listener, and one for the selected one.
    expect(page.get_by_role("radiogroup", name="Listener").get_by_role("radio")).to_have_count(2)
    gain = page.get_by_role("spinbutton", name="Gain", exact=True)
    gain.fill("-9")
    gain.press("Enter")
    until(lambda: server.value("/listener/40/gain") == -9)
    server.osc().send_message("/listener/40/gain", -4.0)
    expect(gain).to_have_value("-4")
    page.reload()
    expect(page.get_by_role("radio", name="Listener 40")).to_be_checked()
    expect(gain).to_have_value("-4")
    told = notices(page)
    server.osc().send_message("/listener/remove", 40)
    told("Listener 40 was removed. Listener 1 is shown instead.")
    expect(page.get_by_role("radiogroup", name="Listener")).to_have_count(0)
    assert complaints == []
    context.close()


def test_the_panel_stays_as_it_is_while_others_come_and_go(browser, server):
    context, page, complaints = opened(browser, server, script=CLOCK, **DESK)
    # An engine that is stalled is silent for no time, after which the page would connect and read everything again.
    page.evaluate("holdClock()")
    field = page.get_by_label("Name of a new listener")
    field.fill("half a na")
    trees = []
    page.on("request", lambda request: trees.append(request.url) if request.url.rstrip("/") == server.url else None)
    for _ in range(3):
        with joined(server) as number:
            expect(row(page, number)).to_contain_text("1 client")
        expect(row(page, number)).to_contain_text("kept for")
        server.osc().send_message("/listener/remove", number)
        expect(row(page, number)).to_have_count(0)
    expect(field).to_have_value("half a na")
    expect(field).to_be_focused()
    assert trees == [] and complaints == []
    context.close()


def test_a_browser_has_a_listener_of_its_own_also_after_a_reload(browser, server):
    context, page, complaints = opened(browser, server)
    heard = lambda: page.evaluate("window.vestibule?.listen ?? null")
    plays = lambda: (v := heard()) and v["playing"] and v["rms"] > 0.002
    page.get_by_role("button", name="Listen as my own listener").click()
    expect(row(page, 2)).to_contain_text("1 client")
    expect(page.get_by_role("button", name="Listener 2", exact=True)).to_have_attribute("aria-pressed", "true")
    until(plays, heard)
    server.osc().send_message("/listener/2/gain", -7.5)
    until(lambda: server.value("/listener/2/gain") == -7.5)
    page.reload()
    expect(row(page, 2)).to_contain_text("kept for")
    page.get_by_role("button", name="Listen", exact=True).click()
    expect(row(page, 2)).to_contain_text("1 client")
    until(plays, heard)
    assert table(server)["total"] == 2 and server.value("/listener/2/gain") == -7.5
    # When it was removed meanwhile, the browser gets another one.
    page.get_by_role("button", name="Listening").click()
    expect(row(page, 2)).to_contain_text("kept for")
    server.osc().send_message("/listener/remove", 2)
    expect(row(page, 2)).to_have_count(0)
    add(server, "Anna")
    page.get_by_role("button", name="Listen as my own listener").click()
    expect(row(page, 3)).to_contain_text("1 client")
    expect(page.get_by_role("button", name="Listener 3", exact=True)).to_have_attribute("aria-pressed", "true")
    assert complaints == []
    context.close()


def test_a_visitor_who_may_only_watch_has_no_commands(browser, scene, tmp_path):
    with Engine("--recording", scene, "--token-file", tmp_path / "tokens", "--network-listeners", "4") as engine:
        tokens = dict(line.split() for line in (tmp_path / "tokens").read_text().splitlines())
        engine.osc().send_message("/listener/add", "Anna")
        context = browser.new_context(**DESK)
        page = context.new_page()
        page.goto(f"{engine.url}/#token={tokens['view']}")
        expect(page.get_by_text("View only", exact=True)).to_be_visible()
        page.get_by_role("tab", name="Engine").click()
        expect(row(page, 2)).to_contain_text("Anna")
        for name in ["Rename", "Remove", "Add listener"]:
            expect(page.get_by_role("button", name=name)).to_have_count(0)
        for label in ["Keep time", "Name of a new listener"]:
            expect(page.get_by_label(label)).to_be_hidden()
        row(page, 2).get_by_role("cell", name="added, no client").click()
        expect(page.get_by_role("button", name="Listener 2, Anna")).to_have_attribute("aria-pressed", "true")
        context.close()


def test_a_phone_shows_cards_in_place_of_a_table(browser, server, screenshots):
    add(server, "Anna", "A name that is as long as names may be, which is sixty bytes")
    context, page, complaints = opened(browser, server, **PHONE)
    fold = page.get_by_role("button", name="Listeners", exact=True)
    asked = []
    page.on("request", lambda request: asked.append(request.url) if "/listeners?" in request.url else None)

    def count():
        # Requests are reported while the page is asked something.
        painted(page)
        return len(asked)

    holds(lambda: count() == 0)
    fold.click()
    expect(row(page, 3)).to_contain_text("sixty bytes")
    until(lambda: count() > 2)
    assert page.evaluate("document.querySelector('main').scrollWidth <= innerWidth")
    one, two = row(page, 2).bounding_box(), row(page, 3).bounding_box()
    assert one["width"] > 280 and two["y"] >= one["y"] + one["height"] - 1
    for button in page.get_by_role("region", name="Listeners", exact=True).get_by_role("button").all():
        box = button.bounding_box()
        assert box["height"] >= 44 and box["width"] >= 44, button.inner_text()
    page.screenshot(path=screenshots / "listeners-phone.png")
    # Nothing is asked while the card is folded, or another page is shown.
    fold.click()
    count()
    asked.clear()
    holds(lambda: count() <= 1, 1)
    assert complaints == []
    context.close()


def test_errors_and_an_engine_without_network_listeners(browser, scene):
    with Engine("--recording", scene, "--network-listeners", "0") as engine:
        context, page, _ = opened(browser, engine)
        expect(page.get_by_text("started without network listeners (--network-listeners 0)")).to_be_visible()
        expect(page.get_by_role("button", name="Add listener")).to_have_count(0)
        expect(page.get_by_role("button", name="Listen as my own listener")).to_have_count(0)
        page.route("**/listeners?*", lambda route: route.fulfill(status=503, body="busy"))
        alert = page.get_by_role("alert").filter(has_text="could not be read: the engine answered 503").first
        expect(alert).to_be_visible()
        page.unroute("**/listeners?*")
        expect(alert).to_have_count(0)
        expect(row(page, 1)).to_be_visible()
        context.close()


def asked_while_many_join(browser, engine, path):
    """Opens a page, and adds 200 listeners. Returns the page, and what it has asked for."""
    page = browser.new_context(**PHONE).new_page()
    asked = []
    page.on("request", lambda request: asked.append(request.url.removeprefix(engine.url)))
    page.goto(engine.url + path)
    until(lambda: page.evaluate("window.vestibule?.state") == "live")
    # From here on the page is told what is added.
    until(lambda: engine.metric('vestibule_ws_clients{kind="query"}') == 1)
    for last in range(5, 202, 4):
        for _ in range(4):
            engine.osc().send_message("/listener/add", "")
        until(lambda: engine.value("/listener/count") == last)
    # Requests are reported while the page is asked something.
    holds(lambda: page.evaluate("true"))
    return page, asked


@pytest.mark.parametrize("path", ["/phone", "/telemetry"])
def test_pages_read_only_what_is_added_when_many_join(browser, scene, path):
    with Engine("--recording", scene, "--network-listeners", "220", "--method", "nearest") as engine:
        page, asked = asked_while_many_join(browser, engine, path)
        parts = [each for each in asked if each.split("/")[-1].isdigit()]
        # Listeners that no list contains are not read.
        assert len(parts) <= 4 * 31 and not any(int(each.split("/")[-1]) > 32 for each in parts), parts
        if path == "/phone":
            # Listeners on the network belong to those who listen.
            expect(page.locator("#source option")).to_have_count(2)
            assert parts == []
        page.context.close()


@measured
@pytest.mark.parametrize("path", ["/phone", "/telemetry"])
def test_many_that_join_are_read_one_by_one(browser, scene, path):
    """The tree is read as a whole only where more have joined than the page has followed; connection.test.js counts it to the request."""
    with Engine("--recording", scene, "--network-listeners", "220", "--method", "nearest") as engine:
        page, asked = asked_while_many_join(browser, engine, path)
        figure(f"whole trees read by {path} while 200 listeners join", asked.count("/"), at_most=5)
        page.context.close()
