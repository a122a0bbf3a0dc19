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
