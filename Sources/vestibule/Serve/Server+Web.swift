import Engine
import OSCControl
import Packages
import Parameters
import Trust
import WebControl

/// The choices of the web server.
extension Server {
    static func webOptions(
        _ network: NetworkOptions, _ receiver: OSCReceiver, _ admission: OSCAdmission, _ access: ServerAccess,
        _ certificate: ServerCertificate?, _ engine: Engine, packages: String?, hls: HLSSettings
    ) throws -> WebServer.Options {
        var options = WebServer.Options(
            host: network.bind, port: Int(network.httpPort), panel: DataFolder.panel(network.web), oscHost: network.bind,
            oscPort: Int(receiver.port))
        options.certificate = certificate
        options.cameras = network.cameras
        options.hearsCameras = engine.tree.objects > 0
        options.results = engine.files.clients.folder(.results)
        options.accepted = engine.files.clients.accepted + [engine.files.clients.acceptedArchives, engine.files.clients.acceptedCovers]
        options.takes = engine.files.clients.folder(.takes)
        options.listenerTable = { [unowned engine] in engine.listenerTable(from: $0, count: $1, search: $2) }
        options.takeList = { [takes = engine.takes] in takes.list }
        options.library = { [library = engine.library] in library.list }
        options.libraryPage = { [library = engine.library] query in
            library.page(
                search: query.search, kind: query.kind, tag: query.tag, order: query.order.rawValue, from: query.from, count: query.count)
        }
        options.libraryFolder = { [library = engine.library, archives = engine.archives, tests = engine.tests] place, name in
            // Nobody may read the conditions of a test that is under way.
            if tests.isBlind, place == ClientFiles.Kind.tests.rawValue { return nil }
            return archives.folder(of: place) ?? library.folder(of: place, for: name)
        }
        options.librarySpectrogram = { [library = engine.library] in library.spectrogram(of: $0, $1) }
        options.libraryHasRoom = { [library = engine.library] in library.hasRoom(for: $0) }
        options.onFile = { [library = engine.library] in library.add($0) }
        if let folder = packages {
            let shelf = PackageShelf(folder: folder)
            (options.packages, options.packageList) = (folder, { shelf.list })
        }
        options.video = { [video = engine.recording.video] in video.path }
        options.overview = { [overview = engine.recording.overview] in overview.bytes }
        options.reachable = access.host
        options.admission = admission
        if access.tokens != nil { options.pairedClients = try PairedClients(path: PairingCommand.standardFile) }
        options.allowedHosts = network.allowHost + (certificate == nil ? [] : MachineNames.names)
        options.proxies = network.trustedProxy
        options.tokens = access.tokens
        options.hls = hls
        return options
    }
}
