/// A change of the namespace: the topmost path concerned; everything below it changes as well.
public enum PathChange: Equatable, Sendable {
    case added(String)
    case removed(String)
    case renamed(old: String, new: String)
    /// The description of the node has changed.
    case changed(String)

    /// Whether a client that receives this change reads everything that the other one concerns anyway.
    public func covers(_ other: PathChange) -> Bool {
        guard case .added(let path) = self, case .added(let inner) = other else { return self == other }
        return inner == path || inner.hasPrefix(path + "/")
    }
}
