internal import CRealtime
internal import DSP
internal import Glibc

/// The late field of a room: a feedback delay network of sixteen lines, each heard from a direction of its own.
///
/// Orthogonal mixing by a Hadamard matrix (J.-M. Jot and A. Chaigne, AES convention 90, 1991); the decay of each line has the room's
/// reverberation time in every octave. The network is fed with sparse noise in such a way that its energy takes over from that of the image
/// sources.
public struct LateField: ~Copyable, Sendable {
    private static var count: Int { @_noLocks @_noAllocation get { 16 } }
    /// Length of the fades of sound that ``adopt(_:from:)`` takes over, samples.
    private static var fade: Int { @_noLocks @_noAllocation get { 256 } }

    // SAFETY: owned by this value alone, which cannot be copied.
    private nonisolated(unsafe) let lines: UnsafeMutablePointer<LaneRing>
    // SAFETY: as above. The input, filtered for each part of the feed.
    private nonisolated(unsafe) let feeds: UnsafeMutablePointer<LaneRing>
    // SAFETY: as above.
    private nonisolated(unsafe) let states: UnsafeMutablePointer<OctaveFilterState>
    // SAFETY: as above; written by the initializer only.
    private nonisolated(unsafe) let segments: UnsafeMutablePointer<OctaveFilter>
    // SAFETY: as above; written by the initializer only.
    private nonisolated(unsafe) let pulses: UnsafeMutablePointer<LateFieldPlan.Pulse>
    // SAFETY: as above; written by the initializer only. Delay of each line, then the beginnings of its pulses.
    private nonisolated(unsafe) let numbers: UnsafeMutablePointer<Int>
    // SAFETY: as above. For each of eight sections, a1, a2, k0, k1, k2 of all lines, then their states w1, w2; then the lines' gains.
    private nonisolated(unsafe) let sections: UnsafeMutablePointer<Lanes>
    // SAFETY: as above. Sixteen rows of sixteen, twice; then a block of input.
    private nonisolated(unsafe) let work: UnsafeMutablePointer<Float>
    private let segmentCount: Int
    /// Samples for which the field sounds after its input has ended.
    public let tail: Int

    /// - Parameter period: largest block, frames.
    public init(_ plan: LateFieldPlan, room: Shoebox, rate: Float, period: Int) {
        let count = Self.count
        lines = .allocate(capacity: count)
        for line in 0..<count { (lines + line).initialize(to: LaneRing(longest: plan.delays[line])) }
        segmentCount = plan.segments.count
        feeds = .allocate(capacity: segmentCount)
        for segment in 0..<segmentCount { (feeds + segment).initialize(to: LaneRing(longest: plan.longest + 2 * period)) }
        states = .allocate(capacity: segmentCount)
        states.initialize(repeating: OctaveFilterState(), count: segmentCount)
        segments = .allocate(capacity: segmentCount)
        for (index, segment) in plan.segments.enumerated() { (segments + index).initialize(to: segment) }
        pulses = .allocate(capacity: max(1, plan.pulses.count))
        for (index, pulse) in plan.pulses.enumerated() { (pulses + index).initialize(to: pulse) }
        numbers = .allocate(capacity: 2 * count + 1)
        for line in 0..<count { numbers[line] = plan.delays[line] }
        for line in 0...count { numbers[count + line] = plan.first[line] }
        sections = .allocate(capacity: 57)
        sections.initialize(repeating: .zero, count: 57)
        for line in 0..<count {
            let filter = plan.filters[line]
            for section in 0..<8 {
                sections[5 * section][line] = filter.a1[section]
                sections[5 * section + 1][line] = filter.a2[section]
                sections[5 * section + 2][line] = filter.k0[section]
                sections[5 * section + 3][line] = filter.k1[section]
                sections[5 * section + 4][line] = filter.k2[section]
            }
            // The Hadamard matrix has a gain of four.
            sections[56][line] = filter.gain / 4
        }
        work = .allocateAligned(2 * 256 + period + 64)
        let times = room.reverberationTimes
        tail = plan.longest + Int(clamping: 1.7 * rate * times.max())
    }

