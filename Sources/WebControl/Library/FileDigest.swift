internal import Files
internal import Trust

/// SHA-256 of a file's contents.
enum FileDigest {
    private static let piece = 1 << 20

    /// - Returns: 64 hexadecimal digits.
    /// - Throws: `FileError` when the file cannot be opened, or changes while it is read.
    static func sha256(_ path: String) throws -> String {
        let file = try RegularFile(path)
        let digest = RunningDigest()
        var done = 0
        while done < file.size {
            var bytes = [UInt8](repeating: 0, count: min(piece, file.size - done))
            let offset = done
            guard bytes.withUnsafeMutableBytes({ file.read(into: $0, at: offset) }) else {
                throw FileError(path: path, reason: "it has become shorter", remedy: "send it again")
            }
            digest.add(bytes)
            done += bytes.count
        }
        return Digest.hexadecimal(digest.finish())
    }
}
