import ArgumentParser
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
