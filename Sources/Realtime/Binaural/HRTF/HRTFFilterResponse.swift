internal import DSP
internal import Glibc

/// Weights by frequency, and their conversion to filters in the time domain.
struct HRTFFilterResponse: ~Copyable {
    /// Lengths of the slopes at a filter's ends, as shares of its length.
    private static let slopes = (1.0 / 32, 1.0 / 8)

    private let frame: HRTFFrame
    private let rows: Int
    private let transform: FourierTransform
    private let spectra: UnsafeMutablePointer<Float>

    init(_ frame: HRTFFrame, rows: Int) {
        self.frame = frame
        self.rows = rows
        transform = FourierTransform(count: frame.taps)
        spectra = .allocateAligned(rows * transform.stride)
    }

    deinit { spectra.deallocate() }

    /// Sets the values of rows from `row` on at a frequency; those of the first frequency are used for 0 Hz as well.
    mutating func set(_ filter: [Complex], from row: Int, bin: Int) {
        let late = Double(bin * frame.delay % frame.taps) / Double(frame.taps)
        let turn = Complex(magnitude: 1 / Double(frame.taps), phase: -2 * .pi * late)
        for (i, weight) in filter.enumerated() {
            let place = spectra + (row + i) * transform.stride + 2 * bin
            let value = turn * weight
            place[0] = Float(value.re)
            place[1] = Float(value.im)
            if bin == 1 { place[-2] = Float(weight.re / Double(frame.taps)) }
        }
    }

    /// Returns all rows in the time domain, one after the other.
    consuming func taps() -> [Float] {
        let time = UnsafeMutablePointer<Float>.allocateAligned(frame.taps)
        defer { time.deallocate() }
        let (rise, fall) = (Self.slopes.0 * Double(frame.taps), Self.slopes.1 * Double(frame.taps))
        let window = (0..<frame.taps).map { tap in
            let share = min(1, (Double(tap) + 0.5) / rise, (Double(frame.taps - tap) - 0.5) / fall)
            return Float(pow(sin(.pi / 2 * share), 2))
        }
        var taps: [Float] = []
        taps.reserveCapacity(rows * frame.taps)
        for row in 0..<rows {
            transform.inverse(spectra + row * transform.stride, into: time)
            for tap in 0..<frame.taps { taps.append(time[tap] * window[tap]) }
        }
        return taps
    }
}
