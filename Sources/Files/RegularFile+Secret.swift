/// Secrets, each in a file of its own.
extension RegularFile {
    /// Largest size in bytes of a file with a secret.
    private static let largestSecret = 4096

    /// The first line of a file that nobody but its owner may read.
    ///
    /// - Parameter content: name of the secret, such as "password".
    /// - Throws: ``FileError``, which does not repeat the secret.
    public static func secretLine(_ path: String, _ content: String) throws(FileError) -> String {
        let file = try RegularFile(path)
        guard !file.isShared else {
            throw FileError(path: path, reason: "other users may read the \(content), too", remedy: "run: chmod 600 \(path)")
        }
        let line = try file.bytes(atMost: largestSecret).prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
        guard !line.isEmpty, !line.contains(0) else {
            throw FileError(path: path, reason: "its first line is empty", remedy: "write the \(content) into the first line")
        }
        return String(decoding: line, as: UTF8.self)
    }
}
