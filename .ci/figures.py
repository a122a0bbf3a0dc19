#!/usr/bin/env python3
"""Sums up `make measure`: figures.py FOLDER prints a table of all figures with their limits, and writes figures.json.

Figures of integration tests are in integration.json; Swift and Node tests print each in a line of its own:
`figure: NAME = VALUE UNIT (limit L)`. Those of `vestibule bench` are rows in bench.txt. The status is 0 also when a limit is missed: a
measurement says how fast a machine is, not whether a program is right.
"""

import json
import pathlib
import re
import sys

LINE = re.compile(r"figure: (?P<figure>.+?) = (?P<value>[-+.\deE]+) ?(?P<unit>\S*?) ?\(limit (?P<limit>[-+.\deE]+)\)")
# A name of 64 columns, a value, a unit, and perhaps a budget and a comparison.
ROW = re.compile(r"(?P<figure>\S.{63}) *(?P<value>-?[.\d]+) (?P<unit>.*?)(?: {3}\(budget (?P<limit>[-+.\de]+)\))?(?: {3}\(.+\))?")


def read(folder):
    path = folder / "integration.json"
    if path.exists():
        yield from json.loads(path.read_text())
    for name in ("swift.txt", "panel.txt"):
        path = folder / name
        for found in LINE.finditer(path.read_text(errors="replace") if path.exists() else ""):
            yield {"test": path.stem, "least": False, **found.groupdict(), "value": float(found["value"]), "limit": float(found["limit"])}
    path = folder / "bench.txt"
    for found in filter(None, map(ROW.fullmatch, path.read_text(errors="replace").splitlines() if path.exists() else ())):
        limit = float(found["limit"]) if found["limit"] else None
        yield {"test": "vestibule bench", "figure": found["figure"].strip(), "value": float(found["value"]), "unit": found["unit"],
               "limit": limit, "least": False}


def main():
    folder = pathlib.Path(sys.argv[1])
    rows = list(read(folder))
    missed = 0
    for row in rows:
        kept = row["limit"] is None or (row["value"] >= row["limit"] if row["least"] else row["value"] <= row["limit"])
        missed += not kept
        limit = "" if row["limit"] is None else f"{'at least' if row['least'] else 'at most'} {row['limit']:g}"
        print(f"{row['value']:12.4g} {row['unit']:6} {limit:18} {row['figure']}  ({row['test']}){'' if kept else '  MISSED'}")
    (folder / "figures.json").write_text(json.dumps(rows, indent=1) + "\n")
    print(f"{len(rows)} figures, {missed} beyond their limit: {folder / 'figures.json'}")


if __name__ == "__main__":
    main()
