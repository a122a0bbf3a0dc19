internal import Glibc

/// Sound field on a rigid sphere's equator: a Fourier series in the azimuth whose coefficients are
/// periodic signals, u_0(t) + sum over m of u_m(t) cos(m azimuth) + v_m(t) sin(m azimuth).
///
/// It gives the pressure at any microphone or moving ear without interpolation: the series is truncated where its terms
/// are negligible.
public struct CircularField: Sendable {
    /// Period in samples.
    public let period: Int
    private let cosines: [[Float]]
    private let sines: [[Float]]

    /// - Parameters:
    ///   - sources: plane waves: azimuth in degrees, and spectrum at the sphere's centre, of `series`' lines.
    ///   - period: samples; one over the spacing of the lines.
    public init(_ series: SphereSeries, sources: [(azimuth: Double, spectrum: LineSpectrum)], period: Int) {
        let transform = PeriodicTransform(period: period)
        func signal(_ m: Int, _ weight: (Double) -> Double) -> [Float] {
            var lines = LineSpectrum(lines: series.lines)
            for source in sources {
                let share = Float(weight(Double(m) * source.azimuth * .pi / 180))
                let first = m * series.lines
                WeightedSum.add(source.spectrum.re, times: series.re, from: first, times: share, to: &lines.re)
                WeightedSum.add(source.spectrum.im, times: series.im, from: first, times: -share, to: &lines.re)
                WeightedSum.add(source.spectrum.re, times: series.im, from: first, times: share, to: &lines.im)
                WeightedSum.add(source.spectrum.im, times: series.re, from: first, times: share, to: &lines.im)
            }
            return transform.synthesise(lines) { Array(UnsafeBufferPointer(start: $0, count: period)) }
        }
        self.period = period
        cosines = (0..<series.terms).map { signal($0, cos) }
        sines = (0..<series.terms).map { signal($0, sin) }
    }

    /// Returns one period of the pressure at a fixed position.
    /// - Parameter azimuth: degrees.
    public func signal(azimuth: Double) -> [Float] {
        var sum = [Float](repeating: 0, count: period)
        for m in cosines.indices {
            let angle = Double(m) * azimuth * .pi / 180
            WeightedSum.add(cosines[m], times: Float(cos(angle)), to: &sum)
            WeightedSum.add(sines[m], times: Float(sin(angle)), to: &sum)
        }
        return sum
    }

    /// Returns the pressure at a moving position.
    ///
    /// - Parameters:
    ///   - azimuths: azimuth for each sample in degrees.
    ///   - delay: delay of the sound, but not of the motion, in samples.
    public func signal(azimuths: [Double], delay: Int) -> [Float] {
        var sum = [Float](repeating: 0, count: azimuths.count)
        let chunk = 1024
        for first in stride(from: 0, to: azimuths.count, by: chunk) {
            let count = min(chunk, azimuths.count - first)
            let start = (first - delay) % period + ((first - delay) % period < 0 ? period : 0)
            var turn = Turn(azimuths[first..<first + count])
            sum.withUnsafeMutableBufferPointer { sum in
                for m in cosines.indices {
                    turn.add(cosines[m], sines[m], from: start, to: sum.baseAddress! + first)
                    turn.advance()
                }
            }
        }
        return sum
    }

    /// cos(m azimuth) and sin(m azimuth) for some samples, m rising from 0.
    private struct Turn {
        private let step: [SIMD2<Float>]
        private var here: [SIMD2<Float>]

        init(_ azimuths: ArraySlice<Double>) {
            step = azimuths.map { SIMD2(Float(cos($0 * .pi / 180)), Float(sin($0 * .pi / 180))) }
            here = [SIMD2<Float>](repeating: SIMD2(1, 0), count: azimuths.count)
        }

        func add(_ cosine: [Float], _ sine: [Float], from: Int, to sum: UnsafeMutablePointer<Float>) {
            cosine.withUnsafeBufferPointer { cosine in
                sine.withUnsafeBufferPointer { sine in
                    here.withUnsafeBufferPointer { here in
                        var place = from
                        for i in 0..<here.count {
                            sum[i] += cosine[place] * here[i].x + sine[place] * here[i].y
                            place += 1
                            if place == cosine.count { place = 0 }
                        }
                    }
                }
            }
        }

        mutating func advance() {
            step.withUnsafeBufferPointer { step in
                here.withUnsafeMutableBufferPointer { here in
                    for i in 0..<here.count {
                        let (a, b) = (here[i], step[i])
                        here[i] = SIMD2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x)
                    }
                }
            }
        }
    }
}

/// Directions of a stimulus's sources; each source is a plane wave of independent noise, all at one level.
public struct StimulusScene: Sendable {
    public let name: String
    /// Azimuths in degrees, positive to the left.
    public let azimuths: [Double]

    /// One, two and four sources, and a field that is diffuse in the horizontal plane.
    public static let all = [
        StimulusScene(name: "one source", azimuths: [20]),
        StimulusScene(name: "two sources", azimuths: [-35, 60]),
        StimulusScene(name: "four sources", azimuths: [-130, -35, 20, 100]),
        StimulusScene(name: "diffuse field", azimuths: (0..<72).map { Double($0) * 5 - 177.5 }),
    ]

    /// Returns the sound field on the equator of the sphere of `series`.
    ///
    /// - Parameters:
    ///   - take: number of the take; each is rotated by another 97 degrees and has other noise.
    ///   - range: lines of the noise.
    ///   - seed: seed of all noises; each source has its own stream.
    public func field(_ series: SphereSeries, take: Int, period: Int, range: ClosedRange<Int>, seed: UInt64)
        -> CircularField
    {
        let sources = azimuths.enumerated().map { index, azimuth in
            let stream = UInt64(0x100000 + take * 0x10000 + azimuths.count * 0x100 + index)
            let noise = LineSpectrum.noise(lines: series.lines, range: range, seed: seed, stream: stream)
            return (azimuth + 97 * Double(take), noise)
        }
        return CircularField(series, sources: sources, period: period)
    }
}

/// Sums of long rows, each with one weight.
enum WeightedSum {
    /// Adds `row[from...]` times `weight` to all of `sum`.
    static func add(_ row: [Float], from: Int = 0, times weight: Float, to sum: inout [Float]) {
        precondition(from >= 0 && from + sum.count <= row.count)
        row.withUnsafeBufferPointer { row in
            sum.withUnsafeMutableBufferPointer { sum in
                for i in 0..<sum.count { sum[i] += weight * row[from &+ i] }
            }
        }
    }

    /// Adds the products of two rows with one another, element by element, times `weight` to `sum`.
    static func add(_ a: [Float], times b: [Float], from: Int, times weight: Float, to sum: inout [Float]) {
        precondition(a.count == sum.count && from >= 0 && from + sum.count <= b.count)
        a.withUnsafeBufferPointer { a in
            b.withUnsafeBufferPointer { b in
                sum.withUnsafeMutableBufferPointer { sum in
                    for i in 0..<sum.count { sum[i] += weight * a[i] * b[from &+ i] }
                }
            }
        }
    }
}
