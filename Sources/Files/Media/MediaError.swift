/// The reason why a sound file could not be read or written, as a sentence with the remedy.
public struct MediaError: Error, CustomStringConvertible, Equatable {
    public let description: String

    public init(_ description: String) { self.description = description }
}
