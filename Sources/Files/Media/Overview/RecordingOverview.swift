/// A recording at a glance: its peaks over time, and its spectrum over time, over all microphones.
public struct RecordingOverview: Sendable, Equatable {
    /// Maximum number of columns of peaks.
    public static let mostColumns = 2048
    /// Maximum number of spectra.
    public static let mostSlices = 512
    /// Level in dB of the values 0 and 255 in ``levels``; 0 dB is a sine at full scale.
    public static let decibels: ClosedRange<Float> = -102...0

    /// Length of the recording in seconds.
    public let duration: Double
    /// Lowest and highest sample of any microphone in each column, times 32767. Column `c` of `C` begins at frame `ceil(c F / C)`.
    public let minima: [Int16]
    public let maxima: [Int16]
    /// Number of spectra, evenly spaced in time.
    public let slices: Int
    /// Levels of the frequency bands, one spectrum after the other, the lowest band first.
    public let levels: [UInt8]
    /// Edges in Hz of the lowest and of the highest band; the bands between them are equally wide on a logarithmic scale.
    public let frequencies: ClosedRange<Double>
    /// Samples of the recording that are limited.
    public let limited: LimitedSamples

    public var columns: Int { maxima.count }
    public var rows: Int { levels.count / slices }

    /// The form in which it is served, as `protocol/README.md` describes it. All numbers are little-endian.
    public var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(40 + 4 * columns + levels.count)
        func put(_ value: some FixedWidthInteger) { withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) } }
        put(UInt32(columns))
        put(UInt32(slices))
        put(UInt32(rows))
        put(UInt32(0))
        put(duration.bitPattern)
        for number in [Float(frequencies.lowerBound), Float(frequencies.upperBound), Self.decibels.lowerBound, Self.decibels.upperBound] {
            put(number.bitPattern)
        }
        minima.forEach { put($0) }
        maxima.forEach { put($0) }
        return bytes + levels
    }

    /// Reads a recording from its beginning to its end, once, in constant memory. Takes a fraction of a second for each minute.
    ///
    /// - Parameters:
    ///   - path: of a file or folder, as ``RecordingReader`` takes it.
    ///   - progress: called with the completed share, 0 to 1; returns whether to continue.
    /// - Returns: nil if `progress` stopped the work, and only then.
    public static func read(path: String, progress: (Double) -> Bool) throws(MediaError) -> RecordingOverview? {
        var reader = try RecordingReader(path: path)
        var peaks = OverviewPeaks(frames: reader.frames, channels: reader.channels)
        var spectra = OverviewSpectra(frames: reader.frames, channels: reader.channels, rate: reader.rate)
        let chunk = UnsafeMutablePointer<Float>.allocate(capacity: OverviewSpectra.chunk * reader.channels)
        defer { chunk.deallocate() }
        while reader.position < reader.frames {
            guard progress(Double(reader.position) / Double(reader.frames)) else { return nil }
            let got = try reader.read(into: chunk, frames: OverviewSpectra.chunk)
            peaks.add(chunk, frames: got)
            spectra.add(chunk, frames: got)
        }
        spectra.finish()
        return RecordingOverview(
            duration: Double(reader.frames) / reader.rate, minima: peaks.minima.map(Self.sample), maxima: peaks.maxima.map(Self.sample),
            slices: spectra.slices, levels: spectra.levels, frequencies: spectra.frequencies,
            limited: reader.limited)
    }

    private static func sample(_ value: Float) -> Int16 { Int16(clamping: Int(clamping: (Double(value) * 32767).rounded())) }
}

/// Lowest and highest samples of a recording in columns of equal length.
struct OverviewPeaks {
    private(set) var minima: [Float]
    private(set) var maxima: [Float]
    private let frames: Int
    private let channels: Int
    private var frame = 0
    private var column = 0

    /// - Parameter frames: of the whole recording.
    init(frames: Int, channels: Int) {
        (self.frames, self.channels) = (frames, channels)
        let columns = min(RecordingOverview.mostColumns, frames)
        minima = Array(repeating: .infinity, count: columns)
        maxima = Array(repeating: -.infinity, count: columns)
    }

    /// Adds interleaved frames, in order.
    mutating func add(_ samples: UnsafeMutablePointer<Float>, frames count: Int) {
        var at = 0
        while at < count, column < maxima.count {
            // The first frame of the next column.
            let end = ((column + 1) * frames + maxima.count - 1) / maxima.count
            let part = min(count - at, end - frame)
            var (lowest, highest) = (minima[column], maxima[column])
            for index in at * channels..<(at + part) * channels {
                lowest = min(lowest, samples[index])
                highest = max(highest, samples[index])
            }
            (minima[column], maxima[column]) = (lowest, highest)
            at += part
            frame += part
            if frame == end { column += 1 }
        }
    }
}
