public import Rack

/// Which session is open: its file, and what stands in it.
public struct OpenSession: Sendable, Equatable {
    /// Of the file; nil for a session without a name.
    public var path: String?
    /// As it was when it was loaded or saved last.
    public var saved: SessionFile
    /// Of the file: what this program does not know and keeps, fields and addresses.
    public var fields: [String: JSON] = [:]
    public var addresses: [String: JSON] = [:]

    public init(path: String?, saved: SessionFile) {
        self.path = path
        self.saved = saved
    }
}
