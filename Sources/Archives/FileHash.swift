internal import Files
internal import Trust

/// The SHA-256 of files.
enum FileHash {
    private static let piece = 1 << 20

    /// Reads a whole file.
    /// - Parameter read: called with each piece; throws to end.
    /// - Returns: 64 hexadecimal digits.
    static func sha256(_ file: RegularFile, read: ([UInt8]) throws -> Void = { _ in }) throws -> String {
        let digest = RunningDigest()
        var done = 0
        while done < file.size {
            var bytes = [UInt8](repeating: 0, count: min(piece, file.size - done))
            let offset = done
            guard bytes.withUnsafeMutableBytes({ file.read(into: $0, at: offset) }) else {
                throw ArchiveError("\(file.path) became shorter while it was read; try again")
            }
            digest.add(bytes)
            try read(bytes)
            done += bytes.count
        }
        return Digest.hexadecimal(digest.finish())
    }
}
