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
    private var current: HRTFTableRequest?
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
    func follow(_ request: HRTFTableRequest?) {
        guard request != wanted, hub.tree.objects > 0 else { return }
        wanted = request
        worker.order(request == current ? nil : request, for: listener)
        guard request == nil, current != nil else { return }
        current = nil
        pending = .some(nil)
        settle()
    }

    /// Whether the listener has the filters that it is to have.
    var isSettled: Bool { wanted == current && pending == nil }

    /// Takes the result of this listener's order.
    /// - Returns: the reason for which there are no filters; the present ones go on sounding.
    func take(_ report: HRTFTableWorker.Report) -> MediaError? {
        guard report.order == wanted else { return nil }
        switch report.outcome {
        case .progress: return nil
        case .done(let file):
            current = report.order
            pending = file
            settle()
            return nil
        case .refused(let reason):
            wanted = current
            return reason
        }
    }

    /// Sends again what the renderer had no room for, and frees filters that it no longer uses.
    func settle() {
        ends.collect()
        guard let file = pending else { return }
        if ends.send(ObjectHRTF(file?.table, objects: hub.tree.objects, period: period, rate: Float(rate))) { pending = nil }
    }
}
