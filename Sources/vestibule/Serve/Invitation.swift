import Foundation
import Crossing
import OSCControl
import WebControl

/// How others get in: the panel's address, and the tokens when the server can be reached from the network.
struct Invitation {
    let tokens: AccessTokens?
    private let file: String
    private let host: String

    /// - Parameters:
    ///   - bind: the address that is bound.
    ///   - file: of the tokens; nil takes the usual place when tokens are needed.
    /// - Throws: `TokenFileError`.
    init(bind: String, file: String?) throws(TokenFileError) {
        let isLoopback = bind == "localhost" || NetworkAddress(host: bind)?.isLoopback == true
        self.file = file ?? Self.usualFile
        host = bind == "0.0.0.0" || bind == "::" ? MachineAddress.first ?? "127.0.0.1" : bind
        tokens = isLoopback && file == nil ? nil : try TokenFile.open(self.file)
    }

    private static var usualFile: String {
        let environment = ProcessInfo.processInfo.environment
        let state = environment["XDG_STATE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        return (state ?? NSHomeDirectory() + "/.local/state") + "/vestibule/tokens"
    }

    func panel(_ port: Int) -> String { "http://\(host.contains(":") ? "[\(host)]" : host):\(port)/" }

    /// What a person is told. Secrets go to a terminal only: what is no terminal is most likely a log.
    func lines(_ port: Int) -> [String] {
        guard let tokens else { return [] }
        guard isatty(STDOUT_FILENO) == 1 else { return ["token: in \(file), for its owner alone"] }
        return [
            "to control: \(panel(port))#token=\(tokens.control)",
            "to look and listen: \(panel(port))#token=\(tokens.view)",
        ]
    }
}
