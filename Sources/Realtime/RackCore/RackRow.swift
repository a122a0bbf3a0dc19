internal import DSP

/// State of a parallel row: the gains of its input and output. A row without parallel ones passes everything.
package struct RackRow: ~Copyable, Sendable {
    /// Distance to its target at which a fade ends.
    static var tolerance: Float { @_noLocks @_noAllocation get { 1e-3 } }

    /// Gain of the input; it fades to 0 when the row is removed.
    private(set) var send: Smoother
    private var gain: Smoother
    private var alignment: Alignment
    /// Frames without input.
    private(set) var quiet = 0

    package init(gain: Float, delay: Int, largestBlock: Int, enters: Bool) {
        send = Smoother(enters ? 0 : 1)
        self.gain = Smoother(gain)
        alignment = Alignment(delay: delay, largestBlock: largestBlock)
    }

    /// Advances by one block and returns the gains before and after the row.
    @_noLocks @_noAllocation
    mutating func advance(send wantedSend: Float, gain wantedGain: Float, share: Float, frames: Int) -> (send: Ramp, gain: Ramp) {
        let sends = send.ramp(to: wantedSend, share: share, frames: frames, tolerance: Self.tolerance)
        let gains = gain.ramp(to: wantedGain, share: share, frames: frames, tolerance: Self.tolerance)
        quiet = sends.isZero ? quiet &+ frames : 0
        return (sends, gains)
    }

    @_noLocks @_noAllocation
    mutating func align(
        _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, frames: Int, delay: Int
    ) { alignment.process(left, right, frames: frames, delay: delay) }
}
