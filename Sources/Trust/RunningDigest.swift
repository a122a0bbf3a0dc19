internal import CCertificate

/// A SHA-256 digest of bytes that come in pieces. Used by one thread at a time.
public final class RunningDigest {
    private var state: UnsafeMutableRawPointer?

    public init() { state = certificate_digest_begin() }

    deinit { certificate_digest_end(state, nil) }

    public func add(_ bytes: [UInt8]) { certificate_digest_add(state, bytes, bytes.count) }

    /// Ends the digest: 32 bytes; empty without memory, or when it has ended already.
    public func finish() -> [UInt8] {
        guard let state else { return [] }
        var digest = [UInt8](repeating: 0, count: Int(CERTIFICATE_DIGEST_SIZE))
        certificate_digest_end(state, &digest)
        self.state = nil
        return digest
    }
}
