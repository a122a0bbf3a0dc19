import Hub
import Media
import Parameters

/// The overview of the recording that is loaded, made on another thread. Used on the control thread only.
package final class OverviewMaker {
    /// A recording that was loaded; loading it again is another order.
    private struct Order: Equatable, Sendable {
        let path: String
        let number: Int
    }

    /// The overview in the form in which it is served; nil until it is made.
    package private(set) var bytes: [UInt8]?
    private let hub: Hub
    private var number = 0
    private let worker = BackgroundWorker<Int, Order, [UInt8]>(name: "overview") { order, progress throws(MediaError) in
        try RecordingOverview.read(path: order.path, progress: progress)?.bytes
    }

    init(hub: Hub) { self.hub = hub }

    /// Makes the overview of a recording, instead of one that is being made.
    func make(_ path: String) {
        number += 1
        bytes = nil
        publish(0)
        worker.order(Order(path: path, number: number), for: 0)
    }

    /// Takes what is made.
    func settle() {
        for report in worker.take() {
            switch report.outcome {
            case .progress: continue
            case .done(let made):
                bytes = made
                publish(report.order.number)
            // The player reports why a recording cannot be read.
            case .refused: continue
            }
        }
    }

    func stop() { worker.stop() }

    private func publish(_ number: Int) { hub.publish(hub.tree.index(TransportParameter.overview), .number(Float(number))) }
}
