import Crossing
import Hub
import Media
import Parameters
import Render
import RenderCore

/// Loads measured filters for one listener's sound objects: orders them, and hands them to the renderer.
///
/// Used on the control thread only.
final class ObjectHRTFLoader {
    private let hub: Hub
    private let listener: Int
    private let worker: HRTFTableWorker
    private let rate: Double
    private let period: Int
    private var ends: Handover<ObjectHRTF>.Control
    /// The filters that the listener is to have; nil for the sphere.
    private var wanted: HRTFTableRequest?
    /// The filters that the listener has.
    private(set) var current: HRTFTableRequest?
    /// Filters that the renderer had no room for; the table is nil for the sphere.
    private var pending: HRTFTableFile??

    init(hub: Hub, listener: Int, worker: HRTFTableWorker, rate: Double, line: RenderConnections.Listener) {
        self.hub = hub
        self.listener = listener
        self.worker = worker
        self.rate = rate
        period = line.largestBlock
        ends = line.objectHRTF.take()
    }

    /// Orders filters, unless the listener has them already or they are being computed.
    /// - Parameter request: nil for the sphere.
    /// - Returns: whether the order is another one than before.
    @discardableResult
    func follow(_ request: HRTFTableRequest?) -> Bool {
        guard request != wanted, hub.tree.objects > 0 else { return false }
        wanted = request
        worker.order(request == current ? nil : request, for: listener)
        guard request == nil, current != nil else { return true }
        current = nil
        pending = .some(nil)
        settle()
        return true
    }

    /// Whether the listener has the filters that it is to have.
    var isSettled: Bool { wanted == current && pending == nil }

    /// Takes the result of this listener's order; when there is none, the present filters go on sounding.
    /// - Returns: false when another order has taken its place.
    func take(_ report: HRTFTableWorker.Report) -> Bool {
        guard report.order == wanted else { return false }
        switch report.outcome {
        case .progress: break
        case .done(let file):
            current = report.order
            pending = file
            settle()
        case .refused: wanted = current
        }
        return true
    }

    /// Sends again what the renderer had no room for, and frees filters that it no longer uses.
    func settle() {
        ends.collect()
        guard let file = pending else { return }
        if ends.send(ObjectHRTF(file?.table, objects: hub.tree.objects, period: period, rate: Float(rate))) { pending = nil }
    }
}
