import Crossing
import Hub
import OSCControl
import Parameters
import Trust

@testable import WebControl

/// What clients send by WebSocket and POST: commands of OSCQuery, requests of telemetry, logins. The first byte says which.
final class JSONFuzz: FuzzTarget {
    private let hub: Hub
    private let service: TelemetryService

    init() {
        let tree = ParameterTree(listeners: 2, trackers: 2, methods: ["nearest", "linear"])
        hub = Hub(store: ParameterStore(tree), matches: OSCAddressPattern.matches)
        service = TelemetryService(hub: hub)
    }

    func take(_ bytes: UnsafeRawBufferPointer) {
        guard let first = bytes.first else { return }
        let rest = Array(bytes.dropFirst())
        switch first % 4 {
        case 0: converse(QueryClient(hub: hub, role: .control) {}, rest, isText: true)
        case 1: converse(QueryClient(hub: hub, role: .view) {}, rest, isText: first & 4 != 0)
        case 2: converse(TelemetryClient(service, wake: {}, send: { _ in true }), rest, isText: true)
        default:
            let upload = Upload(.pairing, host: nil)
            let isTaken = rest.withUnsafeBytes { upload.add($0) }
            precondition(isTaken == (rest.count <= Upload.most))
            if let token = upload.body?.token { precondition(token.utf8.count <= Upload.most) }
        }
    }

    private func converse(_ client: any SocketClient, _ bytes: [UInt8], isText: Bool) {
        client.receive(bytes, isText: isText)
        var frames = 0
        while client.hasMore, client.nextFrame() != nil {
            frames += 1
            precondition(frames < 1000, "it never ends")
        }
        client.close()
    }
}
