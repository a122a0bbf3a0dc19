internal import Files

/// Reason why a server's tokens are not available, and the remedy.
public enum TokenFileError: Error, Equatable, CustomStringConvertible {
    case notWritable(String, String)
    case notReadable(String, String)
    /// Other users can read the file.
    case open(String)
    case wrong(String)

    /// - Parameter path: of the token file.
    init(_ error: TrustError, _ path: String) {
        switch error {
        case .notWritable(_, let reason): self = .notWritable(path, reason)
        case .notReadable(_, let reason): self = .notReadable(path, reason)
        case .open: self = .open(path)
        default: self = .notReadable(path, "\(error)")
        }
    }

    public var description: String {
        switch self {
        case .notWritable(let path, let reason):
            "the token file \(path) cannot be created: \(reason); choose another one with --token-file"
        case .notReadable(let path, let reason): "the token file \(path) cannot be read: \(reason)"
        case .open(let path): "the token file \(FileError.shared(path))"
        case .wrong(let path):
            "the token file \(path) is not valid: it needs the lines \"control TOKEN\" and \"view TOKEN\" with two different tokens "
                + "of 16 or more letters and digits; delete it to get new ones"
        }
    }
}
