internal import CRealtime

/// Who may come in: names, tokens, logins. Used on the loop only.
///
/// Says everything that it refuses once, and never a secret.
final class Gatekeeper {
    /// Logins that are remembered; the oldest gives way.
    static let mostLogins = 256
    /// Wrong tokens in a minute after which an address has to wait.
    private static let mostFailures = 10
    private static let minute: UInt64 = 60_000_000_000
    private static let mostRemembered = 64
    /// In a WebSocket's list of protocols, what stands before a token.
    static let tokenProtocol = "vestibule.token."

    private let names: HostNames
    private let tokens: AccessTokens?
    private let log: (String) -> Void
    private var logins: [(id: String, role: AccessRole)] = []
    private var failures: [String: (count: Int, since: UInt64)] = [:]
    private var said: Set<String> = []

    /// - Parameter tokens: nil lets everybody control who comes under a right name.
    init(names: HostNames, tokens: AccessTokens?, log: @escaping (String) -> Void) {
        self.names = names
        self.tokens = tokens
        self.log = log
    }

    /// Why a request for this host is refused; nil when it is not.
    func hostProblem(_ host: String?, local: String) -> String? {
        guard !names.allows(host, local: local), let host else { return nil }
        let name = HostNames.name(String(host.prefix(200)))
        let text = "this server is not asked for as \(name); if that is its name, start it with --allow-host \(name)"
        say("host \(name)", "refused: \(text)")
        return text
    }

    /// What a request may do.
    /// - Parameters:
    ///   - authorization: that header.
    ///   - cookie: that header.
    ///   - protocols: a WebSocket's list of protocols.
    /// - Returns: nil for somebody who has to show a token first.
    func role(authorization: String?, cookie: String?, protocols: String? = nil) -> AccessRole? {
        guard let tokens else { return .control }
        if let authorization {
            let words = authorization.split(separator: " ")
            guard words.count == 2, words[0].lowercased() == "bearer" else { return nil }
            return tokens.role(String(words[1]))
        }
        for offered in (protocols ?? "").split(separator: ",") {
            let offered = offered.drop { $0 == " " }
            guard offered.hasPrefix(Self.tokenProtocol) else { continue }
            return tokens.role(String(offered.dropFirst(Self.tokenProtocol.count).prefix { $0 != " " }))
        }
        for pair in (cookie ?? "").split(separator: ";") {
            let pair = pair.drop { $0 == " " }
            guard pair.hasPrefix("vestibule-"), let equals = pair.firstIndex(of: "=") else { continue }
            let id = String(pair[pair.index(after: equals)...])
            // Every login is looked at, so that time says nothing about them.
            var found: AccessRole?
            for login in logins where AccessTokens.equal(login.id, id) { found = login.role }
            if let found { return found }
        }
        return nil
    }

    enum Login {
        case done(id: String, AccessRole)
        case wrong, tooMany
    }

    /// Takes a token for a login.
    /// - Parameter address: of the client.
    func login(_ token: String, from address: String) -> Login {
        let now = rt_now()
        if let failed = failures[address], now - failed.since < Self.minute, failed.count >= Self.mostFailures {
            return .tooMany
        }
        guard let role = (tokens.map { $0.role(token) } ?? .control) else {
            fail(address, now)
            return .wrong
        }
        failures[address] = nil
        let id = AccessTokens.random()
        if logins.count == Self.mostLogins { logins.removeFirst() }
        logins.append((id, role))
        return .done(id: id, role)
    }

    private func fail(_ address: String, _ now: UInt64) {
        if failures.count >= 1024 { failures = failures.filter { now - $0.value.since < Self.minute } }
        guard failures.count < 1024 || failures[address] != nil else { return }
        var known = failures[address] ?? (count: 0, since: now)
        if now - known.since >= Self.minute { known = (count: 0, since: now) }
        failures[address] = (known.count + 1, known.since)
        say("login \(address)", "a wrong token from \(address) was refused")
    }

    func noteMissingToken(_ address: String) {
        say("token \(address)", "a request from \(address) without a valid token was refused")
    }

    func noteOrigin(_ origin: String, host: String?) {
        say("origin \(origin)", "a page of \(origin.prefix(200)) was refused: it is not from \(host ?? "here")")
    }

    func noteTooMany(_ address: String, _ most: Int) {
        say("connections \(address)", "connections from \(address) were refused: it has \(most) already")
    }

    /// Says something the first time.
    private func say(_ key: String, _ text: String) {
        guard said.count < Self.mostRemembered, said.insert(key).inserted else { return }
        log(text)
    }
}
