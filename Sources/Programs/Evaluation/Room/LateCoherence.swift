internal import Binaural
internal import DSP
internal import Foundation

/// Coherence between the ears of a rigid sphere in the late field of a room's response: each of its signals arrives from its direction.
struct LateCoherence {
    private static let radius = MicrophoneArray.standardRadius
    /// Longest part of the response that is used, samples.
    private static let longest = 1 << 16
    /// Directions of the head over which the coherence is averaged; places in a band at which the sphere is computed.
    private static let (turns, parts) = (6, 5)
    /// Most lines of a spectrum that are used in a band.
    private static let mostLines = 240

    /// Spectra of the signals, real and imaginary parts in turn.
    private let spectra: [[Float]]
    private let rate: Double
    private let count: Int

    /// - Parameters:
    ///   - late: signals by directions.
    ///   - rate: frames per second.
    init(_ late: [[Float]], rate: Double) {
        self.rate = rate
        let length = late.first?.count ?? 0
        var squares = [Float](repeating: 0, count: length)
        for signal in late { for i in signal.indices { squares[i] += signal[i] * signal[i] } }
        // From the time at which half of the energy is still to come: the join of early reflections and late field is over by then.
        let whole = squares.reduce(0, +)
        var (begin, rest) = (0, whole)
        while begin < length, rest > whole / 2 {
            rest -= squares[begin]
            begin += 1
        }
        let count = Self.longest
        self.count = count
        let used = min(count, length - begin)
        // Equal weights for all of the decay.
        let near = max(1, Int(clamping: 0.05 * rate))
        var sum: Float = 0
        var weights = [Float](repeating: 0, count: used)
        for i in 0..<used {
            sum += squares[begin + i] - (i >= near ? squares[begin + i - near] : 0)
            weights[i] = sum > 1e-12 * whole ? 1 / sum.squareRoot() : 0
        }
        let transform = FourierTransform(count: count)
        let (time, spectrum) = (
            UnsafeMutablePointer<Float>.allocateAligned(count), UnsafeMutablePointer<Float>.allocateAligned(2 * (count / 2 + 1))
        )
        defer {
            time.deallocate()
            spectrum.deallocate()
        }
        spectra = late.map { signal in
            for i in 0..<count { time[i] = i < used ? signal[begin + i] * weights[i] : 0 }
            transform.forward(time, into: spectrum)
            return Array(UnsafeBufferPointer(start: spectrum, count: count + 2))
        }
    }

    /// Magnitude of the coherence in the third octave around a frequency.
    func magnitude(_ hertz: Double) -> Double {
        let sphere = Sphere(radius: Self.radius)
        let edges = (0...Self.parts).map { hertz * pow(2, (Double($0) / Double(Self.parts) - 0.5) / 3) }
        let modes = (0..<Self.parts).map { sphere.modes(frequency: (edges[$0] * edges[$0 + 1]).squareRoot()) }
        let total = (0..<Self.turns).reduce(0.0) { sum, turn in
            let angle = Float.pi * Float(turn) / Float(Self.turns)
            let cosines = spectra.indices.map { index in
                let direction = LateDirections.direction(index, of: spectra.count)
                return Double(cosf(angle) * direction[1] - sinf(angle) * direction[0])
            }
            var (cross, left, right) = (Complex(0), 0.0, 0.0)
            for part in 0..<Self.parts {
                let ears = cosines.map { (modes[part].pressure(cosine: $0), modes[part].pressure(cosine: -$0)) }
                for line in lines(from: edges[part], to: edges[part + 1]) {
                    var (l, r) = (Complex(0), Complex(0))
                    for (index, ear) in ears.enumerated() {
                        let signal = Complex(Double(spectra[index][2 * line]), Double(spectra[index][2 * line + 1]))
                        l = l + ear.0 * signal
                        r = r + ear.1 * signal
                    }
                    cross = cross + l * Complex(r.re, -r.im)
                    left += l.re * l.re + l.im * l.im
                    right += r.re * r.re + r.im * r.im
                }
            }
            return sum + cross.magnitude / max(1e-300, (left * right).squareRoot())
        }
        return total / Double(Self.turns)
    }

    /// Lines of the spectra between two frequencies, at least one.
    private func lines(from low: Double, to high: Double) -> [Int] {
        let first = max(1, Int(clamping: low / rate * Double(count)))
        let last = min(count / 2, max(first, Int(clamping: high / rate * Double(count)) - 1))
        let step = max(1, (last - first + 1) / (Self.mostLines / Self.parts))
        return Array(stride(from: min(first, last), through: last, by: step))
    }
}

/// Magnitude of the coherence between two opposite places on a rigid sphere of the standard radius.
enum DiffuseCoherence {
    /// Coherence in an ideal diffuse field: the mean over all directions, by the exact series.
    static func ideal(_ hertz: Double) -> Double {
        let modes = Sphere(radius: MicrophoneArray.standardRadius).modes(frequency: hertz)
        var (cross, power) = (Complex(0), 0.0)
        // The directions are uniform in the cosine to the axis of the ears.
        let steps = 400
        for step in 0..<steps {
            let cosine = -1 + (Double(step) + 0.5) * 2 / Double(steps)
            let (left, right) = (modes.pressure(cosine: cosine), modes.pressure(cosine: -cosine))
            cross = cross + left * Complex(right.re, -right.im)
            power += left.re * left.re + left.im * left.im
        }
        return (cross.re * cross.re + cross.im * cross.im).squareRoot() / power
    }
}
