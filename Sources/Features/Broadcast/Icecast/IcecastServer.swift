internal import Files
internal import Foundation

/// Address of a mount point: `icecast://[user@]host[:port]/mount`, or `icecasts://…` for TLS.
public struct IcecastServer: Sendable, Equatable {
    public let isSecure: Bool
    /// An address in brackets, or a name.
    let host: String
    let port: Int
    /// Begins with a slash.
    let mount: String
    private let user: String

    /// The name that Icecast gives to sources by default.
    private static let standardUser = "source"

    /// - Throws: ``IcecastSettingsError`` that names what is wrong, without repeating a password.
    public init(_ text: String) throws(IcecastSettingsError) {
        let schemes = ["icecast": false, "icecasts": true]
        guard let address = WrittenAddress(text), let isSecure = schemes[address.scheme] else {
            throw IcecastSettingsError("the address must begin with icecast:// or icecasts://, as in icecast://radio.example.org/hall.opus")
        }
        let scheme = address.scheme
        guard let parts = URLComponents(string: address.text), let host = parts.encodedHost, !host.isEmpty else {
            throw IcecastSettingsError("the address needs a host name or an address after \(scheme)://")
        }
        guard parts.password == nil else {
            throw IcecastSettingsError(
                "a password in the address could be read by every user of this machine; "
                    + "use --icecast-password-file or VESTIBULE_ICECAST_PASSWORD")
        }
        guard parts.path.count > 1, parts.query == nil, parts.fragment == nil, !parts.path.utf8.contains(where: { $0 < 0x20 }) else {
            throw IcecastSettingsError("the address needs a mount point after the host, as in \(scheme)://radio.example.org/hall.opus")
        }
        let port = parts.port ?? (isSecure ? 8443 : 8000)
        guard (1...65_535).contains(port) else { throw IcecastSettingsError("the port in the address must be a number from 1 to 65535") }
        (self.isSecure, self.host, self.port, mount, user) = (isSecure, host, port, parts.path, parts.user ?? Self.standardUser)
    }

    /// The address in HTTP, which holds the password.
    func address(password: String) -> String {
        var parts = URLComponents()
        (parts.scheme, parts.user, parts.password) = (isSecure ? "https" : "http", user, password)
        (parts.encodedHost, parts.port, parts.path) = (host, port, mount)
        return parts.string ?? ""
    }
}

extension IcecastServer: CustomStringConvertible {
    /// Without the user.
    public var description: String { "\(isSecure ? "icecasts" : "icecast")://\(host):\(port)\(mount)" }
}
