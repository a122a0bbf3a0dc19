import Files
import Hub
import OSCControl
import Parameters
import RenderInterface
import Trust

@testable import Query
@testable import Web

/// Input of WebSockets and POST requests: OSCQuery commands, telemetry requests, logins. The first byte selects the kind.
final class JSONFuzz: FuzzTarget {
    private let hub: Hub
    private let service: TelemetryService
    private let values: VisitorValues

    init() {
        let tree = ParameterTree(listeners: 2, trackers: 2, methods: ["nearest", "linear"])
        hub = Hub(store: ParameterStore(tree), matches: OSCAddressPattern.matches)
        service = TelemetryService(hub: hub)
        values = VisitorValues(hub, HiddenFolders())
    }

    func run(_ bytes: UnsafeRawBufferPointer) {
        guard let first = bytes.first else { return }
        let rest = Array(bytes.dropFirst())
        switch first % 4 {
        case 0: converse(QueryClient(hub: hub, role: .control, values: values) {}, rest, isText: true)
        case 1: converse(QueryClient(hub: hub, role: .view, values: values) {}, rest, isText: first & 4 != 0)
        case 2: converse(TelemetryClient(service, hiding: values.folders, wake: {}, send: { _ in true }), rest, isText: true)
        default:
            struct Pairing: Decodable { let token: String }
            let content: Pairing? = JSONBodies.decode(rest)
            if let token = content?.token { precondition(token.utf8.count <= rest.count) }
        }
    }

    private func converse(_ client: any SocketClient, _ bytes: [UInt8], isText: Bool) {
        client.receive(bytes, isText: isText)
        var frames = 0
        while client.hasMore, client.nextFrame() != nil {
            frames += 1
            precondition(frames < 1000, "the client has more than 1000 frames")
        }
        client.close()
    }
}
