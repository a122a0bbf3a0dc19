public import Binaural
public import Crossing

/// A recording on its way into the scene: its sound, and where its microphones are.
///
/// The control side sends one when a recording is loaded or sought; the scene crossfades to it.
public struct SceneFeed: ~Copyable, Sendable {
    /// Interleaved, one channel per microphone, at the engine's rate.
    var frames: FrameRing.Consumer
    let array: ArrayEdit
    /// Told back with how many of its frames have been used, so that the control side knows the position.
    let number: Int64
    /// Where in the recording it begins, frames.
    let start: Int64

    /// - Parameters:
    ///   - start: where in the recording it begins, frames.
    ///   - version: of the array, as ``ArrayEdit`` counts.
    public init(
        frames: consuming FrameRing.Consumer, array: MicrophoneArray, calibration: Calibration = Calibration(),
        number: Int64, start: Int64 = 0, version: Int64 = 0
    ) {
        self.frames = frames
        self.array = ArrayEdit(RingLookup(array, calibration: calibration), version: version)
        self.number = number
        self.start = start
    }
}
