internal import Files
internal import Foundation

/// Choices about the stream to an Icecast server.
public struct IcecastSettings: Sendable {
    public let server: IcecastServer
    /// Number of the listener, from 1.
    let listener: Int
    /// Kilobits per second.
    let bitrate: Int
    /// Name of the stream in the server's list.
    let name: String
    /// PEM file of the authorities that the server's certificate is checked against.
    let authorities: String
    let password: String

    public static let standardBitrate = 160
    public static let bitrates = 32...320
    private static let systemAuthorities = "/etc/ssl/certs/ca-certificates.crt"

    /// - Parameters:
    ///   - authorities: nil for those of the system, or of the file that SSL_CERT_FILE names.
    ///   - passwordFile: its first line is the password.
    ///   - password: used without a file.
    /// - Throws: ``IcecastSettingsError``.
    public init(
        server: IcecastServer, listener: Int, bitrate: Int, name: String, authorities: String?, passwordFile: String?, password: String?
    ) throws(IcecastSettingsError) {
        (self.server, self.listener, self.bitrate, self.name) = (server, listener, bitrate, name)
        guard authorities == nil || server.isSecure else {
            throw IcecastSettingsError("certificates are for TLS: use icecasts:// in the address")
        }
        guard !name.isEmpty, !name.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) else {
            throw IcecastSettingsError("the name of a stream is one line of text")
        }
        if let authorities {
            do { _ = try RegularFile(authorities) } catch { throw IcecastSettingsError("\(error)") }
        }
        let named = ProcessInfo.processInfo.environment["SSL_CERT_FILE"].flatMap { $0.isEmpty ? nil : $0 }
        self.authorities = authorities ?? named ?? Self.systemAuthorities
        let found = try passwordFile.map { path throws(IcecastSettingsError) in try Self.password(path) } ?? password
        guard let found, !found.isEmpty else {
            throw IcecastSettingsError(
                "the server needs the source's password: give --icecast-password-file or the environment variable "
                    + "VESTIBULE_ICECAST_PASSWORD")
        }
        self.password = found
    }

    private static func password(_ path: String) throws(IcecastSettingsError) -> String {
        do { return try RegularFile.secretLine(path, "password") } catch { throw IcecastSettingsError("\(error)") }
    }
}

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

    /// The address as an HTTP URL, which contains the password.
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

/// A setting of the connection to an Icecast server that cannot be used, in a sentence.
public struct IcecastSettingsError: Error, CustomStringConvertible, Equatable {
    public let description: String

    init(_ description: String) { self.description = description }
}
