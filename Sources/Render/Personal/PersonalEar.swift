internal import Binaural
internal import CRealtime
internal import DSP

/// One ear as `personal` makes it: part after part through the filters for where the head points, crossfaded to others
/// within one part when it turns.
struct PersonalEar: ~Copyable, Sendable {
    private let output: FrameOverlap
    private let part: Int
    private let ear: Ear
    /// Through which the next part goes; nil while there are none.
    var coming: FilterBankView?
    /// Through which the last part went.
    private var bank: FilterBankView?
    private var turn = -1
    /// Degrees, at the end of the last block.
    private var yaw: Float = 0
    private var hasYaw = false

    init(_ ear: Ear, period: Int, rate: Float) {
        part = PersonalFrame(rate: rate).part
        output = FrameOverlap(length: part, period: period)
        self.ear = ear
    }

    /// The block's samples.
    var row: UnsafePointer<Float> { @_noLocks @_noAllocation get { output.row } }

    /// Begins anew in silence.
    @_noLocks @_noAllocation
    mutating func reset() {
        output.clear()
        bank = nil
        turn = -1
        hasYaw = false
    }

    /// Renders what begins in this block.
    ///
    /// - Parameter azimuth: of the ear in the world at the block's end, degrees. An ear that does not sit where ears
    ///   do is one that has been turned there.
    @_noLocks @_noAllocation
    mutating func render(_ parts: borrowing InputParts, azimuth: Float, frames: Int) {
        guard let coming else { return }
        let reached = wrapDegrees(azimuth - ear.azimuth)
        let way = hasYaw ? wrapDegrees(reached - yaw) : 0
        for hop in 0..<parts.hops.count {
            let place = parts.hops.place(hop)
            let rest = max(0, 1 - Float(place &+ part) / Float(frames))
            render(parts, coming, yaw: reached - way * rest, hop: hop, into: output.frame(place))
        }
        yaw = reached
        hasYaw = true
    }

    @_noLocks @_noAllocation
    private mutating func render(
        _ parts: borrowing InputParts, _ coming: FilterBankView, yaw: Float, hop: Int,
        into samples: UnsafeMutablePointer<Float>
    ) {
        let isSame = bank.map { $0 == coming } ?? false
        let wanted = coming.turn(yaw, present: isSame ? turn : -1)
        rt_copy(samples, parts.ear(ear, coming, turn: wanted, hop: hop), part)
        if let bank, !isSame || wanted != turn {
            let former = parts.ear(ear, bank, turn: turn, hop: hop)
            let step = 1 / Float(part)
            let shares = Lanes(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16) * step
            var i = 0
            while i < part {
                let (old, new) = (former.lanes(i), samples.lanes(i))
                samples.setLanes(i, rt_fma16(new - old, shares + Float(i) * step, old))
                i = i &+ laneCount
            }
        }
        bank = coming
        turn = wanted
    }

    /// Adds what every channel has in this ear to the entries from `from` on; only while the ear is heard.
    @_noLocks @_noAllocation
    func addGains(to row: inout MutableSpan<Float>, from: Int) {
        guard let bank, turn >= 0 else { return }
        for place in 0..<bank.count {
            row[from &+ bank.channel(turn: turn, place: place)] += bank.gain(turn: turn, ear: ear, place: place)
        }
    }

    /// Goes on to the next block.
    @_noLocks @_noAllocation
    func advance(_ frames: Int) { output.advance(frames) }
}
