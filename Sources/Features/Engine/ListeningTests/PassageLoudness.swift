import Binaural
import CRealtime
import Crossing
import Hub
import ListeningTest
import Media
import Parameters
import Render
import RenderCore
import RenderInterface

/// Measures how loud each condition of a passage is at the ears, by rendering the passage faster than real time for a head at rest,
/// straight ahead. Used on threads that may wait.
struct PassageLoudness: Sendable {
    /// Settings of the listener, as far as they change the sound.
    struct Settings: Sendable {
        var values: [(parameter: ListenerParameter, value: Float)] = []
        var crossover: Float = 0
        var plan = ArrayPlan()
        /// SOFA file, head radius and equalisation for the method `hrtf`.
        var hrtf = ""
        var headRadius: Float = 0
        var equalisation = HRTFEqualisation.neutral
    }

    let settings: Settings
    /// Rate of the engine, frames per second.
    let rate: Double
    private static let period = 64
    /// Time without a frame of the recording after which the measurement is given up, nanoseconds.
    private static let patience: UInt64 = 10_000_000_000

    /// Loudness of the conditions in LUFS; nil for a silent one.
    ///
    /// - Parameters:
    ///   - path: of the recording.
    ///   - from: start of the passage, seconds.
    ///   - to: its end; nil for the recording's.
    ///   - isWanted: returns whether to continue.
    /// - Returns: the loudness of each, and the length of the passage in seconds; nil when it was given up.
    func measure(
        _ conditions: [ComparisonCondition], path: String, from: Double, to: Double?, isWanted: () -> Bool
    ) throws -> (loudness: [Double?], seconds: Double)? {
        let tree = ParameterTree(listeners: conditions.count)
        let store = ParameterStore(tree)
        store.set(tree.index(TransportParameter.state), Float(TransportParameter.playing))
        store.set(tree.index(ArraySetting.crossover), settings.crossover)
        for listener in conditions.indices {
            for (parameter, value) in settings.values { store.set(tree.index(parameter, listener), value) }
        }
        let lines = RenderConnections(store: store, rate: Float(rate), period: Self.period)
        let playback = Playback(feeds: lines.feeds.take(), arrays: lines.arrays.take(), rate: rate) { _ in }
        try playback.follow(settings.plan)
        try playback.load(path, loop: false)
        guard let player = playback.player, let array = playback.array else { return nil }
        defer { player.end() }
        let end = min(to ?? player.duration, player.duration)
        guard end - from >= TestDefinition.passageSeconds.lowerBound, end - from <= TestDefinition.passageSeconds.upperBound else {
            throw RequestError(
                "the passage from \(from) s to \(end) s of \(path) is \(end - from) s long; expected "
                    + "\(TestDefinition.passageSeconds.lowerBound) to \(TestDefinition.passageSeconds.upperBound) s")
        }
        var bank: FilterBank?
        if conditions.contains(where: { $0.method == .hrtf }) {
            bank = try filters(array)
        }
        let ears = try zip(conditions.indices, conditions).map { place, condition in
            try MeasuredEars(lines, place, condition, bank, rate: rate, period: Self.period)
        }
        if from > 0 { player.seek(seconds: from) }
        var graph = lines.graph.take()
        var engine = lines.reports.engine.take()
        var left = [Float](repeating: 0, count: Self.period)
        var right = left
        var rest = Int(clamping: ((end - from) * rate).rounded())
        var deadline = rt_now() + Self.patience
        realtime_flush_denormals()
        while rest > 0, !graph.isFinished {
            player.nudge()
            guard graph.isReady else {
                guard isWanted() else { return nil }
                guard rt_now() < deadline else { throw RequestError("\(path): the passage could not be read") }
                realtime_sleep_until(rt_now() + 200_000)
                continue
            }
            deadline = rt_now() + Self.patience
            graph.render(left: &left, right: &right, frames: Self.period, at: BlockTime(begin: 0, output: 0))
            // Sound before the jump to the passage does not count.
            let isPassage = playback.position(engine.read()).map { $0 >= from && $0 < end + 0.1 } ?? false
            for ear in ears { try ear.collect(counts: isPassage) }
            if isPassage { rest -= Self.period }
        }
        return (ears.map(\.loudness), end - from)
    }

    private func filters(_ array: MicrophoneArray) throws -> FilterBank {
        let request = HRTFRequest(
            path: settings.hrtf, headRadius: settings.headRadius, equalisation: settings.equalisation,
            layout: HRTFLayout(array, calibration: settings.plan.calibration), rate: rate)
        // Never nil, because nothing cancels the computation.
        return try HRTFFilters(request, cache: .standard)!.bank
    }
}

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
