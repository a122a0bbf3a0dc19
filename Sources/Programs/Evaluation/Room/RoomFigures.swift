package import Binaural
internal import Foundation

/// Figures of ISO 3382-1 in the octaves from 125 Hz to 8 kHz, from an impulse response.
package struct RoomFigures: Sendable, Encodable {
    package struct Octave: Sendable, Encodable {
        /// Hertz.
        package let frequency: Double
        /// Reverberation times from the decay between -5 and -25 dB, -5 and -35 dB, and 0 and -10 dB, seconds.
        /// Nil without such a part.
        package let t20: Double?
        package let t30: Double?
        package let edt: Double?
        /// Eyring's formula with air, seconds.
        package let eyring: Double
        /// Clarity after 50 and 80 ms, decibels; definition, 0 to 1.
        package let c50: Double
        package let c80: Double
        package let d50: Double
        /// Metres.
        package let criticalDistance: Double
    }

    package let octaves: [Octave]
    /// Curves of the decay in decibels, every 5 ms from the direct sound on; for pictures.
    package let decays: [[Double]]
    package static let decayStep = 0.005

    private enum CodingKeys: String, CodingKey { case octaves }

    package init(_ response: RoomResponse, room: Shoebox, rate: Double) {
        let (times, distances) = (room.reverberationTimes, room.criticalDistances)
        var (octaves, decays): ([Octave], [[Double]]) = ([], [])
        let signals = Self.signals(response)
        for band in 0..<RoomMaterial.octaves {
            let frequency = 125 * pow(2, Double(band))
            let filter = OctaveBand(frequency, rate: rate)
            var squares = [Double](repeating: 0, count: response.samples.count)
            for signal in signals { for (i, sample) in filter.filtered(signal).enumerated() { squares[i] += sample * sample } }
            let onset = min(response.onset, squares.count)
            var (energy, rest) = ([Double](repeating: 0, count: squares.count + 1), 0.0)
            for i in squares.indices.reversed() {
                rest += squares[i]
                energy[i] = rest
            }
            let whole = max(energy[onset], 1e-300)
            func level(_ i: Int) -> Double { 10 * log10(max(energy[min(i, squares.count)] / whole, 1e-12)) }
            func after(_ seconds: Double) -> Double { energy[min(squares.count, onset + Int(clamping: seconds * rate))] }
            func rounded(_ value: Double) -> Double { value.rounded(decimals: 4) }
            func time(_ from: Double, _ to: Double) -> Double? {
                Self.time((onset..<squares.count).map(level), from, to, rate: rate).map(rounded)
            }
            let (early50, early80) = (whole - after(0.05), whole - after(0.08))
            octaves.append(
                Octave(
                    frequency: frequency, t20: time(-5, -25), t30: time(-5, -35), edt: time(0, -10), eyring: rounded(Double(times[band])),
                    c50: rounded(10 * log10(early50 / max(after(0.05), 1e-300))),
                    c80: rounded(10 * log10(early80 / max(after(0.08), 1e-300))),
                    d50: rounded(early50 / whole), criticalDistance: rounded(Double(distances[band]))))
            let step = Int(clamping: Self.decayStep * rate)
            decays.append(stride(from: onset, to: squares.count, by: max(1, step)).map(level))
        }
        (self.octaves, self.decays) = (octaves, decays)
    }

    /// The early part, and the late field in four parts. Each of these is a sample of the same decay; their energies are added, like those
    /// of measurements at several places.
    private static func signals(_ response: RoomResponse) -> [[Float]] {
        var signals = [response.samples] + (0..<4).map { _ in [Float](repeating: 0, count: response.samples.count) }
        for (line, late) in response.late.enumerated() {
            for i in late.indices {
                signals[0][i] -= late[i]
                signals[1 + line % 4][i] += late[i]
            }
        }
        return signals
    }

    /// Time of a decay by 60 dB, from the line that fits the curve between two levels best; nil without such a part.
    private static func time(_ levels: [Double], _ from: Double, _ to: Double, rate: Double) -> Double? {
        guard let first = levels.firstIndex(where: { $0 <= from }), let last = levels.firstIndex(where: { $0 <= to }), last > first + 2
        else { return nil }
        let count = Double(last - first)
        let (meanPlace, meanLevel) = ((count - 1) / 2, levels[first..<last].reduce(0, +) / count)
        var (product, square) = (0.0, 0.0)
        for i in first..<last {
            product += (Double(i - first) - meanPlace) * (levels[i] - meanLevel)
            square += (Double(i - first) - meanPlace) * (Double(i - first) - meanPlace)
        }
        return -60 / (product / square * rate)
    }
}

/// A band of one octave: Butterworth filters of the tenth order at both edges, so that a neighbour that decays more slowly has no
/// influence.
struct OctaveBand {
    private var sections: [(b0: Double, b1: Double, b2: Double, a1: Double, a2: Double)] = []

    init(_ centre: Double, rate: Double) {
        for q in (0..<5).map({ 1 / (2 * cos(.pi * (2 * Double($0) + 1) / 20)) }) {
            sections.append(Self.section(centre / 2.0.squareRoot(), q, rate, isHigh: true))
            if centre * 2.0.squareRoot() < 0.48 * rate { sections.append(Self.section(centre * 2.0.squareRoot(), q, rate, isHigh: false)) }
        }
    }

    private static func section(
        _ hertz: Double, _ q: Double, _ rate: Double, isHigh: Bool
    ) -> (b0: Double, b1: Double, b2: Double, a1: Double, a2: Double) {
        let angle = 2 * Double.pi * hertz / rate
        let (c, alpha) = (cos(angle), sin(angle) / (2 * q))
        let (scale, sign): (Double, Double) = (1 / (1 + alpha), isHigh ? -1 : 1)
        let edge = (1 - sign * c) / 2 * scale
        return (edge, sign * 2 * edge, edge, -2 * c * scale, (1 - alpha) * scale)
    }

    func filtered(_ samples: [Float]) -> [Double] {
        var output = samples.map(Double.init)
        for section in sections {
            var (s1, s2) = (0.0, 0.0)
            for i in output.indices {
                let x = output[i]
                let y = section.b0 * x + s1
                s1 = section.b1 * x - section.a1 * y + s2
                s2 = section.b2 * x - section.a2 * y
                output[i] = y
            }
        }
        return output
    }
}
