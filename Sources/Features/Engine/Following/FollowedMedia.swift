import Files
import Foundation

/// Source of files of the followed engine: `URL/KIND/NAME`.
package struct FollowedMedia: Equatable, Sendable {
    let address: String
    /// Login at the followed engine; nil for servers that require none.
    let token: String?
    /// PEM file of the authorities that certificates are checked against; nil for those of the system.
    let authority: String?

    /// - Parameter address: begins with `http://` or `https://` and has no query; with a token, `http://` only for this machine.
    /// - Returns: nil for another address.
    package init?(_ address: String, token: String? = nil, authority: String? = nil) {
        guard let written = WrittenAddress(address), ["http", "https"].contains(written.scheme), !WrittenAddress.hasSecret(address),
            let parts = URLComponents(string: written.text), let host = parts.host, !host.isEmpty,
            parts.query == nil, parts.fragment == nil, parts.user == nil, parts.password == nil
        else { return nil }
        guard token == nil || written.scheme == "https" || ["localhost", "127.0.0.1", "[::1]", "::1"].contains(host) else { return nil }
        self.address = address.hasSuffix("/") ? String(written.text.dropLast()) : written.text
        (self.token, self.authority) = (token, authority)
    }

    /// The address of a file.
    func address(of file: MediaName) -> String {
        var allowed = CharacterSet.urlPathAllowed
        allowed.remove(charactersIn: ";?%&+")
        return "\(address)/\(file.kind.rawValue)/\(file.name.addingPercentEncoding(withAllowedCharacters: allowed) ?? file.name)"
    }
}
