import Binaural
import Crossing
import ListeningTest
import Render
import RenderCore

/// Loudness at the ears of one condition, rendered for a listener of its own.
final class MeasuredEars {
    private var ears: FrameRing.Consumer
    private var hrtf: Handover<HRTFSet>.Control
    private let sender: ComparisonSender
    private let period: Int
    private var pairs: [Float]
    private var left: [Float]
    private var right: [Float]
    private var meter: Loudness

    init(_ lines: RenderConnections, _ place: Int, _ condition: ComparisonCondition, _ bank: FilterBank?, rate: Double, period: Int) {
        let own = lines.listeners[place]
        ears = own.ears.take()
        own.isHeard.take().set(true)
        hrtf = own.hrtf.take()
        if let bank, condition.method == .personal { _ = hrtf.send(HRTFSet(bank)) }
        sender = ComparisonSender(
            own.comparison.take(), orders: lines.comparisons, place: place, rate: Float(rate), period: period)
        sender.begin([condition])
        self.period = period
        pairs = .init(repeating: 0, count: 2 * period)
        left = .init(repeating: 0, count: period)
        right = left
        meter = Loudness(rate: rate)
    }

    /// Takes a block.
    func collect(counts: Bool) {
        let count = ears.read(&pairs, frames: period)
        guard counts else { return }
        for frame in 0..<count {
            left[frame] = pairs[2 * frame]
            right[frame] = pairs[2 * frame + 1]
        }
        meter.add(left: left, right: right, frames: count)
    }

    /// LUFS; nil for silence.
    var loudness: Double? { meter.integrated }
}
