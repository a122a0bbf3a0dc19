#!/usr/bin/env python3
"""Rules about the source that no compiler checks. Prints every line that breaks one, and the way that is right."""

import re
import subprocess
import sys

REALTIME = ["Sources/Realtime", "Sources/Control/Parameters"]
PROSE_AND_CODE = [
    "*.md", "*.swift", "*.js", "*.py", "*.css", "*.html", "*.c", "*.h", "*.conf", "*.service", "*.yml", "*.yaml", "*.json", "*.svg",
    "Makefile", ".ci"]

# Rule, expression that breaks it, files, and an expression for lines that are allowed.
RULES = [
    ("no unfinished work", r"\b(TODO|FIXME|XXX)\b", ["Sources", "Tests", "web", "protocol", "docs"], None),
    ("no Foundation on the realtime path", r"^(public |package |internal )?import Foundation", REALTIME, None),
    ("no exemption from the compiler's realtime checks", r"no_performance_analysis", ["Sources"], None),
    ("files are opened as a RegularFile, which never waits for a FIFO or a device",
     r"O_RDONLY|fopen\(|freopen\(|ifstream|sf_open\(|BIO_new_file"
     r"|FileHandle\(forReading|InputStream\(|(Data|String)\(contentsOf|contents\(atPath",
     ["Sources", ":!Sources/Files/Files/RegularFile.swift"], r'SFM_WRITE|"/dev/null"'),
    ("files are written by OutputFile, and libsndfile is opened by SoundHandle",
     r'createFile\(|\.write\(to: *(URL|url\b|file\b|path\b|folder)|atomically:|forWriting|sf_open|fopen\(.*"[wa]|O_CREAT|mkstemp',
     ["Sources", ":!Sources/Files/FileOutput", ":!Sources/Files/Media/SoundHandle.swift"], None),
    ("tests wait for a condition: see Tests/Integration/support/waiting.py",
     r"time\.sleep\(|wait_for_timeout\(|asyncio\.sleep\(", ["Tests/Integration", ":!Tests/Integration/support/waiting.py"], None),
    ("tests wait for a condition: see Tests/Support/Waiting.swift",
     r"\b(usleep|nanosleep|sleep)\(|(Thread|Task)\.sleep", ["Tests/*.swift", ":!Tests/Support/Waiting.swift"], None),
    ("tests draw from SeededRandom",
     r"SystemRandomNumberGenerator|\.random\((in: [^,]*)?\)|randomElement\(\)|shuffled\(\)|SeededRandom\(seed: [0-9]|arc4random",
     ["Tests/*.swift", ":!Tests/Support/SeededRandom+Test.swift"], None),
    ("tests draw from a generator of seeds.py",
     r"default_rng\(|random\.Random\(|urandom|secrets\.token|import random$", ["Tests/*.py", ":!Tests/Integration/support/seeds.py"], None),
    # Rows of tables in protocol/, and texts of JSON files, cannot be wrapped.
    ("at most 140 columns", r"^.{141}", PROSE_AND_CODE, r'^(\||\s*("[^"]*" *: )?"([^"\\]|\\.)*",?$)'),
]


def lines(paths):
    """Yields file, number and text of every line of the files in git that match the paths. A failure of git ends the program."""
    names = subprocess.run(["git", "ls-files", "-z", "--", *paths], check=True, capture_output=True).stdout.decode().split("\0")
    for name in filter(None, names):
        try:
            with open(name, encoding="utf-8") as file:
                yield from ((name, number, line.rstrip("\n")) for number, line in enumerate(file, 1))
        except (FileNotFoundError, UnicodeDecodeError, IsADirectoryError):  # Removed, or no text.
            continue


def unexplained_promises():
    """Unsafe promises to the compiler without a reason in the three lines above."""
    above = []
    for name, number, line in lines(["Sources/*.swift"]):
        above = ([] if number == 1 else above[-3:]) + [line]
        if re.search(r"@unchecked Sendable|nonisolated\(unsafe\)", line) and not any("SAFETY:" in each for each in above):
            yield f"{name}:{number}: {line}"


def main():
    broken = {"every unsafe promise has a SAFETY line above": list(unexplained_promises())}
    for rule, expression, paths, allowed in RULES:
        wrong, right = re.compile(expression), re.compile(allowed) if allowed else None
        broken[rule] = [
            f"{name}:{number}: {line}" for name, number, line in lines(paths) if wrong.search(line) and not (right and right.search(line))]
    for rule, found in broken.items():
        for each in found:
            print(each)
        if found:
            print(f"rule: {rule}")
    sys.exit(1 if any(broken.values()) else 0)


if __name__ == "__main__":
    main()
