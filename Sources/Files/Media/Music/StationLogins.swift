public import Files

/// Logins of radio stations, from a file that nobody but its owner may read. Each line has the beginning of a station's addresses, and what
/// it wants:
///
///     https://radio.example.org user password
///     http://stream.example.org:8000 ?token=abc
///
/// Empty lines, and lines that begin with `#`, are left out.
public struct StationLogins: Sendable {
    private enum Login: Sendable {
        case user(name: String, password: String)
        /// Without its question mark.
        case query(String)
    }

    /// Logins by scheme, host and port of the station.
    private var logins: [String: Login] = [:]

    /// No login for any station.
    public init() {}

    /// - Throws: `FileError`, which repeats no login.
    public init(path: String) throws(FileError) {
        let text = String(decoding: try RegularFile.secret(path).bytes(atMost: RegularFile.largestText), as: UTF8.self)
        for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            let words = line.split(separator: " ", maxSplits: 2)
            guard let first = words.first, !first.hasPrefix("#") else { continue }
            guard let address = WrittenAddress(String(first)), let station = Self.station(address), ["", "/"].contains(address.place),
                let login = Self.login(words.dropFirst())
            else {
                throw FileError(
                    path: path, reason: "line \(index + 1) is not a login of a station",
                    remedy: "write lines such as \"https://radio.example.org USER PASSWORD\" or \"https://radio.example.org ?token=TOKEN\"")
            }
            logins[station] = login
        }
    }

    private static func login(_ words: ArraySlice<Substring>) -> Login? {
        guard let first = words.first, !words.joined().unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) else {
            return nil
        }
        if words.count == 2, let password = words.last, !first.contains(":") {
            return .user(name: String(first), password: String(password))
        }
        let isQuery = words.count == 1 && first.hasPrefix("?") && first.utf8.count > 1 && !first.contains("#")
        return isQuery ? .query(String(first.dropFirst())) : nil
    }

    /// Scheme, host and port in one spelling; nil for an address that is no station's.
    private static func station(_ address: WrittenAddress) -> String? {
        guard let standard = ["http": ":80", "https": ":443"][address.scheme] else { return nil }
        let authority = address.authority.lowercased()
        guard !authority.isEmpty, !authority.contains("@") else { return nil }
        return "\(address.scheme)://\(authority.hasSuffix(standard) ? String(authority.dropLast(standard.count)) : authority)"
    }

    /// The address that is opened: with the login of its station, if there is one. Other stations, to which this one may refer, do not
    /// get it.
    public func address(_ address: WrittenAddress) -> String {
        guard let station = Self.station(address), let login = logins[station] else { return address.text }
        switch login {
        case .user(let name, let password):
            return "\(address.scheme)://\(Self.encoded(name)):\(Self.encoded(password))@\(address.rest)"
        case .query(let fields):
            let place = address.place.prefix { $0 != "#" }
            return "\(address.scheme)://\(address.authority)\(place)\(place.contains("?") ? "&" : "?")\(fields)"
        }
    }

    /// A text in which all but letters, digits and `-._~` are written as `%XX`.
    private static func encoded(_ text: String) -> String {
        text.utf8.reduce(into: "") { result, byte in
            let isPlain =
                Unicode.Scalar(byte).properties.isAlphabetic && byte < 0x80 || (0x30...0x39).contains(byte) || "-._~".utf8.contains(byte)
            if isPlain {
                result.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                let digits = String(byte, radix: 16, uppercase: true)
                result += "%" + (digits.utf8.count < 2 ? "0" : "") + digits
            }
        }
    }
}
