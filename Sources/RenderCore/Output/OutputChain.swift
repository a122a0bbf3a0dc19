internal import CRealtime
internal import DSP
internal import Effects
package import Rack

/// Processing between a listener's two ears and the output: the rack on the recording, the live input, the rack on
/// the mix, the level, and the limiter that protects hearing.
///
/// The racks are the one part of the inner half that meets another thread, inside `Rack`: their plans arrive there.
package struct OutputChain: ~Copyable, Sendable {
    private var recording: LiveRack?
    private var mix: LiveRack?
    private var limiter: Limiter
    private var limit = Limiter.Settings()
    /// Whether the limiter was active in the last block.
    private(set) var isProtected: Bool
    /// Latencies of the racks, samples.
    private var recordingLatency = 0
    private var mixLatency = 0
    /// Whether a rack has slots; their plans change in ``receivePlans()`` alone.
    private(set) var hasRack = false
    private var recordingCounts = RangeCounts()
    private var mixCounts = RangeCounts()

    /// - Parameters:
    ///   - recording: rack on the recording; nil for none.
    ///   - mix: rack on the recording and the live input together; nil for none.
    ///   - isProtected: whether the limiter is active from the start.
    package init(
        recording: consuming LiveRack? = nil, mix: consuming LiveRack? = nil, isProtected: Bool, period: Int, rate: Float
    ) {
        self.recording = recording
        self.mix = mix
        limiter = Limiter(rate: rate, largestBlock: period)
        self.isProtected = isProtected
    }

    /// Latency of the limiter, samples.
    package static func protectionLatency(rate: Float) -> Int { Limiter(rate: rate, largestBlock: 16).latency }

    /// Latency for the recording, samples.
    var latency: Int {
        @_noLocks @_noAllocation get {
            recordingLatency &+ inputLatency
        }
    }

    /// Latency for live input, samples.
    var inputLatency: Int {
        @_noLocks @_noAllocation get { mixLatency &+ (isProtected ? limiter.latency : 0) }
    }

    /// Gain reduction of the limiter in the last block that it was active in, decibels.
    var reduction: Float { @_noLocks @_noAllocation get { limiter.reduction } }

    /// Processes one block in place.
    ///
    /// - Parameters:
    ///   - level: the listener's gain.
    ///   - input: live input to be added; nil when there is none.
    @_noLocks @_noAllocation
    mutating func process(
        _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, _ settings: ListenerSettings,
        level: Ramp, input: InputView?, block: Block
    ) {
        if hasRack { recording?.run(left, right, frames: block.frames, tempo: block.tempo) }
        if let input {
            for i in 0..<block.frames {
                left[i] += input.left[i]
                right[i] += input.right[i]
            }
        }
        if hasRack { mix?.run(left, right, frames: block.frames, tempo: block.tempo) }
        if !level.isOne { level.scale(left, right, frames: block.frames) }
        let wasProtected = isProtected
        isProtected = settings.isProtected
        guard isProtected else { return }
        if !wasProtected { limiter.reset() }
        limit.ceiling = max(Self.lowestCeiling, 20 * rt_log10(max(1e-6, settings.ceiling)))
        limiter.process(left, right, frames: block.frames, settings: limit)
    }

    /// Forgets the sound in the limiter.
    @_noLocks @_noAllocation
    mutating func reset() { limiter.reset() }

    /// Number of times that sound out of range was kept from the racks, when they last looked for plans.
    var counts: RangeCounts { @_noLocks @_noAllocation get { recordingCounts + mixCounts } }

    /// Takes new plans of both racks.
    @_noLocks @_noAllocation
    mutating func receivePlans() {
        recordingLatency = recording?.receivePlan(&recordingCounts) ?? 0
        mixLatency = mix?.receivePlan(&mixCounts) ?? 0
        let (isRecordingActive, isMixActive) = (recording?.isActive ?? false, mix?.isActive ?? false)
        hasRack = isRecordingActive || isMixActive
    }

    /// Lowest ceiling of the limiter, decibels.
    private static var lowestCeiling: Float { @_noLocks @_noAllocation get { -24 } }
}

extension LiveRack {
    /// Takes new plans; returns the latency of the newest, samples.
    @_noLocks @_noAllocation
    fileprivate mutating func receivePlan(_ counts: inout RangeCounts) -> Int {
        receive()
        counts = self.counts
        return latency
    }
}
