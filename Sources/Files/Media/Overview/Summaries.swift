public import Binaural
internal import Foundation

/// A sound file, or a folder of mono files, at a glance: its form, loudness, peak and outline.
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

    /// Maximum number of points of an outline.
    public static let points = 120

    /// Reads a whole sound file, or a folder of mono files.
    /// - Parameter progress: called with the share that is done, 0 to 1; it returns whether to continue.
    /// - Returns: nil when `progress` returned false.
    /// - Throws: ``MediaError`` when this is not a sound that the program reads.
    public init?(path: String, progress: (Double) -> Bool) throws(MediaError) {
        if RecordingFolder.isFolder(path) {
            var reader = try RecordingReader(path: path)
            let (channels, rate, frames) = (reader.channels, Int(clamping: reader.rate), reader.frames)
            try self.init(channels: channels, rate: rate, frames: frames, progress: progress) { samples, count throws(MediaError) in
                try reader.read(into: samples, frames: count)
            }
        } else {
            let file = try SoundFile(path: path)
            try self.init(channels: file.channels, rate: file.rate, frames: file.frames, progress: progress) {
                samples, count throws(MediaError) in try file.read(into: samples, frames: count)
            }
        }
    }

    /// - Parameter read: writes the next interleaved frames, at most as many as asked for, and returns their number.
    private init?(
        channels count: Int, rate: Int, frames: Int, progress: (Double) -> Bool,
        read: (UnsafeMutablePointer<Float>, Int) throws(MediaError) -> Int
    ) throws(MediaError) {
        let pair = [0, count == 2 ? 1 : count / 2]
        let meter = try LoudnessMeter(rate: rate, measuresPeaks: false)
        let piece = OverviewSpectra.chunk
        let samples = UnsafeMutablePointer<Float>.allocate(capacity: piece * count)
        let ears = UnsafeMutablePointer<Float>.allocate(capacity: 2 * piece)
        defer {
            samples.deallocate()
            ears.deallocate()
        }
        var peaks = [Float](repeating: 0, count: max(1, min(Self.points, frames)))
        var spectra = frames > 0 ? SoundSpectrogram.spectra(frames: frames, channels: count, rate: Double(rate)) : nil
        var done = 0
        while done < frames {
            let some = try read(samples, piece)
            guard some > 0 else { break }
            for frame in 0..<some {
                ears[2 * frame] = samples[frame * count + pair[0]]
                ears[2 * frame + 1] = samples[frame * count + pair[1]]
                let point = (done + frame) * peaks.count / frames
                guard point < peaks.count else { break }
                for channel in 0..<count { peaks[point] = max(peaks[point], abs(samples[frame * count + channel])) }
            }
            try meter.add(ears, frames: some)
            spectra?.add(samples, frames: some)
            done += some
            guard progress(Double(done) / Double(frames)) else { return nil }
        }
        func tenths(_ value: Double) -> Double { (10 * value).rounded() / 10 }
        let highest = peaks.max() ?? 0
        (channels, self.rate, seconds) = (count, rate, (1000 * Double(done) / Double(rate)).rounded() / 1000)
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

/// The spectrogram of a sound file as text: levels in frequency bands over time, over all channels.
public struct SoundSpectrogram: Sendable, Equatable, Codable {
    /// Maximum number of spectra.
    public static let mostColumns = 120
    private static let digits = Array("0123456789abcdefghijklmnopqrstuvwxyz")

    public let columns: Int
    public let rows: Int
    /// Edges in Hz of the lowest and of the highest band; the bands between them are equally wide on a logarithmic scale.
    public let lowest: Double
    public let highest: Double
    /// Level in dB of the digit 0; z is 0 dB, a sine at full scale, and the steps between are equal.
    public let floor: Double
    /// One digit from 0 to z for each band, one spectrum after the other, the lowest band first.
    public let levels: String

    /// The spectra that it is made of.
    static func spectra(frames: Int, channels: Int, rate: Double) -> OverviewSpectra {
        OverviewSpectra(frames: frames, channels: channels, rate: rate, slices: mostColumns, rows: 32)
    }

    /// nil for no spectra, or incomplete ones.
    init?(_ spectra: borrowing OverviewSpectra?) {
        switch spectra {
        case .some(let spectra):
            guard spectra.levels.count >= spectra.slices, spectra.slices > 0 else { return nil }
            (columns, rows) = (spectra.slices, spectra.levels.count / spectra.slices)
            (lowest, highest) = (spectra.frequencies.lowerBound, spectra.frequencies.upperBound)
            floor = Double(RecordingOverview.decibels.lowerBound)
            levels = String(spectra.levels.map { Self.digits[(Int($0) * (Self.digits.count - 1) + 127) / 255] })
        case .none: return nil
        }
    }
}

/// The microphones of a recording, as lists name them.
public struct ArrayFacts: Sendable, Equatable, Codable {
    public let microphones: Int
    /// Radius of the sphere in millimetres, one decimal.
    public let radius: Double

    public init(_ array: MicrophoneArray) {
        microphones = array.count
        radius = (Double(array.radius) * 1000).rounded(decimals: 1)
    }
}

/// Measured responses of a head at a glance, as lists show them.
public struct HRTFSummary: Sendable, Equatable, Codable {
    /// Number of directions, of which there is a response for each ear.
    public let directions: Int
    /// Length of a response, samples.
    public let samples: Int
    /// Samples per second.
    public let rate: Double
    /// The lowest and the highest elevation, degrees, one decimal.
    public let lowest: Double
    public let highest: Double

    /// Reads a whole SOFA file.
    /// - Throws: ``MediaError`` for a file from which no filters can be made.
    public init(path: String) throws(MediaError) { self.init(try SofaFile(path: path).responses) }

    init(_ responses: HeadResponses) {
        (directions, samples, rate) = (responses.count, responses.length, responses.rate)
        lowest = (responses.elevations.min() ?? 0).rounded(decimals: 1)
        highest = (responses.elevations.max() ?? 0).rounded(decimals: 1)
    }
}

/// A video at a glance, as lists show it.
public struct VideoSummary: Sendable, Equatable, Codable {
    /// Size of a frame in pixels.
    public let width: Int
    public let height: Int
    /// Frames per second, two decimals; nil when the file does not state it.
    public let rate: Double?
    /// Nil when the file does not state it.
    public let seconds: Double?
    /// Name of the codec.
    public let codec: String
    /// `mono`, `top-bottom` or `side-by-side`.
    public let layout: String
    /// Whether it says that its picture shows all directions.
    public let isEquirectangular: Bool

    /// Reads the facts of a file.
    /// - Throws: ``MediaError`` for a file that browsers cannot play.
    public init(path: String) throws(MediaError) {
        let facts = try VideoFacts(path: path)
        (width, height, codec, layout) = (facts.width, facts.height, facts.codec, facts.layout.name)
        rate = facts.rate > 0 ? facts.rate.rounded(decimals: 2) : nil
        seconds = facts.duration > 0 ? facts.duration.rounded(decimals: 3) : nil
        isEquirectangular = facts.isEquirectangular
    }
}
