public import Session

/// A path of an object that cannot be used, with the reason for a person to read.
public struct ObjectPathError: DescriptionError, CustomStringConvertible {
    public let description: String

    public init(_ description: String) { self.description = description }
}
