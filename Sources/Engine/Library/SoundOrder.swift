import Media

/// A sound that is to be measured for the library.
struct SoundOrder: Equatable, Sendable {
    let key: SummaryKey
    /// Whether it is a recording of an array, whose channels are checked.
    let isRing: Bool

    /// - Parameter progress: called with the share that is done; returns whether to continue.
    /// - Returns: nil when `progress` said no.
    func summary(_ progress: (Double) -> Bool) throws(MediaError) -> SoundSummary? {
        guard var summary = try SoundSummary(path: key.path, progress: progress) else { return nil }
        guard isRing, RecordingReader.channelRange.contains(summary.channels) else { return summary }
        // A sidecar that does not fit makes it no recording; the sound is a sound nevertheless.
        do throws(MediaError) {
            summary.array = ArrayFacts(try RecordingReader(path: key.path).array)
            guard let ring = try RingFinding(path: key.path, progress: progress) else { return nil }
            summary.ring = ring
        } catch {}
        return summary
    }
}
