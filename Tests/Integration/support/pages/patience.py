"""How long pages may take in tests."""

from playwright.sync_api import Browser

from waiting import LIMIT


def be_patient(patch):
    """Gives the pages of all browsers the limit of all waiting. `patch` is pytest's monkeypatch."""
    for name in ("new_context", "new_page"):
        patch.setattr(Browser, name, patient(getattr(Browser, name)))


def patient(make):
    """A method that makes a context or a page, with the limit."""
    def made(*arguments, **options):
        found = make(*arguments, **options)
        found.set_default_timeout(1000 * LIMIT)
        return found

    return made
