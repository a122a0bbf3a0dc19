internal import Rack

/// Racks and scenes that engines share with those that follow them.
extension SessionFile {
    private static let field = "scenesLeftOut"

    /// Whether scenes are left out because they are too large; the follower then keeps its own.
    public var leavesOutScenes: Bool {
        get { unknown[Self.field] == .bool(true) }
        set { unknown[Self.field] = newValue ? .bool(true) : nil }
    }
}
