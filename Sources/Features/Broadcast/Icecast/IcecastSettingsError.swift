/// A setting of the connection to an Icecast server that cannot be used, in a sentence.
public struct IcecastSettingsError: Error, CustomStringConvertible, Equatable {
    public let description: String

    init(_ description: String) { self.description = description }
}