    deinit {
        lines.deinitialize(count: Self.count)
        lines.deallocate()
        feeds.deinitialize(count: segmentCount)
        feeds.deallocate()
        states.deallocate()
        segments.deallocate()
        pulses.deallocate()
        numbers.deallocate()
        sections.deallocate()
        work.deallocate()
    }

    /// Mean energy of all reflections per second at a time after a unit impulse at 1 m.
    public static func energy(_ room: Shoebox, seconds: Float, reverberation: Float) -> Float {
        4 * .pi * MicrophoneArray.speedOfSound / room.volume * powf(10, -6 * seconds / reverberation)
    }

    /// Adds the sound in a line of another room's late field to the same line of this one.
    @_noLocks @_noAllocation
    public mutating func adopt(_ line: Int, from other: borrowing LateField) {
        let lines = lines
        (lines + line).pointee.add((other.lines + line).pointee, latest: min(numbers[line], other.numbers[line]), fade: Self.fade)
    }

    /// Processes a block.
    ///
    /// - Parameters:
    ///   - input: sound of all sources, each with its level at 1 m.
    ///   - outputs: row of the first direction; written in whole lanes.
    ///   - stride: distance between the rows of two directions, samples.
    @_noLocks @_noAllocation
    public mutating func process(
        _ input: UnsafePointer<Float>, _ outputs: UnsafeMutablePointer<Float>, stride: Int, frames: Int
    ) {
        let (feeds, states, block) = (feeds, states, work + 512)
        for segment in 0..<segmentCount {
            rt_copy(block, input, frames)
            states[segment].process(block, frames: frames, from: segments[segment], to: segments[segment])
            (feeds + segment).pointee.write(block, frames: frames)
        }
        var frame = 0
        while frame < frames {
            step(outputs + frame, stride: stride, at: frame, count: min(laneCount, frames &- frame), of: frames)
            frame = frame &+ laneCount
        }
    }

    /// Processes sixteen frames or fewer.
    @_noLocks @_noAllocation
    private mutating func step(_ outputs: UnsafeMutablePointer<Float>, stride: Int, at frame: Int, count: Int, of frames: Int) {
        let (lines, feeds, rows, turned) = (lines, feeds, work, work + 256)
        let behind = frames &- frame
        for line in 0..<Self.count {
            var sum = (lines + line).pointee.read(numbers[line])
            for index in numbers[Self.count &+ line]..<numbers[Self.count &+ line &+ 1] {
                let pulse = pulses[index]
                sum = rt_fma16((feeds + pulse.segment).pointee.read(pulse.delay &+ behind), rt_all16(pulse.gain), sum)
            }
            (outputs + (line &* stride)).setLanes(0, sum)
            rows.setLanes(line &* laneCount, sum)
        }
        Self.transpose(rows, turned)
        decay(turned, count)
        Self.transpose(turned, rows)
        rt_hadamard16(rows)
        for line in 0..<Self.count { (lines + line).pointee.write(rows + (line &* laneCount), frames: count) }
    }

    /// Filters frames of all lines.
    @_noLocks @_noAllocation
    private func decay(_ frames: UnsafeMutablePointer<Float>, _ count: Int) {
        for section in 0..<8 {
            let own = sections + 5 &* section
            let (a1, a2, k0, k1, k2) = (own[0], own[1], own[2], own[3], own[4])
            let state = sections + (40 &+ 2 &* section)
            var (w1, w2) = (state[0], state[1])
            for i in 0..<count {
                let x = frames.lanes(i &* laneCount)
                let w = x - rt_fma16(a1, w1, rt_mul16(a2, w2))
                frames.setLanes(i &* laneCount, rt_fma16(k0, w, rt_fma16(k1, w1, rt_fma16(k2, w2, x))))
                w2 = w1
                w1 = w
            }
            state[0] = w1
            state[1] = w2
        }
        let gain = sections[56]
        for i in 0..<count { frames.setLanes(i &* laneCount, rt_mul16(frames.lanes(i &* laneCount), gain)) }
    }

    @_noLocks @_noAllocation
    private static func transpose(_ from: UnsafeMutablePointer<Float>, _ to: UnsafeMutablePointer<Float>) {
        for row in 0..<2 {
            for column in 0..<2 {
                rt_transpose8(from + (128 &* row &+ 8 &* column), 16, to + (128 &* column &+ 8 &* row), 16)
            }
        }
    }
}
