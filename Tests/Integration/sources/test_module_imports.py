"""The modules of Package.swift: what they import is what they declare, and nothing more."""

import json
import os
import re
import subprocess

import pytest

from program import ROOT

IMPORT = re.compile(
    r"^[ \t]*(?:@\w+(?:\([^)]*\))? +)*(?:(?:public|package|internal|fileprivate|private) +)?import +"
    r"(?:(?:struct|enum|class|protocol|typealias|func|var|let) +)?(\w+)", re.MULTILINE)
# Every module gets it without an import, for its conversions of numbers.
EVERYWHERE = {"Numbers"}


@pytest.fixture(scope="module")
def targets(tmp_path_factory):
    folder = tmp_path_factory.mktemp("package")
    described = subprocess.run(
        ["swift", "package", "--scratch-path", folder, "dump-package"], cwd=ROOT, check=True, capture_output=True, text=True,
        # The package manager leaves its locks there.
        env=dict(os.environ, TMPDIR=str(folder)))
    return json.loads(described.stdout)["targets"]


def imports(target):
    folder = target["path"] if target.get("path") else ("Tests/" if target["type"] == "test" else "Sources/") + target["name"]
    files = [path for path in (ROOT / folder).rglob("*.swift") if "corpus" not in path.parts]
    return set().union(*(IMPORT.findall(path.read_text()) for path in files)), bool(files)


def test_declared_dependencies_are_those_that_are_imported(targets):
    names = {target["name"] for target in targets}
    faults = []
    for target in targets:
        found, is_swift = imports(target)
        if target["type"] == "system" or not is_swift:
            continue
        declared = {each[0] for dependency in target["dependencies"] for kind, each in dependency.items() if kind in ("byName", "target")}
        faults += [f"{target['name']} imports {name} and does not declare it" for name in found & names - declared - {target["name"]}]
        faults += [f"{target['name']} declares {name} and does not import it" for name in declared - found - EVERYWHERE]
    assert faults == []
    # The test sees imports at all.
    assert {"Hub", "Render"} <= imports(next(target for target in targets if target["name"] == "Engine"))[0]
