internal import CRealtime
package import DSP

/// Processes sound by an arrangement, and owns the working memory for that.
package struct RackRunner: ~Copyable, Sendable {
    // SAFETY: owned by this value alone, which cannot be copied: the input of a place, and one of its rows.
    private nonisolated(unsafe) let work: UnsafeMutablePointer<Float>
    private let stride: Int
    private let rate: Float
    /// Keeps the rack's input in range, so that it corrupts no effect.
    private var range: RangeGuard
    /// Number of blocks that were replaced because their input was out of range.
    package private(set) var counts = RangeCounts()

    package init(rate: Float, largestBlock: Int) {
        self.rate = rate
        range = RangeGuard(rate: rate)
        stride = (largestBlock + 15) / 16 * 16 + 64
        work = UnsafeMutableRawPointer.allocate(byteCount: 16 * stride, alignment: 64)
            .bindMemory(to: Float.self, capacity: 4 * stride)
        work.initialize(repeating: 0, count: 4 * stride)
    }

    deinit { work.deallocate() }

    /// Processes one block in place.
    ///
    /// - Parameter tempo: beats per minute.
    @_noLocks @_noAllocation
    package mutating func process(
        _ rack: inout RackArrangement, _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>,
        frames: Int, tempo: Float
    ) {
        let verdict = range.admit(left, right, frames: frames)
        if !verdict.isPlausible { counts.note(verdict) }
        rack.peaks.input = Self.peak(left, right, frames)
        let share = Smoother.share(frames: frames, rate: rate, seconds: SmoothingTime.slot)
        rack.bypass?.pointee.take(
            left, right, frames: frames, isOn: rack.isBypassed, latency: rack.latency, speed: share)
        runPlaces(rack, left, right, frames, share, tempo)
        rack.bypass?.pointee.join(left, right, frames: frames)
        rack.peaks.output = Self.peak(left, right, frames)
    }

    /// Largest sample of a block.
    @_noLocks @_noAllocation
    static func peak(_ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, _ frames: Int) -> Float {
        // Levels are measured in whole lanes.
        let rest = roundedToLanes(frames) &- frames
        rt_zero(left + frames, rest)
        rt_zero(right + frames, rest)
        let peak = LevelMeter.measure(left, right, frames: frames).peak
        return max(peak[0], peak[1])
    }

    @_noLocks @_noAllocation
    private func runPlaces(
        _ rack: borrowing RackArrangement, _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, _ frames: Int,
        _ share: Float, _ tempo: Float
    ) {
        var (row, slot) = (0, 0)
        for i in 0..<rack.places.count {
            let place = rack.places[i]
            if place.place == nil {
                for _ in 0..<place.rows {
                    slot = run(rack, row, slot, left, right, frames, tempo)
                    row = row &+ 1
                }
            } else {
                (row, slot) = runSideBySide(
                    rack, place, row, slot, left, right, frames, share, tempo)
            }
        }
    }

    /// Runs the slots of a row in order; returns the index after the last.
    @_noLocks @_noAllocation
    private func run(
        _ rack: borrowing RackArrangement, _ row: Int, _ first: Int, _ left: UnsafeMutablePointer<Float>,
        _ right: UnsafeMutablePointer<Float>, _ frames: Int, _ tempo: Float
    ) -> Int {
        let end = first &+ rack.rows[row].slots
        for i in first..<end {
            rack.slots[i].slot.pointee.process(
                left, right, frames: frames, tempo: tempo, stage: rack.slots[i].stage)
        }
        return end
    }

    @_noLocks @_noAllocation
    private func runSideBySide(
        _ rack: borrowing RackArrangement, _ place: RackArrangement.Place, _ firstRow: Int, _ firstSlot: Int,
        _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, _ frames: Int, _ share: Float,
        _ tempo: Float
    ) -> (row: Int, slot: Int) {
        guard let state = place.place else { return (firstRow, firstSlot) }
        let (inLeft, inRight, ownLeft, ownRight) = (work, work + stride, work + 2 &* stride, work + 3 &* stride)
        rt_copy(inLeft, left, frames)
        rt_copy(inRight, right, frames)
        Self.scale(left, right, frames, by: state.pointee.pass(place.isLeaving ? 1 : 0, share: share, frames: frames))
        var slot = firstSlot
        for row in firstRow..<firstRow &+ place.rows {
            let entry = rack.rows[row]
            guard let state = entry.row else {
                slot = slot &+ entry.slots
                continue
            }
            let (send, gains) = state.pointee.advance(
                send: entry.isLeaving ? 0 : 1, gain: entry.mix, share: share, frames: frames)
            rt_copy(ownLeft, inLeft, frames)
            rt_copy(ownRight, inRight, frames)
            Self.scale(ownLeft, ownRight, frames, by: send)
            let tail = entry.isLeaving && state.pointee.send.value == 0 ? tail(rack, slot, entry, tempo) : 0
            slot = run(rack, row, slot, ownLeft, ownRight, frames, tempo)
            state.pointee.align(ownLeft, ownRight, frames: frames, delay: entry.delay)
            for n in 0..<frames {
                let gain = gains.value(at: n)
                left[n] += gain * ownLeft[n]
                right[n] += gain * ownRight[n]
            }
            if entry.isLeaving && state.pointee.quiet > tail { rack.rows[row].isGone = true }
        }
        return (firstRow &+ place.rows, slot)
    }

    /// Frames until a row without input is silent.
    @_noLocks @_noAllocation
    private func tail(_ rack: borrowing RackArrangement, _ first: Int, _ row: RackArrangement.Row, _ tempo: Float) -> Int {
        var sum = row.delay
        for i in first..<first &+ row.slots {
            sum = sum &+ rack.slots[i].slot.pointee.tail(tempo: tempo) &+ rack.slots[i].slot.pointee.latency
        }
        return sum
    }

    @_noLocks @_noAllocation
    private static func scale(
        _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, _ frames: Int, by gain: Ramp
    ) {
        if gain.isOne { return }
        if gain.isZero {
            rt_zero(left, frames)
            rt_zero(right, frames)
            return
        }
        gain.scale(left, right, frames: frames)
    }
}
