/// State of a tracker. The raw value is that of ``TrackerParameter/state`` and of binary telemetry.
public enum TrackerState: Int, CaseIterable, Sendable {
    /// No tracker is attached.
    case none
    /// No pose has been received yet.
    case waiting
    case live
    /// Silent; the head keeps its last pose.
    case held
    /// Silent; the head has returned to the front.
    case home

    private static let names = allCases.map { "\($0)" }

    /// Name in choices and in telemetry.
    public var name: String { Self.names[rawValue] }
}
