internal import Glibc

/// Reason why a thread could not be started, and the remedy.
public struct ThreadError: Error, Equatable, CustomStringConvertible {
    /// Name of the thread.
    public let name: String
    /// Number of the system's error.
    public let code: Int32

    public init(name: String, code: Int32) { (self.name, self.code) = (name, code) }

    public var description: String { "the thread \"\(name)\" cannot be started: \(reason)" }

    /// The description as a sentence of its own.
    public var sentence: String { "\(description.prefix(1).uppercased())\(description.dropFirst())." }

    private var reason: String {
        switch code {
        case EAGAIN, ENOMEM:
            "the system allows this program no more threads, or no memory for another one; raise the limits (ulimit -u and -v, or TasksMax "
                + "and LimitAS of its service)"
        case EMFILE, ENFILE: "too many files are open; raise the limit (ulimit -n, or LimitNOFILE of its service)"
        default: String(cString: strerror(code))
        }
    }
}
