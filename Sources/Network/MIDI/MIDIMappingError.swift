/// The reason why a text is not a mapping.
public struct MIDIMappingError: Error, Equatable, CustomStringConvertible {
    public let description: String

    init(_ description: String) { self.description = description }
}
