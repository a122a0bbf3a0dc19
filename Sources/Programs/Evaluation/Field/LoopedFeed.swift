internal import Crossing

/// Feed of periodic signals to the renderer.
struct LoopedFeed: ~Copyable {
    private var producer: FrameRing.Producer
    private let interleaved: [Float]
    private let period: Int
    private let channels: Int
    private var place = 0

    /// - Parameter signals: one period of every channel.
    init(_ producer: consuming FrameRing.Producer, _ signals: [[Float]]) {
        self.producer = producer
        channels = signals.count
        period = signals[0].count
        var interleaved = [Float](repeating: 0, count: channels * period)
        for (channel, signal) in signals.enumerated() {
            for frame in 0..<period { interleaved[frame * channels + channel] = signal[frame] }
        }
        self.interleaved = interleaved
    }

    /// Writes as many frames as fit.
    mutating func fill() {
        while producer.free > 0 {
            let count = min(producer.free, period - place)
            let written = interleaved.withUnsafeBufferPointer {
                producer.write($0.baseAddress! + place * channels, frames: count)
            }
            place = (place + written) % period
        }
    }
}
