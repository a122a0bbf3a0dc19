internal import Trust

/// Somebody who has been let in.
struct Visitor {
    let role: AccessRole
    /// The paired device that they come with.
    var device: String?
}
