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
