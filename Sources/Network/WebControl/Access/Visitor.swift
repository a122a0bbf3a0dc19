internal import Trust

/// Sender of a request that has been admitted.
struct Visitor {
    let role: AccessRole
    /// Id of the paired client that sent it.
    var pairedClient: String?
}
