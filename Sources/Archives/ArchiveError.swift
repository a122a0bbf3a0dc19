/// The reason why an archive was not written or read, as a sentence with the remedy.
public struct ArchiveError: Error, CustomStringConvertible, Equatable {
    public let description: String

    public init(_ description: String) { self.description = description }
}
