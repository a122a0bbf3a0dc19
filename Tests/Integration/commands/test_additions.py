"""Costs of additions that CONTRIBUTING.md states, for everything that has been added: what belongs to one effect, method, telemetry
topic, card or tracker is in its own files, apart from one line, or from one case with its lines in two switches."""

import functools
import re

import pytest

from program import ROOT

SOURCES = {path: path.read_text() for path in sorted((ROOT / "Sources").rglob("*.swift"))}
SCRIPTS = {path: path.read_text() for path in sorted((ROOT / "web/js").rglob("*.js"))}
EFFECTS = ROOT / "Sources/Realtime/Effects"
# The limiter is also the one that protects hearing, and the one at the end of every rack.
SHARED = {"Limiter": {ROOT / "Sources/Realtime/RenderCore/Output/OutputChain.swift", ROOT / "Sources/Realtime/Rack/Rack.swift"}}


@functools.cache
def code(text):
    """Lines without comments."""
    return "\n".join(re.sub(r"(^|\s)//.*", "", line) for line in text.splitlines())


def users(pattern, own, files):
    """Files other than `own` whose code matches a pattern, with the number of matches."""
    counts = {path: len(re.findall(pattern, code(text))) for path, text in files.items() if path not in own}
    return {str(path.relative_to(ROOT)): count for path, count in counts.items() if count}


def effects():
    for path, text in SOURCES.items():
        if path.is_relative_to(EFFECTS) and path.name.endswith("+Kind.swift"):
            name, kernel = re.search(r"static let (\w+) = EffectKind\(\s*(\w+)\.self", text).groups()
            yield pytest.param(path.parent, name, kernel, id=name)


@pytest.mark.parametrize("folder, name, kernel", list(effects()))
def test_an_effect_is_its_folder_and_one_line(folder, name, kernel):
    own = {path for path in SOURCES if path.is_relative_to(folder)} | SHARED.get(kernel, set())
    # Calls and members of the kernel; its name alone may be a word of other modules.
    assert users(rf"\b{kernel}(\(rate|\.Settings|\.self|\+Kind)", own, SOURCES) == {}
    registry = SOURCES[EFFECTS / "Registry/EffectRegistry.swift"]
    assert len(re.findall(rf"^\s*\.{name},$", registry, re.MULTILINE)) == 1


def methods():
    for path in sorted((ROOT / "Sources/Realtime/Binaural/Methods/Rules").glob("*Method.swift")):
        yield pytest.param(path, id=path.stem)


@pytest.mark.parametrize("path", list(methods()))
def test_a_method_is_one_file_and_one_case(path):
    assert users(rf"\b{path.stem}\b", {path}, SOURCES) == {"Sources/Realtime/Binaural/Methods/InterpolationMethod.swift": 2}


def topics():
    for path, text in SOURCES.items():
        for name in re.findall(r"^(?:final class|struct) (\w+): (?:Telemetry|State|Event)Topic\b", text, re.MULTILINE):
            yield pytest.param(path, name, id=name)


@pytest.mark.parametrize("path, name", list(topics()))
def test_a_telemetry_topic_is_one_file_and_one_line(path, name):
    assert users(rf"\b{name}\(", {path}, SOURCES) == {"Sources/Features/Query/Telemetry/TelemetryTopics.swift": 1}


def cards():
    for path, text in SCRIPTS.items():
        if re.search(r"^export default \{", text, re.MULTILINE) and re.search(r"\bmake\b", text):
            yield pytest.param(path, id=path.stem)


@pytest.mark.parametrize("path", list(cards()))
def test_a_card_is_one_file_and_one_line(path):
    assert users(rf"'[^']*/{path.name}'", {path}, SCRIPTS) == {"web/js/panel/cards.js": 1}


def trackers():
    for path, text in SOURCES.items():
        if path.name.startswith("TrackerProfile+"):
            for name in re.findall(r'^ {8,12}(?:TrackerProfile\(\s*)?"([\w-]+)", "[^"]+",? (?:port|transport)', text, re.MULTILINE):
                yield pytest.param(path, name, id=name)


@pytest.mark.parametrize("path, name", list(trackers()))
def test_a_tracker_is_one_row(path, name):
    assert code(SOURCES[path]).count(f'"{name}", "') == 1
    assert users(rf'(tracker|profile|named)[^"\n]*"{name}"', {path}, SOURCES) == {}


# Groups of numbers, switches and choices that the engine reads by their names.
SCALARS = ("AirParameter", "InputParameter", "MetronomeParameter", "MusicParameter", "ProtectionParameter", "StreamParameter")
DERIVED = ("Sources/Control/Parameters", "Sources/Control/Session", "Sources/Features/Query/OSCQuery",
           "Sources/Network/OSCControl/Dispatching", "web/js/shared/tree")


def scalars():
    for group in SCALARS:
        path = next(path for path in SOURCES if path.name == f"{group}.swift")
        for line in re.findall(r"^    case ([\w, ]+)$", SOURCES[path], re.MULTILINE):
            for name in line.split(", "):
                yield pytest.param(path, group, name, id=f"{group}.{name}")


@pytest.mark.parametrize("path, group, name", list(scalars()))
def test_a_scalar_is_two_lines(path, group, name):
    """Its name in the list of cases, and its declaration; addresses, sessions, OSCQuery and the panel follow from them."""
    declared = code(SOURCES[path])
    assert len(re.findall(rf"^    case .*\b{name}\b", declared, re.MULTILINE)) == 1
    assert len(re.findall(rf"^ +case .*\.{name}\b.*:", declared, re.MULTILINE)) >= 1
    files = {p: text for p, text in (SOURCES | SCRIPTS).items() if str(p.relative_to(ROOT)).startswith(DERIVED)}
    assert users(rf"\b{group}\.{name}\b", {path}, files) == {}


def test_the_additions_are_found():
    """The patterns above find what there is."""
    registry = SOURCES[EFFECTS / "Registry/EffectRegistry.swift"]
    assert len(list(effects())) == len(re.findall(r"^        \.\w+,$", registry, re.MULTILINE)) >= 14
    cases = SOURCES[ROOT / "Sources/Realtime/Binaural/Methods/InterpolationMethod.swift"]
    assert len(list(methods())) == len(re.search(r"case ([\w, ]+)\n", cases)[1].split(",")) >= 8
    topics_file = SOURCES[ROOT / "Sources/Features/Query/Telemetry/TelemetryTopics.swift"]
    assert len(list(topics())) == len(re.findall(r"\{ \w+Topic\(\$0\) \}", topics_file)) >= 8
    assert len(list(cards())) == len(re.findall(r"import\('", SCRIPTS[ROOT / "web/js/panel/cards.js"])) >= 22
    assert len(list(trackers())) > 25
    assert len(list(scalars())) > 30
