"""The results of a check."""

import sys


class Report:
    """Counts and prints results; a failure at many nodes is printed with the first few of them."""

    SHOWN = 5

    def __init__(self, stream=sys.stdout):
        self.stream = stream
        self.passed = 0
        self.failed = 0
        self.warned = 0
        self.skipped = 0

    def section(self, title):
        print(f"\n{title}", file=self.stream)

    def check(self, text, problems):
        """Reports a requirement. `problems` lists where it does not hold, or is a bool: whether it holds."""
        if isinstance(problems, bool):
            problems = [] if problems else [""]
        problems = list(problems)
        if not problems:
            self.passed += 1
            self._line("pass", text)
            return True
        self.failed += 1
        self._line("FAIL", text, problems)
        return False

    def advise(self, text, problems):
        """Reports advice, which the proposal does not require."""
        problems = list(problems)
        if problems:
            self.warned += 1
            self._line("warn", text, problems)

    def skip(self, text, why):
        self.skipped += 1
        self._line("skip", f"{text}: {why}")

    def _line(self, word, text, problems=()):
        print(f"  {word}  {text}", file=self.stream)
        for problem in [p for p in problems if p][:self.SHOWN]:
            print(f"          {problem}", file=self.stream)
        if len(problems) > self.SHOWN:
            print(f"          … and {len(problems) - self.SHOWN} more", file=self.stream)

    def summary(self):
        print(
            f"\n{self.passed} passed, {self.failed} failed, {self.warned} warnings, {self.skipped} skipped",
            file=self.stream)
        return 1 if self.failed else 0
