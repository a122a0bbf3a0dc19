"""Wordings that strangers did not understand stay away from everything that people read; their replacements are there."""

import json
import re

import pytest

from program import ROOT

# The former wording as a pattern, and the one in its place.
WORDINGS = [
    (r"Nothing stands here", "No effects yet. Sound passes unchanged."),
    (r"[Ee]ars of one.s own", "Personal HRTF (SOFA"),
    (r"[\"'>]by hand[\"'<]", "override"),
    (r"[Ww]ay of a pose", "Latency by stage"),
    (r"[Ww]ho is there\?", "Sign in"),
    (r"[\"'>]Come in[\"'<]", "Connect"),
    (r"not known here;|token is not known here", "Wrong token"),
    (r"[Nn]umbers walk there", "Values glide over this time"),
    (r"[Uu]ndo nothing", "Nothing to ${title.toLowerCase()}"),
    (r"Undo: Layout", "move Gate"),
    (r"[\"'>]End motion", "Stop recording"),
    (r"between samples either", "True-peak limit"),
    (r"[Ee]nds all that sound", "Stops all cues"),
    (r"[Aa]s it came", "Dry"),
    (r"mend it there", "fix that line"),
    (r"No warning may appear", "You should see no warning"),
]
PLACES = {"Sources": "*.swift", "web/js": "*.js", "web/pages": "*.html", "docs": "*.md", "protocol": "*", "presets": "*.json"}


@pytest.fixture(scope="module")
def texts():
    """All that becomes text for people, by file; line ends and the joints of long Swift texts are spaces."""
    files = [path for place, kind in PLACES.items() for path in (ROOT / place).rglob(kind) if path.is_file()]
    return {path.relative_to(ROOT): re.sub(r"(\"\s*\+\s*\"|'\s*\+ '|\s+)", " ", path.read_text()) for path in files}


@pytest.mark.parametrize(("former", "present"), WORDINGS)
def test_a_wording_is_replaced(texts, former, present):
    assert [str(path) for path, text in texts.items() if re.search(former, text)] == []
    assert any(present in text for text in texts.values())


def test_counts_are_named_for_what_they_count():
    tree = json.loads((ROOT / "protocol/namespace.json").read_text())
    titles = set()

    def collect(node):
        titles.add(node.get("DESCRIPTION", "").split(". ")[0])
        for child in node.get("CONTENTS", {}).values():
            collect(child)

    collect(tree)
    assert {"Bad messages", "Unknown addresses", "Superseded poses", "True-peak limit", "Forward offset"} <= titles
    assert not {"Malformed", "Unknown", "Unused", "Front"} & titles
