/// An address of the form `scheme://rest`, as a person or a program has written it.
public struct WrittenAddress: Equatable, Sendable {
    /// In small letters; an address may have it in capitals as well (RFC 3986, 3.1).
    public let scheme: String
    /// The text after `://`.
    public let rest: Substring

    /// - Returns: nil for a text without a scheme.
    public init?(_ text: String) {
        guard let mark = text.firstRange(of: "://") else { return nil }
        let scheme = text[..<mark.lowerBound].lowercased()
        guard let first = scheme.utf8.first, (0x61...0x7A).contains(first),
            scheme.utf8.allSatisfy({ (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || "+-.".utf8.contains($0) })
        else { return nil }
        (self.scheme, rest) = (scheme, text[mark.upperBound...])
    }

    /// The address with its scheme in small letters.
    public var text: String { "\(scheme)://\(rest)" }

    /// Host and port, and the login before them if there is one: the rest up to the path, the query or the fragment.
    public var authority: Substring { rest.prefix { !"/?#".contains($0) } }

    /// The text after the authority; empty, or with its first slash, question mark or number sign.
    public var place: Substring { rest[authority.endIndex...] }
}

/// Recognises secrets in addresses, which everyone who may read the address could read.
extension WrittenAddress {
    /// Whether a text is an address with a login (`user:password@host`), or with a field such as `password=` or `token=`.
    ///
    /// Mistyped addresses count as well: without a scheme, with one slash, or with reversed ones. Names of files that contain an @ do not.
    public static func hasSecret(_ text: String) -> Bool { hasLogin(text) || hasSecretField(text) }

    /// The text, or a placeholder for a text with a secret.
    public static func shown(_ text: String) -> String { hasSecret(text) ? "(an address with a secret)" : text }

    /// Whether a text is an address with a login, mistyped or not.
    public static func hasLogin(_ text: String) -> Bool {
        guard let address = Self(text) else { return hasColonBeforeAt(text[...]) }
        let authority = address.authority
        if authority.contains("@") { return true }
        // A password with a slash ends the authority too soon: its first part then stands where the port should be.
        return !hasPlainPort(authority) && hasColonBeforeAt(address.rest)
    }

    private static func hasPlainPort(_ authority: Substring) -> Bool {
        guard !authority.isEmpty else { return false }
        let host = authority.hasPrefix("[") ? authority.drop { $0 != "]" } : authority
        guard let colon = host.firstIndex(of: ":") else { return !authority.contains("\\") }
        return host[colon...].dropFirst().utf8.allSatisfy { (0x30...0x39).contains($0) } && colon < host.index(before: host.endIndex)
    }

    /// Whether the text contains a word of the form `user:password@host`.
    private static func hasColonBeforeAt(_ text: Substring) -> Bool {
        text.split(whereSeparator: \.isWhitespace).contains { word in
            guard let colon = word.firstIndex(of: ":"), let at = word.lastIndex(of: "@") else { return false }
            return colon < at && word.index(after: at) < word.endIndex
        }
    }

    /// Names of fields whose value is a secret, without `-` and `_`.
    private static let secretFields: Set = [
        "pass", "password", "passwd", "passphrase", "passwort", "pwd", "pw", "token", "accesstoken", "authtoken", "sessiontoken", "auth",
        "authorization", "key", "apikey", "accesskey", "streamkey", "secret", "clientsecret", "jwt", "signature", "sig",
    ]

    /// Whether a field of an address's query, path or fragment holds a secret.
    static func hasSecretField(_ text: String) -> Bool {
        let fields = Self(text)?.place ?? text.drop { $0 != "?" }
        return fields.split { "/?&;#".contains($0) }.contains { field in
            guard let sign = field.firstIndex(of: "="), field.index(after: sign) < field.endIndex else { return false }
            return secretFields.contains(decoded(field[..<sign]).lowercased().filter { $0 != "-" && $0 != "_" })
        }
    }

    /// A text whose `%XX` are resolved.
    private static func decoded(_ text: Substring) -> String {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), rest.count >= 2, let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) {
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
