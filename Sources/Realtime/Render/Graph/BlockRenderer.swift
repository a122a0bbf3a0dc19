/// A renderer that a device calls on its audio thread, for blocks of two ears.
public protocol BlockRenderer: ~Copyable, Sendable {
    /// Renders `frames` frames, at most the period that the renderer was made for.
    ///
    /// - Parameters:
    ///   - left, right: receive the ears of the first listener, not interleaved.
    mutating func render(
        left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>, frames: Int, at time: BlockTime)

    /// Renders like the method above, but for the listeners that `ears` has rows for, at most ``wiredListeners``.
    mutating func render(_ ears: EarRows, frames: Int, at time: BlockTime)

    /// Number of listeners whose ears a device can play.
    var wiredListeners: Int { get }

    /// Takes a recorded block before the block in which it is to be heard is rendered.
    ///
    /// - Parameters:
    ///   - frames: number of frames, the same as in the block rendered next.
    ///   - time: time at which its first frame was at the converter, CLOCK_MONOTONIC nanoseconds.
    mutating func take(
        left: UnsafePointer<Float>, right: UnsafePointer<Float>, frames: Int, from time: UInt64)

    /// Takes a recorded block of a live microphone array before the block in which it is to be heard is rendered.
    ///
    /// - Parameters:
    ///   - array: `frames` interleaved frames of `channels` channels.
    ///   - time: time at which its first frame was at the converter, CLOCK_MONOTONIC nanoseconds.
    mutating func take(array: UnsafePointer<Float>, channels: Int, frames: Int, from time: UInt64)

    /// Counts blocks that were lost because they came too late.
    mutating func count(xruns: Int)

    /// Counts samples of live input that were out of range and have been limited.
    mutating func count(limited: Int)

    /// Whether a block can be rendered without waiting for sound that is still being read. Offline devices wait for it;
    /// live devices ignore it.
    var isReady: Bool { mutating get }

    /// Whether the recording has been played to its end.
    var isFinished: Bool { get }
}

extension BlockRenderer where Self: ~Copyable {
    public var wiredListeners: Int { 1 }

    /// Renders the ears of the first listener, for renderers that have no other.
    public mutating func render(_ ears: EarRows, frames: Int, at time: BlockTime) {
        render(left: ears.row(0), right: ears.row(1), frames: frames, at: time)
    }

    /// Ignores the block, for renderers without an input.
    public mutating func take(
        left: UnsafePointer<Float>, right: UnsafePointer<Float>, frames: Int, from time: UInt64
    ) {}

    /// Ignores the block, for renderers without an array.
    public mutating func take(array: UnsafePointer<Float>, channels: Int, frames: Int, from time: UInt64) {}
}

/// Times of a block, CLOCK_MONOTONIC nanoseconds.
public struct BlockTime: BitwiseCopyable, Sendable {
    /// Time at which rendering of the block begins.
    public var begin: UInt64
    /// Time at which the block's first frame leaves the converter.
    public var output: UInt64

    public init(begin: UInt64, output: UInt64) {
        self.begin = begin
        self.output = output
    }
}

/// Memory for the ears of listeners that a device plays: row 2 n is the left ear of listener n, counted from 0, and row 2 n + 1 the right
/// one.
public struct EarRows {
    private let base: UnsafeMutablePointer<Float>
    /// Samples from a row to the next.
    private let stride: Int
    /// Number of listeners.
    public let listeners: Int

    @_noLocks @_noAllocation
    public init(_ base: UnsafeMutablePointer<Float>, stride: Int, listeners: Int) {
        self.base = base
        self.stride = stride
        self.listeners = listeners
    }

    /// The ears of one listener, each in its own memory.
    @_noLocks @_noAllocation
    public init(left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>) {
        self.init(left, stride: right - left, listeners: 1)
    }

    @_noLocks @_noAllocation
    public func row(_ row: Int) -> UnsafeMutablePointer<Float> { base + row &* stride }

    /// The same rows from a later frame on.
    @_noLocks @_noAllocation
    func from(_ frame: Int) -> EarRows { EarRows(base + frame, stride: stride, listeners: listeners) }
}
