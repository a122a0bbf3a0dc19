/// The reason why a file cannot be opened or read, and the remedy.
public struct FileError: Error, CustomStringConvertible, Equatable {
    public let path: String
    /// A clause without a full stop: "it is a FIFO (named pipe), not a regular file".
    public let reason: String
    /// A clause in the imperative: "name a regular file".
    public let remedy: String
    /// Whether nothing exists at the path.
    public let isMissing: Bool

    public init(path: String, reason: String, remedy: String, isMissing: Bool = false) {
        (self.path, self.reason, self.remedy, self.isMissing) = (path, reason, remedy, isMissing)
    }

    /// A private file that other users can read.
    public static func shared(_ path: String) -> FileError {
        FileError(path: path, reason: "other users can read it, too", remedy: "run: chmod 600 \(path)")
    }

    public var description: String { "\(path) cannot be read: \(reason); \(remedy)." }
}
