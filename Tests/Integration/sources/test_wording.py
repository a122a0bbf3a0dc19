"""Texts for people have the wordings that readers understood, and counts are named for what they count."""

import json
import re

import pytest

from program import ROOT

# Each is a whole quoted text, or a sentence at its beginning. What undo names, such as "Undo: Move Gate", is put together;
# test_panel_rack.py looks at it.
WORDINGS = [
    "No effects yet. Sound passes unchanged.", "HRTF file (SOFA)", "Crossover override", "Latency by stage", "Sign in", "Connect",
    "Wrong token", "Values are ramped over this time", "Nothing to ${title.toLowerCase()}", "median (ms)", "Stop recording",
    "True-peak limit", "Stops all cues", "Dry", "fix that line", "You should see no warning", "computing HRTF filters",
    "Requires --overwrite", "Toggles at every press", "Head tracker only", "Send a thumbnail", "Minimum frame rate", "No cue fired yet",
    "Remove an object", "Resume download", "The initial state is restored", "Move your head freely", "Search matches numbers",
    "This browser does not report the phone’s orientation", "Program change rack", "the description of a recording"
]
PLACES = {"Sources": "*.swift", "web": "*.html", "web/js": "*.js"}
LITERAL = re.compile(r'"""(.*?)"""|"((?:[^"\\\n]|\\.)*)"|\'((?:[^\'\\\n]|\\.)*)\'|`((?:[^`\\]|\\.)*)`', re.S)


def quoted_in(path):
    """Quoted texts of a source file, and texts and attributes of a page; comments and identifiers are none."""
    text = path.read_text()
    if path.suffix == ".html":
        text = re.sub(r"<!--.*?-->", "", text, flags=re.S)
        found = re.findall(r">([^<>]+)<", text) + re.findall(r'="([^"]*)"', text)
    else:
        text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
        text = re.sub(r"(^|\s)//[^\n]*", "", text)
        text = re.sub(r"\"\s*\+\s*\"|'\s*\+\s*'|\\\n\s*", "", text)
        found = [next(group for group in match.groups() if group is not None) for match in LITERAL.finditer(text)]
    return [" ".join(each.split()) for each in found]


@pytest.fixture(scope="module")
def quoted():
    return {each for place, kind in PLACES.items() for path in (ROOT / place).rglob(kind) for each in quoted_in(path)}


@pytest.mark.parametrize("wording", WORDINGS)
def test_a_wording_is_used(quoted, wording):
    begins = re.compile(r"(^|[.!?] )" + re.escape(wording) + r"(?!\w)")
    assert any(begins.search(each) for each in quoted)


def test_comments_and_identifiers_are_not_texts(tmp_path):
    path = tmp_path / "example.swift"
    path.write_text('// "Former"\n/* "Other" */ let present = "Long " +\n    "text" // "third"\nlet url = "http://x"\n')
    assert quoted_in(path) == ["Long text", "http://x"]


def test_counts_are_named_for_what_they_count():
    tree = json.loads((ROOT / "protocol/namespace.json").read_text())
    titles = set()

    def collect(node):
        titles.add(node.get("DESCRIPTION", "").split(". ")[0])
        for child in node.get("CONTENTS", {}).values():
            collect(child)

    collect(tree)
    assert {"Bad messages", "Unknown addresses", "Superseded poses", "True-peak limit", "Forward offset"} <= titles
