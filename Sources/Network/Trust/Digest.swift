internal import CCertificate
public import Files

/// Hash values.
public enum Digest {
    /// SHA-256, 32 bytes.
    public static func sha256(_ bytes: [UInt8]) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: Int(CERTIFICATE_DIGEST_SIZE))
        certificate_digest(bytes, Int32(bytes.count), &digest)
        return digest
    }

    /// Hexadecimal digits, two per byte.
    public static func hexadecimal(_ bytes: [UInt8], separator: String = "", isUppercase: Bool = false) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: isUppercase) }.joined(separator: separator)
    }
}

/// SHA-256 of a file's contents.
public enum FileDigest {
    private static let piece = 1 << 20

    /// Reads a whole file. For threads that may wait.
    /// - Parameter read: called with each piece; throws to end.
    /// - Returns: 64 hexadecimal digits.
    /// - Throws: `FileError` when the file becomes shorter meanwhile, or any error of `read`.
    public static func sha256(_ file: RegularFile, read: ([UInt8]) throws -> Void = { _ in }) throws -> String {
        let digest = RunningDigest()
        var done = 0
        while done < file.size {
            var bytes = [UInt8](repeating: 0, count: min(piece, file.size - done))
            let offset = done
            guard bytes.withUnsafeMutableBytes({ file.read(into: $0, at: offset) }) else {
                throw FileError(path: file.path, reason: "it was truncated while it was read", remedy: "try again")
            }
            digest.add(bytes)
            try read(bytes)
            done += bytes.count
        }
        return Digest.hexadecimal(digest.finish())
    }
}

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
