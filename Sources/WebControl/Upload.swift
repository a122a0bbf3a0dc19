internal import Foundation
internal import Trust

/// The body of a POST, as it comes in: a short object in JSON.
final class Upload {
    /// What may be posted; raw values are the paths.
    enum Kind: String {
        case login = "/login"
        case pairing = "/pairing"
        case offer = "/pairing/offer"
        case revoke = "/pairing/revoke"
        case role = "/pairing/role"

        /// How one lets oneself in; the rest is for those who control.
        var isForEverybody: Bool { self == .login || self == .pairing }

        /// What is wanted, in words.
        var form: String {
            switch self {
            case .login: "a login is {\"token\":TEXT}"
            case .pairing: "a pairing is {\"token\":TEXT,\"name\":TEXT}"
            case .offer: "an offer is {\"role\":\"view\"} or {\"role\":\"control\"}, with \"page\":\"phone\" for a phone that turns a head,"
            case .revoke: "a revocation is {\"id\":TEXT}"
            case .role: "a role is {\"id\":TEXT,\"role\":\"view\"} or {\"id\":TEXT,\"role\":\"control\"}"
            }
        }
    }

    struct Body: Decodable {
        var token: String?
        var name: String?
        var id: String?
        var role: AccessRole?
        var page: PairingPage?
    }

    static let most = 1024
    let kind: Kind
    /// The Host header.
    let host: String?
    private var bytes: [UInt8] = []

    init(_ kind: Kind, host: String?) {
        self.kind = kind
        self.host = host
    }

    /// - Returns: false when it is too long.
    func add(_ more: UnsafeRawBufferPointer) -> Bool {
        guard bytes.count + more.count <= Self.most else { return false }
        bytes.append(contentsOf: more)
        return true
    }

    /// nil when what came is something else.
    var body: Body? { try? JSONDecoder().decode(Body.self, from: Data(bytes)) }
}
