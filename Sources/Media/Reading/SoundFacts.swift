/// Size and form of a sound file.
public struct SoundFacts: Sendable, Equatable {
    public let channels: Int
    /// Frames per second.
    public let rate: Int
    /// Frames that can be read.
    public let frames: Int

    /// - Throws: ``MediaError`` when this is no sound file that the program reads.
    public init(path: String) throws(MediaError) {
        let file = try SoundFile(path: path)
        (channels, rate, frames) = (file.channels, file.rate, file.frames)
    }
}
