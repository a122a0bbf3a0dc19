import Binaural
import Crossing
import Hub
import Media
import Parameters
import Render

/// Loads one listener's HRTF filters: requests them, hands them to the renderer and publishes their state.
///
/// Used on the control thread only.
final class HRTFLoader {
    private let hub: Hub
    private let listener: Int
    private let worker: HRTFWorker
    private var sets: Handover<HRTFSet>.Control
    /// The filters that were requested for the listener.
    private var wanted: HRTFRequest?
    /// The filters that the listener has.
    private var current: HRTFRequest?
    /// Filters that the renderer had no room for.
    private var pending: FilterBank?
    /// The last file that filters could be made from; nil before the first.
    private var lastUsablePath: String?

    init(hub: Hub, listener: Int, worker: HRTFWorker, sets: consuming Handover<HRTFSet>.Control) {
        self.hub = hub
        self.listener = listener
        self.worker = worker
        self.sets = sets
    }

    private func index(_ parameter: ListenerParameter) -> Int { hub.tree.index(parameter, listener) }

    /// Whether a listening test needs the filters.
    var isCompared = false

    /// Whether the listener has the filters that were requested for it.
    var isReady: Bool { current != nil && current == wanted && pending == nil }

    /// Whether the listener's method is `hrtf`, or a listening test needs it.
    var isChosen: Bool {
        isCompared || hub.value(index(.method)) == .number(Float(InterpolationMethod.hrtf.rawValue))
    }

    /// Requests filters, unless the listener has them already or they are being computed.
    ///
    /// - Parameters:
    ///   - layout: nil while no recording is loaded.
    ///   - path: a value that is just being set; nil for the stored one. The same holds for `headRadius` and `equalisation`.
    func follow(
        _ layout: HRTFLayout?, rate: Double, path: String? = nil, headRadius: Float? = nil, equalisation: Float? = nil
    ) {
        let request = layout.map { layout in
            HRTFRequest(
                path: path ?? hub.value(index(.hrtf)).text ?? "",
                headRadius: headRadius ?? hub.value(index(.headRadius)).numbers[0],
                equalisation: Self.equalisation(equalisation ?? hub.value(index(.hrtfEqualisation)).numbers[0]), layout: layout,
                rate: rate)
        }
        guard request != wanted else { return }
        wanted = request
        worker.request(request == current ? nil : request, for: listener)
        if let request, request == current {
            publish(.ready(Self.name(request.path)), progress: 1)
        } else if request != nil {
            publish(.waiting, progress: 0)
        }
    }

    /// Cancels the pending request, because the method has changed; the current filters are kept.
    func cancel() {
        guard let wanted, wanted != current else { return }
        self.wanted = current
        worker.request(nil, for: listener)
        publish(current.map { .ready(Self.name($0.path)) } ?? .empty, progress: current == nil ? 0 : 1)
    }

    /// Whether the listener has the filters that were requested for it.
    var isSettled: Bool { wanted == current && pending == nil }

    /// Whether filters are ready that the renderer has not taken.
    var isWaiting: Bool { pending != nil }

    /// Takes the progress or the result of this listener's request.
    func take(_ report: HRTFWorker.Report) {
        guard report.request == wanted else { return }
        switch report.outcome {
        case .progress(let share): publish(.loading("computing filters"), progress: Float((share * 100).rounded() / 100))
        case .done(let filters):
            current = report.request
            lastUsablePath = report.request.path
            pending = filters.bank
            settle()
            let radius =
                filters.measuredRadius > 0
                ? "; the measured head's radius is \((filters.measuredRadius * 1000).rounded() / 10) cm" : ""
            publish(.ready("\(Self.name(filters.path))\(radius)"), progress: 1)
            if let problem = filters.notKept { hub.notice(problem.description) }
        case .refused(let reason):
            // The current filters stay in use, and the parameters name them again.
            wanted = current
            hub.notice(reason.description)
            publish(.failed("\(reason)"), progress: 0)
            hub.publish(index(.hrtf), .text(lastUsablePath ?? ""))
            hub.publish(index(.headRadius), .number(current?.headRadius ?? 0))
            hub.publish(index(.hrtfEqualisation), .number(Float((current?.equalisation ?? .neutral).rawValue)))
        }
    }

    /// Repeats deliveries for which the renderer had no room, and frees filters that it no longer uses.
    func settle() {
        sets.collect()
        if let bank = pending, sets.send(HRTFSet(bank)) { pending = nil }
    }

    static func equalisation(_ number: Float) -> HRTFEqualisation {
        HRTFEqualisation(rawValue: Int(clamping: number)) ?? .neutral
    }

    private static func name(_ path: String) -> String { path.isEmpty ? "the responses of libmysofa" : path }

    /// Publishes the state of the filters for sound objects, while the listener's method is not `hrtf`.
    func show(_ report: HRTFTableWorker.Report, keeping present: HRTFTableRequest?) {
        switch report.outcome {
        case .progress(let share): publish(.loading("computing filters"), progress: Float((share * 100).rounded() / 100))
        case .done: publish(.ready(Self.name(report.request.path)), progress: 1)
        case .refused(let reason):
            hub.notice(reason.description)
            publish(.failed("\(reason)"), progress: 0)
            // The current filters stay in use, and the parameters name them again.
            hub.publish(index(.hrtf), .text(present?.path ?? ""))
            hub.publish(index(.headRadius), .number(present?.headRadius ?? 0))
            hub.publish(index(.hrtfEqualisation), .number(Float((present?.equalisation ?? .neutral).rawValue)))
        }
    }

    /// Publishes whether the requested filters for sound objects are available; nil for no request.
    func show(_ request: HRTFTableRequest?, isPresent: Bool) {
        guard let request else { return publish(.empty, progress: 0) }
        publish(isPresent ? .ready(Self.name(request.path)) : .waiting, progress: isPresent ? 1 : 0)
    }

    private func publish(_ state: LoadState, progress: Float) {
        hub.publish(index(.hrtfState), .text("\(state)"))
        hub.publish(index(.hrtfProgress), .number(progress))
    }
}

/// Computes HRTF filters in the background, for listeners counted from 0.
typealias HRTFWorker = BackgroundWorker<Int, HRTFRequest, HRTFFilters>

extension BackgroundWorker where Key == Int, Request == HRTFRequest, Product == HRTFFilters {
    /// - Parameter cache: filters that were computed before; nil for none.
    convenience init(cache: FilterCache?) {
        self.init(name: "filters") { request, progress throws(MediaError) in
            try HRTFFilters(request, cache: cache, progress: progress)
        }
    }
}
