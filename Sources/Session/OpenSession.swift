public import Rack

/// The session that is open: its file, and the file's content.
public struct OpenSession: Sendable, Equatable {
    /// Path of the file; nil for a session without a name.
    public var path: String?
    /// The session when it was loaded or saved last.
    public var saved: SessionFile
    /// Fields of the file that this version does not know and keeps, and addresses.
    public var fields: [String: JSON] = [:]
    public var addresses: [String: JSON] = [:]

    public init(path: String?, saved: SessionFile) {
        self.path = path
        self.saved = saved
    }
}
