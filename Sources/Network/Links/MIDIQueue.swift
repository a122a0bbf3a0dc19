public import MIDI
internal import Synchronization

/// Messages of MIDI ports, on their way from the threads that read them to the control thread.
public final class MIDIQueue: Sendable {
    private struct Waiting {
        var messages: [ReceivedMIDI] = []
        /// Names of connected devices, by port; the ports are numbered as they are added.
        var names: [[String]] = []
        var hasNewNames = false
    }

    private let waiting = Mutex(Waiting())
    private let wake: @Sendable () -> Void

    /// Messages that wait at most; further ones are dropped.
    private static let most = 4096

    /// - Parameter wake: called on the reading thread when there is something to take.
    public init(wake: @escaping @Sendable () -> Void) { self.wake = wake }

    /// Adds a port.
    /// - Returns: its number.
    func add() -> Int {
        waiting.withLock { waiting in
            waiting.names.append([])
            return waiting.names.count - 1
        }
    }

    func push(_ message: ReceivedMIDI) {
        waiting.withLock { if $0.messages.count < Self.most { $0.messages.append(message) } }
        wake()
    }

    func show(_ names: [String], of port: Int) {
        waiting.withLock { waiting in
            waiting.names[port] = names
            waiting.hasNewNames = true
        }
        wake()
    }

    /// Returns all messages since the last call, oldest first.
    public func take() -> [ReceivedMIDI] {
        waiting.withLock { waiting in
            defer { waiting.messages = [] }
            return waiting.messages
        }
    }

    /// Returns the names of all connected devices; nil when they are the same as at the last call.
    public func takeNames() -> [String]? {
        waiting.withLock { waiting in
            defer { waiting.hasNewNames = false }
            return waiting.hasNewNames ? waiting.names.flatMap(\.self) : nil
        }
    }
}

/// A received MIDI message.
public struct ReceivedMIDI: Equatable, Sendable {
    public let message: MIDIMessage
    /// Time at which it was read, CLOCK_MONOTONIC nanoseconds.
    public let time: UInt64
}
