public import Crossing
public import RenderInterface

/// Records the motion of one head: one step for every block whose head differs from the block before, and a step now and then
/// in between, which shows where playback is.
public struct HeadStepSender: ~Copyable, Sendable {
    private var steps: Ring<HeadStep>.Producer
    private let isWanted: Switch.Realtime
    private var last: SIMD4<Float> = .zero
    private var lastPlace: SIMD3<Float> = .zero
    private var lastFeed: Int64 = 0
    /// Frames since the last step.
    private var framesSince = 0
    /// Frames after which a step is sent although the head rests.
    private static var longestPause: Int { @_noLocks @_noAllocation get { 4096 } }
    private var isRunning = false

    public init(steps: consuming Ring<HeadStep>.Producer, isWanted: consuming Switch.Realtime) {
        self.steps = steps
        self.isWanted = isWanted
    }

    var isRecording: Bool { @_noLocks @_noAllocation get { isWanted.isOn } }

    /// Records the head of a block. A step that finds the ring full is repeated with the next block.
    ///
    /// - Parameters:
    ///   - location: of the head in the world.
    ///   - place: of the block in the recording.
    @_noLocks @_noAllocation
    mutating func record(
        _ head: SIMD4<Float>, _ location: SIMD3<Float>, of pose: UnsafePointer<HeadPose>, at place: RenderPlace, frames: Int
    ) {
        guard isWanted.isOn else {
            isRunning = false
            return
        }
        framesSince = framesSince &+ frames
        guard
            !isRunning || head != last || location != lastPlace || place.feed != lastFeed || framesSince >= Self.longestPause
        else { return }
        let pose = pose.pointee
        let time = pose.senderTime != 0 ? pose.senderTime : pose.receiveTime
        isRunning = steps.push(
            HeadStep(position: place.frames, feed: place.feed, head: head, place: location, pose: pose.quaternion, time: time))
        (last, lastPlace, lastFeed, framesSince) = (head, location, place.feed, 0)
    }
}

/// Place of a block in the recording, or in time when there is none.
struct RenderPlace: BitwiseCopyable {
    /// Number of the feed that the block is from; 0 without a recording.
    var feed: Int64
    /// Frames of that feed that were used before the block; without a recording, frames rendered since the start.
    var frames: Int64

    @_noLocks @_noAllocation
    init(feed: Int64, frames: Int64) {
        self.feed = feed
        self.frames = frames
    }
}
