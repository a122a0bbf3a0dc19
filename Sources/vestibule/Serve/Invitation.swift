import Crossing
import Foundation
import OSCControl
import Trust
import WebControl

/// How others get in: the panel's address, and the tokens when the server can be reached from the network.
struct Invitation {
    let tokens: AccessTokens?
    private let file: String
    /// Where others reach this machine.
    let host: String
    private let certificate: ServerCertificate?

    /// - Parameters:
    ///   - bind: the address that is bound.
    ///   - certificate: nil serves without TLS.
    ///   - file: of the tokens; nil takes the usual place when tokens are needed.
    /// - Throws: `TokenFileError`.
    init(bind: String, file: String?, certificate: ServerCertificate?) throws(TokenFileError) {
        self.certificate = certificate
        let isLoopback = bind == "localhost" || NetworkAddress(host: bind)?.isLoopback == true
        self.file = file ?? StateFolder.path + "/tokens"
        host = bind == "0.0.0.0" || bind == "::" ? MachineNames.addresses.first ?? "127.0.0.1" : bind
        tokens = isLoopback && file == nil ? nil : try TokenFile.open(self.file)
    }

    func panel(_ port: Int) -> String { "\(certificate == nil ? "http" : "https")://\(place(port))/" }

    private func place(_ port: Int) -> String { "\(host.contains(":") ? "[\(host)]" : host):\(port)" }

    /// What a person is told. Secrets go to a terminal only: what is no terminal is most likely a log.
    func lines(_ port: Int) -> [String] { access(port) + trust(port) }

    private func access(_ port: Int) -> [String] {
        guard let tokens else { return [] }
        guard isatty(STDOUT_FILENO) == 1 else { return ["token: in \(file), for its owner alone"] }
        return [
            "to control: \(panel(port))#token=\(tokens.control)",
            "to look and listen: \(panel(port))#token=\(tokens.view)",
        ]
    }

    /// What is shown at a terminal for a device that comes near.
    static func lines(_ code: PairingCode) -> [String] {
        [
            code.code.terminal, "to pair a device: scan this, or open \(code.url)",
            "It is good once, for \(code.seconds / 60) minutes, to control; Enter shows another one.",
        ]
    }

    private func trust(_ port: Int) -> [String] {
        guard let certificate else { return [] }
        let warnings = certificate.warnings.map { "hint: \($0)" }
        guard let authority = certificate.authority else { return warnings }
        return warnings + [
            "for a device that does not trust this machine yet: http://\(place(port))/trust",
            "which shows the fingerprint \(authority.fingerprint)",
        ]
    }
}
