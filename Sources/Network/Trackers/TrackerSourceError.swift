/// Reason why a tracker could not be attached.
public struct TrackerSourceError: Error, Equatable, CustomStringConvertible {
    public let text: String
    public let reason: String

    public var description: String { "tracker \(text): \(reason)" }
}
