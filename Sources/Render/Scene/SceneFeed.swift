public import Binaural
public import Crossing

/// A recording for the scene: its sound, and the places of its microphones.
///
/// The control side sends a feed when a recording is loaded or sought; the scene crossfades to it, or lets it follow.
public struct SceneFeed: ~Copyable, Sendable {
    /// Interleaved, one channel per microphone, at the engine's rate.
    var frames: FrameRing.Consumer
    let array: ArrayEdit
    /// Reported together with the number of frames used, so that the control side knows the position.
    let number: Int64
    /// Place in the recording at which the feed begins, frames.
    let start: Int64
    /// Place and kind of the change from the present feed; nil for a feed that replaces it at once.
    let joint: FeedJoint?
    /// The control side may withdraw a feed that follows until it does.
    let claim: Claim.Realtime

    /// - Parameters:
    ///   - rate: frames per second.
    ///   - start: place in the recording at which the feed begins, frames.
    ///   - version: version of the array, in the count of ``ArrayEdit``.
    ///   - joint: how it follows the present feed; nil for a feed that replaces it at once.
    ///   - claim: by which a feed that follows can be withdrawn.
    public init(
        frames: consuming FrameRing.Consumer, array: MicrophoneArray, calibration: Calibration = Calibration(), rate: Float = 48_000,
        number: Int64, start: Int64 = 0, version: Int64 = 0, joint: FeedJoint? = nil, claim: Claim? = nil
    ) {
        self.frames = frames
        self.array = ArrayEdit(RingLookup(array, calibration: calibration, rate: rate), version: version)
        self.number = number
        self.start = start
        self.joint = joint
        self.claim = Claim.Realtime(claim)
    }
}
