import Media

/// A file whose facts are to be read for the library.
struct FactsRequest: Equatable, Sendable {
    enum Content {
        case sound
        /// A recording of an array, whose channels are checked.
        case ring
        case video, hrtf
    }

    let key: SummaryKey
    let content: Content

    /// - Parameter progress: called with the share that is done; returns whether to continue.
    /// - Returns: nil when `progress` returned false.
    func facts(_ progress: (Double) -> Bool) throws(MediaError) -> FileFacts? {
        switch content {
        case .sound: try SoundSummary(path: key.path, progress: progress).map { FileFacts(sound: $0) }
        case .ring: try ring(progress).map { FileFacts(sound: $0) }
        case .video: FileFacts(video: try VideoSummary(path: key.path))
        case .hrtf: FileFacts(hrtf: try HRTFSummary(path: key.path))
        }
    }

    /// The reason why the file cannot be read, which names it without its folder: the library shows both beside it.
    func problem(_ error: MediaError) -> String {
        guard let slash = key.path.lastIndex(of: "/") else { return "\(error)" }
        return "\(error)".replacing(key.path[...slash], with: "")
    }

    private func ring(_ progress: (Double) -> Bool) throws(MediaError) -> SoundSummary? {
        guard var summary = try SoundSummary(path: key.path, progress: progress) else { return nil }
        guard RecordingReader.channelRange.contains(summary.channels) else { return summary }
        // A sidecar that does not fit makes it no recording; the sound is a sound nevertheless.
        do throws(MediaError) {
            summary.array = ArrayFacts(try RecordingReader(path: key.path).array)
            guard let ring = try RingFinding(path: key.path, progress: progress) else { return nil }
            summary.ring = ring
        } catch {}
        return summary
    }
}
