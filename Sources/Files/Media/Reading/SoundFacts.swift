/// Size and form of a sound file.
public struct SoundFacts: Sendable, Equatable {
    public let channels: Int
    /// Frames per second.
    public let rate: Int
    /// Frames that can be read.
    public let frames: Int
    /// Warnings about a file that can be played nevertheless, such as one that is cut short.
    public let warnings: [String]

    /// - Throws: ``MediaError`` when this is not a sound file that the program reads.
    public init(path: String) throws(MediaError) {
        let file = try SoundFile(path: path)
        (channels, rate, frames, warnings) = (file.channels, file.rate, file.frames, file.warnings)
    }
}
