public import Binaural
internal import DSP
internal import Glibc

/// Pressure on a rigid sphere's equator in a horizontal plane wave, as a cosine series of the angle to the source:
/// p(angle) = sum over m of a_m cos(m angle), for every line of a spectrum.
///
/// Exact: terms above m = k r + 30 are negligible.
public struct SphereSeries: Sendable {
    /// Hz between lines.
    public let spacing: Double
    public let lines: Int
    /// Number of orders m.
    public let terms: Int
    /// Real parts: all lines of m = 0, then of m = 1, and so on.
    let re: [Float]
    /// Imaginary parts, in the same order as `re`.
    let im: [Float]

    /// - Parameters:
    ///   - spacing: Hz between lines.
    ///   - lines: number of lines from 0 Hz.
    public init(_ sphere: Sphere, spacing: Double, lines: Int) {
        let largest = 2 * .pi * spacing * Double(lines) * sphere.radius / sphere.speedOfSound
        let terms = Int(clamping: largest) + 32
        let ring = RingSeries(terms: terms, size: largest)
        var re = [Float](repeating: 0, count: terms * lines)
        var im = re
        re.withUnsafeMutableBufferPointer { re in
            im.withUnsafeMutableBufferPointer { im in
                // SAFETY: every iteration writes lines of its own, and the memory outlives the loop.
                nonisolated(unsafe) let (re, im) = (re, im)
                Parallel.perform((lines + 63) / 64) { part in
                    for line in part * 64..<min(lines, part * 64 + 64) {
                        let coefficients = ring.coefficients(sphere.modes(frequency: spacing * Double(line)))
                        for (m, coefficient) in coefficients.enumerated() {
                            re[m * lines + line] = Float(coefficient.re)
                            im[m * lines + line] = Float(coefficient.im)
                        }
                    }
                }
            }
        }
        (self.spacing, self.lines, self.terms, self.re, self.im) = (spacing, lines, terms, re, im)
    }

    /// Returns the transfer function from the free field at the centre to a position at an angle of `degrees` to the source.
    public func response(degrees: Double) -> LineSpectrum {
        var response = LineSpectrum(lines: lines)
        for m in 0..<terms {
            let weight = Float(cos(Double(m) * degrees * .pi / 180))
            WeightedSum.add(re, from: m * lines, times: weight, to: &response.re)
            WeightedSum.add(im, from: m * lines, times: weight, to: &response.im)
        }
        return response
    }
}

/// Cache of the sphere's responses to single plane waves. Not thread-safe.
final class SphereResponses {
    private let series: SphereSeries
    private var known: [Int: LineSpectrum] = [:]

    init(_ series: SphereSeries) { self.series = series }

    /// - Parameter degrees: angle between position and source, of any size.
    func at(_ degrees: Double) -> LineSpectrum {
        // A cosine series is even and periodic.
        let angle = abs(remainder(degrees, 360))
        let key = Int(clamping: (angle * 1e5).rounded())
        if let response = known[key] { return response }
        let response = series.response(degrees: angle)
        known[key] = response
        return response
    }
}

/// Signals of an array's microphones in one plane wave of periodic noise, and of an ear on the same sphere.
/// For one thread at a time.
final class SphereMicrophones {
    let array: MicrophoneArray
    private let responses: SphereResponses
    private let transform: PeriodicTransform
    private let lines: Int

    init(_ array: MicrophoneArray, _ series: SphereSeries, period: Int) {
        self.array = array
        responses = SphereResponses(series)
        transform = PeriodicTransform(period: period)
        lines = series.lines
    }

    /// One period of each microphone's signal.
    /// - Parameter azimuth: azimuth of the source, degrees.
    func signals(_ noise: LineSpectrum, azimuth: Double) -> [[Float]] {
        array.azimuthList.map { microphone in
            signal(noise.times(responses.at(Double(microphone) - azimuth)))
        }
    }

    /// The same, of microphones with errors.
    func signals(_ noise: LineSpectrum, azimuth: Double, _ errors: SensorErrors) -> [[Float]] {
        array.azimuthList.enumerated().map { channel, microphone in
            let place = Double(microphone) + errors.displacements[channel]
            return signal(noise.times(responses.at(place - azimuth))).map { errors.gains[channel] * $0 }
        }
    }

    /// One period of the signal with a spectrum.
    func signal(_ spectrum: LineSpectrum) -> [Float] {
        transform.synthesise(spectrum) { Array(UnsafeBufferPointer(start: $0, count: transform.period)) }
    }

    /// Returns the exact spectrum at a position on the equator. Angles are in degrees.
    func exact(_ noise: LineSpectrum, azimuth: Double, at place: Double) -> LineSpectrum {
        noise.times(responses.at(place - azimuth))
    }

    /// Returns the spectrum of the last period of a rendered signal.
    func spectrum(_ rendered: [Float]) -> LineSpectrum {
        transform.lines(of: rendered, from: rendered.count - transform.period, count: lines)
    }
}
