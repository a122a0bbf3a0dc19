/// Why a server's tokens could not be had, in words, and what to do.
public enum TokenFileError: Error, Equatable, CustomStringConvertible {
    case notWritable(String, String)
    case notReadable(String, String)
    case open(String)
    case wrong(String)

    public var description: String {
        switch self {
        case .notWritable(let path, let reason):
            "the token file \(path) cannot be made: \(reason); choose another with --token-file"
        case .notReadable(let path, let reason): "the token file \(path) cannot be read: \(reason)"
        case .open(let path): "the token file \(path) can be read by others; say: chmod 600 \(path)"
        case .wrong(let path):
            "the token file \(path) needs the lines \"control TOKEN\" and \"view TOKEN\", two different tokens of 16 or "
                + "more letters and digits; delete it to get new ones"
        }
    }
}
