/// The reason why an archive was not written or read, as a sentence with the remedy.
public struct ArchiveError: Error, CustomStringConvertible, Equatable {
    public let description: String
    /// Whether the same archive may be imported later: nothing is wrong with it.
    public let mayPass: Bool

    public init(_ description: String, mayPass: Bool = false) { (self.description, self.mayPass) = (description, mayPass) }
}

/// Error that ends a cancelled export or import.
struct ArchiveStop: Error {}
