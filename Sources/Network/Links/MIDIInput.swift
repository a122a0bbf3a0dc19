internal import CRealtime
internal import MIDI
public import Threads

/// The thread that reads one MIDI port, and finds devices that are connected later.
public final class MIDIInput {
    private let thread: LinkThread

    /// Milliseconds between two searches for devices.
    private static let retry: Int32 = 1000

    /// Starts the thread at once.
    /// - Parameter port: used by the thread alone from now on.
    /// - Throws: ``ThreadError`` when the system does not allow the thread.
    public init(_ port: sending any MIDIPort, queue: MIDIQueue) throws(ThreadError) {
        let number = queue.add()
        // SAFETY: the caller has given the port away; only the thread uses it.
        nonisolated(unsafe) let port = port
        thread = try LinkThread(name: "MIDI") { thread in
            var parser = MIDIParser()
            var connected: [String] = []
            var searched: UInt64?
            while !thread.shouldEnd {
                let now = rt_now()
                if searched.map({ now - $0 >= UInt64(Self.retry) * 1_000_000 }) ?? true {
                    let names = port.connect()
                    if names != connected { queue.show(names, of: number) }
                    (connected, searched) = (names, now)
                }
                guard thread.wait(port.descriptor, milliseconds: Self.retry) else { continue }
                let isThere = port.read { bytes in
                    let time = rt_now()
                    for message in parser.take(bytes) { queue.push(ReceivedMIDI(message: message, time: time)) }
                }
                guard !isThere else { continue }
                // A message that the device had begun is lost.
                parser = MIDIParser()
                queue.show([], of: number)
                connected = []
                // A device file that ends at once would otherwise be opened without pause.
                _ = thread.wait(milliseconds: Self.retry)
                searched = nil
            }
        }
    }

    public func stop() { thread.stop(waits: true) }
}
