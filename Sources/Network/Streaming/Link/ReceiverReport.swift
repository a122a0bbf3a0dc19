/// Counts and delays that the receiver of a stream has measured since its beginning.
public struct ReceiverReport: Sendable, Equatable {
    /// Packets that arrived, that came after their time, and that are missing.
    public var packets: Int
    public var late: Int
    public var lost: Int
    /// Packets that were refused: damaged, repeated, or of another stream.
    public var refused: Int
    /// Milliseconds of sound that had to be concealed.
    public var concealed: Double
    /// Present and wanted delay in the receiver, milliseconds.
    public var buffer: Double
    public var target: Double
    /// Sender's clock against the receiver's, parts per million.
    public var drift: Double

    public init(
        packets: Int = 0, late: Int = 0, lost: Int = 0, refused: Int = 0, concealed: Double = 0, buffer: Double = 0, target: Double = 0,
        drift: Double = 0
    ) {
        self.packets = packets
        self.late = late
        self.lost = lost
        self.refused = refused
        self.concealed = concealed
        self.buffer = buffer
        self.target = target
        self.drift = drift
    }

    /// Whether all numbers are plausible: finite, and none below 0 except the drift.
    public var isPossible: Bool {
        let counts = [packets, late, lost, refused]
        return counts.allSatisfy { $0 >= 0 && $0 < 1 << 53 } && [concealed, buffer, target].allSatisfy { $0.isFinite && $0 >= 0 }
            && drift.isFinite
    }
}
