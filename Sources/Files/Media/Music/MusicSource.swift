/// Stereo music at the engine's rate, read by one thread.
protocol MusicSource: AnyObject, Sendable {
    /// Starts at the beginning, or at the present point of a station.
    func open() throws(MusicProblem)

    /// Reads up to `frames` interleaved frames, and waits for them; 0 at the end.
    func read(into target: UnsafeMutablePointer<Float>, frames: Int) throws(MusicProblem) -> Int

    /// Whether the music has no end of its own: when a connection ends, it continues with another one.
    var isEndless: Bool { get }
    /// Title of the music; empty without one.
    var title: String { get }
    /// Faults of the music as read so far, which is played all the same: samples that were limited, a file that is cut short.
    var warnings: [String] { get }

    /// Makes reading end soon; for any thread.
    func cancel()
}
