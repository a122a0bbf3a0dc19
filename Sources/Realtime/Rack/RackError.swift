/// Reason why a rack was not changed, and how to correct it.
public struct RackError: Error, CustomStringConvertible, Equatable {
    public let description: String

    public init(_ description: String) { self.description = description }
}
