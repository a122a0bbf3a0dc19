import Broadcast
import Cameras
import FileOutput
import Files
import Hub
import ListenerStreams
import MediaLibrary
import Participants
import Query
import Web

/// A server with all features and no engine.
final class TestWeb {
    /// Settings of the server and its features.
    struct Options {
        var web: WebServer.Options
        var hls = HLSSettings()
        var takes = ListedFolder()
        var packages = ListedFolder()
    }

    private let server: WebServer
    let streams: AudioStreams
    let cameras: CameraService
    let participants = ParticipantService()
    let telemetry: TelemetryService
    let metrics: Metrics
    let query: OSCQueryRoutes

    init(_ options: Options, hub: Hub, health: @escaping () -> Health) throws {
        server = try WebServer(options.web, hub: hub)
        streams = try AudioStreams(on: server.loop)
        cameras = CameraService(most: 64, hears: false, on: server)
        telemetry = TelemetryService(hub: hub)
        let (values, library) = (VisitorValues(hub, options.web.folders), LibraryAccess())
        query = OSCQueryRoutes(on: server, streams: streams, values: values)
        let room = UploadRoom(library)
        let features: [any WebFeature] = [
            RecordingFiles(overview: { nil }, video: { nil }), ListenPage(), ListenersPage { _, _, _ in [] },
            AudioRoutes(streams: streams, hub: hub), HLSService(options.hls, on: server, audio: streams),
            PackageFiles(options.packages), TakeFiles(options.takes), LibraryFiles(library),
            UploadService(library.accepted, room: room, on: server), ResumableUploads(library.accepted, room: room, on: server),
            CameraRoutes(service: cameras, connections: server.connections), ParticipantRoutes(service: participants, results: nil),
            TelemetryRoutes(telemetry, on: server, values: values),
        ]
        metrics = Metrics(on: server, telemetry: telemetry.sources, health: health, sections: features)
        server.serve(features + [metrics, query])
    }

    var loop: EventLoop { server.loop }
    var connections: ConnectionTable { server.connections }
    var pairing: PairingService { server.pairing }
    var port: Int { server.port }
    var routes: RouteTable { server.routes }

    func run() throws(WebServerError) { try server.run() }
}
