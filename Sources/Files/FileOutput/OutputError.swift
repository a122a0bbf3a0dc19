internal import Glibc

/// Reason why a file was not written. A file that was there before is unchanged.
public struct OutputError: Error, CustomStringConvertible, Equatable {
    public enum Kind: Sendable {
        /// There is a file already, and it was not to be replaced.
        case exists
        /// The destination is a file that is read as well.
        case isInput
        /// The disk, a quota or a limit on file sizes has no room for it.
        case full
        case other
    }

    /// Destination as it was named.
    public let path: String
    public let kind: Kind
    /// The reason, and the remedy where there is one.
    public let reason: String

    public init(_ path: String, _ kind: Kind = .other, _ reason: String) {
        self.path = path
        self.kind = kind
        self.reason = reason
    }

    public var description: String { "\(path) was not written: \(reason)" }

    /// - Parameter number: of `errno`.
    public init(_ path: String, errno number: Int32) {
        self.init(path, [ENOSPC, EDQUOT, EFBIG].contains(number) ? .full : .other, Self.words(number, path))
    }

    /// A file that could not be moved.
    ///
    /// - Parameters:
    ///   - place: its destination.
    ///   - number: of `errno`.
    public init(moving path: String, to place: String, errno number: Int32) {
        // Moving needs both folders: if the destination's is writable, the other one has refused.
        let refuses = [EACCES, EPERM].contains(number) && access(FilePlace.folder(of: place), W_OK) == 0 ? path : place
        self.init(refuses, errno: number)
    }

    private static func words(_ number: Int32, _ path: String) -> String {
        let folder = FilePlace.folder(of: path)
        return switch number {
        case ENOENT: "there is no folder \(folder); make it first"
        case ENOTDIR: "\(folder) is not a folder; name a file in a folder"
        case EACCES, EPERM: "the folder \(folder) is not writable; choose another one, or change its permissions"
        case EROFS: "the folder \(folder) is on a read-only file system; choose another one"
        case ENOSPC: "the disk is full; free some space, or choose another disk"
        case EDQUOT: "the disk quota is exceeded; free some space, or choose another disk"
        case ENAMETOOLONG: "the name is too long; file systems allow 255 bytes for a name and 4095 for a path"
        case EFBIG: "the file would be larger than the file system or a limit allows"
        case ELOOP: "its symbolic links form a circle"
        default: String(cString: strerror(number))
        }
    }
}
