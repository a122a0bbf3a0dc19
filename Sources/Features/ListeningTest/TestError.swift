public import Session

/// Refusal of a listening test: the reason, and the remedy.
public struct TestError: DescriptionError, Equatable, CustomStringConvertible {
    public let description: String
    public init(_ description: String) { self.description = description }
}
