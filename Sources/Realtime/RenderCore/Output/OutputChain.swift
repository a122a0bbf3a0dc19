internal import CRealtime
internal import DSP
internal import Effects

/// Processing between a listener's two ears and the output: the rack on the recording, the live input, the rack on
/// the mix, the level, and the limiter that protects hearing.
package struct OutputChain: ~Copyable, Sendable {
    private var racks: ListenerRacks
    private var limiter: Limiter
    private var limit = Limiter.Settings(ceiling: -1, release: 100, gain: 0)
    /// Ceiling of the limiter as a factor; NaN before the first block.
    private var ceiling = Float.nan
    /// Whether the limiter was active in the last block.
    private(set) var isProtected: Bool

    /// - Parameters:
    ///   - isProtected: whether the limiter is active from the start.
    ///   - period: largest block, frames.
    package init(isProtected: Bool, period: Int, rate: Float) {
        racks = ListenerRacks(period: period, rate: rate)
        limiter = Limiter(rate: rate, largestBlock: period)
        self.isProtected = isProtected
    }

    /// Latency of the limiter, samples.
    package static func protectionLatency(rate: Float) -> Int { Limiter(rate: rate, largestBlock: 16).latency }

    /// Latency for the recording, samples.
    var latency: Int {
        @_noLocks @_noAllocation get {
            racks.recordingLatency &+ inputLatency
        }
    }

    /// Latency for live input, samples.
    var inputLatency: Int {
        @_noLocks @_noAllocation get { racks.mixLatency &+ (isProtected ? limiter.latency : 0) }
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
        if racks.isActive { racks.processRecording(left, right, frames: block.frames, tempo: block.tempo) }
        if let input {
            for i in 0..<block.frames {
                left[i] += input.left[i]
                right[i] += input.right[i]
            }
        }
        if racks.isActive { racks.processMix(left, right, frames: block.frames, tempo: block.tempo) }
        if !level.isOne { level.scale(left, right, frames: block.frames) }
        let wasProtected = isProtected
        isProtected = settings.isProtected
        guard isProtected else { return }
        if !wasProtected { limiter.reset() }
        if ceiling != settings.ceiling {
            ceiling = settings.ceiling
            limit.ceiling = max(Self.lowestCeiling, 20 * rt_log10(max(1e-6, ceiling)))
        }
        limiter.process(left, right, frames: block.frames, settings: limit)
    }

    /// Forgets the sound in the limiter.
    @_noLocks @_noAllocation
    mutating func reset() { limiter.reset() }

    /// Whether a rack has slots.
    var hasRack: Bool { @_noLocks @_noAllocation get { racks.isActive } }

    /// Number of times that sound out of range was kept from the racks, when their arrangements were last set.
    var counts: RangeCounts { @_noLocks @_noAllocation get { racks.counts } }

    /// Sets the arrangements of both racks for the blocks to come.
    @_noLocks @_noAllocation
    mutating func set(_ arrangements: ListenerRacks.Arrangements) { racks.set(arrangements) }

    /// Lowest ceiling of the limiter, decibels.
    package static var lowestCeiling: Float { @_noLocks @_noAllocation get { -24 } }
}
