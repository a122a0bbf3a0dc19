internal import CRealtime
internal import Trust

/// Decides which clients are admitted, by host names, tokens and logins. Used on the loop only.
///
/// Logs every kind of refusal once, and never a secret.
final class AccessControl {
    /// Wrong tokens per minute after which an address has to wait.
    private static let mostFailures = 10
    /// Length in bytes of a token that cannot be guessed. A right token that is shorter also has to wait after wrong ones, so that
    /// guesses stay limited.
    private static let unguessable = 22
    private static let minute: UInt64 = 60_000_000_000
    private static let mostLogged = 64
    /// Cookies of one request that are examined.
    private static let mostCookies = 8

    private let names: HostNames
    private let tokens: AccessTokens?
    /// nil when no token is needed, and so no pairing either.
    let clients: PairedClients?
    /// Key in the addresses of streams, which grants no other access, and changes with the token for viewing; nil without tokens.
    let streamKey: String?
    private var offers = PairingOffers()
    private let log: (String) -> Void
    /// Logins by role, which follow from the tokens: they hold after a restart, and at other engines with the same tokens.
    private let logins: [(id: String, role: AccessRole)]
    private var failures: [String: (count: Int, since: UInt64)] = [:]
    private var logged: Set<String> = []

    /// - Parameter tokens: nil lets every client control that uses an allowed host name.
    init(names: HostNames, tokens: AccessTokens?, clients: PairedClients?, log: @escaping (String) -> Void) {
        self.names = names
        self.tokens = tokens
        self.clients = tokens == nil ? nil : clients
        logins = tokens.map { [($0.login(.control), .control), ($0.login(.view), .view)] } ?? []
        streamKey = tokens.map { Digest.hexadecimal(Array(Digest.sha256(Array("vestibule stream \($0.view)".utf8)).prefix(16))) }
        self.log = log
    }

    /// - Returns: the reason to refuse a request for this host; nil when the host is allowed.
    func hostProblem(_ host: String?, local: String) -> String? {
        guard !names.allows(host, local: local), let host else { return nil }
        let name = HostNames.name(String(host.prefix(200)))
        let text = "\(name) is not a name of this server; if it should be, start the server with --allow-host \(name)"
        logOnce("host \(name)", "a request was refused: \(text)")
        return text
    }

    /// Identifies the sender of a request.
    /// - Returns: nil when the sender has to show a token first.
    func visitor(_ credentials: Credentials) -> Visitor? {
        guard let tokens else { return Visitor(role: .control) }
        if let token = credentials.token { return tokens.role(token).map { Visitor(role: $0) } }
        if let key = credentials.streamKey, Secret.equal(key, streamKey ?? "") { return Visitor(role: .view) }
        // A login on a paired client may do what either of the two permits.
        let known = Cookie.values(credentials.cookie).prefix(Self.mostCookies).compactMap(visitor(cookie:))
        return known.first { $0.role == .control } ?? known.first
    }

    private func visitor(cookie: String) -> Visitor? {
        // Every login is compared, so that the time taken reveals nothing.
        var found: Visitor?
        for login in logins where Secret.equal(login.id, cookie) { found = Visitor(role: login.role) }
        return found ?? clients?.find(cookie).map { Visitor(role: $0.role, pairedClient: $0.id) }
    }

    // MARK: Tokens and codes

    /// Result of a login.
    enum Login {
        case done(id: String, AccessRole)
        case wrong, tooMany
    }

    /// Exchanges a token for a login.
    /// - Parameter address: of the client.
    func login(_ token: String, from address: String) -> Login {
        let now = rt_now()
        if mustWait(address, now, token) { return .tooMany }
        guard let role = (tokens.map { $0.role(token) } ?? .control) else {
            countFailure(address, now, "a wrong token from \(address) was refused")
            return .wrong
        }
        // Without tokens no login is required.
        return .done(id: tokens?.login(role) ?? Secret.random(), role)
    }

    /// Result of a pairing.
    enum Pairing {
        case done(PairedClient, cookie: String)
        case refused(PairingOffers.Outcome)
        case tooMany, full
    }

    /// - Returns: a code that admits one client; nil when no pairing is needed.
    func offer(_ role: AccessRole) -> String? { clients == nil ? nil : offers.make(role, now: rt_now()) }

    /// Exchanges a code for a place among the paired clients.
    /// - Parameters:
    ///   - name: of the client.
    ///   - address: of the client.
    ///   - time: seconds since 1970.
    func pair(_ token: String, name: String, from address: String, time: Int) throws(TrustError) -> Pairing {
        let now = rt_now()
        guard let clients else { return .refused(.unknown) }
        let outcome = offers.redeem(token, now: now)
        let isBlocked = isBlocked(address, now)
        switch outcome {
        case .accepted(let role):
            guard let (client, cookie) = try clients.add(name: name, role: role, now: time) else { return .full }
            return .done(client, cookie: cookie)
        case _ where isBlocked: return .tooMany
        case .spent:
            countFailure(address, now, "a pairing code from \(address) was refused: it had been used already")
            return .refused(.spent)
        case .ended:
            countFailure(address, now, "a pairing code from \(address) was refused: it had expired")
            return .refused(.ended)
        case .unknown:
            countFailure(address, now, "a wrong pairing code from \(address) was refused")
            return .refused(.unknown)
        }
    }

    /// Whether a request has to wait because too many wrong tokens have come from its address. The right token does not have to wait unless
    /// it is short, since visitors of one place often share an address.
    func mustWait(_ address: String, with token: String) -> Bool { mustWait(address, rt_now(), token) }

    /// Counts a wrong token in a request like a wrong token in a login.
    func countWrongToken(_ address: String) { countFailure(address, rt_now(), "a wrong token from \(address) was refused") }

    private func mustWait(_ address: String, _ now: UInt64, _ token: String) -> Bool {
        guard isBlocked(address, now) else { return false }
        return token.utf8.count < Self.unguessable || tokens?.role(token) == nil
    }

    private func isBlocked(_ address: String, _ now: UInt64) -> Bool {
        guard let failed = failures[address] else { return false }
        return now - failed.since < Self.minute && failed.count >= Self.mostFailures
    }

    private func countFailure(_ address: String, _ now: UInt64, _ text: String) {
        if failures.count >= 1024 { failures = failures.filter { now - $0.value.since < Self.minute } }
        guard failures.count < 1024 || failures[address] != nil else { return }
        var known = failures[address] ?? (count: 0, since: now)
        if now - known.since >= Self.minute { known = (count: 0, since: now) }
        failures[address] = (known.count + 1, known.since)
        logOnce(text, text)
    }

    // MARK: The log

    func logMissingToken(_ address: String) {
        logOnce("token \(address)", "a request from \(address) without a valid token was refused")
    }

    func logForeignOrigin(_ origin: String, host: String?) {
        logOnce(
            "origin \(origin)",
            "a request from a page of \(origin.prefix(200)) was refused: the page is not from \(host ?? "this server")")
    }

    func logTooManyConnections(_ address: String, _ limit: Int) {
        logOnce("connections \(address)", "a connection from \(address) was refused: the address has \(limit) connections already")
    }

    func logExhaustion(_ descriptors: Int) {
        logOnce(
            "descriptors",
            "connections are refused because this process may have only \(descriptors) descriptors; raise its limit (ulimit -n)")
    }

    private func logOnce(_ key: String, _ text: String) {
        guard logged.count < Self.mostLogged, logged.insert(key).inserted else { return }
        log(text)
    }
}
