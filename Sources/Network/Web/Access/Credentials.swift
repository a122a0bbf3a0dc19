internal import CFrameMask
internal import Trust

/// Token, cookie and protocols by which a request identifies its sender.
struct Credentials {
    /// Prefix of a token in a WebSocket's list of protocols.
    static let tokenProtocol = "vestibule.token."

    /// The Authorization header.
    let authorization: String?
    /// The Cookie header.
    let cookie: String?
    /// A WebSocket's list of protocols.
    let protocols: String?
    /// A token in the query, where addresses of streams may have one.
    var query: String?
    /// The key in the path of a stream.
    var streamKey: String?

    /// The presented token, empty when its form is unexpected; nil when there is none.
    var token: String? {
        if let authorization {
            let words = authorization.split(separator: " ")
            return words.count == 2 && words[0].lowercased() == "bearer" ? String(words[1]) : ""
        }
        for offered in (protocols ?? "").split(separator: ",") {
            let offered = offered.drop { $0 == " " }
            if offered.hasPrefix(Self.tokenProtocol) {
                return String(offered.dropFirst(Self.tokenProtocol.count).prefix { $0 != " " })
            }
        }
        return query
    }
}

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

/// Sender of a request that has been admitted.
package struct Visitor {
    let role: AccessRole
    /// Id of the paired client that sent it.
    package var pairedClient: String?
}
