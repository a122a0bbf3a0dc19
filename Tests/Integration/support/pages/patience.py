"""How long pages and servers of WebSockets may take in tests."""

import websockets.asyncio.client
import websockets.sync.client
from playwright.sync_api import Browser

from waiting import LIMIT


def be_patient(patch):
    """Gives the pages of all browsers, and all WebSockets, the limit of all waiting. `patch` is pytest's monkeypatch."""
    for name in ("new_context", "new_page"):
        patch.setattr(Browser, name, patient(getattr(Browser, name)))
    # Otherwise a connection has to be there within ten seconds, and a ping is answered within twenty, behind all that nobody has read.
    for connect in (websockets.sync.client.connect, websockets.asyncio.client.connect.__init__):
        for name in ("open_timeout", "ping_timeout"):
            patch.setitem(connect.__kwdefaults__, name, LIMIT)


def patient(make):
    """A method that makes a context or a page, with the limit."""
    def made(*arguments, **options):
        found = make(*arguments, **options)
        found.set_default_timeout(1000 * LIMIT)
        return found

    return made
