public import Parameters

/// One message of a client: an address, perhaps with wildcards, and what it carries.
public struct Message: Sendable, Equatable {
    public var address: String
    public var arguments: [Argument]
    /// When the kernel had it, CLOCK_MONOTONIC nanoseconds.
    public var receiveTime: UInt64
    /// When the sender says it was meant, the same; 0 when unknown.
    public var senderTime: UInt64

    public init(address: String, arguments: [Argument], receiveTime: UInt64, senderTime: UInt64 = 0) {
        self.address = address
        self.arguments = arguments
        self.receiveTime = receiveTime
        self.senderTime = senderTime
    }
}

/// What became of a message. Everything but `done` has something to tell the sender.
public enum Reply: Equatable, Sendable {
    case done
    /// Taken, but brought into range: what was stored stands in the text.
    case clamped(String)
    case refused(String)
    case unknown(String)

    /// In words, for the sender; nil when all went as it was asked.
    public var text: String? {
        switch self {
        case .done: nil
        case .clamped(let text), .refused(let text), .unknown(let text): text
        }
    }
}
