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
    /// The file's values for listeners of the sound device that this engine does not have, and the session's number of device listeners,
    /// including these.
    public var absent = Snapshot()
    public var listeners = 1

    /// Path of a recording that the file names and that was not loaded; it is kept as long as the recording that was playing then still
    /// plays.
    public struct Kept: Sendable, Equatable {
        public var path: String
        /// Path of the recording that was playing.
        public var beside: String

        public init(path: String, beside: String) {
            self.path = path
            self.beside = beside
        }
    }
    public var kept: Kept?

    public init(path: String?, saved: SessionFile) {
        self.path = path
        self.saved = saved
    }
}
