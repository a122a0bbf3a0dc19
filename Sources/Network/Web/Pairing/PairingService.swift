internal import Glibc
internal import Hub
public import Trust

/// Makes pairing codes, and pairs the clients that show them.
public final class PairingService: WebFeature {
    private struct Request: Decodable {
        let token: String
        let name: String?
    }

    private struct Wish: Decodable {
        let role: AccessRole
        let page: PairingPage?
    }

    /// Answer to a request for a code.
    private struct Offer: Encodable {
        let url: String
        /// One text per row, `1` for dark.
        let code: [String]
        let seconds: Int
        let role: AccessRole
        /// The trust page, for a client that does not trust this server's certificate yet.
        let trust: Place?

        struct Place: Encodable {
            let url: String
            let code: [String]
        }
    }

    private let hub: Hub
    private let access: AccessControl
    private let address: ServerAddress
    private let clients: PairedClientService
    /// True when the certificate's authority has to be trusted first.
    private let hasAuthority: Bool

    init(hub: Hub, access: AccessControl, address: ServerAddress, clients: PairedClientService, hasAuthority: Bool) {
        self.hub = hub
        self.access = access
        self.address = address
        self.clients = clients
        self.hasAuthority = hasAuthority
    }

    package var routes: [Route] {
        [
            .json(
                "/pairing", .everybody, "Exchanges a pairing code for a cookie.", form: "{\"token\":TEXT,\"name\":TEXT}"
            ) { [unowned self] (request: Request, sender) in try pair(request.token, name: request.name ?? "", sender.connection) },
            .json(
                "/pairing/offer", .control, "A pairing code, as text and as QR code.",
                form: "{\"role\":\"view\"} or {\"role\":\"control\"}, with \"page\":\"phone\" to open the phone's page"
            ) { [unowned self] (wish: Wish, sender) in offer(wish.role, wish.page ?? .panel, host: sender.host) },
        ]
    }

    /// A code for a client nearby; nil when no pairing is needed.
    public func offer(_ role: AccessRole, _ page: PairingPage) -> PairingCode? { offer(role, page, host: nil) }

    private func offer(_ role: AccessRole, _ page: PairingPage, host: String?) -> PairingCode? {
        guard let token = access.offer(role) else { return nil }
        let url = "\(address.origin(host: host))\(page.path)#pair=\(token)"
        return QRCode(url).map { PairingCode(url: url, code: $0, seconds: PairingOffers.seconds) }
    }

    /// The answer to a request for a code.
    /// - Parameter host: the Host header of the request.
    private func offer(_ role: AccessRole, _ page: PairingPage, host: String?) -> Response {
        guard let made: PairingCode = offer(role, page, host: host) else { return PairedClientService.unneeded }
        let trust = hasAuthority ? address.origin("http", host: host) + "/trust" : nil
        return .json(
            200,
            Offer(
                url: made.url, code: made.code.rows, seconds: made.seconds, role: role,
                trust: trust.flatMap { url in QRCode(url).map { Offer.Place(url: url, code: $0.rows) } }))
    }

    /// Pairs the client that shows a code.
    private func pair(_ token: String, name: String, _ connection: Connection) throws(TrustError) -> Response {
        let peer = connection.client
        switch try access.pair(token, name: name, from: peer, time: time(nil)) {
        case .done(let client, let cookie):
            let permission = client.role == .control ? "control" : "view and listen"
            hub.notice("\(client.name) at \(peer) was paired and may \(permission)")
            clients.noteRequest(client.id, client.role, peer)
            var response = Response.json(200, ["role": client.role.rawValue, "id": client.id])
            // 400 days: browsers keep no cookie for longer.
            response.headers.append(("set-cookie:", Cookie.header("client-\(client.id)", cookie, days: 400, connection)))
            return response
        case .refused(.spent): return .text(410, "this code has been used already; request a new one")
        case .refused(.ended): return .text(410, "this code has expired; request a new one")
        case .refused: return .text(401, "this code is not valid here")
        case .tooMany: return .text(429, "too many wrong codes from this address; try again in a minute")
        case .full: return .text(507, "\(PairedClients.most) clients are paired already; revoke one first")
        }
    }
}

/// A code that pairs the client that scans it, once.
public struct PairingCode: Sendable {
    public let url: String
    public let code: QRCode
    /// Time until the code expires.
    public let seconds: Int
}

/// The page that a client opens once it is paired.
public enum PairingPage: String, Decodable, Sendable {
    case panel
    /// Makes a phone a head tracker.
    case phone

    var path: String { self == .phone ? "/phone" : "/" }
}
