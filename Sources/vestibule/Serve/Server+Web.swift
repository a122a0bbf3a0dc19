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
        options.libraryFolder = { [library = engine.library, archives = engine.archives] in
            archives.folder(of: $0) ?? library.folder(of: $0, for: $1)
        }
        options.librarySpectrogram = { [library = engine.library] in library.spectrogram(of: $0, $1) }
        options.libraryHasRoom = { [library = engine.library] in library.hasRoom(for: $0) }
        options.onFile = { [library = engine.library] in library.look() }
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
