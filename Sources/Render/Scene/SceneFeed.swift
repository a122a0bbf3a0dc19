public import Binaural
public import Crossing

/// A recording for the scene: its sound, and the places of its microphones.
///
/// The control side sends a feed when a recording is loaded or sought; the scene crossfades to it.
public struct SceneFeed: ~Copyable, Sendable {
    /// Interleaved, one channel per microphone, at the engine's rate.
    var frames: FrameRing.Consumer
    let array: ArrayEdit
    /// Reported together with the number of frames used, so that the control side knows the position.
    let number: Int64
    /// Place in the recording at which the feed begins, frames.
    let start: Int64

    /// - Parameters:
    ///   - rate: frames per second.
    ///   - start: place in the recording at which the feed begins, frames.
    ///   - version: version of the array, in the count of ``ArrayEdit``.
    public init(
        frames: consuming FrameRing.Consumer, array: MicrophoneArray, calibration: Calibration = Calibration(), rate: Float = 48_000,
        number: Int64, start: Int64 = 0, version: Int64 = 0
    ) {
        self.frames = frames
        self.array = ArrayEdit(RingLookup(array, calibration: calibration, rate: rate), version: version)
        self.number = number
        self.start = start
    }
}
