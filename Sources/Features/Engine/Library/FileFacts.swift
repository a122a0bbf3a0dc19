import Media

/// Facts about the content of a file of the library; one of them.
struct FileFacts: Sendable, Equatable, Codable {
    var sound: SoundSummary?
    var video: VideoSummary?
    var hrtf: HRTFSummary?
}
