/// Secrets, each in its own file.
extension RegularFile {
    /// Largest size in bytes of a file with a secret.
    private static let largestSecret = 4096

    /// Opens a file that nobody but its owner may read.
    public static func secret(_ path: String) throws(FileError) -> RegularFile {
        let file = try RegularFile(path)
        guard !file.isShared else { throw FileError.shared(path) }
        return file
    }

    /// The first line of a file that nobody but its owner may read.
    ///
    /// - Parameter content: name of the secret, such as "password".
    /// - Throws: ``FileError``, which does not repeat the secret.
    public static func secretLine(_ path: String, _ content: String) throws(FileError) -> String {
        let bytes = ByteOrderMark.removed(from: try secret(path).bytes(atMost: largestSecret))
        let line = bytes.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
        guard !line.isEmpty, !line.contains(0) else {
            throw FileError(path: path, reason: "its first line is empty", remedy: "write the \(content) into the first line")
        }
        return String(decoding: line, as: UTF8.self)
    }
}
