"""Figures with bounds: printed one a line, and counted when they are out of bounds."""


class Limits:
    def __init__(self):
        self.failed = 0

    def most(self, words, value, bound, unit=""):
        """A figure that may be as large as its bound."""
        self._tell(words, value, f"at most {bound:g}", unit, value <= bound)

    def none(self, words, value):
        """A count that has to be 0."""
        self._tell(words, value, "none wanted", "", value == 0)

    def _tell(self, words, value, bound, unit, is_good):
        self.failed += not is_good
        number = f"{value:.3g}" if isinstance(value, float) else f"{value}"
        print(f"  {'ok  ' if is_good else 'OVER'} {words}: {number}{' ' + unit if unit else ''} ({bound})", flush=True)

    @property
    def status(self):
        """Status of the program: 1 when a figure was out of bounds."""
        return 1 if self.failed else 0
