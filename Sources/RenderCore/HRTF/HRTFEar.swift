internal import Binaural
internal import CRealtime
internal import DSP

/// One ear rendered with HRTF filters: each partition through the filters for the present yaw, with a crossfade of one
/// partition when the head turns to others.
struct HRTFEar: ~Copyable, Sendable {
    private let output: FrameOverlap
    private let part: Int
    private let ear: Ear
    /// Filters for the next partition; nil without any.
    var coming: FilterBankView?
    /// Filters of the last partition.
    private var bank: FilterBankView?
    private var turn = -1
    /// Yaw at the end of the last block, degrees.
    private var yaw: Float = 0
    private var hasYaw = false

    init(_ ear: Ear, period: Int, rate: Float) {
        part = HRTFFrame(rate: rate).part
        output = FrameOverlap(length: part, period: period)
        self.ear = ear
    }

    /// The block's samples.
    var row: UnsafePointer<Float> { @_noLocks @_noAllocation get { output.row } }

    /// Starts again from silence.
    @_noLocks @_noAllocation
    mutating func reset() {
        output.clear()
        bank = nil
        turn = -1
        hasYaw = false
    }

    /// Renders the partitions that begin in this block.
    ///
    /// - Parameter azimuth: azimuth of the ear in the world at the block's end, degrees. Any deviation from the ear's
    ///   standard place counts as yaw.
    @_noLocks @_noAllocation
    mutating func render(_ parts: borrowing PartitionedInput, azimuth: Float, frames: Int, work: borrowing PartitionWork) {
        guard let coming else { return }
        let reached = wrapDegrees(azimuth - ear.azimuth)
        let turned = hasYaw ? wrapDegrees(reached - yaw) : 0
        for hop in 0..<parts.hops.count {
            let place = parts.hops.place(hop)
            let rest = max(0, 1 - Float(place &+ part) / Float(frames))
            render(parts, coming, yaw: reached - turned * rest, hop: hop, work: work, into: output.frame(place))
        }
        yaw = reached
        hasYaw = true
    }

    @_noLocks @_noAllocation
    private mutating func render(
        _ parts: borrowing PartitionedInput, _ coming: FilterBankView, yaw: Float, hop: Int, work: borrowing PartitionWork,
        into samples: UnsafeMutablePointer<Float>
    ) {
        let isSame = bank.map { $0 == coming } ?? false
        let wanted = coming.turn(yaw, present: isSame ? turn : -1)
        rt_copy(samples, parts.ear(ear, coming, turn: wanted, hop: hop, work: work), part)
        if let bank, !isSame || wanted != turn {
            let former = parts.ear(ear, bank, turn: turn, hop: hop, work: work)
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

    /// Adds the broadband gain of every channel in this ear to the entries from `from` on; valid while the ear is in use.
    @_noLocks @_noAllocation
    func addGains(to row: inout MutableSpan<Float>, from: Int) {
        guard let bank, turn >= 0 else { return }
        for place in 0..<bank.count {
            row[from &+ bank.channel(turn: turn, place: place)] += bank.gain(turn: turn, ear: ear, place: place)
        }
    }

    /// Advances to the next block.
    @_noLocks @_noAllocation
    func advance(_ frames: Int) { output.advance(frames) }
}
