"""What pages of the panel do in passing: texts that go again, values of a drag that are held back, and times that a hand takes."""

import contextlib
import itertools

from playwright.sync_api import expect

from waiting import until

# Lets a test hold `performance.now()`, by which pages measure how long a finger rests or an answer takes; timers are not held.
CLOCK = """{
  const now = performance.now.bind(performance);
  let held = null;
  performance.now = () => held ?? now();
  window.holdClock = () => { held = performance.now(); };
  window.advanceClock = (milliseconds) => { held += milliseconds; };
  window.releaseClock = () => { held = null; };
}"""

# Keeps every text that an element shows from now on.
KEEP = """(part, key) => {
  const shown = new Set();
  const note = () => shown.add(part.innerText);
  (window.keptTexts ??= {})[key] = shown;
  new MutationObserver(note).observe(part, { attributes: true, characterData: true, childList: true, subtree: true });
  note();
}"""

_keys = itertools.count()


def texts_of(locator):
    """Keeps the texts that an element shows from now on, since some go after seconds. Returns a function that waits for words in one."""
    page, key = locator.page, next(_keys)
    locator.evaluate(KEEP, key)
    shown = lambda: page.evaluate("(key) => [...keptTexts[key]]", key)
    return lambda words: until(lambda: any(words in text for text in shown()), lambda: f"{words!r} in {shown()}")


def notices(page):
    """As `texts_of`, for the notices on top of the page."""
    return texts_of(page.locator("#notices"))


def sent(page):
    """Waits until a page has sent the values of a drag that it held back, and the drag's end: timers fire in the order of their times."""
    page.evaluate("() => new Promise((done) => setTimeout(done, 100))")


@contextlib.contextmanager
def made_anew(page):
    """What is done inside gives the engine's tree another shape: waits until the page is made anew for it, with all of its elements."""
    former = page.locator("#head").evaluate_handle("head => head.firstElementChild")
    yield
    page.wait_for_function("part => !part.isConnected", arg=former)


def unfold(card):
    """Opens a card that is folded, as cards of phones are at first."""
    expect(card).to_be_visible()
    fold = card.locator(".card-fold").first
    if fold.is_visible() and fold.get_attribute("aria-expanded") == "false":
        fold.click()
    return card
