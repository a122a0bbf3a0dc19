/// State of the transport. The raw value is that of ``TransportParameter/state`` and of binary telemetry.
public enum TransportState: Int, CaseIterable, Sendable {
    case stopped, playing, paused

    /// Raw value, for realtime code.
    public var number: Int { @_noLocks @_noAllocation get { rawValue } }

    private static let names = allCases.map { "\($0)" }

    /// Name in choices and in telemetry.
    public var name: String { Self.names[rawValue] }
}
