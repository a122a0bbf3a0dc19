public import Crossing

/// One run of a recording from some place on: what the audio side plays until the next feed replaces it.
@frozen
public struct Feed: ~Copyable, Sendable {
    /// Interleaved frames in the engine's rate; ``FrameRing/Consumer/hasEnded`` after the last one.
    public let frames: FrameRing.Consumer
    /// Rises by one with every feed of the process, from 1.
    public let number: Int64
    /// Where in the recording it begins, in engine-rate frames.
    public let start: Int64

    public init(frames: consuming FrameRing.Consumer, number: Int64, start: Int64) {
        self.frames = frames
        self.number = number
        self.start = start
    }
}
