/// The reason why a device cannot be used or has stopped by itself, as a sentence with the remedy.
public struct DeviceError: Error, CustomStringConvertible, Equatable, Sendable {
    public let description: String
    /// Whether the device is absent and may still appear, as opposed to one that cannot be used as requested.
    public let isAbsence: Bool

    public init(_ description: String, isAbsence: Bool = false) { (self.description, self.isAbsence) = (description, isAbsence) }
}
