package import Binaural
internal import CRealtime
package import DSP

/// Prepares what all listeners share, once per block: every microphone in the forms that at least one listener needs,
/// and its level.
package struct ScenePreparer: ~Copyable, Sendable {
    private var trim: ChannelTrim
    /// The array that `trim` is set to: its count of changes and its channels.
    private var trimmed = (changes: 0, channels: 0)
    /// The block that listeners are rendered from.
    package private(set) var prepared: PreparedScene
    private let levels: Rows
    private var range: FrameGuard
    private var refused = RangeCounts()
    /// Frames over which levels have been gathered.
    package private(set) var levelFrames = 0

    /// - Parameters:
    ///   - period: largest block, frames.
    ///   - rate: frames per second.
    package init(period: Int, rate: Float) {
        trim = ChannelTrim(period: period)
        range = FrameGuard(rate: rate)
        prepared = PreparedScene(period: period, rate: rate)
        levels = Rows(rows: 2, length: MicrophoneArray.capacity)
    }

    /// Prepares a block.
    ///
    /// - Parameters:
    ///   - samples: interleaved microphone signals; the array's calibration is applied in place.
    ///   - ring: the array; nil without a recording.
    ///   - changes: a number that is different for every other array.
    @_noLocks @_noAllocation
    package mutating func prepare(
        _ samples: UnsafeMutablePointer<Float>, _ ring: UnsafePointer<RingLookup>?, changes: Int, _ settings: SceneSettings,
        block: Block
    ) {
        if let ring { admit(samples, ring, changes: changes, block: block) }
        fill(samples, ring, changes: changes, settings, block: block)
    }

    /// Calibrates and measures a block of a recording.
    ///
    /// - Parameter samples: interleaved microphone signals; the array's calibration is applied in place.
    @_noLocks @_noAllocation
    package mutating func admit(
        _ samples: UnsafeMutablePointer<Float>, _ ring: UnsafePointer<RingLookup>, changes: Int, block: Block
    ) {
        let (frames, channels) = (block.frames, ring.pointee.channels)
        calibrate(samples, ring.pointee, channels: channels, changes: changes, block)
        LevelMeter.gather(
            UnsafePointer(samples), channels: channels, frames: frames, peak: levels.row(0), energy: levels.row(1))
        levelFrames = levelFrames &+ frames
        let verdict = range.admit(samples, channels: channels, frames: frames, energies: levels.row(1))
        if !verdict.isPlausible { heal(verdict) }
    }

    /// Prepares a block that ``admit(_:_:changes:block:)`` has calibrated.
    ///
    /// - Parameter ring: the array; nil when there is nothing to be heard through one.
    @_noLocks @_noAllocation
    package mutating func fill(
        _ samples: UnsafePointer<Float>, _ ring: UnsafePointer<RingLookup>?, changes: Int, _ settings: SceneSettings, block: Block
    ) {
        prepared.hops.advance(block.frames)
        guard let ring else { return }
        prepared.fill(samples, ring.pointee, settings, block: block, changes: changes)
    }

    /// Number of times that sound out of range was replaced, or filters were cleared of it.
    package var counts: RangeCounts {
        @_noLocks @_noAllocation get {
            refused + prepared.atNeighbours.pointee.counts + prepared.atRing.pointee.counts
        }
    }

    /// Clears state that a block out of range has spoilt before it was replaced.
    @_noLocks @_noAllocation @inline(never)
    private mutating func heal(_ verdict: SoundRange.Verdict) {
        refused.note(verdict)
        trim.settle()
        resetLevels()
    }

    @_noLocks @_noAllocation
    private mutating func calibrate(
        _ input: UnsafeMutablePointer<Float>, _ ring: borrowing RingLookup, channels: Int, changes: Int, _ block: Block
    ) {
        if trimmed.changes != changes {
            for channel in 0..<channels {
                let (gain, delay) = ring.trim(channel)
                trim.set(channel, gain: gain, delay: delay)
            }
            // Another number of microphones starts from silence.
            if trimmed.channels != channels { trim.settle() }
            trimmed = (changes, channels)
        }
        trim.process(
            input, channels: channels, frames: block.frames, gainShare: block.gainShare, seconds: block.seconds)
    }

    /// Peak of every microphone since ``resetLevels()``.
    package var peaks: UnsafePointer<Float> { @_noLocks @_noAllocation get { UnsafePointer(levels.row(0)) } }

    /// Sum of squares of every microphone since ``resetLevels()``.
    package var energies: UnsafePointer<Float> { @_noLocks @_noAllocation get { UnsafePointer(levels.row(1)) } }

    /// Begins a new window of levels.
    @_noLocks @_noAllocation
    package mutating func resetLevels() {
        rt_zero(levels.row(0), MicrophoneArray.capacity)
        rt_zero(levels.row(1), MicrophoneArray.capacity)
        levelFrames = 0
    }
}
