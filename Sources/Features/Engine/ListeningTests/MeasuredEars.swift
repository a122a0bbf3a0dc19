import Binaural
import Crossing
import ListeningTest
import Media
import Render
import RenderCore

/// Measures the loudness of one condition at the ears of a listener of its own.
final class MeasuredEars {
    private var ears: FrameRing.Consumer
    private var hrtf: Handover<HRTFSet>.Control
    private let sender: ComparisonSender
    private let period: Int
    private var pairs: [Float]
    private let meter: LoudnessMeter

    init(_ lines: RenderConnections, _ place: Int, _ condition: ComparisonCondition, _ bank: FilterBank?, rate: Double, period: Int) throws
    {
        let own = lines.listeners[place]
        ears = own.ears.take()
        own.isHeard.take().set(true)
        hrtf = own.hrtf.take()
        if let bank, condition.method == .hrtf { _ = hrtf.send(HRTFSet(bank)) }
        sender = ComparisonSender(
            own.comparison.take(), choices: lines.comparisons, place: place, rate: Float(rate), period: period)
        sender.begin([condition])
        self.period = period
        pairs = .init(repeating: 0, count: 2 * period)
        meter = try LoudnessMeter(rate: Int(clamping: rate.rounded()), measuresPeaks: false)
    }

    /// Reads a rendered block, and measures it if `counts` is true.
    func collect(counts: Bool) throws {
        let count = ears.read(&pairs, frames: period)
        if counts { try meter.add(pairs, frames: count) }
    }

    /// LUFS; nil for silence.
    var loudness: Double? { meter.loudness.integrated }
}
