"""The table of groups names existing files and folders, each once."""

import pathlib

from groups import GROUPS, LONGEST, group, order

HERE = pathlib.Path(__file__).parents[1]
ENTRIES = [entry for entries in GROUPS.values() for entry in entries]


def test_every_entry_exists_and_is_in_one_group():
    assert [entry for entry in ENTRIES if not (HERE / entry).exists()] == []
    assert sorted(ENTRIES) == sorted(set(ENTRIES))


def test_the_longest_files_exist_and_come_first():
    assert [path for path in LONGEST if not (HERE / path).is_file()] == []
    assert sorted(LONGEST) == sorted(set(LONGEST))
    assert order(LONGEST[-1]) < order("commands/test_groups.py")


def test_the_longest_entry_applies():
    assert [group(path) for path in (
        "commands/test_render.py", "commands/test_measure.py", "engine/test_rack.py", "engine/test_jack.py", "engine/test_hrtf.py",
        "network/test_telemetry.py", "network/library/test_library_about.py")] == [
            "computing", "waiting", "waiting", "alone", "computing", "alone", "computing"]
