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
