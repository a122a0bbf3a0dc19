"""Wordings that readers did not understand are not used in texts, and their replacements are."""

import json
import re

import pytest

from program import ROOT

# The previous wording as a pattern, and the one in its place: a whole quoted text, or a sentence at its beginning. What undo names, such as
# "Undo: Move Gate", is put together; test_panel_rack.py looks at it.
WORDINGS = [
    (r"Nothing stands here", "No effects yet. Sound passes unchanged."),
    (r"[Ee]ars of one.s own", "HRTF file (SOFA)"),
    (r"[\"'>]by hand[\"'<]", "Crossover override"),
    (r"[Ww]ay of a pose", "Latency by stage"),
    (r"[Ww]ho is there\?", "Sign in"),
    (r"[\"'>]Come in[\"'<]", "Connect"),
    (r"not known here;|token is not known here", "Wrong token"),
    (r"[Nn]umbers walk there|[Vv]alues glide", "Values are ramped over this time"),
    (r"[Uu]ndo nothing", "Nothing to ${title.toLowerCase()}"),
    (r"Undo: Layout", "Nothing to ${title.toLowerCase()}"),
    (r"Median of a pose|[\"'>]Middle value", "median (ms)"),
    (r"[\"'>]End motion", "Stop recording"),
    (r"between samples either", "True-peak limit"),
    (r"[Ee]nds all that sound", "Stops all cues"),
    (r"[Aa]s it came", "Dry"),
    (r"mend it there", "fix that line"),
    (r"No warning may appear", "You should see no warning"),
    (r"kept from an earlier time|worked out\"", "computing HRTF filters"),
    (r"filters towards the ears", "computing HRTF filters"),
    (r"which is needed, the former", "Requires --overwrite"),
    (r"[Ss]witches over at every press", "Toggles at every press"),
    (r"Only turn a head", "Head tracker only"),
    (r"Small picture for others", "Send a thumbnail"),
    (r"Never (below|fewer)", "Minimum frame rate"),
    (r"None was fired", "No cue fired yet"),
    (r"Take an object.s sound away", "Remove an object"),
    (r"Go on with the download", "Resume download"),
    (r"state of the start is restored", "The initial state is restored"),
    (r"head may move as it likes", "Move your head freely"),
    (r"[Ww]ords are searched in", "Search matches numbers"),
    (r"(delivers|gives) no orientation", "This browser does not report the phone’s orientation"),
    (r"[Pp]rogramme (change|channel|rack)", "Program change rack"),
    (r"the words about (a file (are|were)|\\\()", "the description of a recording"),
]
# Sentences that are not idiomatic: "X is no Y" for "X is not a Y", "there is A, B, C" for "the … are A, B, C", "behind" for "after",
# "goes on" for "continues", "anew" for "again", "in place of" for "instead of", and things that tell.
FORMS = [
    r"(?<![Tt]here )\b(is|are) no (?!longer\b|more\b|less\b|further\b|worse\b|louder\b|sharper\b|[A-Z])[a-z]",
    r"\bthere (is|are) (\\\(names|\\\(allowed|\\\(scenes|[a-z]+, [a-z]+ and )",
    r"\bbehind (\\\"|\\\(|the controller|its rack\b|everything else|HOST:PORT|the (first|point|names?)\b)",
    r"\bcomes? (a|the) [a-z ]+; one with\b",
    r"\b(goes|go|went) on\b(?! (request|to )\b)",
    r"\banew\b",
    r"\bin place of\b(?! which| whom)",
    r"\b[Tt]ells (how|it|that|the|them|to|what|when|where|whether|which|why)\b",
    r"\b(said|says) so\b",
]
PLACES = {
    "Sources": "*.swift", "web": "*.html", "web/js": "*.js", "web/pages": "*.html", "docs": "*.md", "protocol": "*", "presets": "*.json"}


@pytest.fixture(scope="module")
def texts():
    """All that becomes text for people, by file; line ends and the joints of long Swift texts are spaces."""
    files = [path for place, kind in PLACES.items() for path in (ROOT / place).rglob(kind) if path.is_file()]
    return {path.relative_to(ROOT): re.sub(r"(\"\s*\+\s*\"|'\s*\+ '|\s+)", " ", path.read_text()) for path in files}


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
    return {each for place, kind in PLACES.items() if kind in ("*.swift", "*.js", "*.html")
            for path in (ROOT / place).rglob(kind) for each in quoted_in(path)}


@pytest.mark.parametrize(("former", "present"), WORDINGS)
def test_a_wording_is_replaced(texts, quoted, former, present):
    assert [str(path) for path, text in texts.items() if re.search(former, text)] == []
    begins = re.compile(r"(^|[.!?] )" + re.escape(present) + r"(?!\w)")
    assert any(begins.search(each) for each in quoted)


def test_comments_and_identifiers_are_not_texts(tmp_path):
    path = tmp_path / "example.swift"
    path.write_text('// "Former"\n/* "Other" */ let present = "Long " +\n    "text" // "third"\nlet url = "http://x"\n')
    assert quoted_in(path) == ["Long text", "http://x"]


@pytest.mark.parametrize("form", FORMS)
def test_a_form_does_not_appear(texts, form):
    found = {str(path): match.group(0) for path, text in texts.items() if (match := re.search(form, text))}
    assert found == {}


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
