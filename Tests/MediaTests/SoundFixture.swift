import CSndFile
import Foundation
import TestSupport

/// A folder of sound files, removed after the test.
final class SoundFixture: Sendable {
    private let place = TemporaryFolder()

    var folder: String { place.path }

    func path(_ name: String) -> String { folder + "/" + name }

    static let wav = Int(SF_FORMAT_WAV) | Int(SF_FORMAT_FLOAT)
    static let flac = Int(SF_FORMAT_FLAC) | Int(SF_FORMAT_PCM_24)

    /// Writes `frames` frames of `sample(frame, channel)` and returns the path.
    @discardableResult
    func write(
        _ name: String, format: Int = wav, channels: Int, rate: Int = 48000, frames: Int,
        sample: (Int, Int) -> Float
    ) -> String {
        var info = SF_INFO()
        info.channels = Int32(channels)
        info.samplerate = Int32(rate)
        info.format = Int32(format)
        let file = sf_open(path(name), Int32(SFM_WRITE), &info)!
        var samples = [Float](repeating: 0, count: frames * channels)
        for frame in 0..<frames {
            for channel in 0..<channels { samples[frame * channels + channel] = sample(frame, channel) }
        }
        sf_writef_float(file, samples, sf_count_t(frames))
        sf_close(file)
        return path(name)
    }

    func write(_ name: String, text: String) {
        try! Data(text.utf8).write(to: URL(fileURLWithPath: path(name)))
    }

    /// Truncates a file to its first part.
    static func cut(_ path: String, to share: Double) {
        let size = try! FileManager.default.attributesOfItem(atPath: path)[.size] as! Int
        truncate(path, Int(Double(size) * share))
    }

    /// Writes a WAV file of 32-bit floats, all zero, that takes no room on the disk.
    func writeSparse(_ name: String, channels: Int, bytes: Int) -> String {
        var header = Data()
        func put(_ text: String) { header.append(Data(text.utf8)) }
        func put<T: FixedWidthInteger>(_ value: T) {
            withUnsafeBytes(of: value.littleEndian) { header.append(contentsOf: $0) }
        }
        put("RIFF")
        put(UInt32(bytes + 36))
        put("WAVEfmt ")
        put(UInt32(16))
        put(UInt16(3))
        put(UInt16(channels))
        put(UInt32(48000))
        put(UInt32(48000 * channels * 4))
        put(UInt16(channels * 4))
        put(UInt16(32))
        put("data")
        put(UInt32(bytes))
        try! header.write(to: URL(fileURLWithPath: path(name)))
        truncate(path(name), bytes + 44)
        return path(name)
    }
}

/// A sine, in turns per frame.
func sine(_ frequency: Double, _ rate: Double, _ frame: Int, level: Double = 0.5, phase: Double = 0) -> Float {
    Float(level * sin(2 * .pi * (frequency * Double(frame) / rate + phase)))
}

/// Measures a sine in `samples`: level, phase in turns, and the RMS of the residual.
func measure(_ samples: ArraySlice<Float>, frequency: Double, rate: Double) -> (
    level: Double, phase: Double, rest: Double
) {
    var (real, imaginary) = (0.0, 0.0)
    func angle(_ i: Int) -> Double { 2 * .pi * frequency * Double(i) / rate }
    for i in samples.indices {
        real += Double(samples[i]) * sin(angle(i))
        imaginary += Double(samples[i]) * cos(angle(i))
    }
    real *= 2 / Double(samples.count)
    imaginary *= 2 / Double(samples.count)
    var rest = 0.0
    for i in samples.indices {
        let other = Double(samples[i]) - real * sin(angle(i)) - imaginary * cos(angle(i))
        rest += other * other
    }
    return (
        (real * real + imaginary * imaginary).squareRoot(), atan2(imaginary, real) / (2 * .pi),
        (rest / Double(samples.count)).squareRoot()
    )
}

func decibels(_ ratio: Double) -> Double { 20 * log10(ratio) }
