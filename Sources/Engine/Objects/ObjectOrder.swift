/// An order for a sound that an object is waiting for.
struct ObjectOrder: Equatable, Sendable {
    let object: Int
    /// The name that clients use.
    let name: String
    let path: String
}
