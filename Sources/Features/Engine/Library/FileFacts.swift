import Media

/// Facts about the content of a file of the library; one member is set, by the kind of file.
struct FileFacts: Sendable, Equatable, Codable {
    var sound: SoundSummary?
    var video: VideoSummary?
    var hrtf: HRTFSummary?
}
