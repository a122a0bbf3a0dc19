internal import Web

/// A place in a stream that a playlist request asks for: `_HLS_msn` and `_HLS_part`.
struct HLSPosition: Equatable {
    let segment: Int
    /// From 0; nil waits for the whole segment.
    let part: Int?

    /// Reason why a position is invalid.
    struct Problem: Error {
        let text: String
    }

    /// - Parameters:
    ///   - segment: `_HLS_msn` as text.
    ///   - part: `_HLS_part` as text.
    /// - Returns: nil when the request names none.
    static func asked(segment: String?, part: String?) throws(Problem) -> HLSPosition? {
        guard let segment else {
            guard part == nil else { throw Problem(text: "_HLS_part needs _HLS_msn") }
            return nil
        }
        // Caches would keep one answer for each spelling.
        func isPlain(_ text: String) -> Bool { text == "0" || !text.hasPrefix("0") }
        guard let number = RequestForm.number(segment), isPlain(segment) else {
            throw Problem(text: "_HLS_msn is a number of at most 18 digits, without leading zeros")
        }
        guard let part else { return HLSPosition(segment: number, part: nil) }
        guard let place = RequestForm.number(part), isPlain(part) else {
            throw Problem(text: "_HLS_part is a number of at most 18 digits, without leading zeros")
        }
        guard place < 2 * HLSTiming.parts else { throw Problem(text: "_HLS_part is too far ahead: a segment has \(HLSTiming.parts) parts") }
        // Parts after the last one are those of the next segment.
        return place < HLSTiming.parts ? HLSPosition(segment: number, part: place) : HLSPosition(segment: number + 1, part: 0)
    }
}
