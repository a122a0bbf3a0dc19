/// What has happened to the namespace itself: the uppermost path that is concerned, with all that is below it.
public enum PathChange: Equatable, Sendable {
    case added(String)
    case removed(String)
    case renamed(old: String, new: String)
    /// What the node describes is another now.
    case changed(String)

    /// Whether a client that hears this reads everything there anyway.
    public func covers(_ other: PathChange) -> Bool {
        guard case .added(let path) = self, case .added(let inner) = other else { return self == other }
        return inner == path || inner.hasPrefix(path + "/")
    }
}
