internal import DSP
internal import Glibc

/// Delays, filters and pulses of a ``LateField`` for a room, computed outside of the audio thread.
public struct LateFieldPlan: Sendable {
    /// A delayed copy of the input in one line.
    struct Pulse: BitwiseCopyable, Sendable {
        let segment: Int
        let delay: Int
        let gain: Float
    }

    /// Number of delay lines, each heard from a direction of its own.
    public static var lines: Int { @_noLocks @_noAllocation get { 16 } }
    /// Shortest and longest delay of a line, seconds.
    private static let delays: ClosedRange<Float> = 0.06...0.17
    private static let densest: Float = 600
    private static let mostPulses: Float = 112

    let delays: [Int]
    /// Decay of each line in one round.
    let filters: [OctaveFilter]
    /// Decay up to the middle of each part of the feed.
    let segments: [OctaveFilter]
    /// Pulses of all lines; those of line i are at `first[i]..<first[i + 1]`.
    let pulses: [Pulse]
    let first: [Int]
    /// Longest delay of a pulse, samples.
    let longest: Int

    /// - Parameters:
    ///   - order: highest order of the image sources that are rendered beside the late field.
    ///   - rate: frames per second.
    ///   - isWanted: called from time to time; returns whether to continue.
    /// - Returns: nil when `isWanted` returned false.
    public init?(_ room: Shoebox, order: Int, rate: Float, isWanted: () -> Bool = { true }) {
        guard let join = RoomJoin(room, order: order, isWanted: isWanted) else { return nil }
        let (times, design) = (room.reverberationTimes, OctaveDesign(rate: rate))
        let count = Self.lines
        var random = SeededRandom(seed: 61)
        // Rooms with little reverberation have short lines, so that sound does not lose much in one round.
        let scale = min(1, max(0.1, times.min() / 0.8))
        let ratio = Self.delays.upperBound / Self.delays.lowerBound
        let seconds = (0..<count).map { line in
            scale * Self.delays.lowerBound * powf(ratio, (Float(line) + Float(random.within(0.1...0.9))) / Float(count))
        }
        var delays: [Int] = []
        for second in seconds {
            var delay = Int(clamping: second * rate)
            while delays.contains(where: { Self.haveCommonFactor($0, delay) }) { delay += 1 }
            delays.append(delay)
        }
        self.delays = delays
        let targets = Self.targets(times, design, seconds: scale * 0.115, rate: rate)
        guard isWanted() else { return nil }
        filters = delays.map { Self.stable(design.filter(-60 * Float($0) / rate / targets), rate: rate) }

        // Each line is fed as if it had been sounding all along: with the room's energy from the join on, for as long as its own delay,
        // after which it is fed by the others.
        let begin = Float(join.shares.firstIndex { $0 > 0 } ?? 0) * RoomJoin.bin
        let end = Float(join.shares.count) * RoomJoin.bin + scale * Self.delays.upperBound
        let parts = max(1, min(4, Int(clamping: (end - begin) / 0.03)))
        let part = (end - begin) / Float(parts)
        segments = (0..<parts).map { index in
            let middle = begin + (Float(index) + 0.5) * part
            return design.filter(-60 * middle / times + join.decibels)
        }
        func share(_ time: Float) -> Float {
            guard time > 0 else { return 0 }
            let place = time / RoomJoin.bin
            let at = Int(clamping: place)
            guard at + 1 < join.shares.count else { return 1 }
            return join.shares[at] + (join.shares[at + 1] - join.shares[at]) * (place - Float(at))
        }
        let power = LateField.energy(room, seconds: 0, reverberation: 1) / rate / Float(count)
        let density = min(Self.densest, Self.mostPulses / (end - begin))
        var (pulses, first, longest): ([Pulse], [Int], Int) = ([], [0], 0)
        for line in 0..<count {
            let delay = Float(delays[line]) / rate
            var step: Float = 0
            while begin + step / density < end {
                let time = begin + (step + Float(random.unit())) / density
                step += 1
                let fed = max(0, share(time) - share(time - delay))
                guard fed > 1e-4 else { continue }
                let index = max(0, min(parts - 1, Int(clamping: (time - begin) / part)))
                let rest = time - begin - (Float(index) + 0.5) * part
                let size = (power * rate / density * fed).squareRoot() * powf(10, -3 * rest / times[3])
                pulses.append(Pulse(segment: index, delay: Int(clamping: time * rate), gain: random.unit() < 0.5 ? size : -size))
                longest = max(longest, Int(clamping: time * rate))
            }
            first.append(pulses.count)
        }
        (self.pulses, self.first, self.longest) = (pulses, first, longest)
    }

    /// Reverberation times at the octaves' centres with which whole octaves decay by `times`: the end of an octave's decay is that of its
    /// slowest frequencies.
    private static func targets(_ times: SIMD8<Float>, _ design: OctaveDesign, seconds: Float, rate: Float) -> SIMD8<Float> {
        var targets = times
        for _ in 0..<6 {
            let filter = design.filter(-60 * seconds / targets)
            for band in 0..<RoomMaterial.octaves where OctaveFilter.centres[band] < 0.3 * rate {
                // Decay rates in decibels per second at nine frequencies of the octave, and their shares of the energy.
                let parts = (-4...4).map { part -> (rate: Float, weight: Float) in
                    let hertz = OctaveFilter.centres[band] * exp2f(Float(part) / 9)
                    return (max(1, -OctaveDesign.level(filter, turns: hertz / rate) / seconds), hertz)
                }
                func level(_ time: Float) -> Float {
                    10 * log10f(parts.reduce(0) { $0 + $1.weight / $1.rate * powf(10, -$1.rate * time / 10) })
                }
                func crossing(_ below: Float) -> Float {
                    var (from, to) = (Float(0), 4 * times[band])
                    for _ in 0..<24 {
                        let middle = (from + to) / 2
                        if level(middle) > level(0) - below { from = middle } else { to = middle }
                    }
                    return from
                }
                let found = 2 * (crossing(35) - crossing(5))
                targets[band] *= max(0.8, min(1.25, times[band] / max(0.01, found)))
                targets[band] = max(0.5 * times[band], min(2 * times[band], targets[band]))
            }
        }
        return targets
    }

    /// Returns the filter, attenuated where necessary so that it amplifies no frequency: otherwise a line would become louder with every
    /// round.
    private static func stable(_ filter: OctaveFilter, rate: Float) -> OctaveFilter {
        var filter = filter
        var most: Float = -100
        for part in 0..<160 {
            most = max(most, OctaveDesign.level(filter, turns: 20 / rate * powf(0.499 * rate / 20, Float(part) / 159)))
        }
        let allowed: Float = -0.02
        if most > allowed { filter.gain *= powf(10, (allowed - most) / 20) }
        return filter
    }

    private static func haveCommonFactor(_ a: Int, _ b: Int) -> Bool {
        var (a, b) = (a, b)
        while b != 0 { (a, b) = (b, a % b) }
        return a != 1
    }
}
