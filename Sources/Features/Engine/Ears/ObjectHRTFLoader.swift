import Binaural
import Crossing
import Hub
import Media
import Parameters
import Render
import RenderCore
import Synchronization

/// Loads measured filters for one listener's sound objects: requests them, and hands them to the renderer.
///
/// Used on the control thread only.
final class ObjectHRTFLoader {
    private let hub: Hub
    private let listener: Int
    private let worker: HRTFTableWorker
    private let rate: Double
    private let period: Int
    private var ends: Handover<ObjectHRTF>.Control
    /// The filters that were requested for the listener; nil for the rigid sphere.
    private var wanted: HRTFTableRequest?
    /// The filters that the listener has.
    private(set) var current: HRTFTableRequest?
    /// Filters that the renderer had no room for; the table is nil for the sphere.
    private var pending: HRTFTableFile??
    /// The filters that were sent last; nil for the sphere.
    private var file: HRTFTableFile?
    /// Number of objects that the filters are made for.
    private var objects: ObjectCapacity

    init(hub: Hub, listener: Int, worker: HRTFTableWorker, rate: Double, line: RenderConnections.Listener) {
        self.hub = hub
        self.listener = listener
        self.worker = worker
        self.rate = rate
        objects = ObjectCapacity(hub.tree)
        period = line.largestBlock
        ends = line.objectHRTF.take()
    }

    /// Requests filters, unless the listener has them already or they are being computed.
    /// - Parameter request: nil for the sphere.
    /// - Returns: whether the request differs from the previous one.
    @discardableResult
    func follow(_ request: HRTFTableRequest?) -> Bool {
        guard request != wanted, hub.tree.objects > 0 else { return false }
        wanted = request
        worker.request(request == current ? nil : request, for: listener)
        guard request == nil, current != nil else { return true }
        current = nil
        pending = .some(nil)
        settle()
        return true
    }

    /// Whether the listener has the filters that were requested for it.
    var isSettled: Bool { wanted == current && pending == nil }

    /// Whether filters are ready that the renderer has not taken.
    var isWaiting: Bool { pending != nil }

    /// Takes the result of this listener's request; if the request was refused, the current filters stay in use.
    /// - Returns: false when another request has taken its place.
    func take(_ report: HRTFTableWorker.Report) -> Bool {
        guard report.request == wanted else { return false }
        switch report.outcome {
        case .progress: break
        case .done(let file):
            current = report.request
            pending = file
            settle()
        case .refused: wanted = current
        }
        return true
    }

    /// Repeats deliveries for which the renderer had no room, and frees filters that it no longer uses.
    func settle() {
        ends.collect()
        guard let file = pending else { return }
        objects.follow(hub.tree)
        guard ends.send(ObjectHRTF(file?.table, objects: objects.count, period: period, rate: Float(rate))) else { return }
        self.file = file
        pending = nil
    }

    /// Makes the filters again when the number of objects needs it; until then the listener does not hear added objects.
    func followObjects() {
        guard pending == nil, let file else { return }
        let before = objects
        objects.follow(hub.tree)
        guard objects != before else { return }
        pending = file
        settle()
    }
}

/// Designs tables for sound objects in the background, for listeners counted from 0.
typealias HRTFTableWorker = BackgroundWorker<Int, HRTFTableRequest, HRTFTableFile>

extension BackgroundWorker where Key == Int, Request == HRTFTableRequest, Product == HRTFTableFile {
    /// Listeners with the same head share the table that was designed last.
    convenience init() {
        let last = Mutex<(request: HRTFTableRequest, file: HRTFTableFile)?>(nil)
        self.init(name: "filters") { request, progress throws(MediaError) in
            if let last = last.withLock({ $0 }), last.request == request { return last.file }
            guard let file = try HRTFTableFile(request, progress: progress) else { return nil }
            last.withLock { $0 = (request, file) }
            return file
        }
    }
}
