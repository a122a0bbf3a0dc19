import Engine
import FileOutput
import Files
import Foundation
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
        options.access.certificate = certificate
        options.access.reachable = access.host
        options.access.admission = admission
        if access.tokens != nil { options.access.pairedClients = try PairedClients(folder: UserFolder.state) }
        options.access.allowedHosts = network.allowHost + (certificate == nil ? [] : MachineNames.names)
        options.access.proxies = network.trustedProxy
        options.access.tokens = access.tokens
        options.cameras = CameraOptions(most: network.cameras, hears: engine.tree.objects > 0)
        options.results = engine.files.clients.folder(.results)
        options.takes = ListedFolder(engine.files.clients.folder(.takes)) { [takes = engine.libraries.takes] in takes.list }
        options.listenerTable = { [unowned engine] in engine.listenerTable(from: $0, count: $1, search: $2) }
        options.library = library(engine)
        if let folder = packages {
            let shelf = PackageShelf(folder: folder)
            options.packages = ListedFolder(folder) { shelf.list }
        }
        options.video = { [video = engine.recording.video] in video.path }
        options.overview = { [overview = engine.recording.overview] in overview.bytes }
        options.hls = hls
        options.folders = engine.files.clients.hidden
        for folder in folders(packages, options.panel) { engine.files.clients.hide(folder) }
        return options
    }

    /// The program's other folders, and those of files that the command line names.
    private static func folders(_ others: String?...) -> [String] {
        let own = [UserFolder.data, UserFolder.cache, UserFolder.state, NSHomeDirectory(), FileManager.default.currentDirectoryPath]
        let named = CommandLine.arguments.flatMap { argument in
            // An option's own name, or a number of a listener or an object, may stand before the path.
            [argument[...], argument.firstIndex(of: "=").map { argument[$0...].dropFirst() }].compactMap(\.self)
        }
        let paths = (own + others.compactMap(\.self) + named.map(String.init)).filter { !$0.isEmpty && !$0.contains("://") }
        return paths.map { URL(filePath: $0).standardizedFileURL.path }.map { FilePlace.isFolder($0) ? $0 : FilePlace.folder(of: $0) }
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
