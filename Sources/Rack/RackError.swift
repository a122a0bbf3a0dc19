/// Why a rack was not changed, in words: what is wrong and what would be right.
public struct RackError: Error, CustomStringConvertible, Equatable {
    public let description: String

    public init(_ description: String) { self.description = description }
}
