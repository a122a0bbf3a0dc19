/// Why no tracker can be attached as it is asked for.
public struct TrackerSourceError: Error, Equatable, CustomStringConvertible {
    public let text: String
    public let reason: String

    public var description: String { "tracker \(text): \(reason)" }
}
