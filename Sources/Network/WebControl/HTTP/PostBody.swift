internal import Foundation
internal import Trust

/// Body of a POST request as it arrives: a short JSON object.
final class PostBody {
    /// Kinds of request; raw values are the paths.
    enum Kind: String {
        case login = "/login"
        case pairing = "/pairing"
        case offer = "/pairing/offer"
        case revoke = "/pairing/revoke"
        case role = "/pairing/role"

        /// True for requests by which clients gain access; the others need a login that may control.
        var isForEverybody: Bool { self == .login || self == .pairing }

        /// The form of the body, for error texts.
        var form: String {
            switch self {
            case .login: "{\"token\":TEXT}"
            case .pairing: "{\"token\":TEXT,\"name\":TEXT}"
            case .offer: "{\"role\":\"view\"} or {\"role\":\"control\"}, with \"page\":\"phone\" to open the phone's page"
            case .revoke: "{\"id\":TEXT}"
            case .role: "{\"id\":TEXT,\"role\":\"view\"} or {\"id\":TEXT,\"role\":\"control\"}"
            }
        }
    }

    /// The members of all kinds of body.
    struct Content: Decodable {
        var token: String?
        var name: String?
        var id: String?
        var role: AccessRole?
        var page: PairingPage?
    }

    /// Largest length in bytes.
    static let longest = 1024
    let kind: Kind
    /// The Host header.
    let host: String?
    private var bytes: [UInt8] = []

    init(_ kind: Kind, host: String?) {
        self.kind = kind
        self.host = host
    }

    /// - Returns: false when the body is too long.
    func add(_ more: UnsafeRawBufferPointer) -> Bool {
        guard bytes.count + more.count <= Self.longest else { return false }
        bytes.append(contentsOf: more)
        return true
    }

    /// nil when the body is not a JSON object with these members.
    var content: Content? { try? JSONDecoder().decode(Content.self, from: Data(bytes)) }
}
