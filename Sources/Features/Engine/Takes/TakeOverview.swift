/// Outline of a sound of unknown length: the largest magnitude in up to 1000 parts of equal length.
struct TakeOverview {
    private static let most = 1000
    private(set) var peaks: [Float] = []
    /// Frames of a part; doubled whenever there are too many parts.
    private var length = 480
    private var rest = 0
    private var peak: Float = 0

    mutating func add(_ samples: UnsafePointer<Float>, frames: Int, channels: Int) {
        var frame = 0
        while frame < frames {
            let count = min(frames - frame, length - rest)
            for i in frame * channels..<(frame + count) * channels { peak = max(peak, abs(samples[i])) }
            frame += count
            rest += count
            if rest == length { close() }
        }
    }

    mutating func addSilence(frames: Int) {
        var left = frames
        while left > 0 {
            let count = min(left, length - rest)
            left -= count
            rest += count
            if rest == length { close() }
        }
    }

    private mutating func close() {
        peaks.append(peak)
        (peak, rest) = (0, 0)
        guard peaks.count == Self.most else { return }
        peaks = stride(from: 0, to: Self.most, by: 2).map { max(peaks[$0], peaks[$0 + 1]) }
        length *= 2
    }

    /// The parts so far, in thousandths of full scale, the incomplete one included.
    var thousandths: [Int] { (rest > 0 ? peaks + [peak] : peaks).map { Int(clamping: (min($0, 16) * 1000).rounded()) } }
}
