/// One question and its answer, with four times in milliseconds: two of the asking side's clock, two of the answering side's.
public struct RoundTrip: Sendable, Equatable {
    /// Departure of the question and arrival of the answer, by the clock of the side that asks.
    public let sent: Double
    public let returned: Double
    /// Arrival of the question and departure of the answer, by the clock of the side that answers.
    public let received: Double
    public let answered: Double

    /// - Returns: nil when the times are impossible: not finite, or in the wrong order.
    public init?(sent: Double, received: Double, answered: Double, returned: Double) {
        guard [sent, received, answered, returned].allSatisfy(\.isFinite), received <= answered, sent <= returned else { return nil }
        guard answered - received <= returned - sent + 1 else { return nil }
        self.sent = sent
        self.received = received
        self.answered = answered
        self.returned = returned
    }

    /// Time on the network in both directions, milliseconds.
    public var duration: Double { max(0, (returned - sent) - (answered - received)) }
    /// Difference of the clocks: the answering side's minus the asking side's, milliseconds.
    public var offset: Double { ((received - sent) + (answered - returned)) / 2 }
}
