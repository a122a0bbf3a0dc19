public import Parameters

/// One message of a client: an address, which may contain wildcards, and its arguments.
public struct Message: Sendable, Equatable {
    public var address: String
    public var arguments: [Argument]
    /// Time at which the kernel received it, CLOCK_MONOTONIC nanoseconds.
    public var receiveTime: UInt64
    /// Time at which the sender generated it, on the same clock; 0 when unknown.
    public var senderTime: UInt64
    /// Network address of a sender that has not subscribed; nil for a subscriber's messages and for the program's own.
    public var sender: NetworkAddress?
    /// Whether the message restores a value from a session, from a scene or by undo or redo.
    public var isRestored = false

    public init(
        address: String, arguments: [Argument], receiveTime: UInt64, senderTime: UInt64 = 0, sender: NetworkAddress? = nil
    ) {
        self.address = address
        self.arguments = arguments
        self.receiveTime = receiveTime
        self.senderTime = senderTime
        self.sender = sender
    }
}
