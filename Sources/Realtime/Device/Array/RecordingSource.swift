/// A device with its own clock that records a live array or the live input, block by block. For one thread at a time.
protocol RecordingSource: AnyObject, Sendable {
    /// The device's channels, in the order in which they are recorded, counted from 1.
    var numbers: [Int] { get }
    /// Frames per block.
    var period: Int { get }
    /// Number of the sound card; nil for none.
    var card: Int? { get }

    /// Waits for a block, at most a few dozen milliseconds.
    func next() -> ArrayBlock
}

extension RecordingSource {
    var card: Int? { nil }
}
