internal import Binaural
internal import CRealtime
internal import DSP

/// One ear rendered with HRTF filters: each partition through the filters on either side of the head's yaw, with shares that
/// move with the yaw from the partition's beginning to its end. At rest the nearer filters alone are heard: above the frequency up to
/// which neighbours share their phases, a mix of both would change the level.
struct HRTFEar: ~Copyable, Sendable {
    private let output: FrameOverlap
    private let part: Int
    private let ear: Ear
    /// Filters for the next partition; nil without any.
    var coming: FilterBankView?
    /// Filters of the last partition, and the head's place among them at its end.
    private var bank: FilterBankView?
    private var place = FilterPlace()
    /// Yaw at the end of the last block, degrees.
    private var yaw: Float = 0
    private var hasYaw = false
    /// The filters that are heard at rest, and how far they are heard alone, 0 to 1.
    private var nearest = 0
    private var settled: Float = 1
    /// Degrees that the head moves in one frame at ``restingSpeed``.
    private let restingTurn: Float
    /// Degrees per second below which the head counts as resting.
    private static var restingSpeed: Float { @_noLocks @_noAllocation get { 5 } }

    init(_ ear: Ear, period: Int, rate: Float) {
        part = HRTFFrame(rate: rate).part
        output = FrameOverlap(length: part, period: period)
        self.ear = ear
        restingTurn = Self.restingSpeed / rate
    }

    /// The block's samples.
    var row: UnsafePointer<Float> { @_noLocks @_noAllocation get { output.row } }

    /// Starts again from silence.
    @_noLocks @_noAllocation
    mutating func reset() {
        output.clear()
        bank = nil
        hasYaw = false
        settled = 1
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
        // Partitions of about 3 ms: 80 ms to settle, 20 ms to move again.
        let change: Float = abs(turned) < restingTurn * Float(frames) ? 1 / 32 : -1 / 8
        for hop in 0..<parts.hops.count {
            let begin = parts.hops.place(hop)
            let rest = max(0, 1 - Float(begin &+ part) / Float(frames))
            let samples = output.frame(begin)
            rt_zero(samples, part)
            settled = max(0, min(1, settled + change))
            turn(to: settle(coming.place(reached - turned * rest)), of: coming, parts, hop: hop, work: work, samples)
        }
        yaw = reached
        hasYaw = true
    }

    /// Moves the shares of a place towards the nearer filters, which stay the same ones until the head is clearly nearer to others.
    @_noLocks @_noAllocation
    private mutating func settle(_ exact: FilterPlace) -> FilterPlace {
        if exact.share(nearest) < 0.25 { nearest = exact.share < 0.5 ? exact.turn : exact.next }
        var place = exact
        place.share += ((nearest == exact.next ? 1 : 0) - exact.share) * settled
        return place
    }

    /// Adds a partition during which the head moves to `new`, and other filters replace the previous ones if need be.
    @_noLocks @_noAllocation
    private mutating func turn(
        to new: FilterPlace, of coming: FilterBankView, _ parts: borrowing PartitionedInput, hop: Int,
        work: borrowing PartitionWork, _ samples: UnsafeMutablePointer<Float>
    ) {
        func add(_ bank: FilterBankView, _ turn: Int, from: Float, to: Float) {
            guard from != 0 || to != 0 else { return }
            let sound = parts.ear(ear, bank, turn: turn, hop: hop, work: work)
            RampedSum.add(sound, from: from, to: to, frames: part, onto: samples)
        }
        let isSame = bank.map { $0 == coming } ?? false
        let old = bank == nil ? new : place
        if let bank, !isSame {
            add(bank, old.turn, from: 1 - old.share, to: 0)
            add(bank, old.next, from: old.share, to: 0)
            add(coming, new.turn, from: 0, to: 1 - new.share)
            add(coming, new.next, from: 0, to: new.share)
        } else {
            add(coming, new.turn, from: old.share(new.turn), to: 1 - new.share)
            add(coming, new.next, from: old.share(new.next), to: new.share)
            if old.turn != new.turn, old.turn != new.next { add(coming, old.turn, from: 1 - old.share, to: 0) }
            if old.next != new.turn, old.next != new.next { add(coming, old.next, from: old.share, to: 0) }
        }
        bank = coming
        place = new
    }

    /// Adds the broadband gain of every channel in this ear to the entries from `from` on; valid while the ear is in use.
    @_noLocks @_noAllocation
    func addGains(to row: inout MutableSpan<Float>, from: Int) {
        guard let bank else { return }
        let turn = place.share < 0.5 ? place.turn : place.next
        for place in 0..<bank.count {
            row[from &+ bank.channel(turn: turn, place: place)] += bank.gain(turn: turn, ear: ear, place: place)
        }
    }

    /// Advances to the next block.
    @_noLocks @_noAllocation
    func advance(_ frames: Int) { output.advance(frames) }
}
