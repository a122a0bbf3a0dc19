/// Why something about a session cannot be done, for a person.
struct SessionRefusal: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
