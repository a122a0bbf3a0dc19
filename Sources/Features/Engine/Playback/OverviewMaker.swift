import Hub
import Media
import Parameters

/// The overview of the loaded recording, made on another thread. Used on the control thread only.
package final class OverviewMaker {
    /// A recording that was loaded; loading it again is another request.
    private struct Request: Equatable, Sendable {
        let path: String
        let number: Int
    }

    private struct Product: Sendable {
        let bytes: [UInt8]
        let limited: LimitedSamples
    }

    /// The overview in the form in which it is served; nil until it is made.
    package private(set) var bytes: [UInt8]?
    private let hub: Hub
    private var number = 0
    /// Called with the limited samples of the loaded recording, when all of it has been read.
    var onLimited: (LimitedSamples) -> Void = { _ in }
    private let worker = BackgroundWorker<Int, Request, Product>(name: "overview") { request, progress throws(MediaError) in
        try RecordingOverview.read(path: request.path, progress: progress).map { Product(bytes: $0.bytes, limited: $0.limited) }
    }

    init(hub: Hub) { self.hub = hub }

    /// Makes the overview of a recording, instead of one that is being made.
    func make(_ path: String) {
        number += 1
        bytes = nil
        publish(0)
        worker.request(Request(path: path, number: number), for: 0)
    }

    /// Takes and publishes overviews that have been made.
    func settle() {
        for report in worker.take() {
            switch report.outcome {
            case .progress: continue
            case .done(let made):
                bytes = made.bytes
                publish(report.request.number)
                if report.request.number == number { onLimited(made.limited) }
            // The player reports why a recording cannot be read.
            case .refused: continue
            }
        }
    }

    func stop() { worker.stop() }

    private func publish(_ number: Int) { hub.publish(hub.tree.index(TransportParameter.overview), .number(Float(number))) }
}
