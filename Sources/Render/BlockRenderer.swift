/// When a block is rendered and when it is heard, CLOCK_MONOTONIC nanoseconds.
public struct BlockTime: BitwiseCopyable, Sendable {
    /// The moment rendering of the block begins.
    public var begin: UInt64
    /// The moment the block's first frame leaves the converter.
    public var output: UInt64

    public init(begin: UInt64, output: UInt64) {
        self.begin = begin
        self.output = output
    }
}

/// What a device calls: renders one block of two ears at a time, on the audio thread.
public protocol BlockRenderer: ~Copyable, Sendable {
    /// Renders `frames` frames (at most the period it was made for).
    ///
    /// - Parameters:
    ///   - left, right: where the ears go, not interleaved.
    mutating func render(
        left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>, frames: Int, at time: BlockTime)

    /// A block that was recorded, before the block is rendered in which it is to be heard.
    ///
    /// - Parameters:
    ///   - frames: as many as are rendered next.
    ///   - time: when its first frame was at the converter, CLOCK_MONOTONIC nanoseconds.
    mutating func take(
        left: UnsafePointer<Float>, right: UnsafePointer<Float>, frames: Int, from time: UInt64)

    /// Tells how many blocks were lost because they came too late.
    mutating func count(xruns: Int)

    /// True when rendering now would not have to leave out sound that is still being read. Offline devices
    /// wait for it; live ones do not ask.
    var isReady: Bool { mutating get }

    /// True when the recording has been played to its end.
    var isFinished: Bool { get }
}

extension BlockRenderer where Self: ~Copyable {
    /// Renderers without an input leave it.
    public mutating func take(
        left: UnsafePointer<Float>, right: UnsafePointer<Float>, frames: Int, from time: UInt64
    ) {}
}
