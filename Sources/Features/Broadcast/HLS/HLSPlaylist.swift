/// The texts of playlists (RFC 8216bis).
enum HLSPlaylist {
    /// Seconds with five digits after the point.
    private static func seconds(_ value: Double) -> String { decimal(value, digits: 5) }

    private static func decimal(_ value: Double, digits: Int) -> String {
        let scale = (0..<digits).reduce(1) { all, _ in 10 * all }
        let whole = Int(clamping: (value * Double(scale)).rounded())
        let fraction = String(whole % scale)
        return "\(whole / scale)." + String(repeating: "0", count: digits - fraction.utf8.count) + fraction
    }

    /// The multivariant playlist: every format of a listener.
    static func multivariant(_ formats: [HLSFormat], bitrate: Int) -> [UInt8] {
        var lines = ["#EXTM3U", "#EXT-X-VERSION:9", "#EXT-X-INDEPENDENT-SEGMENTS"]
        for format in formats {
            // Segments differ in size, and carry their tables.
            lines.append(
                "#EXT-X-STREAM-INF:BANDWIDTH=\(bitrate * 3 / 2),AVERAGE-BANDWIDTH=\(bitrate + bitrate / 16),CODECS=\"\(format.codec)\"")
            lines.append("\(format).m3u8")
        }
        return text(lines)
    }

    /// The media playlist of a rendition.
    ///
    /// - Parameters:
    ///   - run: name of the stream's run.
    ///   - first: number of the run's first segment.
    ///   - others: the other renditions of the stream.
    static func media(_ rendition: HLSRendition, run: String, first: Int, others: [HLSRendition]) -> [UInt8] {
        let timing = rendition.timing
        let segments = rendition.segments.suffix(HLSRendition.listed)
        let path = "\(run)/\(rendition.format)/"
        var lines = [
            "#EXTM3U", "#EXT-X-VERSION:9", "#EXT-X-TARGETDURATION:\(timing.target)",
            "#EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES,PART-HOLD-BACK=\(seconds(3 * timing.partDuration)),"
                + "HOLD-BACK=\(seconds(Double(3 * timing.target)))",
            "#EXT-X-PART-INF:PART-TARGET=\(seconds(timing.partDuration))",
            "#EXT-X-MEDIA-SEQUENCE:\(segments.first?.number ?? rendition.present.number)",
            // Another run has other times and another initialization segment.
            "#EXT-X-DISCONTINUITY-SEQUENCE:\(first)", "#EXT-X-INDEPENDENT-SEGMENTS",
            "#EXT-X-MAP:URI=\"\(path)\(HLSAddress.Resource.initialization.name)\"",
        ]
        let withParts = rendition.present.number - HLSRendition.withParts
        for segment in segments {
            lines += self.lines(of: segment, path, withParts: segment.number >= withParts)
            lines.append("#EXTINF:\(seconds(segment.duration)),")
            lines.append("\(path)\(HLSAddress.Resource.segment(segment.number).name)")
        }
        if !rendition.present.parts.isEmpty { lines += self.lines(of: rendition.present, path, withParts: true) }
        let next = rendition.next
        let hint = HLSAddress.Resource.part(next.segment, next.part ?? 0)
        lines.append("#EXT-X-PRELOAD-HINT:TYPE=PART,URI=\"\(path)\(hint.name)\"")
        for other in others {
            guard let latest = other.latest else { continue }
            lines.append(
                "#EXT-X-RENDITION-REPORT:URI=\"\(other.format).m3u8\",LAST-MSN=\(latest.segment),LAST-PART=\(latest.part ?? 0)")
        }
        return text(lines)
    }

    private static func lines(of segment: HLSSegment, _ path: String, withParts: Bool) -> [String] {
        var lines = ["#EXT-X-PROGRAM-DATE-TIME:\(date(segment.date))"]
        guard withParts else { return lines }
        for (index, part) in segment.parts.enumerated() {
            let name = HLSAddress.Resource.part(segment.number, index).name
            lines.append("#EXT-X-PART:DURATION=\(seconds(part.duration)),URI=\"\(path)\(name)\",INDEPENDENT=YES")
        }
        return lines
    }

    private static func text(_ lines: [String]) -> [UInt8] { Array((lines.joined(separator: "\n") + "\n").utf8) }

    /// A time in ISO 8601 with milliseconds, UTC. The calendar is Howard Hinnant's `civil_from_days`, for dates after 1970.
    static func date(_ time: Double) -> String {
        let milliseconds = max(0, Int(clamping: (time * 1000).rounded()))
        let (days, rest) = (milliseconds / 86_400_000, milliseconds % 86_400_000)
        let shifted = days + 719_468
        let (era, ofEra) = (shifted / 146_097, shifted % 146_097)
        let year = (ofEra - ofEra / 1460 + ofEra / 36_524 - ofEra / 146_096) / 365
        let ofYear = ofEra - (365 * year + year / 4 - year / 100)
        let month = (5 * ofYear + 2) / 153
        let day = ofYear - (153 * month + 2) / 5 + 1
        let (calendarMonth, calendarYear) = (month < 10 ? month + 3 : month - 9, year + 400 * era + (month < 10 ? 0 : 1))
        func three(_ number: Int) -> String { String(String(1000 + number).dropFirst()) }
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let clock = "\(two(rest / 3_600_000)):\(two(rest / 60_000 % 60)):\(two(rest / 1000 % 60)).\(three(rest % 1000))"
        return "\(calendarYear)-\(two(calendarMonth))-\(two(day))T\(clock)Z"
    }
}
