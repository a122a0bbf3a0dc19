/// Why a device cannot be used or has stopped by itself; says what, where, why and what to do.
public struct DeviceError: Error, CustomStringConvertible, Equatable, Sendable {
    public let description: String

    public init(_ description: String) { self.description = description }
}
