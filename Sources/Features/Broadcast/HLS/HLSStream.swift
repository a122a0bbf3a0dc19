internal import Trust

/// The running HLS stream of one listener. Used on the control thread.
struct HLSStream {
    let encoder: HLSEncoder
    /// Name of this run, which no other run has: its segments can be cached forever.
    let run = String(Secret.random().prefix(16))
    /// Number of the first segment.
    let first: Int
    private(set) var renditions: [HLSFormat: HLSRendition] = [:]
    /// Time of the latest request, CLOCK_MONOTONIC nanoseconds.
    var asked: UInt64
    /// Frames that were lost.
    private(set) var lost = 0

    init(_ encoder: HLSEncoder, first: Int, now: UInt64) {
        (self.encoder, self.first, asked) = (encoder, first, now)
    }

    /// Takes the encoder's output, and counts it.
    ///
    /// - Returns: the reason why the stream cannot continue; nil when it does.
    mutating func settle(_ counts: inout HLSCounts) -> String? {
        for fragment in encoder.take() {
            switch fragment {
            case .initialization(let format, let timing, let bytes):
                renditions[format] = HLSRendition(format, timing, initialization: bytes, first: first)
            case .part(let format, let part, let date):
                if renditions[format]?.add(part, date: date) == true { counts.segments += 1 }
                // The reports about the other formats change as well.
                for other in renditions.keys where other != format { renditions[other]?.playlist = nil }
            case .lost(let frames):
                lost += frames
                counts.lost += Double(frames) / Double(encoder.rate)
            case .failed(let reason): return reason
            }
        }
        return nil
    }

    /// The playlist of a format.
    mutating func playlist(_ format: HLSFormat) -> [UInt8]? {
        guard let rendition = renditions[format] else { return nil }
        if let made = rendition.playlist { return made }
        let others = HLSFormat.allCases.compactMap { $0 == format ? nil : renditions[$0] }
        let made = HLSPlaylist.media(rendition, run: run, first: first, others: others)
        renditions[format]?.playlist = made
        return made
    }

    /// Takes the frames that were lost since the last call.
    mutating func takeLost() -> Int {
        defer { lost = 0 }
        return lost
    }

    /// Number of the segment that is being made.
    var present: Int { renditions.values.map(\.present.number).max() ?? first }
}
