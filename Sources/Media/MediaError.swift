/// Why a sound file could not be read or written; says what, where, why and what to do.
public struct MediaError: Error, CustomStringConvertible, Equatable {
    public let description: String

    public init(_ description: String) { self.description = description }
}
