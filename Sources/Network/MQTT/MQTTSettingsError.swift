/// A setting of the connection to a broker that cannot be used, in a sentence.
public struct MQTTSettingsError: Error, CustomStringConvertible, Equatable {
    public let description: String

    init(_ description: String) { self.description = description }
}
