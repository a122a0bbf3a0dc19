/// A device with a clock of its own that records a live array, block by block. For one thread at a time.
protocol ArraySource: AnyObject, Sendable {
    /// The channels of the microphones.
    var channels: ArrayChannels { get }
    /// Frames per block.
    var period: Int { get }

    /// Waits for a block, at most a few dozen milliseconds.
    func next() -> ArrayBlock
}
