import DSP
import Foundation
import Testing

@Suite struct FrameTransformTests {
    /// Frames split into magnitude and phase and reassembled without a change add up to the signal.
    @Test(arguments: [128, 256, 512])
    func untouchedFramesAddUpToTheSignal(_ length: Int) {
        let transform = FrameTransform(length: length)
        let total = 8 * length
        let input = (0..<total).map { (n: Int) -> Float in Float(sin(Double(n) * 0.7) + 0.3 * cos(Double(n * n) * 1e-3)) }
        let output = UnsafeMutablePointer<Float>.allocate(capacity: total)
        output.initialize(repeating: 0, count: total)
        let polar = UnsafeMutablePointer<Float>.allocate(capacity: 2 * transform.floats)
        polar.initialize(repeating: 0, count: 2 * transform.floats)
        defer {
            output.deallocate()
            polar.deallocate()
        }
        let rows = [UnsafePointer(polar)]
        let phases = [UnsafePointer(polar + transform.floats)]
        for start in stride(from: 0, through: total - length, by: length / 2) {
            input.withUnsafeBufferPointer { transform.analyse($0.baseAddress! + start) }
            Polar.split(transform.spectrum, count: transform.floats, magnitude: polar, phase: polar + transform.floats)
            for i in 0..<2 * (length / 2 + 1) { #expect(abs(polar[transform.floats + i]) <= 1.0001) }
            Polar.join(
                magnitudes: rows, weights: [1], magnitudeCount: 1, phases: phases, shares: [0.3], phaseCount: 1,
                count: transform.floats, spectrum: transform.spectrum)
            transform.overlap(onto: output + start)
        }
        for i in length / 2..<total - length / 2 { #expect(abs(output[i] - input[i]) < 2e-6) }
    }

    /// The magnitude is the weighted sum of magnitudes for any phases.
    @Test func blendedPhasesKeepTheMagnitude() {
        let count = 16
        var a = [Float](repeating: 0, count: count)
        var b = a
        for bin in 0..<8 {
            (a[2 * bin], a[2 * bin + 1]) = (cosf(Float(bin)), sinf(Float(bin)))
            (b[2 * bin], b[2 * bin + 1]) = (cosf(Float(bin) * 1.35), sinf(Float(bin) * 1.35))
        }
        let magnitude = [Float](repeating: 2, count: count)
        for share in [Float(0.1), 0.4, 0.9] {
            var spectrum = [Float](repeating: 0, count: count)
            a.withUnsafeBufferPointer { a in
                b.withUnsafeBufferPointer { b in
                    magnitude.withUnsafeBufferPointer { m in
                        Polar.join(
                            magnitudes: [m.baseAddress!, m.baseAddress!], weights: [0.25, 0.5], magnitudeCount: 2,
                            phases: [a.baseAddress!, b.baseAddress!], shares: [1 - share, share], phaseCount: 2,
                            count: count, spectrum: &spectrum)
                    }
                }
            }
            for bin in 0..<8 { #expect(abs(hypotf(spectrum[2 * bin], spectrum[2 * bin + 1]) - 1.5) < 1e-3) }
        }
    }

    /// Between two phases up to almost half a turn apart, the phase moves evenly with the share.
    @Test(arguments: [Float(0.3), 1.5, 2.9, -2.9])
    func phasesTurnEvenly(_ angle: Float) {
        let from = [Float](repeating: 0, count: 16).indices.map { Float($0 % 2 == 0 ? 1 : 0) }
        let to = from.indices.map { $0 % 2 == 0 ? cosf(angle) : sinf(angle) }
        for share in stride(from: Float(0.05), to: 1, by: 0.1) {
            var spectrum = [Float](repeating: 0, count: 16)
            from.withUnsafeBufferPointer { from in
                to.withUnsafeBufferPointer { to in
                    Polar.join(
                        magnitudes: [from.baseAddress!], weights: [1], magnitudeCount: 1,
                        phases: [from.baseAddress!, to.baseAddress!], shares: [1 - share, share], phaseCount: 2, count: 16,
                        spectrum: &spectrum)
                }
            }
            // The magnitudes' odd entries are zero here, so that the real part alone is left.
            #expect(abs(spectrum[0] - cosf(share * angle)) < 0.008)
        }
    }

    @Test func symmetricSystemsAreSolved() {
        var matrix = [[Double]](repeating: [Double](repeating: 0, count: 6), count: 6)
        var right = [[Double]](repeating: [0, 0], count: 6)
        for i in 0..<6 {
            for j in 0..<6 { matrix[i][j] = i == j ? 4 : 1 / Double(1 + abs(i - j)) }
            right[i] = [Double(i), Double(1 - i * i)]
        }
        let x = SymmetricSystem(matrix).solve(right)
        for i in 0..<6 {
            for column in 0..<2 {
                let sum = (0..<6).reduce(0) { $0 + matrix[i][$1] * x[$1][column] }
                #expect(abs(sum - right[i][column]) < 1e-12)
            }
        }
    }
}
