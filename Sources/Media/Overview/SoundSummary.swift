internal import Foundation

/// A sound file at a glance: its form, loudness, peak and outline.
public struct SoundSummary: Sendable, Equatable, Codable {
    public let channels: Int
    /// Frames per second.
    public let rate: Int
    public let seconds: Double
    /// Integrated loudness in LUFS (EBU R128), one decimal: of both channels; of a mono file on both ears; of an array, of its first
    /// microphone and the opposite one. nil for silence.
    public let loudness: Double?
    /// Largest sample of all channels in dB of full scale, one decimal; nil for silence.
    public let peak: Double?
    /// Largest magnitudes in ``points`` parts of equal length, from 0 to full scale, each two hexadecimal digits.
    public let outline: String

    /// Levels in frequency bands over time; nil where it is not needed.
    public private(set) var spectrogram: SoundSpectrogram?

    /// The microphones of an array, as a sidecar describes them or as a ring of the usual size has them; nil for other sounds.
    public var array: ArrayFacts?

    /// The order and polarity of a ring's channels; nil for other sounds.
    public var ring: RingFinding?

    /// The same without the spectrogram.
    public var withoutSpectrogram: SoundSummary {
        var summary = self
        summary.spectrogram = nil
        return summary
    }

    /// Largest number of points of an outline.
    public static let points = 120

    /// Reads a whole sound file.
    /// - Parameter progress: called with the share that is done, 0 to 1; it returns whether to continue.
    /// - Returns: nil when `progress` said no.
    /// - Throws: ``MediaError`` when this is not a sound file that the program reads.
    public init?(path: String, progress: (Double) -> Bool) throws(MediaError) {
        let file = try SoundFile(path: path)
        let (count, frames) = (file.channels, file.frames)
        let pair = [0, count == 2 ? 1 : count / 2]
        let meter = try LoudnessMeter(rate: file.rate, measuresPeaks: false)
        let piece = OverviewSpectra.chunk
        let samples = UnsafeMutablePointer<Float>.allocate(capacity: piece * count)
        let ears = UnsafeMutablePointer<Float>.allocate(capacity: 2 * piece)
        defer {
            samples.deallocate()
            ears.deallocate()
        }
        var peaks = [Float](repeating: 0, count: max(1, min(Self.points, frames)))
        var spectra = frames > 0 ? SoundSpectrogram.spectra(frames: frames, channels: count, rate: Double(file.rate)) : nil
        var done = 0
        while done < frames {
            let read = try file.read(into: samples, frames: piece)
            guard read > 0 else { break }
            for frame in 0..<read {
                ears[2 * frame] = samples[frame * count + pair[0]]
                ears[2 * frame + 1] = samples[frame * count + pair[1]]
                let point = (done + frame) * peaks.count / frames
                guard point < peaks.count else { break }
                for channel in 0..<count { peaks[point] = max(peaks[point], abs(samples[frame * count + channel])) }
            }
            try meter.add(ears, frames: read)
            spectra?.add(samples, frames: read)
            done += read
            guard progress(Double(done) / Double(frames)) else { return nil }
        }
        func tenths(_ value: Double) -> Double { (10 * value).rounded() / 10 }
        let highest = peaks.max() ?? 0
        (channels, rate, seconds) = (count, file.rate, (1000 * Double(done) / Double(file.rate)).rounded() / 1000)
        loudness = meter.loudness.integrated.map(tenths)
        peak = highest > 0 ? tenths(20 * log10(Double(highest))) : nil
        spectra?.finish()
        spectrogram = SoundSpectrogram(spectra)
        outline = peaks.map { value in
            let level = Int(clamping: (Double(min(value, 1)) * 255).rounded())
            return (level < 16 ? "0" : "") + String(level, radix: 16)
        }.joined()
    }
}
