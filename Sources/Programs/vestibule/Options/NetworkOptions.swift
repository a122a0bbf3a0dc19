import ArgumentParser
import OSCControl

/// Addresses, ports and access.
struct NetworkOptions: ParsableArguments {
    @Option(help: "Browsers that may exchange cameras at /camera at once, up to 256; 0 turns that off.")
    var cameras = 64

    @Option(help: "Address to listen on; 0.0.0.0 means every address of this machine. Any address but 127.0.0.1 requires a token.")
    var bind = "127.0.0.1"

    @Option(name: .customLong("osc-port"), help: "UDP port for OSC; 0 takes a free one.")
    var oscPort: UInt16 = 9000

    @Option(name: .customLong("http-port"), help: "TCP port for the panel, OSCQuery and WebSockets; 0 takes a free one.")
    var httpPort: UInt16 = 8080

    @Option(
        name: .customLong("token-file"),
        help: """
            Token file, created if missing (default: $XDG_STATE_HOME/vestibule/tokens). With this option 127.0.0.1 \
            requires a token, too.
            """
    )
    var tokenFile: String?

    @Option(name: .customLong("allow-host"), help: "Name or address by which browsers may reach this server. Repeatable.")
    var allowHost: [String] = []

    @Option(
        name: .customLong("allow-osc"),
        help: "Address, 192.168.1.20, or network, 192.168.1.0/24, that may send OSC besides this machine. Repeatable.",
        transform: NetworkOptions.range)
    var allowOsc: [AddressRange] = []

    @Option(
        name: .customLong("trusted-proxy"),
        help: """
            Address or network of a reverse proxy, 127.0.0.1 for one on this machine. The address that it gives in the header \
            X-Forwarded-For counts as that of the client. Repeatable.
            """,
        transform: NetworkOptions.range)
    var trustedProxy: [AddressRange] = []

    @Flag(
        help: "Serve HTTPS and WSS with a certificate authority of this machine, which clients trust once (/trust); HTTP is redirected.")
    var tls = false

    @Option(help: "Certificate of your own for --tls, as PEM with its chain; needs --key.")
    var certificate: String?

    @Option(help: "Private key of --certificate, as PEM without a passphrase.")
    var key: String?

    @Option(help: "Name to announce by mDNS (default: Vestibule on this machine's name); \"\" announces nothing.")
    var announce: String?

    @Option(help: "Folder of the panel's files.")
    var web: String?

    @Sendable private static func range(_ text: String) throws -> AddressRange {
        guard let range = AddressRange(text) else {
            throw ValidationError("\(text) is neither a numeric address nor a network such as 192.168.1.0/24.")
        }
        return range
    }

    func validate() throws {
        guard (0...256).contains(cameras) else { throw ValidationError("--cameras \(cameras): give a number from 0 to 256.") }
        guard (certificate == nil) == (key == nil) else { throw ValidationError("--certificate and --key must be given together.") }
    }
}
