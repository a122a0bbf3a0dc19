internal import CRealtime

/// What a row of slots that stands beside others remembers from block to block: how much enters it, how much of it is
/// heard, how late it is made. One that stands alone passes everything on.
struct RackRow: ~Copyable, Sendable {
    /// Seconds in which 63 % of a change are over.
    static var fade: Float { @_noLocks @_noAllocation get { 0.01 } }

    /// Of what enters; walks to 0 when the row leaves.
    private(set) var send: Float
    private(set) var gain: Float
    private var alignment: Alignment
    /// Frames for which nothing has entered it.
    private(set) var quiet = 0

    init(gain: Float, delay: Int, largestBlock: Int, enters: Bool) {
        send = enters ? 0 : 1
        self.gain = gain
        alignment = Alignment(delay: delay, largestBlock: largestBlock)
    }

    /// Walks on for a block; returns where both were.
    @_noLocks @_noAllocation
    mutating func walk(send wantedSend: Float, gain wantedGain: Float, share: Float, frames: Int) -> (send: Float, gain: Float) {
        let before = (send: send, gain: gain)
        send = Self.nearer(send, wantedSend, share)
        gain = Self.nearer(gain, wantedGain, share)
        quiet = before.send == 0 && send == 0 ? quiet &+ frames : 0
        return before
    }

    @_noLocks @_noAllocation
    static func nearer(_ value: Float, _ wanted: Float, _ share: Float) -> Float {
        let next = value + (wanted - value) * share
        return abs(wanted - next) < 1e-3 ? wanted : next
    }

    @_noLocks @_noAllocation
    mutating func align(
        _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, frames: Int, delay: Int
    ) { alignment.process(left, right, frames: frames, delay: delay) }
}
