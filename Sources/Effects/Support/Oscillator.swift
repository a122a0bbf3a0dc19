internal import CRealtime
internal import DSP

/// A phase that goes round, exact for ever: 32 bits a turn.
struct Oscillator: BitwiseCopyable, Sendable {
    private(set) var phase: UInt32 = 0

    @_noLocks @_noAllocation @inline(__always)
    init() {}

    /// Steps of 1/2^32 turn per frame.
    @_noLocks @_noAllocation @inline(__always)
    static func step(_ frequency: Float, rate: Float) -> UInt32 {
        UInt32(clamping: max(0, min(0.5, Double(frequency) / Double(rate))) * 4_294_967_296)
    }

    @_noLocks @_noAllocation @inline(__always)
    mutating func reset() { phase = 0 }

    /// Turns, -0.5 to 0.5, at the next sixteen frames.
    @_noLocks @_noAllocation @inline(__always)
    func turns(step: UInt32) -> Lanes { rt_turns16(phase, step) }

    @_noLocks @_noAllocation @inline(__always)
    mutating func advance(_ count: Int, step: UInt32) {
        phase = phase &+ UInt32(truncatingIfNeeded: count) &* step
    }
}
