"""Lines of `make measure` that README.md, docs/ and protocol/ name exist, each in one test, and the files of these tests are listed."""

import json
import re

import pytest

from program import ROOT

PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md")), *sorted((ROOT / "protocol").rglob("*.md"))]
MEASURING = [
    path for path in [*sorted((ROOT / "Tests/Integration").rglob("test_*.py")), *sorted((ROOT / "Tests").rglob("*Figures.swift"))]
    if re.search(r"\bfigure\(", path.read_text())]


def expression(name):
    """An expression for a name in which values are inserted, in Python or in Swift."""
    return ".+".join(map(re.escape, re.split(r"\{[^}]*\}|\\\([^)]*\)", name)))


@pytest.fixture(scope="module")
def lines():
    """Pairs of a file and an expression for the name of a line."""
    found = [
        (path, expression(name)) for path in MEASURING for name in re.findall(r'\bfigure\(\s*f?"([^"]+)"', path.read_text())]
    assert len(found) > 100
    # Rows of `vestibule bench`; its option `--check` says when one of these is not measured.
    budgets = ROOT / "benchmarks/thresholds.json"
    return found + [(budgets, re.escape(name)) for name in json.loads(budgets.read_text())["ratios"]]


def named(page):
    """The names of lines on a page: texts of links to the section about them."""
    return [re.sub(r"\s+", " ", name) for name in re.findall(r"\[([^\]]+)\]\([^)\s]*#lines-of-make-measure\)", page.read_text())]


def test_pages_name_lines():
    assert sum(len(named(page)) for page in PAGES) > 40


@pytest.mark.parametrize("page", [page for page in PAGES if named(page)], ids=lambda page: str(page.relative_to(ROOT)))
def test_named_lines_exist(page, lines):
    for name in named(page):
        files = sorted({path.name for path, line in lines if re.fullmatch(line, name)})
        assert len(files) == 1, f"{page.name}: the line “{name}” has to be in one file: {files}"


@pytest.mark.parametrize("path", MEASURING, ids=lambda path: path.name)
def test_files_that_measure_are_listed(path):
    name = path.name if path.suffix == ".swift" else path.relative_to(ROOT / "Tests/Integration").as_posix()
    assert f"`{name}`" in (ROOT / "docs/measuring.md").read_text(), f"docs/measuring.md, lines of `make measure`: {name} is missing"
