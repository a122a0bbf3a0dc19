public import Files

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
