/// The reason why a device cannot be used or has stopped by itself, as a sentence with the remedy.
public struct DeviceError: Error, CustomStringConvertible, Equatable, Sendable {
    public let description: String

    public init(_ description: String) { self.description = description }
}
