/// The samples of a sound file of any number of channels, piece by piece.
public enum SoundPieces {
    private static let frames = 8192

    /// Reads a whole file.
    /// - Parameter body: called with interleaved samples, and the numbers of frames and channels.
    public static func read(
        path: String, _ body: (_ samples: UnsafePointer<Float>, _ frames: Int, _ channels: Int) -> Void
    ) throws(MediaError) {
        let file = try SoundFile(path: path)
        let samples = UnsafeMutablePointer<Float>.allocate(capacity: frames * file.channels)
        defer { samples.deallocate() }
        while true {
            let count = try file.read(into: samples, frames: frames)
            guard count > 0 else { return }
            body(samples, count, file.channels)
        }
    }
}
