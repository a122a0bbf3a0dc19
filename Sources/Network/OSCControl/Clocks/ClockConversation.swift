internal import CRealtime
public import Parameters

/// OSC messages of a ``ClockExchange``, over any transport; see protocol/README.md.
public struct ClockConversation {
    public private(set) var exchange = ClockExchange()

    public init() {}

    /// Answers `/clock` and `/clock/answer`.
    ///
    /// - Parameters:
    ///   - arrived: receive time of the message, CLOCK_MONOTONIC nanoseconds.
    ///   - send: sends one reply immediately.
    /// - Returns: false for every other message.
    public mutating func take(
        _ address: String, _ arguments: [Argument], arrived: UInt64, send: ([UInt8]) -> Void
    ) -> Bool {
        switch address {
        case "/clock":
            guard arguments.first?.isRelease != true else { return true }
            ask(exchange.begin(now: rt_now()), send)
        case "/clock/answer":
            guard arguments.count == 3, case .int(let number) = arguments[0], case .double(let received) = arguments[1],
                case .double(let sent) = arguments[2]
            else { return true }
            switch exchange.answer(number, received: received, sent: sent, arrived: arrived, now: rt_now()) {
            case .ask(let number): ask(number, send)
            case .known(let clock):
                let offset = Double(clock.offset) / 1e9
                send(
                    OSCPacket.bytes(
                        "/clock/known", [.double(offset), .double(exchange.roundTrip), .double(clock.drift * 1e6)]))
            case .ignored: break
            }
        default: return false
        }
        return true
    }

    private func ask(_ number: Int32, _ send: ([UInt8]) -> Void) { send(OSCPacket.bytes("/clock/ask", [.int(number)])) }
}
