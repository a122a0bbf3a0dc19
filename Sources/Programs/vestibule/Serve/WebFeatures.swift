import Broadcast
import Cameras
import Engine
import FileOutput
import Files
import Hub
import ListenerStreams
import MediaLibrary
import OSCControl
import Packages
internal import Parameters
import Participants
import Query
import Web

/// The features of the web server, in the order in which `protocol/http.md` lists their routes.
struct WebFeatures {
    let streams: AudioStreams
    let cameras: CameraService
    let participants = ParticipantService()
    let telemetry: TelemetryService
    let metrics: Metrics
    let query: OSCQueryRoutes

    /// - Parameter packages: folder of the recordings that are packed for browsers; nil for none.
    init(on web: WebServer, _ engine: Engine, cameras: Int, hls: HLSSettings, packages: String?, health: @escaping () -> Health) throws {
        let (files, library) = (engine.files.clients, Self.library(engine))
        let values = VisitorValues(engine.hub, files.hidden)
        streams = try AudioStreams(on: web.loop)
        self.cameras = CameraService(most: cameras, hears: engine.tree.objects > 0, on: web)
        telemetry = TelemetryService(hub: engine.hub)
        query = OSCQueryRoutes(on: web, streams: streams, values: values)
        let (recording, room) = (engine.recording, UploadRoom(library))
        let features: [any WebFeature] = [
            RecordingFiles(overview: { recording.overview.bytes }, video: { recording.video.path }),
            ListenPage(),
            ListenersPage { [unowned engine] in engine.listenerTable(from: $0, count: $1, search: $2) },
            AudioRoutes(streams: streams, hub: engine.hub),
            HLSService(hls, on: web, audio: streams),
            PackageFiles(packages.map(Self.shelf) ?? ListedFolder()),
            TakeFiles(ListedFolder(files.folder(.takes)) { [takes = engine.libraries.takes] in takes.list }),
            LibraryFiles(library),
            UploadService(library.accepted, room: room, on: web),
            ResumableUploads(library.accepted, room: room, on: web),
            CameraRoutes(service: self.cameras, connections: web.connections),
            ParticipantRoutes(service: participants, results: files.folder(.results)),
            TelemetryRoutes(telemetry, on: web, values: values),
        ]
        metrics = Metrics(on: web, telemetry: telemetry.sources, health: health, sections: features)
        web.serve(features + [metrics, query])
    }

    private static func shelf(_ folder: String) -> ListedFolder {
        let shelf = PackageShelf(folder: folder)
        return ListedFolder(folder) { shelf.list }
    }

    private static func library(_ engine: Engine) -> LibraryAccess {
        let (files, library) = (engine.files.clients, engine.libraries.library)
        var access = LibraryAccess()
        access.list = { library.list }
        access.page = {
            library.page(search: $0.search, kind: $0.kind, tag: $0.tag, order: $0.order.rawValue, from: $0.from, count: $0.count)
        }
        access.folder = { [unowned engine] in engine.libraryFolder(of: $0, for: $1) }
        access.spectrogram = { library.spectrogram(of: $0, $1) }
        access.accepted = files.accepted + [files.acceptedArchives, files.acceptedCovers]
        access.promise = { library.space.promise($0, to: $1) }
        access.renew = { library.space.renew($0, to: $1) }
        access.end = { id, isStored in
            library.space.end(id, isStored: isStored)
            if isStored { library.look() }
        }
        return access
    }
}
