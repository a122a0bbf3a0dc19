/// Exchanges tokens for cookies.
struct LoginService: WebFeature {
    private struct Login: Decodable { let token: String }

    private let access: AccessControl
    private let address: ServerAddress

    init(access: AccessControl, address: ServerAddress) {
        self.access = access
        self.address = address
    }

    var routes: [Route] {
        [
            .json("/login", .everybody, "Exchanges a token for a cookie.", form: "{\"token\":TEXT}") { (login: Login, sender) in
                logIn(login.token, sender.connection)
            }
        ]
    }

    private func logIn(_ token: String, _ connection: Connection) -> Response {
        switch access.login(token, from: connection.client) {
        case .done(let id, let role):
            var response = Response.json(200, ["role": role])
            // Browsers delete it after 90 days. Another token ends it at once.
            response.headers.append(("set-cookie:", Cookie.header("\(address.port)", id, days: 90, connection)))
            return response
        case .wrong: return .text(401, "wrong token")
        case .tooMany: return .text(429, "too many wrong tokens from this address; try again in a minute")
        }
    }
}
