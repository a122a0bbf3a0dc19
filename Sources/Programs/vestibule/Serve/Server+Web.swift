import Engine
import FileOutput
import Files
import Foundation
import OSCControl
import Packages
import Parameters
import Trust
import Web

/// Options of the web server.
extension Server {
    static func webOptions(
        _ network: NetworkOptions, _ receiver: OSCReceiver, _ admission: OSCAdmission, _ access: ServerAccess,
        _ certificate: ServerCertificate?, _ engine: Engine, packages: String?
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
}
