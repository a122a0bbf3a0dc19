internal import Foundation
internal import Trust

/// The checksum of a part of a resumable upload (tus 1.0.0, Upload-Checksum): the name of an algorithm, and the digest in base64.
struct PartChecksum: Sendable {
    /// Names of the algorithms; every server has to know SHA-1.
    static let names = "sha1,sha256"

    let algorithm: RunningDigest.Algorithm
    let bytes: [UInt8]

    /// - Returns: nil for a header that is not valid.
    init?(_ header: String) {
        let parts = header.split(separator: " ")
        guard parts.count == 2, let digest = Data(base64Encoded: String(parts[1])) else { return nil }
        switch (parts[0], digest.count) {
        case ("sha1", 20): algorithm = .sha1
        case ("sha256", 32): algorithm = .sha256
        default: return nil
        }
        bytes = [UInt8](digest)
    }
}
