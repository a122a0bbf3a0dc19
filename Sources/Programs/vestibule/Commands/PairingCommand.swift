import ArgumentParser
import Files
import Foundation
import Trust

/// `vestibule pairing`: the list of paired clients. A running server follows changes within a second.
struct PairingCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pairing", abstract: "List paired phones and browsers, revoke them, or change their role.",
        discussion: """
            To pair a phone, scan the code that `vestibule serve --bind 0.0.0.0` shows in its terminal, or the one in its panel. \
            A running server follows changes within a second.
            """)

    @OptionGroup var options: PairingOptions

    func run() throws { try options.run() }
}

/// The options of `vestibule pairing`, which `vestibule devices` still understands.
struct PairingOptions: ParsableArguments {
    @Option(help: "Revoke the pairing with this id; \"all\" revokes every pairing.")
    var revoke: String?

    @Option(help: "Let the client with this id view and listen only.")
    var view: String?

    @Option(help: "Let the client with this id control.")
    var control: String?

    @Option(help: "File of the list (default: $XDG_STATE_HOME/vestibule/clients.json).")
    var file: String?

    var isEmpty: Bool { revoke == nil && view == nil && control == nil && file == nil }

    func run() throws {
        let clients = if let file { try PairedClients(path: file) } else { try PairedClients(folder: UserFolder.state) }
        if revoke == "all" {
            for client in clients.all { _ = try clients.revoke(client.id) }
        } else if let revoke, try !clients.revoke(revoke) {
            throw Self.unknown(revoke)
        }
        for (id, role) in [(view, AccessRole.view), (control, .control)] {
            guard let id else { continue }
            guard try clients.setRole(id, role) else { throw Self.unknown(id) }
        }
        if clients.all.isEmpty {
            print("No paired clients. Run `vestibule serve --bind 0.0.0.0` and scan its code with a phone to pair it.")
        }
        for client in clients.all {
            let seen = Date(timeIntervalSince1970: Double(client.seen)).formatted(.iso8601)
            print("\(client.id)  \(client.role.rawValue)\(client.role == .view ? "   " : "")  last seen \(seen)  \(client.name)")
        }
    }

    private static func unknown(_ id: String) -> ValidationError {
        ValidationError("No paired client has the id \(id). `vestibule pairing` lists all ids.")
    }
}
