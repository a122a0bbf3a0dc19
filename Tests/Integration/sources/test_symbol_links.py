"""Links of documentation comments (``Name``, ``Type/member``, ``name(label:)``) lead to a declaration that is in scope there."""

import collections
import pathlib
import re
import subprocess

ROOT = pathlib.Path(__file__).parents[3]
TYPE = re.compile(r"\b(?:class|struct|enum|protocol|actor|extension|typealias|associatedtype)\s+([A-Z][\w.]*)")
CALLABLE = re.compile(r"\b(?:func\s+(`?\w+`?)|(init|subscript)[?!]?)\s*(?:<[^(]*>)?\(")
VALUE = re.compile(r"\b(?:var|let)\s+(`?\w+`?(?:\s*,\s*\w+)*)")
CASE = re.compile(r"\bcase\s+(?=[^.\n]*$)([^:=\n]+)", re.M)
CASE_WITH_VALUES = re.compile(r"\bcase\s+(\w+)\(")
C_FUNCTION = re.compile(r"\b(\w+)\s*\(")
LINK = re.compile(r"``([^`]+)``")


def sources():
    """Text of every source file by path."""
    names = subprocess.run(["git", "ls-files", "Sources", "Tests", "Package.swift"], cwd=ROOT, check=True, capture_output=True, text=True)
    wanted = (ROOT / name for name in names.stdout.split() if name.endswith((".swift", ".h", ".c")))
    return {path.relative_to(ROOT).as_posix(): path.read_text() for path in wanted if path.exists()}


def labels(text, start):
    """The labels of a parameter list that begins at `start`, as in ``name(label:_:)``."""
    depth, parameter, found = 0, "", []
    for character in text[start:]:
        if character in ")]}>" and not parameter.endswith("-"):
            if depth == 0:
                break
            depth -= 1
        depth += character in "([{<"
        if character == "," and depth == 0:
            found.append(parameter)
            parameter = ""
        else:
            parameter += character
    if parameter.strip():
        found.append(parameter)
    # Values of enumeration cases may have no label.
    return "(" + "".join((each.split(":")[0].split()[0] if ":" in each else "_") + ":" for each in found) + ")"


def declarations(texts):
    """Two tables: the files that declare a name, and the files that declare or extend a type."""
    names, types = collections.defaultdict(set), collections.defaultdict(set)
    for path, text in texts.items():
        code = re.sub(r"//[^\n]*", "", text)
        for match in TYPE.finditer(code):
            for part in match[1].split("."):
                names[part].add(path)
                types[part].add(path)
        for match in CALLABLE.finditer(code):
            names[(match[1] or match[2]).strip("`") + labels(code, match.end())].add(path)
        for match in CASE_WITH_VALUES.finditer(code):
            names[match[1] + labels(code, match.end())].add(path)
        found = [name for match in VALUE.finditer(code) for name in match[1].split(",")]
        found += [name.split("(")[0] for match in CASE.finditer(code) for name in match[1].split(",")]
        if not path.endswith(".swift"):
            found += C_FUNCTION.findall(code)
        for name in found:
            names[name.strip().strip("`")].add(path)
    return names, types


def faults(texts):
    """Every link that leads nowhere, as FILE:LINE: LINK."""
    names, types = declarations(texts)
    modules = set(re.findall(r'name: "(\w+)"', texts.get("Package.swift", "")))
    for path, text in texts.items():
        for number, line in enumerate(text.splitlines(), 1):
            for link in LINK.findall(line.partition("//")[2]):
                parts = [part for part in link.split("/") if part not in modules]
                here = {name for name, files in types.items() if path in files}
                for outer, name in zip([None, *parts], parts):
                    where = names.get(name, set())
                    # A member belongs to the type before it, or to one that this file declares or extends.
                    owners = [outer] if outer else here
                    if not (where if name[0].isupper() else any(where & types[owner] for owner in owners) or path in where):
                        yield f"{path}:{number}: {link}"


def test_every_link_leads_to_a_declaration():
    assert not list(faults(sources()))


def test_links_that_lead_nowhere_are_found():
    text = "/// {}\nstruct Filter {{\n    let rate: Float\n"
    text += "    func run(_ x: Float, at time: (Int, Int)) {{}}\n    enum Kind {{ case low, high }}\n}}\n"
    for link in "Filter", "Filter/rate", "rate", "run(_:at:)", "Filter/run(_:at:)", "low", "Filter/Kind":
        assert not list(faults({"a.swift": text.format(f"``{link}``")})), link
    other = {"b.swift": "struct Other { let level: Float }"}
    for link in "Lag", "Filter/rates", "run(_:)", "run()", "level", "Filter/level", "Lag/rate":
        assert list(faults({"a.swift": text.format(f"``{link}``"), **other})) == [f"a.swift:1: {link}"], link
