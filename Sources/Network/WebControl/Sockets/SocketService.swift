internal import CFrameMask
internal import CWebSockets
public import Hub
internal import OSCControl
internal import Trust

/// Decides about upgrades to WebSockets, and gives each new one its client.
public final class SocketService {
    /// Keeps one OSC message of a client until its time, CLOCK_MONOTONIC nanoseconds; without it all messages are applied at once.
    public var hold: ((_ message: [UInt8], _ due: UInt64, _ client: NetworkAddress?) -> Void)?

    private let hub: Hub
    private let policy: RequestPolicy
    private let http: HTTPService
    private let connections: ConnectionTable
    private let streams: AudioStreams
    private let telemetry: TelemetryService
    private let participants: ParticipantService
    private let cameras: CameraService
    private let values: VisitorValues

    init(
        hub: Hub, policy: RequestPolicy, http: HTTPService, connections: ConnectionTable, streams: AudioStreams,
        telemetry: TelemetryService, participants: ParticipantService, cameras: CameraService, values: VisitorValues
    ) {
        self.hub = hub
        self.policy = policy
        self.http = http
        self.connections = connections
        self.streams = streams
        self.telemetry = telemetry
        self.participants = participants
        self.cameras = cameras
        self.values = values
    }

    /// Decides about an upgrade.
    /// - Returns: 0 to grant it; otherwise the request has been answered.
    func confirmUpgrade(_ wsi: OpaquePointer) -> Int32 {
        let request = Request(wsi)
        if let refusal = RequestForm.refusal(request) ?? policy.refusal(wsi, request) { return http.finish(wsi, request, refusal) }
        // An upgrade to HTTP/2 is an offer that may be ignored, and in this library (4.1) its first stream never gets a
        // window. Some clients make it with every request.
        if let wanted = request.header(WSI_TOKEN_UPGRADE)?.lowercased(), wanted != "websocket" {
            return http.finish(wsi, request, request.method == .post ? .text(405, "only GET and HEAD can be upgraded") : nil)
        }
        if let refusal = RequestForm.upgradeRefusal(request) { return http.finish(wsi, request, refusal) }
        guard policy.isSameOrigin(wsi, request) else {
            return http.finish(wsi, request, .text(403, "only pages of this server may open WebSockets to it"))
        }
        if request.path == CameraService.path, let refusal = cameras.refusal { return http.finish(wsi, request, refusal) }
        if request.path == AudioStreams.joinPath {
            return streams.refusal(request.query("token"), streams.joins.count).map { http.finish(wsi, request, .text(503, $0)) } ?? 0
        }
        if SceneStream.listener(request.path) != nil, let refusal = sceneRefusal(request) { return http.finish(wsi, request, refusal) }
        if let listener = AudioStreams.listener(request.path), streams[listener] == nil {
            return http.finish(wsi, request, .text(404, "there is no sound at \(request.path)"))
        }
        return 0
    }

    /// Opens a WebSocket whose upgrade has been granted.
    /// - Returns: 0, or -1 when it has to be closed again.
    func open(_ wsi: OpaquePointer) -> Int32 {
        guard frame_mask_begin(lws_get_socket_fd(wsi)) else {
            lws_close_reason(wsi, LWS_CLOSE_STATUS_PROTOCOL_ERR, nil, 0)
            return -1
        }
        let request = Request(wsi)
        guard let visitor = policy.visitor(wsi, request), let client = makeClient(wsi, request, visitor) else { return -1 }
        connections.open(wsi, client, pairedClient: visitor.pairedClient)
        return 0
    }

    /// The answer to a client that cannot render the scene; nil when it can.
    private func sceneRefusal(_ request: Request) -> Response? {
        guard let scene = streams.scene else { return .text(404, "there is no scene: this engine has no listeners on the network") }
        if let refusal = scene.refusal { return .text(503, refusal) }
        if request.path == SceneStream.joinPath {
            return streams.refusal(request.query("token"), streams.joins.count).map { .text(503, $0) }
        }
        let isThere = SceneStream.listener(request.path).map { streams[$0] != nil } == true
        return isThere ? nil : .text(404, "there is no listener at \(request.path)")
    }

    /// A client with a listener of its own.
    private func joining(_ request: Request, _ wake: @escaping () -> Void) -> any SocketClient {
        let (token, wishes) = (request.query("token"), StreamRequest(request.query))
        let client = JoiningClient { [hub, streams] in
            do {
                let joined = try streams.join(token)
                if request.path == SceneStream.joinPath {
                    return streams.scene.map {
                        AudioClient(
                            $0.scene(of: joined.listener), token: joined.token, wishes: wishes ?? StreamRequest(),
                            settings: streams.settings,
                            wake: wake)
                    }
                }
                return streams[joined.listener].map {
                    AudioClient($0, token: joined.token, wishes: wishes, settings: streams.settings, wake: wake)
                }
            } catch {
                hub.notice("a client asked for a listener of its own: \(error)")
                return nil
            }
        }
        streams.joins.add(client)
        return client
    }

    private func makeClient(_ wsi: OpaquePointer, _ request: Request, _ visitor: Visitor) -> (any SocketClient)? {
        let wake = { _ = lws_callback_on_writable(wsi) }
        if let name = lws_get_protocol(wsi)?.pointee.name, String(cString: name) == TelemetryService.protocolName {
            let folders = visitor.role == .control ? nil : values.folders
            return TelemetryClient(telemetry, hiding: folders, wake: wake) { SocketConnection.of(wsi)?.send($0) ?? false }
        }
        if request.path == CameraService.path {
            return CameraClient(
                cameras, number: connections.nextId(), pairedClient: visitor.pairedClient, mayControl: visitor.role == .control, wake: wake)
        }
        if request.path == ParticipantService.path { return ParticipantClient(participants, wake: wake) }
        if [AudioStreams.joinPath, SceneStream.joinPath].contains(request.path) { return joining(request, wake) }
        if let listener = SceneStream.listener(request.path) {
            return streams.scene.map {
                AudioClient(
                    $0.scene(of: listener), wishes: StreamRequest(request.query) ?? StreamRequest(), settings: streams.settings, wake: wake)
            }
        }
        if let listener = AudioStreams.listener(request.path) {
            return streams[listener].map {
                AudioClient($0, wishes: StreamRequest(request.query), settings: streams.settings, wake: wake)
            }
        }
        return QueryClient(
            hub: hub, role: visitor.role, values: values, address: NetworkAddress(host: PeerName.of(wsi)), hold: hold, streams: streams,
            wake: wake)
    }
}
