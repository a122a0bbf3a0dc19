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

    /// The reason why the file cannot be read, without the path of its folder, since the library shows file and folder beside it.
    func problem(_ error: MediaError) -> String {
        guard let slash = key.path.lastIndex(of: "/") else { return "\(error)" }
        return "\(error)".replacing(key.path[...slash], with: "")
    }

    private func ring(_ progress: (Double) -> Bool) throws(MediaError) -> SoundSummary? {
        guard var summary = try SoundSummary(path: key.path, progress: progress) else { return nil }
        guard RecordingReader.channelRange.contains(summary.channels) else { return summary }
        // With a sidecar that does not fit, the file is not a recording, but still a sound.
        do throws(MediaError) {
            summary.array = ArrayFacts(try RecordingReader(path: key.path).array)
            guard let ring = try RingFinding(path: key.path, progress: progress) else { return nil }
            summary.ring = ring
        } catch {}
        return summary
    }
}
