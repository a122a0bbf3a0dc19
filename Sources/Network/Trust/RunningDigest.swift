internal import CCertificate

/// A digest of bytes that arrive in pieces. Used by one thread at a time.
public final class RunningDigest {
    public enum Algorithm: Sendable {
        case sha256
        /// For protocols that ask for it; it protects against damage, not against forgery.
        case sha1

        /// Bytes of a digest.
        var size: Int { self == .sha1 ? 20 : Int(CERTIFICATE_DIGEST_SIZE) }
    }

    private let algorithm: Algorithm
    private var state: UnsafeMutableRawPointer?

    public init(_ algorithm: Algorithm = .sha256) {
        self.algorithm = algorithm
        state = certificate_digest_begin(algorithm == .sha1)
    }

    deinit { certificate_digest_end(state, nil) }

    public func add(_ bytes: [UInt8]) { certificate_digest_add(state, bytes, bytes.count) }

    /// Ends the digest; empty without memory, or when it has ended already.
    public func finish() -> [UInt8] {
        guard let state else { return [] }
        var digest = [UInt8](repeating: 0, count: Int(CERTIFICATE_DIGEST_SIZE))
        certificate_digest_end(state, &digest)
        self.state = nil
        return Array(digest.prefix(algorithm.size))
    }
}
