internal import CRealtime
internal import DSP

/// A periodic phase without drift: 32 bits per turn.
struct Oscillator: BitwiseCopyable, Sendable {
    private(set) var phase: UInt32 = 0

    @_noLocks @_noAllocation @inline(__always)
    init() {}

    /// Increment per frame in units of 1/2^32 turn.
    @_noLocks @_noAllocation @inline(__always)
    static func step(_ frequency: Float, rate: Float) -> UInt32 {
        UInt32(clamping: max(0, min(0.5, Double(frequency) / Double(rate))) * 4_294_967_296)
    }

    @_noLocks @_noAllocation @inline(__always)
    mutating func reset() { phase = 0 }

    /// Phases in turns, -0.5 to 0.5, at the next sixteen frames.
    @_noLocks @_noAllocation @inline(__always)
    func turns(step: UInt32) -> Lanes { rt_turns16(phase, step) }

    @_noLocks @_noAllocation @inline(__always)
    mutating func advance(_ count: Int, step: UInt32) {
        phase = phase &+ UInt32(truncatingIfNeeded: count) &* step
    }
}
