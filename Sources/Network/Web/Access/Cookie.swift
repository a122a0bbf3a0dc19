internal import CFrameMask

/// Cookies that keep a login.
enum Cookie {
    static let prefix = REQUEST_COOKIE_PREFIX

    /// The value of a Set-Cookie header. No other site can send the cookie, no script can read it, and one that was set
    /// over TLS is sent over TLS only.
    static func header(_ name: String, _ value: String, days: Int, _ connection: Connection) -> String {
        let secure = connection.isSecure ? "; Secure" : ""
        return "\(prefix)\(name)=\(value); Path=/; HttpOnly; SameSite=Strict; Max-Age=\(days * 86_400)\(secure)"
    }

    /// The values of this program's cookies in a Cookie header.
    static func values(_ header: String?) -> [String] {
        (header ?? "").split(separator: ";").compactMap { pair -> String? in
            let pair = pair.drop { $0 == " " }
            guard pair.hasPrefix(prefix), let equals = pair.firstIndex(of: "=") else { return nil }
            return String(pair[pair.index(after: equals)...])
        }
    }
}
