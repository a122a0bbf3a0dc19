public import Crossing

/// A run of a recording from one position on, which the audio thread plays until the next feed replaces it.
@frozen
public struct Feed: ~Copyable, Sendable {
    /// Interleaved frames at the engine rate; ``FrameRing/Consumer/hasEnded`` after the last one.
    public let frames: FrameRing.Consumer
    /// Feed number, counted from 1 across the process.
    public let number: Int64
    /// Start in the recording, in frames of the engine's rate.
    public let start: Int64

    public init(frames: consuming FrameRing.Consumer, number: Int64, start: Int64) {
        self.frames = frames
        self.number = number
        self.start = start
    }
}
