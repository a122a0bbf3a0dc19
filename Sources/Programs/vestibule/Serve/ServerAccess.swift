import Files
import Foundation
import Hub
import OSCControl
import Synchronization
import Threads
import Trust
import Web

/// Access to the server: the panel's address, and the tokens when the server can be reached from the network.
struct ServerAccess {
    /// Nil when no token is required.
    let tokens: AccessTokens?
    private let file: String
    /// Address by which clients reach this machine.
    let host: String
    private let certificate: ServerCertificate?
    /// Whether other machines reach the server directly.
    private let isExposed: Bool

    private static let plainWarning =
        "hint: without TLS everything can be read on its way through the network, tokens and logins included, and who has read a token "
        + "can control the engine; start with --tls"

    /// - Parameters:
    ///   - bind: the address that the server listens on.
    ///   - file: of the tokens; nil takes the usual place when tokens are required.
    ///   - certificate: nil serves without TLS.
    /// - Throws: `TokenFileError`.
    init(bind: String, file: String?, certificate: ServerCertificate?) throws(TokenFileError) {
        self.certificate = certificate
        let isLoopback = bind == "localhost" || NetworkAddress(host: bind)?.isLoopback == true
        self.file = file ?? UserFolder.state + "/tokens"
        isExposed = !isLoopback
        host = bind == "0.0.0.0" || bind == "::" ? MachineNames.addresses.first ?? "127.0.0.1" : bind
        tokens = isLoopback && file == nil ? nil : try TokenFile.open(self.file)
    }

    var isSecure: Bool { certificate != nil }

    func panel(_ port: Int) -> String { "\(isSecure ? "https" : "http")://\(place(port))/" }

    private func place(_ port: Int) -> String { "\(host.contains(":") ? "[\(host)]" : host):\(port)" }

    /// Lines to log at the start. Tokens are shown on a terminal only; standard output is otherwise most likely a log.
    func lines(_ port: Int) -> [String] { tokenLines(port) + trustLines(port) }

    private func tokenLines(_ port: Int) -> [String] {
        guard let tokens else { return [] }
        guard isatty(STDOUT_FILENO) == 1 else { return ["token: in \(file), readable by its owner only"] }
        return [
            "to control: \(panel(port))#token=\(tokens.control)",
            "to view and listen: \(panel(port))#token=\(tokens.view)",
        ]
    }

    /// Lines to show on a terminal for a pairing code.
    static func lines(_ code: PairingCode) -> [String] {
        [
            code.code.terminal, "Scan the code once to pair a phone, or open \(code.url)",
            "It is valid once, for \(code.seconds / 60) minutes. Press Enter for another code.",
        ]
    }

    private func trustLines(_ port: Int) -> [String] {
        guard let certificate else { return isExposed ? [Self.plainWarning] : [] }
        let warnings = certificate.warnings.map { "hint: \($0)" }
        guard let authority = certificate.authority else { return warnings }
        return warnings + [
            "to trust this machine on another device: http://\(place(port))/trust",
            "fingerprint to compare there: \(authority.fingerprint)",
        ]
    }
}

/// Waits for Enter at the terminal, which asks for another pairing code.
final class PairingPrompt: Sendable {
    private let isWanted = Atomic(false)

    /// Whether both input and output are a terminal: pairing codes are secrets and do not belong in a log.
    static var isPossible: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1 }

    /// - Parameter wake: called on another thread after each line.
    init(wake: @escaping @Sendable () -> Void) throws(ThreadError) {
        _ = try ProgramThread("terminal") { [weak self] in
            // Not through stdio, whose lock would keep the program from ending.
            var letters = [UInt8](repeating: 0, count: 256)
            while true {
                let count = read(STDIN_FILENO, &letters, letters.count)
                guard count > 0, let self else { return }
                guard letters[..<count].contains(UInt8(ascii: "\n")) else { continue }
                isWanted.store(true, ordering: .releasing)
                wake()
            }
        }
    }

    /// Returns true if Enter was pressed since the last call.
    func take() -> Bool { isWanted.exchange(false, ordering: .acquiringAndReleasing) }
}
