import Binaural
import DSP
import Foundation
import TestSupport

/// Noise in plane waves around a rigid sphere with 16 microphones: their periodic signals, and the exact signal at any
/// ear on the sphere. Directions are in 128ths of a turn.
struct SphereScene: Sendable {
    static let shared = SphereScene()
    static let length = 4096
    static let turn = 128
    static let rate = 48_000.0

    /// Indexed by angle from the source, 0...64, then by bin up to 16 kHz.
    private let pressures: [[Complex]]
    private let bins = Int(16_000 / SphereScene.rate * Double(SphereScene.length)) + 1
    /// First bin of each band, one ERB wide (Glasberg, Moore 1990), from 50 Hz upwards; the last entry is the end.
    let edges: [Int]

    private init() {
        let sphere = Sphere(radius: 0.0875)
        var pressures = [[Complex]](repeating: [], count: Self.turn / 2 + 1)
        for bin in 0..<bins {
            let modes = sphere.modes(frequency: Double(bin) * Self.rate / Double(Self.length))
            for angle in pressures.indices {
                pressures[angle].append(modes.pressure(cosine: cos(2 * .pi * Double(angle) / Double(Self.turn))))
            }
        }
        self.pressures = pressures
        func rate(_ hertz: Double) -> Double { 21.4 * log10(1 + 0.00437 * hertz) }
        func hertz(_ rate: Double) -> Double { (pow(10, rate / 21.4) - 1) / 0.00437 }
        edges = stride(from: rate(50), through: rate(16_000), by: 1).map {
            Int((hertz($0) * Double(Self.length) / Self.rate).rounded(.up))
        }
    }

    private func pressure(_ angle: Int) -> [Complex] {
        let wrapped = ((angle % Self.turn) + Self.turn) % Self.turn
        return pressures[min(wrapped, Self.turn - wrapped)]
    }

    /// Spectrum at `place` of a source at `source`.
    private func spectrum(_ place: Int, _ source: Int, _ noise: [Complex]) -> [Complex] {
        zip(pressure(place - source), noise).map { $0 * $1 }
    }

    private func noise(_ seed: UInt64) -> [Complex] {
        var random = SeededRandom(fixed: seed)
        return (0..<bins).map { bin in
            Complex(magnitude: bin == 0 ? 0 : 1, phase: random.unit() * 2 * .pi)
        }
    }

    /// One period of every microphone of the clockwise ring.
    func recording(source: Int) -> [[Float]] {
        let transform = FourierTransform(count: Self.length)
        let buffer = UnsafeMutablePointer<Float>.allocateAligned(2 * transform.bins)
        let time = UnsafeMutablePointer<Float>.allocateAligned(Self.length)
        defer {
            buffer.deallocate()
            time.deallocate()
        }
        let noise = noise(UInt64(source))
        return (0..<16).map { microphone in
            let spectrum = spectrum(-8 * microphone, source, noise)
            for i in 0..<2 * transform.bins { buffer[i] = 0 }
            for (bin, value) in spectrum.enumerated() {
                buffer[2 * bin] = Float(value.re / 256)
                buffer[2 * bin + 1] = Float(value.im / 256)
            }
            transform.inverse(buffer, into: time)
            return (0..<Self.length).map { time[$0] }
        }
    }

    /// Energy per band of one period.
    func bands(_ period: ArraySlice<Float>) -> [Double] {
        let transform = FourierTransform(count: Self.length)
        let buffer = UnsafeMutablePointer<Float>.allocateAligned(2 * transform.bins)
        let time = UnsafeMutablePointer<Float>.allocateAligned(Self.length)
        defer {
            buffer.deallocate()
            time.deallocate()
        }
        for (i, sample) in period.enumerated() { time[i] = sample }
        transform.forward(time, into: buffer)
        let scale = 256 / Double(Self.length)
        return energies { bin in pow(hypot(Double(buffer[2 * bin]), Double(buffer[2 * bin + 1])) * scale, 2) }
    }

    /// Exact energy per band at an ear at `place`.
    func exact(place: Int, source: Int) -> [Double] {
        let heard = pressure(place - source)
        return energies { bin in pow(heard[bin].magnitude, 2) }
    }

    private func energies(_ energy: (Int) -> Double) -> [Double] {
        zip(edges, edges.dropFirst()).map { from, to in (from..<to).reduce(0) { $0 + energy($1) } }
    }
}
