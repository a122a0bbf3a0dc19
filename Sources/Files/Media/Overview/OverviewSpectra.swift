internal import DSP
internal import Foundation

/// Levels of a recording in frequency bands over time: the power of Hann windows, averaged over the microphones.
///
/// A recording is divided into ``slices`` of equal length. Each is the average of one window in the middle of each of its equal
/// parts, as many parts as it holds whole windows, at most ``mostWindows``. A band has the power of its strongest bin or, where it
/// has none, of the bin nearest to its centre.
struct OverviewSpectra: ~Copyable {
    /// Maximum number of frames that are added at once.
    static let chunk = 4096
    private static let window = 4096
    /// Bands of the overview of a recording.
    static let rows = 64
    private static let lowest = 40.0
    private static let highest = 20_000.0
    private static let mostWindows = 4

    let slices: Int
    let frequencies: ClosedRange<Double>
    private(set) var levels: [UInt8] = []
    private let frames: Int
    private let channels: Int
    private let windows: Int
    private let transform = FourierTransform(count: OverviewSpectra.window)
    private let shape: [Float]
    /// First and last bin of each band.
    private let bands: [ClosedRange<Int>]
    private var power: [Float]
    private let time: UnsafeMutablePointer<Float>
    private let spectrum: UnsafeMutablePointer<Float>
    /// Interleaved frames from `start` on, `count` of them; silence before the recording and after it.
    private let held: UnsafeMutablePointer<Float>
    private var start = -OverviewSpectra.window / 2
    private var count = OverviewSpectra.window / 2
    /// Windows so far.
    private var done = 0

    /// - Parameters:
    ///   - frames: of the whole recording.
    ///   - rate: frames per second.
    ///   - slices: largest number.
    ///   - rows: number of bands.
    init(frames: Int, channels: Int, rate: Double, slices: Int = RecordingOverview.mostSlices, rows: Int = OverviewSpectra.rows) {
        (self.frames, self.channels) = (frames, channels)
        self.slices = min(slices, frames)
        windows = min(max(frames / self.slices / Self.window, 1), Self.mostWindows)
        let highest = min(Self.highest, rate / 2)
        frequencies = Self.lowest...highest
        // A sine at full scale has the power 1.
        let scale = 4 / Double(Self.window)
        shape = (0..<Self.window).map { Float(scale * (0.5 - 0.5 * cos(2 * .pi * Double($0) / Double(Self.window)))) }
        bands = Self.bands(rows, highest: highest, binWidth: rate / Double(Self.window))
        power = Array(repeating: 0, count: transform.bins)
        time = .allocateAligned(Self.window)
        spectrum = .allocateAligned(2 * transform.bins)
        held = .allocate(capacity: (Self.window + Self.chunk) * channels)
        held.update(repeating: 0, count: (Self.window + Self.chunk) * channels)
        levels.reserveCapacity(self.slices * rows)
    }

    deinit {
        time.deallocate()
        spectrum.deallocate()
        held.deallocate()
    }

    private static func bands(_ rows: Int, highest: Double, binWidth: Double) -> [ClosedRange<Int>] {
        let step = highest / lowest
        return (0..<rows).map { row in
            let from = lowest * pow(step, Double(row) / Double(rows))
            let to = lowest * pow(step, Double(row + 1) / Double(rows))
            let (first, end) = (Int(clamping: (from / binWidth).rounded(.up)), Int(clamping: (to / binWidth).rounded(.up)))
            let nearest = Int(clamping: ((from * to).squareRoot() / binWidth).rounded())
            return first < end ? first...(end - 1) : nearest...nearest
        }
    }

    /// Adds at most ``chunk`` interleaved frames, in order.
    mutating func add(_ samples: UnsafeMutablePointer<Float>, frames more: Int) {
        (held + count * channels).update(from: samples, count: more * channels)
        count += more
        transformWindows()
    }

    /// Adds the silence after the recording's end.
    mutating func finish() {
        (held + count * channels).update(repeating: 0, count: Self.window / 2 * channels)
        count += Self.window / 2
        transformWindows()
    }

    /// First frame of the next window.
    private var next: Int { (2 * done + 1) * frames / (2 * slices * windows) - Self.window / 2 }

    private mutating func transformWindows() {
        while done < slices * windows, next + Self.window <= start + count {
            addPower(of: held + (next - start) * channels)
            done += 1
            if done.isMultiple(of: windows) { endSlice() }
        }
        // Frames of windows that have not ended yet are needed again.
        let needed = done < slices * windows ? min(max(next, start), start + count) : start + count
        let rest = start + count - needed
        held.update(from: held + (needed - start) * channels, count: rest * channels)
        (start, count) = (needed, rest)
    }

    private mutating func addPower(of samples: UnsafeMutablePointer<Float>) {
        for channel in 0..<channels {
            for index in 0..<Self.window { time[index] = shape[index] * samples[index * channels + channel] }
            transform.forward(time, into: spectrum)
            for bin in power.indices {
                power[bin] += spectrum[2 * bin] * spectrum[2 * bin] + spectrum[2 * bin + 1] * spectrum[2 * bin + 1]
            }
        }
    }

    private mutating func endSlice() {
        let (range, average) = (RecordingOverview.decibels, 1 / Float(channels * windows))
        for band in bands {
            let decibels = 10 * log10(max(power[band].max() ?? 0, 1e-30) * average)
            let share = (decibels - range.lowerBound) / (range.upperBound - range.lowerBound)
            levels.append(UInt8(clamping: Int(clamping: Double(share * 255).rounded())))
        }
        for bin in power.indices { power[bin] = 0 }
    }
}
