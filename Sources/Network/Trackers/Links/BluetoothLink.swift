internal import Glibc
internal import Links

/// Link to a Bluetooth LE tracker through BlueZ: finds it, connects, subscribes to its notifications, and reconnects.
final class BluetoothLink: TrackerLink {
    private let thread: LinkThread

    /// Milliseconds between two checks of the bus.
    private static let interval: Int32 = 1000

    /// - Parameters:
    ///   - tracker: an address, or a part of a name.
    ///   - characteristic: UUID of the characteristic that notifies.
    ///   - output: descriptor for packets, closed by the link.
    ///   - report: receives messages for the user, on the thread.
    /// - Throws: ``TrackerSourceError`` for an invalid UUID, or without a thread; `output` then stays open.
    init(
        tracker: String, characteristic: String, output: Int32, report: @escaping @Sendable (String) -> Void
    ) throws(TrackerSourceError) {
        let parts = characteristic.split(separator: "-", omittingEmptySubsequences: false).map(\.count)
        guard parts == [8, 4, 4, 4, 12] else {
            throw TrackerSourceError(
                text: tracker, reason: "\"\(characteristic)\" is not a UUID such as 6e400003-b5a3-f393-e0a9-e50e24dcca9e")
        }
        thread = try LinkThread(tracker: tracker, name: "tracker BLE", output: output) { thread in
            var lastReport = ""
            func reportChange(_ text: String) {
                if text != lastReport { report(text) }
                lastReport = text
            }
            while !thread.shouldEnd {
                do throws(SystemBus.Failure) {
                    let search = BluetoothSearch(try SystemBus(), tracker: tracker, characteristic: characteristic)
                    try search.watch()
                    try Self.serve(search, thread, reportChange)
                } catch {
                    reportChange("cannot connect to the system's message bus (\(error.words)); retrying")
                }
                _ = thread.wait(milliseconds: Self.interval)
            }
        }
    }

    func stop(waits: Bool) { thread.stop(waits: waits) }

    private static func serve(
        _ search: BluetoothSearch, _ thread: LinkThread, _ reportChange: (String) -> Void
    ) throws(SystemBus.Failure) {
        while !thread.shouldEnd {
            if let words = try search.step() { reportChange(words) }
            _ = thread.wait(search.bus.descriptor, events: search.bus.events, milliseconds: interval)
            while let message = try search.bus.next() {
                if let packet = search.take(message) { thread.send(packet) }
                if let fault = message.fault, !search.isConnected { reportChange("\(search.tracker): \(fault)") }
            }
        }
        search.leave()
    }
}
