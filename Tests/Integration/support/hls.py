"""HLS playlists, read and judged by the rules of RFC 8216bis, and the sound of segments."""

import dataclasses
import datetime
import io
import re

import av
import numpy


def attributes(text):
    return {name: quoted or plain for name, quoted, plain in re.findall(r'([A-Z0-9-]+)=(?:"([^"]*)"|([^,"]+))', text)}


@dataclasses.dataclass
class Part:
    duration: float
    uri: str


@dataclasses.dataclass
class Segment:
    number: int
    date: float
    parts: list
    duration: float = 0.0
    uri: str = ""


class Playlist:
    """A media playlist; making one checks the rules that hold for every low-latency live playlist."""

    def __init__(self, text):
        self.text = text
        lines = text.split("\n")
        assert lines[0] == "#EXTM3U" and lines[-1] == "" and "" not in lines[1:-1], text
        self.segments, self.reports, parts, date = [], {}, [], None
        single = {}
        for line in lines[1:-1]:
            tag, _, value = line.partition(":")
            if not line.startswith("#"):
                segment = Segment(number, date, parts, duration, line)
                self.segments.append(segment)
                number, parts, date = number + 1, [], None
                continue
            match tag:
                case "#EXT-X-PROGRAM-DATE-TIME":
                    assert date is None and not parts
                    date = datetime.datetime.fromisoformat(value.replace("Z", "+00:00")).timestamp()
                case "#EXT-X-PART":
                    found = attributes(value)
                    assert found["INDEPENDENT"] == "YES"
                    parts.append(Part(float(found["DURATION"]), found["URI"]))
                case "#EXTINF":
                    duration = float(value.rstrip(","))
                case "#EXT-X-RENDITION-REPORT":
                    found = attributes(value)
                    self.reports[found["URI"]] = (int(found["LAST-MSN"]), int(found["LAST-PART"]))
                case _:
                    assert tag not in single, f"{tag} occurs twice"
                    single[tag] = value
                    if tag == "#EXT-X-MEDIA-SEQUENCE":
                        number = int(value)
        # Parts of the segment that is being made.
        self.present = Segment(number, date, parts)
        assert int(single["#EXT-X-VERSION"]) >= 6 and "#EXT-X-ENDLIST" not in single and "#EXT-X-PLAYLIST-TYPE" not in single
        self.target = int(single["#EXT-X-TARGETDURATION"])
        self.part_target = float(attributes(single["#EXT-X-PART-INF"])["PART-TARGET"])
        control = attributes(single["#EXT-X-SERVER-CONTROL"])
        assert control["CAN-BLOCK-RELOAD"] == "YES"
        self.hold_back = float(control["PART-HOLD-BACK"])
        assert self.hold_back >= 3 * self.part_target - 1e-6 and float(control["HOLD-BACK"]) >= 3 * self.target
        self.map = attributes(single["#EXT-X-MAP"])["URI"]
        hint = attributes(single["#EXT-X-PRELOAD-HINT"])
        assert hint["TYPE"] == "PART"
        self.hint = hint["URI"]
        self.discontinuities = int(single["#EXT-X-DISCONTINUITY-SEQUENCE"])
        self._check()

    def _check(self):
        for segment in self.segments:
            assert round(segment.duration) <= self.target and segment.date is not None
            assert not segment.parts or abs(sum(part.duration for part in segment.parts) - segment.duration) < 1e-4
        for segment in [*self.segments, self.present]:
            # All parts but the last of a segment last at least 85 per cent of the target.
            assert all(part.duration <= self.part_target + 1e-4 for part in segment.parts)
            assert all(part.duration >= 0.85 * self.part_target for part in segment.parts[:-1])
        # Parts are listed near the live edge only: three target durations.
        listed = sum(segment.duration for segment in self.segments if segment.parts)
        assert listed <= 3 * self.target and all(segment.parts for segment in self.segments[-2:])

    @property
    def errors_of_dates(self):
        """Seconds by which the dates of segments in a row differ from their durations, in ascending order."""
        return sorted(abs(after.date - before.date - before.duration) for before, after in zip(self.segments, self.segments[1:]))

    @property
    def next(self):
        """Number of the segment and the part that come next."""
        return self.present.number, len(self.present.parts)

    @property
    def uris(self):
        return [segment.uri for segment in self.segments] + [part.uri for each in [*self.segments, self.present] for part in each.parts]


def decoded(*pieces):
    """The sound of an initialization segment and the segments behind it: samples, frames by channels."""
    with av.open(io.BytesIO(b"".join(pieces)), format="mp4") as container:
        frames = [frame.to_ndarray() for frame in container.decode(audio=0)]
    # Planar rows, or interleaved samples in one row.
    rows = [frame if frame.shape[0] == 2 else frame.reshape(-1, 2).T for frame in frames]
    return numpy.concatenate(rows, axis=1).T
