internal import Trust

/// Sender of a request that has been admitted.
package struct Visitor {
    let role: AccessRole
    /// Id of the paired client that sent it.
    package var pairedClient: String?
}
