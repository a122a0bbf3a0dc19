"""Names of the program's threads, as `top -H` shows them."""

import pathlib

from waiting import until


def names(engine):
    """Returns the names of the threads of a running engine, sorted."""
    tasks = pathlib.Path(f"/proc/{engine.process.pid}/task").iterdir()
    return sorted((task / "comm").read_text().strip() for task in tasks)


def test_every_thread_is_named_for_its_work(engine):
    found = until(lambda: "media" in (now := names(engine)) and now)
    assert {"vestibule", "audio timer", "pose", "media", "signals"} <= set(found), found
    assert found.count("vestibule") == 1, f"only the control thread has the program's name: {found}"
