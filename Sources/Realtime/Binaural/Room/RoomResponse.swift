internal import DSP
internal import Glibc

/// Impulse response of a room at the listeners' place, as an omnidirectional microphone records it.
public struct RoomResponse: Sendable {
    /// Pressure relative to the direct sound at 1 m, from the time at which the sound is made.
    public let samples: [Float]
    /// The late field alone: one signal for each direction.
    public let late: [[Float]]
    public let reflections: [RoomReflection]
    /// Sample of the direct sound.
    public let onset: Int
    private static let period = 256

    /// - Parameters:
    ///   - source: place in the world, metres.
    ///   - order: highest order of the image sources, 0 to 5.
    ///   - rate: frames per second.
    public init(_ room: Shoebox, source: SIMD3<Float>, order: Int, rate: Float) {
        reflections = RoomReflection.all(room, source: source, order: order)
        let times = room.reverberationTimes
        let longest = reflections.last?.delay ?? 0
        let count = (Int(clamping: (1.3 * times.max() + longest + 0.3) * rate) / Self.period + 1) * Self.period
        var (samples, late) = ([Float](repeating: 0, count: count), [[Float]](repeating: [], count: LateFieldPlan.lines))

        let design = OctaveDesign(rate: rate)
        var work = [Float](repeating: 0, count: 4096)
        for reflection in reflections {
            for i in work.indices { work[i] = 0 }
            work[0] = 1
            var state = OctaveFilterState()
            let filter = design.filter(reflection.decibels)
            state.process(&work, frames: work.count, from: filter, to: filter)
            let begin = Int(clamping: (reflection.delay * rate).rounded())
            for i in 0..<min(work.count, count - begin) { samples[begin + i] += work[i] }
        }
        onset = Int(clamping: ((reflections.first?.delay ?? 0) * rate).rounded())

        // This plan is never cancelled.
        guard let plan = LateFieldPlan(room, order: order, rate: rate) else { preconditionFailure() }
        var field = LateField(plan, room: room, rate: rate, period: Self.period)
        let stride = Self.period + 64
        var input = [Float](repeating: 0, count: Self.period)
        var rows = [Float](repeating: 0, count: stride * LateFieldPlan.lines)
        input[0] = 1
        for block in 0..<count / Self.period {
            field.process(input, &rows, stride: stride, frames: Self.period)
            input[0] = 0
            for line in 0..<LateFieldPlan.lines {
                let row = rows[line * stride..<line * stride + Self.period]
                late[line] += row
                for (i, sample) in row.enumerated() { samples[block * Self.period + i] += sample }
            }
        }
        (self.samples, self.late) = (samples, late)
    }
}
