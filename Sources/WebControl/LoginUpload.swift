internal import Foundation

/// The body of a POST to `/login`, as it comes in: `{"token":TEXT}`.
final class LoginUpload {
    static let most = 1024

    private struct Body: Decodable {
        let token: String
    }

    private var bytes: [UInt8] = []

    /// - Returns: false when it is too long.
    func add(_ more: UnsafeRawBufferPointer) -> Bool {
        guard bytes.count + more.count <= Self.most else { return false }
        bytes.append(contentsOf: more)
        return true
    }

    /// nil when what came is something else.
    var token: String? { (try? JSONDecoder().decode(Body.self, from: Data(bytes)))?.token }
}
