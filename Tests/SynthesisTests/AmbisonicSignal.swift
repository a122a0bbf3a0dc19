import DSP
import Media
import Synthesis

/// An encoded recording in memory, one array per channel.
struct AmbisonicSignal {
    private(set) var channels: [[Float]]
    var frames: Int { channels[0].count }

    init(_ encoding: AmbisonicEncoding, _ reader: inout RecordingReader) throws {
        let count = encoding.channels
        var channels = [[Float]](repeating: [], count: count)
        try encoding.encode(&reader) { block, frames throws(MediaError) in
            for channel in 0..<count {
                channels[channel] += (0..<frames).map { block[$0 * count + channel] }
            }
        }
        self.channels = channels
    }

    /// Fourier sum of a channel at one frequency, at 48 kHz.
    /// - Parameter origin: the sample that counts as time zero.
    func spectrum(_ channel: Int, at frequency: Double, origin: Int) -> Complex {
        let step = Complex(magnitude: 1, phase: -2 * .pi * frequency / 48_000)
        var turn = Complex(magnitude: 1, phase: 2 * .pi * frequency / 48_000 * Double(origin))
        var (re, im) = (0.0, 0.0)
        for sample in channels[channel] {
            re += turn.re * Double(sample)
            im += turn.im * Double(sample)
            turn = turn * step
        }
        return Complex(re, im)
    }
}
