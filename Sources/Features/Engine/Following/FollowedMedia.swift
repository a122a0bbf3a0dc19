import FileOutput
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

/// A file of the followed engine that this one may fetch: its kind, and its name directly in the folder of that kind.
struct MediaName: Hashable, Sendable {
    let kind: ClientFiles.Kind
    let name: String

    /// The file that a path of another engine names, which ends with the name of the kind and that of the file.
    /// - Returns: nil for a path that is not absolute, or not directly in a folder of that kind.
    init?(path: String, _ kind: ClientFiles.Kind) {
        guard path.hasPrefix("/"), FilePlace.name(of: FilePlace.folder(of: path)) == kind.rawValue else { return nil }
        self.init(kind: kind, name: FilePlace.name(of: path))
    }

    init(kind: ClientFiles.Kind, name: String) { (self.kind, self.name) = (kind, name) }

    /// Kind and name of the file, for messages.
    var words: String {
        switch kind {
        case .recordings: "the recording \(name)"
        case .sounds: "the sound \(name)"
        case .responses: "the impulse response \(name)"
        default: name
        }
    }
}
