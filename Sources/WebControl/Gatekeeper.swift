internal import CRealtime
internal import Trust

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
    /// Cookies of one request that are looked at.
    private static let mostCookies = 8
    /// In a WebSocket's list of protocols, what stands before a token.
    static let tokenProtocol = "vestibule.token."

    private let names: HostNames
    private let tokens: AccessTokens?
    /// nil when there are no tokens, and so nothing that pairing would give.
    let devices: PairedDevices?
    private var offers = PairingOffers()
    private let log: (String) -> Void
    private var logins: [(id: String, role: AccessRole)] = []
    private var failures: [String: (count: Int, since: UInt64)] = [:]
    private var said: Set<String> = []

    /// - Parameter tokens: nil lets everybody control who comes under a right name.
    init(names: HostNames, tokens: AccessTokens?, devices: PairedDevices?, log: @escaping (String) -> Void) {
        self.names = names
        self.tokens = tokens
        self.devices = tokens == nil ? nil : devices
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

    /// Who sends a request, and what they may do.
    /// - Parameters:
    ///   - authorization: that header.
    ///   - cookie: that header.
    ///   - protocols: a WebSocket's list of protocols.
    /// - Returns: nil for somebody who has to show a token first.
    func visitor(authorization: String?, cookie: String?, protocols: String? = nil) -> Visitor? {
        guard let tokens else { return Visitor(role: .control) }
        if let authorization {
            let words = authorization.split(separator: " ")
            guard words.count == 2, words[0].lowercased() == "bearer" else { return nil }
            return tokens.role(String(words[1])).map { Visitor(role: $0) }
        }
        for offered in (protocols ?? "").split(separator: ",") {
            let offered = offered.drop { $0 == " " }
            guard offered.hasPrefix(Self.tokenProtocol) else { continue }
            return tokens.role(String(offered.dropFirst(Self.tokenProtocol.count).prefix { $0 != " " }))
                .map { Visitor(role: $0) }
        }
        let shown = (cookie ?? "").split(separator: ";").compactMap { pair -> String? in
            let pair = pair.drop { $0 == " " }
            guard pair.hasPrefix("vestibule-"), let equals = pair.firstIndex(of: "=") else { return nil }
            return String(pair[pair.index(after: equals)...])
        }
        // Whoever has logged in on a paired device may do what either lets them.
        let known = shown.prefix(Self.mostCookies).compactMap(visitor(cookie:))
        return known.first { $0.role == .control } ?? known.first
    }

    private func visitor(cookie: String) -> Visitor? {
        // Every login is looked at, so that time says nothing about them.
        var found: Visitor?
        for login in logins where Secret.equal(login.id, cookie) { found = Visitor(role: login.role) }
        return found ?? devices?.find(cookie).map { Visitor(role: $0.role, device: $0.id) }
    }

    // MARK: Tokens and codes

    enum Login {
        case done(id: String, AccessRole)
        case wrong, tooMany
    }

    /// Takes a token for a login.
    /// - Parameter address: of the client.
    func login(_ token: String, from address: String) -> Login {
        let now = rt_now()
        if hasGuessed(address, now) { return .tooMany }
        guard let role = (tokens.map { $0.role(token) } ?? .control) else {
            fail(address, now, "a wrong token from \(address) was refused")
            return .wrong
        }
        failures[address] = nil
        let id = Secret.random()
        if logins.count == Self.mostLogins { logins.removeFirst() }
        logins.append((id, role))
        return .done(id: id, role)
    }

    enum Pairing {
        case done(PairedDevice, cookie: String)
        case refused(PairingOffers.Outcome)
        case tooMany, full
    }

    /// A code that lets one device in; nil when nobody needs one.
    func offer(_ role: AccessRole) -> String? { devices == nil ? nil : offers.make(role, now: rt_now()) }

    /// Takes a code for a device of this name.
    /// - Parameters:
    ///   - address: of the client.
    ///   - time: seconds since 1970.
    func pair(_ token: String, name: String, from address: String, time: Int) throws(TrustError) -> Pairing {
        let now = rt_now()
        guard let devices else { return .refused(.unknown) }
        if hasGuessed(address, now) { return .tooMany }
        switch offers.redeem(token, now: now) {
        case .accepted(let role):
            guard let (device, cookie) = try devices.add(name: name, role: role, now: time) else { return .full }
            failures[address] = nil
            return .done(device, cookie: cookie)
        case .spent:
            fail(address, now, "a pairing code that had been used was shown again by \(address) and refused")
            return .refused(.spent)
        case .ended:
            fail(address, now, "a pairing code that had ended was shown by \(address) and refused")
            return .refused(.ended)
        case .unknown:
            fail(address, now, "a wrong pairing code from \(address) was refused")
            return .refused(.unknown)
        }
    }

    private func hasGuessed(_ address: String, _ now: UInt64) -> Bool {
        guard let failed = failures[address] else { return false }
        return now - failed.since < Self.minute && failed.count >= Self.mostFailures
    }

    private func fail(_ address: String, _ now: UInt64, _ text: String) {
        if failures.count >= 1024 { failures = failures.filter { now - $0.value.since < Self.minute } }
        guard failures.count < 1024 || failures[address] != nil else { return }
        var known = failures[address] ?? (count: 0, since: now)
        if now - known.since >= Self.minute { known = (count: 0, since: now) }
        failures[address] = (known.count + 1, known.since)
        say(text, text)
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
