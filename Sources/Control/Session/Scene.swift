public import Rack

/// A snapshot with a name.
public struct Scene: Sendable, Equatable {
    public var name: String
    public var snapshot: Snapshot
    /// Fields of the file that this version does not know; they are kept, and written again.
    public var unknown: [String: JSON] = [:]

    public init(name: String, snapshot: Snapshot) {
        self.name = name
        self.snapshot = snapshot
    }
}
