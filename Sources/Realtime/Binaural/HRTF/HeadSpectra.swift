internal import CRealtime
internal import DSP
internal import Glibc

/// Spectra of measured responses at any frequency.
///
/// Each response is windowed from just before the first onset at any ear, so that reflections of the room are left out.
/// Times are counted from an origin that can be moved.
struct HeadSpectra: Sendable {
    /// Beginning of the window before the first onset, its length, and the length of its slopes, seconds.
    private static let before = 0.0005
    private static let window = 0.007
    private static let slopes = (0.0003, 0.001)

    let directions: HeadDirections
    /// Rate of the responses, samples per second.
    let rate: Double
    private let width: Int
    /// Windowed rows of `width` samples for each ear.
    private let rows: [[Float]]
    /// Beginning of each row, seconds; the first onset is at 0.
    private let begins: [[Double]]

    init(_ responses: HeadResponses, _ directions: HeadDirections) {
        let rate = responses.rate
        let length = responses.length
        let first = (0..<2).flatMap { ear in
            directions.indices.map { Self.onset(responses, ear, $0) + responses.delays[ear][$0] }
        }.min()!
        let width = roundedToLanes(Int(clamping: (Self.window * rate).rounded(.up)))
        let slopes = (Self.slopes.0 * rate, Self.slopes.1 * rate)
        rows = (0..<2).map { ear in
            directions.indices.flatMap { index in
                let start = Self.start(first, responses.delays[ear][index], rate)
                return (0..<width).map { i -> Float in
                    let n = start + i
                    guard n >= 0, n < length else { return 0 }
                    let rise = min(1, (Double(i) + 0.5) / slopes.0)
                    let fall = min(1, (Double(width - i) - 0.5) / slopes.1)
                    let share = pow(sin(.pi / 2 * rise) * sin(.pi / 2 * fall), 2)
                    return Float(share) * responses.samples[ear][index * length + n]
                }
            }
        }
        begins = (0..<2).map { ear in
            directions.indices.map { index in
                let delay = responses.delays[ear][index]
                return (Double(Self.start(first, delay, rate)) + delay - first) / rate
            }
        }
        self.directions = directions
        self.rate = rate
        self.width = width
    }

    private static func start(_ first: Double, _ delay: Double, _ rate: Double) -> Int {
        Int(clamping: (first - before * rate - delay).rounded(.down))
    }

    /// Returns the sample at which a response first reaches a tenth of its peak.
    private static func onset(_ responses: HeadResponses, _ ear: Int, _ direction: Int) -> Double {
        let row = responses.samples[ear][direction * responses.length..<(direction + 1) * responses.length]
        let largest = row.reduce(0) { max($0, abs($1)) }
        return Double((row.firstIndex { abs($0) >= 0.1 * largest } ?? row.startIndex) - row.startIndex)
    }

    /// Computes the response of one ear to every direction.
    ///
    /// - Parameters:
    ///   - frequency: Hz; zero from half the responses' rate on.
    ///   - origin: time after the first onset that counts as 0, seconds.
    func response(ear: Int, frequency: Double, origin: Double) -> [Complex] {
        guard frequency < rate / 2 else { return .init(repeating: Complex(0), count: directions.units.count) }
        let step = 2 * .pi * frequency / rate
        let cosines = (0..<width).map { Float(cos(step * Double($0))) }
        let sines = (0..<width).map { Float(-sin(step * Double($0))) }
        return rows[ear].withUnsafeBufferPointer { rows in
            cosines.withUnsafeBufferPointer { cosines in
                sines.withUnsafeBufferPointer { sines in
                    directions.units.indices.map { direction in
                        let row = rows.baseAddress! + direction * width
                        var (re, im) = (Lanes.zero, Lanes.zero)
                        for i in stride(from: 0, to: width, by: laneCount) {
                            re = rt_fma16(row.lanes(i), cosines.baseAddress!.lanes(i), re)
                            im = rt_fma16(row.lanes(i), sines.baseAddress!.lanes(i), im)
                        }
                        let turn = -2 * .pi * frequency * (begins[ear][direction] - origin)
                        return Complex(Double(rt_sum16(re)), Double(rt_sum16(im))) * Complex(magnitude: 1, phase: turn)
                    }
                }
            }
        }
    }
}
