internal import Glibc

/// A Bluetooth LE tracker through BlueZ: found, connected, asked to notify, and found again when it is gone.
final class BluetoothLink: TrackerLink {
    private let thread: LinkThread

    /// Milliseconds between two looks at what the bus has.
    private static let interval: Int32 = 1000

    /// - Parameters:
    ///   - device: an address, or a part of a name.
    ///   - characteristic: UUID of what notifies.
    ///   - output: taken over.
    ///   - report: told in words, on the thread.
    /// - Throws: ``TrackerSourceError`` for what is no UUID, with `output` untouched.
    init(
        device: String, characteristic: String, output: Int32, report: @escaping @Sendable (String) -> Void
    ) throws(TrackerSourceError) {
        let parts = characteristic.split(separator: "-", omittingEmptySubsequences: false).map(\.count)
        guard parts == [8, 4, 4, 4, 12] else {
            throw TrackerSourceError(
                text: device, reason: "\"\(characteristic)\" is no UUID; 6e400003-b5a3-f393-e0a9-e50e24dcca9e is one")
        }
        thread = LinkThread(output: output) { thread in
            var said = ""
            func say(_ text: String) {
                if text != said { report(text) }
                said = text
            }
            while !thread.shouldEnd {
                do throws(SystemBus.Failure) {
                    let search = BluetoothSearch(try SystemBus(), device: device, characteristic: characteristic)
                    try search.watch()
                    try Self.serve(search, thread, say)
                } catch {
                    say("the system's message bus cannot be used (\(error.words)); it is waited for")
                }
                _ = thread.wait(milliseconds: Self.interval)
            }
        }
    }

    func stop() { thread.stop() }

    private static func serve(
        _ search: BluetoothSearch, _ thread: LinkThread, _ say: (String) -> Void
    ) throws(SystemBus.Failure) {
        while !thread.shouldEnd {
            if let words = try search.step() { say(words) }
            _ = thread.wait(search.bus.descriptor, events: search.bus.events, milliseconds: interval)
            while let message = try search.bus.next() {
                if let packet = search.take(message) { thread.send(packet) }
                if let fault = message.fault, !search.isConnected { say("\(search.device): \(fault)") }
            }
        }
        search.leave()
    }
}
